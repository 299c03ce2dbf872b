"""The failed cases of a graded suite, by stratum."""

from collections.abc import Iterator

import streamlit as st

from evalcore.case import STRATA, Stratum
from evalcore.report import MarkEntry
from pages.shared.markup import Html, element, show, table, text
from pages.shared.suite import FailedCase, Graded

HEADS = ("case", "why it failed", "where")


def draw(suite: Graded) -> None:
    """Lists the failed cases with their reasons, a page at a time where they are many."""
    with st.container(key="failed-cases"):
        strata = [stratum for stratum in STRATA if suite.failed_pages(stratum)]
        for stratum in strata:
            _draw_stratum(suite, stratum)
        if not strata:
            show(element("p", text("No failed cases."), style="quiet"))


@st.fragment
def _draw_stratum(suite: Graded, stratum: Stratum) -> None:
    evidence, pages = suite.report.evidence[stratum], suite.failed_pages(stratum)
    count = evidence.n - evidence.passed
    show(element("h4", text(f"{stratum}: {count:,} of {evidence.n:,} failed")))
    key = f"failed-{stratum}-{suite.report.suite.sha256}"
    number = st.pagination(pages, key=key) if pages > 1 else 1
    show(table(HEADS, map(_cells, suite.failed_page(stratum, number))))


def _cells(case: FailedCase) -> tuple[Html, ...]:
    reasons = (element("div", _reason(reason)) for reason in case.reasons)
    places = (element("div", *_place(mark)) for mark in case.marks)
    return (
        element("code", text(case.case_id)),
        Html("".join(reasons)),
        Html("".join(places)),
    )


def _reason(reason: str) -> Html:
    kind, colon, detail = reason.partition(":")
    return Html(element("span", text(kind + colon), style="quiet") + text(detail))


def _place(mark: MarkEntry) -> Iterator[Html]:
    """Says where in the completion, or why there is no place."""
    if mark.kind == "not_recorded":
        yield text("no completion was recorded")
        return
    what = f"near miss ({mark.differs})" if mark.kind == "near_miss" else "found"
    yield element("span", text(f"{what} at {mark.start} to {mark.end}: "), style="quiet")
    yield text(mark.context)
