"""A run of the history: what it is, and whether it counts in trends."""

import streamlit as st

from evalcore.errors import NotInHistoryError
from evalcore.run import Run
from evalcore.stamp import MAX_NOTE_CHARS
from evalcore.store import History
from pages.shared import address, case, exclusion, history, session
from pages.shared.markup import Html, alert, element, prose, show, text
from pages.shared.suite import Kept


def draw(kept: Kept) -> None:
    """Says which run is open, offers its neighbours, and shows the case that the address names."""
    runs = history.current()
    assert runs is not None
    run = runs.run(kept.run_id)
    with st.container(key="run"):
        show(*_said(run))
        with st.container(horizontal=True):
            where = {address.JOB: run.yardstick}
            st.page_link(
                address.FAILURES,
                label="Review the misses",
                query_params={address.RUN: str(run.id)},
            )
            st.page_link(address.TRENDS, label="Trends of this job", query_params=where)
            st.page_link(
                address.COMPARE,
                label="Compare with another run",
                query_params={address.RUN: str(run.id)},
            )
        exclusion.draw(runs, run)
    case_id = st.query_params.get(address.CASE)
    if case_id is not None:
        _draw_case(runs, run, case_id)


def _said(run: Run) -> list[Html]:
    saved = session.saved_at(run.id)
    parts = [
        element("strong", text(f"Run {run.id}")),
        text(f" · {run.at:%Y-%m-%d %H:%M} UTC · "),
        text(run.yardstick),
        text(" · "),
        element("strong", text(run.config)),
        *([text(" · "), text(run.model)] if run.model else []),
        text(f" · {run.source}" + (f", repeat {run.repeat}" if run.repeat else "")),
    ]
    lines = [element("p", *parts)]
    if saved:
        words = f"Saved as run {run.id} at {saved:%H:%M:%S} UTC."
        lines.insert(0, element("div", text(words), style="alert calm"))
    if run.note:
        lines.append(element("p", prose(run.note, MAX_NOTE_CHARS), style="quiet"))
    return lines


def _draw_case(runs: History, run: Run, case_id: str) -> None:
    with st.container(border=True, key="case"):
        try:
            case.draw(runs, run, case_id)
        except NotInHistoryError as error:
            show(alert(f"{error}; the link may be an old one."))
        st.button("Close the case", on_click=address.name_run, args=(run.id,))
