"""Verdicts as files: exact JSONL, and CSV for a spreadsheet."""

import streamlit as st

from evalcore.review.exchange import entries_csv, entries_jsonl
from pages.shared import history
from pages.shared.markup import element, show, text

WHAT = (
    "Every entry of this history's journal: who judged which case when, what was taken back and "
    "settled, and every decision. `evalcore review import` reads the JSONL back, exactly."
)


def draw() -> None:
    """Offers what people have said as downloads."""
    with st.expander("Verdicts as files", key="review-export"):
        show(element("p", text(WHAT), style="quiet"))
        opened = history.opened()
        with st.container(horizontal=True):
            st.download_button(
                "Download as JSONL",
                lambda: b"".join(entries_jsonl(entry for _, entry in opened.journal.entries())),
                file_name="verdicts.jsonl",
                mime="application/jsonl",
                on_click="ignore",
            )
            st.download_button(
                "Download as CSV",
                lambda: entries_csv([entry for _, entry in opened.journal.entries()]),
                file_name="verdicts.csv",
                mime="text/csv",
                on_click="ignore",
            )
