"""The history of runs as pages see it: opened once for all visitors, its faults in plain words."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from evalcore.database import URL_VARIABLE, exists, history_url, shown
from evalcore.errors import HistoryError, NotInHistoryError
from evalcore.review.ledger import Ledger
from evalcore.review.queue import Queue
from evalcore.run import Run
from evalcore.stamp import MAX_NOTE_CHARS
from evalcore.store import History
from pages.shared import session
from pages.shared.markup import alert, element, prose, show, text
from pages.shared.suite import Kept


def current() -> History | None:
    """Returns the history, or None where nothing was saved yet; looking does not begin one."""
    if not exists(history_url(os.environ)):
        return None
    return _opened(os.environ.get(URL_VARIABLE, ""), _file())


def opened() -> History:
    """Returns the history of a page that knows there is one.

    Raises:
        HistoryError: it has gone meanwhile.
    """
    history = current()
    if history is None:
        raise HistoryError(f"there is no history at {place()} any more")
    return history


def runs() -> list[Run]:
    """Returns all runs, oldest first; none where nothing was saved yet."""
    history = current()
    return history.runs() if history else []


def place() -> str:
    """Names where the history is, or would be."""
    return shown(history_url(os.environ))


def begun() -> History:
    """Returns the history, begun now where there was none."""
    history = current()
    if history is None:
        History(history_url(os.environ)).close()
        history = current()
    assert history is not None
    return history


def kept(history: History, run_id: int) -> Kept:
    """Returns a run with its report."""
    return _kept(history, run_id, history.name, _file())


def queue(history: History, run_id: int) -> Queue:
    """Returns the cases of a run that can be reviewed."""
    return _queue(history, run_id, history.name, _file())


def found(history: History, run_id: int, phrase: str) -> frozenset[int]:
    """Returns the places in the run's queue of the cases that hold a phrase."""
    return _found(history, run_id, phrase, history.name, _file())


def ledger(history: History) -> Ledger:
    """Returns what people have said of cases, up to now."""
    said = _ledger(history, history.name, _file())
    said.refresh()
    return said


@contextmanager
def faults_shown() -> Iterator[None]:
    """Says in place of a page's part why the history does not serve it, and ends the page there."""
    if fault := session.taken_fault():
        _show_fault(fault)
    try:
        yield
    except NotInHistoryError as error:
        _show_fault(f"{error}; the link may be an old one.")
        st.button("Go on without it", on_click=st.query_params.clear)
        st.stop()
    except HistoryError as error:
        _show_unsaid()
        _show_fault(str(error))
        st.button("Try again", on_click=_open_anew)
        st.stop()


def _open_anew() -> None:
    """Lets go of what was opened, since another history may lie in its place."""
    _opened.clear()
    forget()


def forget() -> None:
    """Lets go of what was read of runs and entries, since some of them were removed."""
    for kept_in_memory in (_kept, _queue, _found, _ledger):
        kept_in_memory.clear()


def _show_unsaid() -> None:
    """Says what could not be kept, with the note that was written for it."""
    fault, note = session.unsaid()
    if fault:
        show(alert(fault))
    if note:
        show(element("p", text("Your note, which stays here: "), prose(note, MAX_NOTE_CHARS)))


def _show_fault(words: str) -> None:
    with st.container(key="history-fault"):
        show(alert(words))


def _file() -> tuple[int, int]:
    """Tells a history file from another that has taken its place."""
    try:
        status = Path(history_url(os.environ).database or "").stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


@st.cache_resource(max_entries=2, show_spinner=False, on_release=History.close)
def _opened(given: str, file: tuple[int, int]) -> History:
    return History(history_url({URL_VARIABLE: given}))


@st.cache_resource(max_entries=8, show_spinner=False)
def _kept(_history: History, run_id: int, name: str, file: tuple[int, int]) -> Kept:
    return Kept(run_id, _history.report(run_id))


@st.cache_resource(max_entries=4, show_spinner="Reading the run")
def _queue(_history: History, run_id: int, name: str, file: tuple[int, int]) -> Queue:
    return Queue(_history.reviewable(run_id))


@st.cache_resource(max_entries=32, show_spinner="Searching")
def _found(
    _history: History, run_id: int, phrase: str, name: str, file: tuple[int, int]
) -> frozenset[int]:
    return queue(_history, run_id).places(_history.cases_with(run_id, phrase))


@st.cache_resource(max_entries=2, show_spinner=False)
def _ledger(_history: History, name: str, file: tuple[int, int]) -> Ledger:
    return Ledger(_history.journal.entries)
