"""Leaving a run out of trends, with a reason, and taking that back."""

from collections.abc import Iterable

import streamlit as st

from evalcore.errors import HeadroomError
from evalcore.run import Run
from evalcore.store import MAX_NAME_CHARS, MAX_NOTE_CHARS, History
from evalcore.wording import run_line
from pages.shared import session
from pages.shared.markup import element, show, text


def draw(history: History, run: Run) -> None:
    """Says whether the run counts, and lets the visitor change that."""
    if run.exclusion:
        _draw_excluded(history, run)
    else:
        with st.expander("Leave this run out of trends"):
            _draw_form(history, run)


def draw_list(history: History, runs: Iterable[Run]) -> None:
    """Offers to leave one of the runs out, and lists those that are."""
    excluded = [run for run in runs if run.exclusion]
    counting = [run for run in runs if not run.exclusion]
    with st.expander("Leave a run out of trends", key="exclusions"):
        if counting:
            run = st.selectbox("Run", counting[::-1], format_func=run_line, key="exclude-which")
            _draw_form(history, run)
        for run in excluded:
            _draw_excluded(history, run)


def _draw_excluded(history: History, run: Run) -> None:
    exclusion = run.exclusion
    assert exclusion is not None
    words = f"Run {run.id} does not count in trends: excluded {exclusion.at:%Y-%m-%d %H:%M} UTC by "
    show(
        element(
            "div",
            element("p", text(words), text(exclusion.who), text(": "), text(exclusion.why)),
            style="alert",
        )
    )
    if st.button("Let it count again", key=f"include-{run.id}"):
        try:
            history.include(run.id, who=session.who() or "someone")
        except HeadroomError as error:
            show(element("div", text(f"Not saved: {error}"), style="alert"))
        else:
            st.rerun()


def _draw_form(history: History, run: Run) -> None:
    with st.form(f"exclude-{run.id}", border=False):
        left, right = st.columns([1, 2])
        who = left.text_input("Your name", session.who(), max_chars=MAX_NAME_CHARS)
        why = right.text_input("Why", max_chars=MAX_NOTE_CHARS)
        if st.form_submit_button("Exclude the run"):
            try:
                history.exclude(run.id, who=who.strip(), why=why.strip())
            except HeadroomError as error:
                show(element("div", text(f"Not saved: {error}"), style="alert"))
            else:
                session.set_who(who.strip())
                st.rerun()
