"""The example history: made-up runs that anyone can load, and let go again."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import streamlit as st

from evalcore.archive import read_index
from evalcore.errors import HeadroomError
from evalcore.job import read_job
from evalcore.pipeline import import_past
from evalcore.run import Run
from pages.shared import history, session
from pages.shared.markup import element, show, text

_FOLDER = Path(__file__).parents[2] / "fixtures" / "history"
WHAT_IT_IS = (
    "These are example runs of an order desk that does not exist, to show what a history looks "
    "like; every one of them is marked."
)


def load() -> None:
    """Makes the example runs part of the history, all of them or none."""
    try:
        job = read_job(_FOLDER / "evalcore.toml")
        entries = read_index(_FOLDER / "index.csv")
        for imported in import_past(history.begun(), entries, source="example", job=job):
            if imported.saved is None:
                raise HeadroomError(imported.refusal)
    except HeadroomError as error:
        with suppress(HeadroomError):
            history.begun().remove_examples()
        session.note_fault(f"The example cannot be loaded: {error}")


def remove() -> None:
    """Takes the example runs out of the history."""
    try:
        history.begun().remove_examples()
        history.forget()
        session.forget_said()
    except HeadroomError as error:
        session.note_fault(f"The example is still there: {error}")


def draw_banner(runs: Iterable[Run]) -> None:
    """Says that examples are shown, where they are, with one click to remove them."""
    if not any(run.source == "example" for run in runs):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="example-banner"):
        show(element("p", text(WHAT_IT_IS), style="alert calm"))
        st.button("Remove the example", on_click=remove)
