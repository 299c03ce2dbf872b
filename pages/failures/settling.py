"""Ending a disagreement of reviewers, with a note that says why."""

import streamlit as st

from evalcore.entry import VERDICTS
from evalcore.errors import HeadroomError
from evalcore.stamp import MAX_NOTE_CHARS
from pages.failures.judging import key_of
from pages.failures.view import Desk, Front
from pages.failures.words import VERDICT_WORDS
from pages.shared import session
from pages.shared.markup import alert, show


def draw(desk: Desk, front: Front) -> None:
    """Offers to settle what reviewers disagree on, to one who has judged it too."""
    if not front.standing.disagreement or desk.who not in front.standing.verdicts:
        return
    with st.form(key_of("settle", front.text.case_id), border=True):
        left, right = st.columns([1, 2])
        verdict = left.selectbox("Settle it as", VERDICTS, format_func=VERDICT_WORDS.__getitem__)
        note = right.text_input("Why", max_chars=MAX_NOTE_CHARS)
        if not st.form_submit_button("Settle"):
            return
        try:
            entry = desk.history.journal.settle(
                desk.run, front.text, who=desk.who, verdict=verdict, note=note
            )
        except HeadroomError as error:
            show(alert(f"Not saved, try again: {error}"))
        else:
            session.note_said(entry)
            st.rerun()
