"""The Gauges page: one suite as three instruments, and what there is to say about it."""

import streamlit as st

from pages.gauges import chooser, graded, row_errors, run, source, welcome
from pages.shared.history import faults_shown
from pages.shared.markup import element, show, text
from pages.shared.suite import Graded, Kept, Refused

LEAD = "Three instruments, never one number: can this suite still tell a good answer from a better?"
WHAT_THIS_IS_NOT = (
    "What this is not: a safety, medical, legal or financial certificate. String checks do not "
    "measure harm or tone, and default thresholds are proposals until you recalibrate them from "
    "your own history."
)

st.title("Gauges", anchor=False)
show(element("p", text(LEAD), style="quiet"))
top = st.empty()
with faults_shown():
    suite = source.current()
chooser.take(chooser.draw(folded=suite is not None))

with st.container():  # one, so that grading can empty its place
    match suite:
        case Graded():
            graded.draw(suite)
        case Kept():
            with faults_shown():
                run.draw(suite)
            graded.draw(suite)
        case Refused():
            row_errors.draw(suite)
        case None:
            with top.container():
                welcome.draw()
show(element("p", text(WHAT_THIS_IS_NOT), style="quiet"))
