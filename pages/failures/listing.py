"""The cases that the filters leave, a page at a time; a selected one comes to the front."""

from bisect import bisect_left

import streamlit as st

from evalcore.excerpt import excerpt
from evalcore.review.queue import ReviewCase
from pages.failures.judging import key_of
from pages.failures.view import Desk
from pages.failures.words import VERDICT_WORDS
from pages.shared import address
from pages.shared.markup import element, show, text

PAGE_CASES = 50
_TABLE = "review-table"


def draw(desk: Desk, case_id: str | None) -> None:
    """Lists the cases around the one in front."""
    places = desk.selection.places
    here = None if case_id is None else desk.queue.place(case_id)
    row = None if here is None else bisect_left(places, here)
    if row is not None and places[row : row + 1] != [here]:
        row = None
    home = 1 if row is None else row // PAGE_CASES + 1
    key = key_of("review-page", case_id or "")  # anew for each case: the list follows it
    pages = -(-len(places) // PAGE_CASES)
    page = min(int(st.session_state.get(key, home)), max(pages, 1))
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
        st.pagination(pages, default=min(home, pages), key=key, max_visible_pages=5)


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
        "case": excerpt(case.case_id, 200),
        "why": _why(case),
        "you": VERDICT_WORDS[verdict] if verdict else "",
    }


def _why(case: ReviewCase) -> str:
    near = ["near miss"] if case.near_miss else []
    return ", ".join([*near, *case.reasons]) or "passed"


def _take(run_id: int, ids: list[str]) -> None:
    for row in st.session_state[_TABLE]["selection"]["rows"]:
        address.show_case(run_id, ids[row])
