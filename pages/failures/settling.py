"""Ending a disagreement of reviewers, with a note that says why."""

import streamlit as st

from evalcore.entry import VERDICTS
from evalcore.stamp import MAX_NOTE_CHARS
from pages.failures import verdicts
from pages.failures.judging import key_of_text
from pages.failures.view import Desk, Front
from pages.failures.words import VERDICT_WORDS


def draw(desk: Desk, front: Front) -> None:
    """Offers to settle what reviewers disagree on, to one who has judged it too."""
    if not front.standing.disagreement or desk.who not in front.standing.verdicts:
        return
    as_what, why = (key_of_text(name, front.text) for name in ("settle-as", "settle-why"))
    with st.form(key_of_text("settle", front.text), border=True):
        left, right = st.columns([1, 2])
        left.selectbox("Settle it as", VERDICTS, format_func=VERDICT_WORDS.__getitem__, key=as_what)
        right.text_input("Why", max_chars=MAX_NOTE_CHARS, key=why, persist_state="session")
        st.form_submit_button(
            "Settle", on_click=verdicts.settle, args=(desk.run, front.text, as_what, why)
        )
