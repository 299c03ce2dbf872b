"""Where things are: the pages, and what an address carries, so that a link opens the same view."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

GAUGES = "pages/gauges/page.py"
TRENDS = "pages/trends/page.py"
COMPARE = "pages/compare/page.py"

RUN = "run"
CASE = "case"
EXAMPLE = "example"
JOB = "job"
BASELINE = "baseline"


def follow(name: str, reading: Callable[[list[str]], Any]) -> None:
    """Sets the widget of this key to what the address says, where that is news.

    Called before the widget is drawn; `carry` is called after it. Streamlit can bind a widget to
    the address by itself, but then refuses to name the same part when a page is changed.
    """
    said = st.query_params.get_all(name)
    if name not in st.session_state or st.session_state.get(_seen(name)) != said:
        st.session_state[name] = reading(said)
    st.session_state[_seen(name)] = said


def carry(name: str, values: Sequence[str]) -> None:
    """Puts what a widget says into the address; nothing where it says what it says by itself."""
    if st.query_params.get_all(name) != list(values):
        if values:
            st.query_params[name] = list(values)
        else:
            del st.query_params[name]
    st.session_state[_seen(name)] = list(values)


def _seen(name: str) -> str:
    return f"address-{name}"


def number(name: str) -> int | None:
    """Returns a number that the address gives, or None where it gives none or something else."""
    value = st.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def name_run(run_id: int) -> None:
    """Puts a run, and nothing else, into the address."""
    st.query_params.from_dict({RUN: str(run_id)})


def open_run(run_id: int, case_id: str | None = None) -> None:
    """Goes to a run's gauges, or to one case in that run."""
    where = {RUN: [str(run_id)]} | ({} if case_id is None else {CASE: [case_id]})
    # The browser notes the new address first under the old page and then under the new one, so
    # the first of them has to show what the old page shows, or Back would lead to something else.
    here = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(GAUGES, query_params=here | where)
