"""Empty states: one sentence and one button that says what to do."""

from collections.abc import Callable

import streamlit as st


def draw(sentence: str, button: str, on_click: Callable[..., None], *args: object) -> None:
    """Says what belongs here and offers the one way to fill it; both texts are our own words."""
    with st.container(border=True, key="empty", horizontal_alignment="center", gap="medium"):
        st.markdown(sentence, text_alignment="center")
        st.button(button, type="primary", on_click=on_click, args=args)
