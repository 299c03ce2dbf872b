"""A graded suite: its alerts, its three instruments, and what explains them."""

import streamlit as st

from evalcore.case import STRATA
from pages.gauges import alerts, cards, failed, saving, thresholds
from pages.shared.markup import element, show, text
from pages.shared.suite import Graded, Kept

LEGEND = (
    "How to read a gauge: the mark is the share of cases passed (● ok, ▲ alarm, ○ too few to "
    "tell), the bar around it what is plausible for similar cases (Wilson, 95 %), the upright line "
    "the threshold, and the strip below the alarm zone."
)


def draw(suite: Graded | Kept) -> None:
    """Lays the suite out, what matters most first."""
    report = suite.report
    _draw_name(suite)
    if isinstance(suite, Graded):
        saving.draw(suite)
    alerts.draw_alerts(report.alert_details)
    for column, stratum in zip(st.columns(3), STRATA, strict=True):
        with column:
            cards.draw(report.evidence[stratum])
    thresholds.draw(report)
    show(element("p", text(LEGEND), style="quiet"))
    st.subheader("Notices", anchor=False)
    alerts.draw_notices(report.notices)
    st.subheader("Failed cases", anchor=False)
    failed.draw(suite)


def _draw_name(suite: Graded | Kept) -> None:
    """Says what is open and offers its report."""
    sizes = ", ".join(f"{suite.report.rates[stratum].n:,} {stratum}" for stratum in STRATA)
    with st.container(horizontal=True, vertical_alignment="center"):
        show(element("p", element("strong", text(suite.name)), text(f" · {sizes} cases")))
        st.download_button(
            "Download the report",
            suite.report_bytes,
            file_name="report.json",
            mime="application/json",
            on_click="ignore",
        )
