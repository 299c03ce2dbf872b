"""The failed cases of a graded suite, by stratum."""

import streamlit as st

from evalcore.case import STRATA, Stratum
from evalcore.report import MarkEntry
from pages.shared.markup import Html, element, show, table, text
from pages.shared.suite import FailedCase, Graded, Kept

HEADS = ("case", "why it failed", "where")
LISTED = 20


def draw(suite: Graded | Kept) -> None:
    """Lists the failed cases with their reasons, a page at a time where they are many."""
    with st.container(key="failed-cases"):
        strata = [stratum for stratum in STRATA if suite.failed.count(stratum)]
        for stratum in strata:
            _draw_stratum(suite, stratum)
        if not strata:
            show(element("p", text("No failed cases."), style="quiet"))


@st.fragment
def _draw_stratum(suite: Graded | Kept, stratum: Stratum) -> None:
    evidence, pages = suite.report.evidence[stratum], suite.failed.count(stratum)
    count = evidence.n - evidence.passed
    show(element("h4", text(f"{stratum}: {count:,} of {evidence.n:,} failed")))
    key = f"failed-{stratum}-{suite.report.suite.sha256}"
    number = st.pagination(pages, key=key) if pages > 1 else 1
    show(table(HEADS, map(_cells, suite.failed.page(stratum, number))))


def _cells(case: FailedCase) -> tuple[Html, ...]:
    return (
        element("code", text(case.case_id)),
        _lines([_reason(reason) for reason in case.reasons[:LISTED]], len(case.reasons)),
        _lines([_place(mark) for mark in case.marks[:LISTED]], len(case.marks)),
    )


def _lines(lines: list[Html], total: int) -> Html:
    """Puts each on a line of its own and says how many of the total are left out."""
    if total > len(lines):
        rest = text(f"and {total - len(lines):,} more, all in the report")
        lines = [*lines, element("span", rest, style="quiet")]
    return Html("".join(element("div", line) for line in lines))


def _reason(reason: str) -> Html:
    kind, colon, detail = reason.partition(":")
    return Html(element("span", text(kind + colon), style="quiet") + text(detail))


def _place(mark: MarkEntry) -> Html:
    """Says where in the completion, or why there is no place."""
    if mark.kind == "not_recorded":
        return text("no completion was recorded")
    what = f"near miss ({mark.differs})" if mark.kind == "near_miss" else "found"
    place = element("span", text(f"{what} at {mark.start} to {mark.end}: "), style="quiet")
    return Html(place + text(mark.context))
