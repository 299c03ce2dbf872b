"""How far the review is, and what the verdicts say so far, beside the rate."""

import streamlit as st

from evalcore.review.findings import Findings, findings_of
from pages.failures.view import Desk
from pages.shared.markup import alert, element, show, text


def draw(desk: Desk) -> None:
    """Shows the progress and what the verdicts say of the stretch rate."""
    selection = desk.selection
    words = f"{selection.reviewed:,} of {selection.total:,} reviewed"
    st.progress(selection.reviewed / selection.total if selection.total else 0.0, words)
    found = _findings(desk)
    checks = f"String checks: {found.passed:,} of {found.n:,} stretch cases passed. "
    show(element("p", text(checks), element("strong", text(f"Review: {found.sentence}"))))
    if found.headroom_overstated:
        show(alert(f"headroom_overstated: {found.overstated_words}"))


def _findings(desk: Desk) -> Findings:
    sums = desk.run.strata["stretch"]
    return findings_of(
        sums.passed,
        sums.n,
        desk.run.job.thresholds.stretch_high,
        [verdict for place, verdict in desk.reviewed.agreed.items() if _is_miss(desk, place)],
        sum(_is_miss(desk, place) for place in desk.reviewed.disputed),
    )


def _is_miss(desk: Desk, place: int) -> bool:
    return desk.queue.cases[place].group == "stretch"
