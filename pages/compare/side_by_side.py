"""One case in both runs beside each other, with what is new in its words."""

from collections.abc import Iterator

import streamlit as st

from evalcore.case import STRATA
from evalcore.compare import Comparison, StratumComparison
from evalcore.errors import NotInHistoryError
from evalcore.excerpt import distinct_excerpts
from evalcore.run import Run
from evalcore.store import History, KeptCase
from pages.shared import address, case
from pages.shared.difference import difference
from pages.shared.markup import element, show, text


def draw(history: History, comparison: Comparison) -> None:
    """Offers the cases that are not the same in both runs, and opens the one that is asked for."""
    st.subheader("A case side by side", anchor=False)
    with st.container(key="side-by-side"):
        chosen = _draw_picker(list(_changed(comparison)))
        if chosen is None:
            return
        left, right = st.columns(2)
        with left:
            before = _draw_side(history, comparison.baseline, chosen, "Baseline")
        with right:
            after = _draw_side(history, comparison.run, chosen, "Run")
        if before and after:
            _draw_differences(before, after)


def _changed(comparison: Comparison) -> Iterator[str]:
    """Yields the ids of cases that differ, what fell first."""
    for name in ("passed_to_failed", "failed_to_passed"):
        for stratum in reversed(STRATA):
            yield from getattr(comparison.strata[stratum], name)
    for stratum in reversed(STRATA):
        yield from _others(comparison.strata[stratum])


def _others(found: StratumComparison) -> Iterator[str]:
    yield from (change.case_id for changes in found.changes.values() for change in changes)
    yield from found.still_failing
    yield from (unanswered.case_id for unanswered in found.unanswered)


def _draw_picker(ids: list[str]) -> str | None:
    """Returns the chosen case, which a link may name though it is not among those that differ."""
    asked = st.query_params.get(address.CASE)
    options = list(dict.fromkeys([*ids, *([asked] if asked is not None else [])]))
    if not options:
        show(element("p", text("No case differs."), style="quiet"))
        return None
    key = f"case-{asked}"
    shown = distinct_excerpts(options)
    st.selectbox(
        "Case",
        options,
        None if asked is None else options.index(asked),
        format_func=shown.__getitem__,
        placeholder="Choose a case that differs",
        key=key,
        on_change=_choose,
        args=(key,),
    )
    return asked


def _choose(key: str) -> None:
    chosen = st.session_state[key]
    if chosen is None:
        st.query_params.pop(address.CASE, None)
    else:
        st.query_params[address.CASE] = chosen


def _draw_side(history: History, run: Run, case_id: str, title: str) -> KeptCase | None:
    head = element("h4", text(f"{title}: run {run.id}, "), text(run.config))
    try:
        kept = history.case(run.id, case_id)
    except NotInHistoryError:
        show(head, element("p", text("This run does not have the case."), style="quiet"))
        return None
    show(head, *case.outcome(kept), *case.answered(kept))
    st.page_link(
        address.FAILURES,
        label=f"Review it in run {run.id}",
        query_params={address.RUN: str(run.id), address.CASE: case_id},
    )
    return kept


def _draw_differences(before: KeptCase, after: KeptCase) -> None:
    old, new = before.case, after.case
    show(*difference("What changed in the completion", old.completion or "", new.completion or ""))
    if old.prompt != new.prompt:
        show(*difference("What changed in the prompt", old.prompt, new.prompt))
    else:
        show(*case.asked(after))
