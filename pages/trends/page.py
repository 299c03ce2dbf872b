"""The Trends page: is headroom going, since when, and why?"""

import streamlit as st

from pages.shared import empty, example, exclusion, history
from pages.shared.history import faults_shown
from pages.shared.markup import element, show, text
from pages.trends import cases, choice, panels, table

LEAD = "Is headroom going, since when, and why? Each instrument by itself, one point a version."
NO_HISTORY = (
    "No history yet. Save a suite on Gauges, import your past with `evalcore history import`, or "
    "look at an example first."
)

st.title("Trends", anchor=False)
show(element("p", text(LEAD), style="quiet"))
with faults_shown():
    runs = history.runs()
    if runs:
        example.draw_banner(runs)
        view = choice.draw(runs)
        panels.draw(view)
        cases.draw(view)
        table.draw(view)
        choice.name_job(view)
        exclusion.draw_list(history.opened(), view.runs)
    else:
        empty.draw(NO_HISTORY, "Load the example history", example.load)
