"""Which runs are shown, and how; the address carries every choice."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

import streamlit as st

from evalcore.excerpt import excerpt
from evalcore.run import Run
from evalcore.trends import alike_runs
from pages.shared import address, history
from pages.shared.markup import element, show, text

ALIKE = (
    "Like for like: rates and alarms are worked out anew, on the cases that all complete shown "
    "runs hold with the same checks: "
)


class View(NamedTuple):
    """Holds what the visitor has chosen to see."""

    runs: list[Run]
    """The chosen runs as the history has them, oldest first."""
    drawn: list[Run]
    """The same runs as panels draw them: counted anew where like for like is asked for."""
    one_per_config: bool
    """Whether a config is one point, and its repeats small strokes."""


def draw(runs: Sequence[Run]) -> View:
    """Offers the choices and returns what they leave."""
    names = list(dict.fromkeys(run.yardstick for run in reversed(runs)))
    _refuse_unknown(address.JOB, "job or suite", names)
    with st.container(key="trend-choice"):
        places = st.columns([2, 3, 1.3, 1.3])
        name = places[0].selectbox("Job or suite", names, key=address.JOB, bind="query-params")
        mine = [run for run in runs if run.yardstick == name]
        configs = list(dict.fromkeys(run.config for run in mine))
        chosen = _configs(configs, places[1])
        start = places[2].date_input("From (UTC)", None, key="from", bind="query-params")
        end = places[3].date_input("To (UTC)", None, key="to", bind="query-params")
        with st.container(horizontal=True):
            every = st.toggle("A point for every run", key="every", bind="query-params")
            alike = st.toggle("Like for like", key="alike", bind="query-params")
        kept = [
            run
            for run in mine
            if (not chosen or run.config in chosen) and _is_between(run, start, end)
        ]
        drawn = _counted_alike(kept) if alike else kept
    return View(runs=kept, drawn=drawn, one_per_config=not every)


def _configs(configs: list[str], place: "st.delta_generator.DeltaGenerator") -> list[str]:
    _refuse_unknown("config", "config of this job", configs)
    return place.multiselect(
        "Configs", configs, placeholder="all", key="config", bind="query-params"
    )


def _is_between(run: Run, start: date | None, end: date | None) -> bool:
    day = run.at.date()
    return (start is None or start <= day) and (end is None or day <= end)


def _refuse_unknown(name: str, noun: str, known: Iterable[str]) -> None:
    """Says so where a link asks for what is not there, and drops it from the address.

    Otherwise the page would quietly show something else in its place.
    """
    asked = st.query_params.get_all(name)
    unknown = [value for value in asked if value not in known]
    if unknown:
        st.query_params[name] = [value for value in asked if value in known]
        words = f'There is no {noun} called "{excerpt(unknown[0])}" here; the others are shown.'
        show(element("div", text(words), style="alert"))


def _counted_alike(runs: Sequence[Run]) -> list[Run]:
    """Counts the runs anew on what they have in common, and says so."""
    counting = [run for run in runs if run.complete and not run.exclusion]
    sums = history.opened().common_sums([run.id for run in counting]) if counting else {}
    drawn = alike_runs(counting, sums)
    common = ", ".join(_common(drawn)) or "none"
    show(element("p", text(f"{ALIKE}{common}."), style="quiet"))
    return drawn


def _common(drawn: Sequence[Run]) -> Iterator[str]:
    """Yields the number of common cases of each stratum."""
    for stratum, sums in (drawn[-1].strata if drawn else {}).items():
        yield f"{sums.n:,} {stratum}"
