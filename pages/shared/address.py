"""Where things are: the pages, and what an address carries, so that a link opens the same view."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from evalcore.errors import NotInHistoryError
from evalcore.excerpt import excerpt
from evalcore.run import Run
from pages.shared.markup import alert, show

GAUGES = "pages/gauges/page.py"
TRENDS = "pages/trends/page.py"
COMPARE = "pages/compare/page.py"
FAILURES = "pages/failures/page.py"

RUN = "run"
CASE = "case"
EXAMPLE = "example"
JOB = "job"
BASELINE = "baseline"

_PAGE = "open-page"
_ARRIVED = "arrived"
_LEFT = "left-addresses"


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


def known(name: str, said: list[str], options: Collection[str]) -> list[str]:
    """Returns what the address asks for of what there is, each once, and says what there is not.

    Otherwise the page would quietly show something else in its place.
    """
    asked = list(dict.fromkeys(said))
    for value in asked:
        if value not in options:
            say_left_out(f"{name}={excerpt(value, 60)} in the address names nothing that is here")
    return [value for value in asked if value in options]


def say_left_out(words: str) -> None:
    """Says why a part of the address is not followed."""
    show(alert(f"{words}; it is left out."))


def arrive(page: str) -> None:
    """Notes which page is open now, and whether the visitor has just come to it."""
    st.session_state[_ARRIVED] = st.session_state.get(_PAGE) != page
    st.session_state[_PAGE] = page


def resume() -> None:
    """Opens this page as the visitor has left it, where they come back by an address without more.

    The links in the frame name pages only.
    """
    left = st.session_state.get(_LEFT, {}).get(st.session_state[_PAGE])
    if st.session_state[_ARRIVED] and left and not st.query_params:
        st.query_params.from_dict(left)


def remember() -> None:
    """Keeps what the address says for the visitor's return to this page."""
    left = st.session_state.get(_LEFT, {})
    st.session_state[_LEFT] = left | {st.session_state[_PAGE]: _here()}


def _here() -> dict[str, list[str]]:
    """Returns all that the address says."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def number(name: str) -> int | None:
    """Returns a number that the address gives, or None where it gives none or something else."""
    value = st.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def named_run(name: str, by_id: Mapping[int, Run]) -> Run | None:
    """Returns the run that the address names, or None where it names none.

    Raises:
        NotInHistoryError: there is no such run.
    """
    asked = st.query_params.get(name)
    if asked is None:
        return None
    run = by_id.get(number(name) or 0)
    if run is None:
        raise NotInHistoryError(f"there is no run {excerpt(asked, 20)} in the history")
    return run


def name_run(run_id: int) -> None:
    """Puts a run, and nothing else, into the address."""
    st.query_params.from_dict({RUN: str(run_id)})


def open_run(run_id: int, case_id: str | None = None) -> None:
    """Goes to a run's gauges, or to one case in that run."""
    where = {RUN: [str(run_id)]} | ({} if case_id is None else {CASE: [case_id]})
    # The browser notes the new address first under the old page and then under the new one, so
    # the first of them has to show what the old page shows, or Back would lead to something else.
    st.switch_page(GAUGES, query_params=_here() | where)


def show_case(run_id: int, case_id: str | None) -> None:
    """Puts a case of a run, or the run without a case, into the address; all else there stays."""
    here = _here()
    here.pop(CASE, None)
    case = {} if case_id is None else {CASE: [case_id]}
    st.query_params.from_dict(here | {RUN: [str(run_id)]} | case)  # one step for Back
