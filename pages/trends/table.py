"""The runs as a table, the three counts each by itself."""

from collections.abc import Sequence

import streamlit as st

from evalcore.alerts import ALERT_KINDS
from evalcore.run import Run
from evalcore.spreadsheet import csv_bytes
from evalcore.wording import RUN_HEADS, run_cells
from pages.shared import address
from pages.shared.markup import element, show, text
from pages.trends.choice import View, some_of

NO_ALERT = "no alert"


def draw(view: View) -> None:
    """Lists the runs, newest first; a selected one opens on Gauges."""
    if not view.runs:
        return
    st.subheader("Runs", anchor=False)
    with st.container(key="runs-table"):
        wanted = some_of("alerts", "Alerts", [*ALERT_KINDS, NO_ALERT], "with any alerts or none")
        runs = [run for run in reversed(view.runs) if not wanted or _has(run, wanted)]
        if runs:
            _draw_table(runs)
        else:
            show(element("p", text("No run has these alerts."), style="quiet"))


def _has(run: Run, wanted: Sequence[str]) -> bool:
    return any(alert in wanted for alert in run.alerts or (NO_ALERT,))


def _draw_table(runs: Sequence[Run]) -> None:
    rows = [run_cells(run) for run in runs]
    picked = st.dataframe(
        [dict(zip(RUN_HEADS, row, strict=True)) for row in rows],
        hide_index=True,
        column_order=[head for head in RUN_HEADS if head != "job or suite"],  # the same in all
        key="runs",
        on_select="rerun",
        selection_mode="single-row",
    )
    for row in picked["selection"]["rows"]:
        address.open_run(runs[row].id)
    with st.container(horizontal=True, vertical_alignment="center"):
        show(element("p", text("Select a row to open its run on Gauges."), style="quiet"))
        st.download_button(
            "Download as CSV",
            lambda: csv_bytes(RUN_HEADS, rows),
            file_name="runs.csv",
            mime="text/csv",
            on_click="ignore",
        )
