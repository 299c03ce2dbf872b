"""The Compare page: what changed between two runs, and was it the answers or the yardstick?"""

import streamlit as st

from evalcore.pipeline import compare_runs
from pages.compare import choice, side_by_side, strata
from pages.shared import empty, example, history
from pages.shared.history import faults_shown
from pages.shared.markup import element, show, text

LEAD = "What changed between two runs, which cases, and was it the answers or the yardstick?"
TOO_FEW = "Two runs are needed to compare. Save another one on Gauges, or look at an example first."

st.title("Compare", anchor=False)
show(element("p", text(LEAD), style="quiet"))
with faults_shown():
    runs = history.runs()
    if len(runs) > 1:
        example.draw_banner(runs)
        pair = choice.draw(runs)
        comparison = compare_runs(history.opened(), pair.baseline.id, pair.run.id)
        strata.draw(comparison)
        side_by_side.draw(history.opened(), comparison)
    else:
        empty.draw(TOO_FEW, "Load the example history", example.load)
