"""Whose verdicts these are: the signed-in user, or a name that is asked for once."""

import streamlit as st

from evalcore.stamp import MAX_NAME_CHARS
from pages.failures import verdicts
from pages.shared import session
from pages.shared.markup import element, show, text

_NAME = "reviewer-name"


def draw() -> None:
    """Shows the reviewer's name, and lets it be given where there is no sign-in."""
    if session.signed_in():
        show(element("p", text("You are "), element("strong", text(session.who()))))
        return
    st.session_state[_NAME] = session.who()
    st.text_input(
        "You are",
        key=_NAME,
        max_chars=MAX_NAME_CHARS,
        placeholder="your name",
        on_change=lambda: verdicts.give_name(st.session_state[_NAME]),
    )
