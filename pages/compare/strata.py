"""What changed in each instrument: the headline first, then the named lists, then the counts."""

from collections.abc import Iterator, Sequence
from itertools import islice

import streamlit as st

from evalcore.alerts import Count
from evalcore.case import STRATA
from evalcore.compare import Comparison, Corners, StratumComparison, listed
from evalcore.compare.words import SHOWN_IDS
from pages.shared.markup import Html, element, show, table, text

HEADS = ("", "the baseline’s fixtures", "the run’s fixtures")
CORNERS = (
    "Passed of graded, either run’s answers on either suite’s prompts and checks, all graded now. "
    "Read along a row for what the fixtures did, down a column for what the answers did."
)


def draw(comparison: Comparison) -> None:
    """Draws the three instruments below each other, stretch first."""
    for stratum in reversed(STRATA):
        with st.container(border=True, key=f"compare-{stratum}"):
            _draw_stratum(comparison.strata[stratum])


def _draw_stratum(found: StratumComparison) -> None:
    said = found.sentences
    show(element("h3", text(f"{said.headline[:1].upper()}{said.headline[1:]}")))
    lists = list(listed(found))
    if lists:
        show(element("div", *(_list(title, cases) for title, cases in lists), style="lists"))
    show(*(element("p", text(_sentence(words))) for words in said.further))
    if any(found.changes.values()):
        with st.expander("All four corners: answers × fixtures"):
            show(table(HEADS, _rows(found.corners)), element("p", text(CORNERS), style="quiet"))


def _list(title: str, cases: Sequence[str]) -> Html:
    rest = len(cases) - SHOWN_IDS
    more = [element("li", text(f"and {rest:,} more"), style="quiet")] if rest > 0 else []
    return element(
        "details",
        element("summary", text(f"{title}: {len(cases):,}")),
        element("ul", *(element("li", text(case)) for case in islice(cases, SHOWN_IDS)), *more),
        attributes="" if title == "still failing" else "open",
    )


def _rows(corners: Corners) -> Iterator[tuple[Html, ...]]:
    yield (
        text("the baseline’s answers"),
        _count(corners.old_answers_old_fixtures),
        _count(corners.old_answers_new_fixtures),
    )
    yield (
        text("the run’s answers"),
        _count(corners.new_answers_old_fixtures),
        _count(corners.new_answers_new_fixtures),
    )


def _count(count: Count) -> Html:
    return text(f"{count.passed:,} of {count.n:,}" if count.n else "no cases")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
