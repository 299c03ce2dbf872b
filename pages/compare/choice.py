"""Which two runs are compared; the address carries them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from evalcore.run import Run
from pages.shared import address


class Pair(NamedTuple):
    """Holds the two runs."""

    baseline: Run
    """The run compared against."""
    run: Run
    """The run compared."""


def draw(runs: Sequence[Run]) -> Pair:
    """Offers the two choices and returns what is chosen.

    Raises:
        NotInHistoryError: the address names a run that the history does not have.
    """
    by_id = {run.id: run for run in reversed(runs)}
    run = address.named_run(address.RUN, by_id) or (_counting(runs) or runs)[-1]
    baseline = address.named_run(address.BASELINE, by_id) or _before(run, runs)
    with st.container(key="compare-choice"):
        left, right, swap = st.columns([5, 5, 1], vertical_alignment="bottom")
        with left:
            _draw_picker("Baseline", address.BASELINE, baseline, by_id)
        with right:
            _draw_picker("Run", address.RUN, run, by_id)
        swap.button("Swap", on_click=_put, args=(run.id, baseline.id))
    return Pair(baseline, run)


def _before(run: Run, runs: Sequence[Run]) -> Run:
    """Returns the run before this one, of the same job if there is one, or any other."""
    others = [other for other in runs if other.id != run.id]
    others = _counting(others) or others
    earlier = [other for other in others if other.order < run.order]
    alike = [other for other in earlier if other.yardstick == run.yardstick]
    return (alike or earlier or others)[-1]


def _counting(runs: Sequence[Run]) -> list[Run]:
    return [run for run in runs if not run.exclusion]


def _draw_picker(label: str, name: str, chosen: Run, by_id: Mapping[int, Run]) -> None:
    ids = list(by_id)
    key = f"{name}-{chosen.id}"  # anew where the address has another run, by Back or Swap
    st.selectbox(
        label,
        ids,
        ids.index(chosen.id),
        format_func=lambda run_id: by_id[run_id].line,
        key=key,
        on_change=_choose,
        args=(name, key),
    )


def _choose(name: str, key: str) -> None:
    st.query_params[name] = str(st.session_state[key])
    st.query_params.pop(address.CASE, None)


def _put(baseline: int, run: int) -> None:
    st.query_params[address.BASELINE] = str(baseline)
    st.query_params[address.RUN] = str(run)
