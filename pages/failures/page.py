"""The Failures page: people review the misses, and what they learn goes into the suite."""

import streamlit as st

from pages.failures import choice, desk, export, patching, reviewer
from pages.shared import address, empty, example, history
from pages.shared.history import faults_shown
from pages.shared.markup import element, show, text

LEAD = (
    "String checks miss wordings that a person would accept. Judge the misses; a verdict never "
    "changes a grade, it shows which cases and checks to change."
)
NO_HISTORY = (
    "Nothing to review yet. Save a suite on Gauges, import your past with `evalcore history "
    "import`, or look at an example first."
)

address.resume()
st.title("Failures", anchor=False)
show(element("p", text(LEAD), style="quiet"))
with faults_shown():
    runs = history.runs()
    if runs:
        example.draw_banner(runs)
        with st.container(key="review-run"):
            left, right = st.columns([3, 1])
        with left:
            run = choice.run_of(runs)
            st.page_link(
                address.GAUGES,
                label="Gauges of this run",
                query_params={address.RUN: str(run.id)},
            )
        with right:
            reviewer.draw()
        desk.draw(run, runs)
        patching.draw(run)
        export.draw()
    else:
        empty.draw(NO_HISTORY, "Load the example history", example.load)
