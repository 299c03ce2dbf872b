"""The reviewer's desk: progress and list at the side, one case in front."""

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import NotInHistoryError
from evalcore.excerpt import excerpt
from evalcore.run import Run
from pages.failures import (
    choice,
    deciding,
    front,
    judging,
    listing,
    progress,
    settling,
    verdicts,
)
from pages.failures.view import Desk, front_of
from pages.shared import address, empty, history, session
from pages.shared.history import faults_shown
from pages.shared.markup import alert, show


@st.fragment
def draw(run: Run, runs: Sequence[Run]) -> None:
    """Draws the desk; a verdict draws it anew, and nothing else on the page.

    A browser takes its parts one by one, so the case in front is sent first.
    """
    address.remember()
    with faults_shown():
        opened = history.opened()
        queue, ledger = history.queue(opened, run.id), history.ledger(opened)
        verdicts.undo_if_asked(opened, run, queue, ledger)
        who, asked, phrase = session.who(), choice.wanted(queue), choice.phrase()
        reviewed = queue.reviewed(ledger, who)
        found = history.found(opened, run.id, phrase) if phrase else None
        selection = queue.select(asked, reviewed, found)
        desk = Desk(opened, run, runs, queue, ledger, who, reviewed, selection)
        case_id = _case_in_front(desk)
        with st.container(key="review-desk"):
            side, middle = st.columns([4, 9])
        with middle, st.container(border=True, key="review-case"):
            if case_id is None:
                _draw_nothing_left(desk)
            else:
                _draw_front(desk, case_id)
        with side:
            with st.container(key="review-progress"):
                progress.draw(desk)
            with st.container(key="review-list"):
                choice.draw(queue, asked, selection)
                listing.draw(desk, case_id)


def _case_in_front(desk: Desk) -> str | None:
    """Returns the case that the address names, or the first that the filters leave."""
    asked = st.query_params.get(address.CASE)
    if asked is not None or not desk.selection.places:
        return asked
    return desk.queue.cases[desk.selection.places[0]].case_id


def _draw_front(desk: Desk, case_id: str) -> None:
    try:
        shown = front_of(desk, case_id)
    except NotInHistoryError:
        judging.draw_outcome(desk)
        words = f'no such case in this run: "{excerpt(case_id)}" is not in run {desk.run.id}'
        show(alert(f"There is {words}; the link may be an old one."))
        st.button("Go on without it", on_click=address.show_case, args=(desk.run.id, None))
        return
    front.draw_head(desk, shown)
    judging.draw(desk, shown)
    front.draw_text(shown)
    judging.draw_note(desk, shown)
    settling.draw(desk, shown)
    front.draw_past(desk, shown)
    deciding.draw(desk, shown)


def _draw_nothing_left(desk: Desk) -> None:
    """Says that the filters leave nothing, and offers the way on."""
    judging.draw_outcome(desk)
    if 0 < desk.selection.total == desk.selection.reviewed:
        empty.draw(
            f"All {desk.selection.total:,} cases here are reviewed by you.",
            "Show them all",
            choice.show_all,
        )
    else:
        empty.draw(
            "No case of this run is left by these filters.", "Clear all filters", choice.clear
        )
