"""Leaving a run out of trends, with a reason, and taking that back."""

from collections.abc import Callable, Iterable

import streamlit as st

from evalcore.errors import HeadroomError
from evalcore.run import Run
from evalcore.stamp import MAX_NAME_CHARS, MAX_NOTE_CHARS
from evalcore.store import History
from pages.shared import session
from pages.shared.markup import alert, element, show, text


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
            run = st.selectbox(
                "Run", counting[::-1], format_func=lambda run: run.line, key="exclude-which"
            )
            _draw_form(history, run)
        for run in excluded:
            _draw_excluded(history, run)


def _line(run: Run) -> str:
    return run.line


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
    with st.form(f"include-{run.id}", border=False):
        who = st.text_input("Your name", session.who(), max_chars=MAX_NAME_CHARS)
        if st.form_submit_button("Let it count again"):
            _write(lambda: history.include(run.id, who=who.strip()), who.strip())


def _draw_form(history: History, run: Run) -> None:
    with st.form(f"exclude-{run.id}", border=False):
        left, right = st.columns([1, 2])
        who = left.text_input("Your name", session.who(), max_chars=MAX_NAME_CHARS)
        why = right.text_input("Why", max_chars=MAX_NOTE_CHARS)
        if st.form_submit_button("Exclude the run"):
            _write(lambda: history.exclude(run.id, who=who.strip(), why=why.strip()), who.strip())


def _write(change: Callable[[], None], who: str) -> None:
    """Makes a change and shows its outcome; what was typed stays where it fails."""
    try:
        change()
    except HeadroomError as error:
        show(alert(f"Not saved: {error}"))
    else:
        session.set_who(who)
        st.rerun()
