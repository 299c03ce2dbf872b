"""The cases of one stratum run by run, worst first."""

import streamlit as st

from evalcore import charts
from evalcore.case import STRATA, Stratum
from evalcore.trends import strip
from evalcore.trends.strip import MOST_RUNS
from pages.shared import address, chart, history
from pages.shared.markup import element, show, text
from pages.trends.choice import View

STRATUM = "stratum"
HOW_TO_READ = "Click a cell to open that case in that run."


def draw(view: View) -> None:
    """Draws the heat strip of the chosen stratum; a click opens the case."""
    if not view.runs:
        return
    st.subheader("Cases over runs", anchor=False)
    with st.container(key="case-strip"):
        _draw_strip(view, _stratum())


def _stratum() -> Stratum:
    """Offers the strata, stretch first."""
    address.follow(
        STRATUM, lambda said: (address.known(STRATUM, said[-1:], STRATA) or STRATA[::-1])[0]
    )
    stratum = st.segmented_control("Stratum", STRATA[::-1], key=STRATUM) or "stretch"
    address.carry(STRATUM, [] if stratum == "stretch" else [stratum])
    return stratum


def _draw_strip(view: View, stratum: Stratum) -> None:
    counting = [run for run in view.runs if not run.exclusion]
    newest = [run.id for run in counting[-MOST_RUNS:]]
    shown = strip(history.opened().outcomes(newest, stratum), counting)
    if not shown.cells:
        show(element("p", text(f"No run with {stratum} cases."), style="quiet"))
        return
    clicked = chart.draw_to_click(
        charts.strip(shown, chart.palette()),
        charts.strip_text(shown),
        key=f"strip-{stratum}",
        selection="cell",
    )
    show(element("p", text(" ".join((HOW_TO_READ, shown.left_out_words))), style="quiet"))
    for cell in clicked:
        address.open_run(int(cell["run"]), str(cell["case"]))
