"""Keeping what is open in the history, under a name for what was graded."""

from pathlib import Path

import streamlit as st

from evalcore.errors import HeadroomError
from evalcore.excerpt import excerpt
from evalcore.pipeline import keep_suite
from evalcore.stamp import MAX_NAME_CHARS, MAX_NOTE_CHARS, Stamp
from evalcore.store import Saved
from pages.gauges import source
from pages.shared import address, history, session
from pages.shared.markup import alert, element, show, text
from pages.shared.suite import Graded

SAME_WORDS = (
    "Use the same words again only for the same prompt, model and parameters: the history takes "
    "equal words for a rerun of the same thing."
)
WHAT_IS_KEPT = "Kept for everyone who uses this app: the grades, the cases and the completions, in "


def draw(suite: Graded) -> None:
    """Asks for a name and saves; what was typed stays until it is saved."""
    with st.expander("Save to history", key="save-run"):
        try:
            place = history.place()
        except HeadroomError as error:
            show(alert(str(error)))
            return
        with st.form("save-run-form", border=False):
            left, right = st.columns(2)
            config = left.text_input(
                "What was graded", max_chars=MAX_NAME_CHARS, placeholder="prompt v12, low effort"
            )
            model = right.text_input("Model, if you like", max_chars=MAX_NAME_CHARS)
            note = st.text_area("Note, if you like", max_chars=MAX_NOTE_CHARS, height=68)
            st.caption(SAME_WORDS)
            pressed = st.form_submit_button("Save", type="primary")
        again = session.asked_again()
        if pressed or again:
            _save(suite, config, model, note, again=again)
        show(element("p", text(f"{WHAT_IS_KEPT}{place}."), style="quiet"))


def _save(suite: Graded, config: str, model: str, note: str, *, again: bool) -> None:
    try:
        stamp = Stamp(
            config=config.strip(),
            suite=excerpt(Path(suite.name).stem, MAX_NAME_CHARS),
            source="upload",
            model=model.strip(),
            note=note,
        )
        with suite.reopen() as stream:
            progress = source.by_percent(st.progress(0).progress, "Saving", source.size_of(stream))
            saved = keep_suite(
                history.begun(), stream, stamp, job=suite.job, again=again, progress=progress
            )
    except HeadroomError as error:
        show(alert(f"Not saved: {error}"))
    else:
        _confirm(saved)


def _confirm(saved: Saved) -> None:
    if saved.new:
        session.note_saved(saved.run_id)
        address.name_run(saved.run_id)
        st.rerun()
    verdict = "" if saved.judged_alike else " It was judged by other thresholds, and that stands."
    show(
        alert(
            f"This is run {saved.run_id} already: the same bytes under the same name.{verdict} "
            "A copy beside it tells nothing about noise, since the same answers cannot disagree."
        )
    )
    with st.container(horizontal=True):
        st.button(f"Open run {saved.run_id}", on_click=address.name_run, args=(saved.run_id,))
        st.button("Save a copy", on_click=session.ask_again)
