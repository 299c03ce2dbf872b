"""Which runs are shown, and how; the address carries every choice."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

import streamlit as st

from evalcore.excerpt import distinct_excerpts, excerpt
from evalcore.run import Run
from evalcore.trends import alike_runs
from pages.shared import address, history
from pages.shared.markup import element, show, text

CONFIG = "config"
_SWITCH = ("true", "false")
ALIKE = (
    "Like for like: rates and alarms are worked out anew, on the cases that all complete shown "
    "runs hold with the same checks: "
)


class View(NamedTuple):
    """Holds what the visitor has chosen to see."""

    job: str
    """The job, or the suite without one, whose runs these are."""
    of_job: list[Run]
    """All runs of that job, oldest first."""
    runs: list[Run]
    """The chosen ones among them."""
    drawn: list[Run]
    """The same runs as panels draw them: counted anew where like for like is asked for."""
    one_per_config: bool
    """Whether a config is one point, and its repeats small strokes."""
    alike: bool
    """Whether the runs are counted anew on what they have in common."""


def draw(runs: Sequence[Run]) -> View:
    """Offers the choices and returns what they leave."""
    names = list(dict.fromkeys(run.yardstick for run in reversed(runs)))
    with st.container(key="trend-choice"):
        places = st.columns([2, 3, 1.3, 1.3], vertical_alignment="bottom")
        with places[0]:
            name = _one_of(address.JOB, "Job or suite", names)
        mine = [run for run in runs if run.yardstick == name]
        with places[1]:
            chosen = some_of(CONFIG, "Configs", [run.config for run in mine], "all")
        with places[2]:
            start = _day("from", "From (UTC)")
        with places[3]:
            end = _day("to", "To (UTC)")
        with st.container(horizontal=True):
            every = _switch("every", "A point for every run")
            alike = _switch("alike", "Like for like")
        kept = [
            run
            for run in mine
            if (not chosen or run.config in chosen) and _is_between(run, start, end)
        ]
        drawn = _counted_alike(kept) if alike else kept
    return View(
        job=name, of_job=mine, runs=kept, drawn=drawn, one_per_config=not every, alike=alike
    )


def name_job(view: View) -> None:
    """Adds the job to an address that says anything: tomorrow the first may be another."""
    if st.query_params:
        address.carry(address.JOB, [view.job])


def some_of(name: str, label: str, options: Iterable[str], placeholder: str) -> list[str]:
    """Offers several of the options; none chosen means all."""
    offered = list(dict.fromkeys(options))
    address.follow(name, lambda said: address.known(name, said, offered))
    chosen: list[str] = st.multiselect(label, offered, placeholder=placeholder, key=name)
    address.carry(name, chosen)
    return chosen


def _one_of(name: str, label: str, options: list[str]) -> str:
    """Offers one of the options, the first unless the address says otherwise."""
    address.follow(name, lambda said: (address.known(name, said[-1:], options) or options)[0])
    shown = distinct_excerpts(options)
    chosen: str = st.selectbox(label, options, format_func=shown.__getitem__, key=name)
    named = name in st.query_params or chosen != options[0]
    address.carry(name, [chosen] if named else [])
    return chosen


def _day(name: str, label: str) -> date | None:
    address.follow(name, lambda said: _read_day(name, said))
    chosen: date | None = st.date_input(label, None, key=name)
    address.carry(name, [chosen.isoformat()] if chosen else [])
    return chosen


def _switch(name: str, label: str) -> bool:
    address.follow(name, lambda said: address.known(name, said[-1:], _SWITCH) == ["true"])
    on = st.toggle(label, key=name)
    address.carry(name, ["true"] if on else [])
    return on


def _read_day(name: str, said: list[str]) -> date | None:
    if not said:
        return None
    try:
        return date.fromisoformat(said[-1])
    except ValueError:
        address.say_left_out(
            f'{name}={excerpt(said[-1], 20)} in the address is no day like "2026-08-01"'
        )
        return None


def _is_between(run: Run, start: date | None, end: date | None) -> bool:
    day = run.at.date()
    return (start is None or start <= day) and (end is None or day <= end)


def _counted_alike(runs: Sequence[Run]) -> list[Run]:
    """Counts the runs anew on what they have in common, and says so."""
    counting = [run for run in runs if run.counted]
    sums = history.opened().common_sums([run.id for run in counting]) if counting else {}
    drawn = alike_runs(counting, sums)
    common = ", ".join(_common(drawn)) or "none"
    show(element("p", text(f"{ALIKE}{common}."), style="quiet"))
    return drawn


def _common(drawn: Sequence[Run]) -> Iterator[str]:
    """Yields the number of common cases of each stratum."""
    for stratum, sums in (drawn[-1].strata if drawn else {}).items():
        yield f"{sums.n:,} {stratum}"
