"""The cases that the filters leave, a page at a time; a selected one comes to the front."""

from bisect import bisect_left

import streamlit as st

from evalcore.review.queue import ReviewCase
from pages.failures.view import Desk
from pages.failures.words import VERDICT_WORDS
from pages.shared import address
from pages.shared.markup import element, show, text

PAGE_CASES = 50
_TABLE = "review-table"
_PAGE = "review-page"
_FRONT = "review-front"


def draw(desk: Desk, case_id: str | None) -> None:
    """Lists the cases around the one in front."""
    places = desk.selection.places
    here = None if case_id is None else desk.queue.place(case_id)
    row = None if here is None else bisect_left(places, here)
    if row is not None and places[row : row + 1] != [here]:
        row = None
    pages = -(-len(places) // PAGE_CASES)
    page = _page(case_id, row, pages)
    shown = places[(page - 1) * PAGE_CASES : page * PAGE_CASES]
    show(element("p", text(_extent(len(places), page, len(shown))), style="quiet"))
    if not shown:
        return
    ids = [desk.queue.cases[place].case_id for place in shown]
    st.session_state[_TABLE] = {"selection": {"rows": [shown.index(here)] if here in shown else []}}
    st.dataframe(
        [_cells(desk, place) for place in shown],
        hide_index=True,
        key=_TABLE,
        on_select=lambda: _take(desk.run.id, ids),
        selection_mode="single-row",
        height=min(420, 38 + 35 * len(shown)),
    )
    if pages > 1:
        st.pagination(pages, key=_PAGE, max_visible_pages=5)


def _page(case_id: str | None, row: int | None, pages: int) -> int:
    """Returns the page to show: that of the case in front where another one came there."""
    if row is not None and st.session_state.get(_FRONT) != (case_id, row):
        st.session_state[_PAGE] = row // PAGE_CASES + 1
    st.session_state[_FRONT] = (case_id, row)
    page = min(max(int(st.session_state.get(_PAGE, 1)), 1), max(pages, 1))
    st.session_state[_PAGE] = page
    return page


def _extent(total: int, page: int, shown: int) -> str:
    if not shown:
        return "No cases."
    first = (page - 1) * PAGE_CASES + 1
    if total <= PAGE_CASES:
        return "1 case" if total == 1 else f"{total} cases"
    return f"Cases {first:,} to {first + shown - 1:,} of {total:,}"


def _cells(desk: Desk, place: int) -> dict[str, str]:
    case = desk.queue.cases[place]
    verdict = desk.reviewed.mine.get(place)
    return {
        "case": case.case_id[:200],
        "why": _why(case),
        "you": VERDICT_WORDS[verdict] if verdict else "",
    }


def _why(case: ReviewCase) -> str:
    near = ["near miss"] if case.near_miss else []
    return ", ".join([*near, *case.reasons]) or "passed"


def _take(run_id: int, ids: list[str]) -> None:
    for row in st.session_state[_TABLE]["selection"]["rows"]:
        address.show_case(run_id, ids[row])
