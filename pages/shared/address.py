"""Where things are: the pages, and the names under which an address carries what is open."""

import streamlit as st

GAUGES = "pages/gauges/page.py"
TRENDS = "pages/trends/page.py"
COMPARE = "pages/compare/page.py"

RUN = "run"
CASE = "case"
EXAMPLE = "example"
JOB = "job"
BASELINE = "baseline"


def number(name: str) -> int | None:
    """Returns a number that the address gives, or None where it gives none or something else."""
    value = st.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def name_run(run_id: int) -> None:
    """Puts a run, and nothing else, into the address."""
    st.query_params.clear()
    st.query_params[RUN] = str(run_id)


def open_run(run_id: int, case_id: str | None = None) -> None:
    """Goes to a run's gauges, or to one case in that run."""
    where = {RUN: str(run_id)} | ({} if case_id is None else {CASE: case_id})
    st.switch_page(GAUGES, query_params=where)
