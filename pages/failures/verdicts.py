"""What a reviewer's keys and forms do: verdicts, settlements and undo, kept in the journal."""

import hashlib
from typing import NamedTuple

import streamlit as st

from evalcore.entry import CaseText, Entry, Verdict
from evalcore.errors import HeadroomError, UsageError
from evalcore.review.ledger import Ledger
from evalcore.review.queue import Queue
from evalcore.run import Run
from evalcore.stamp import check_name
from evalcore.store import History
from pages.failures.words import VERDICT_WORDS
from pages.shared import address, history, session

_WAITING = "waiting-verdicts"
_FRONT = "case-in-front"
_UNDO = "undo-asked"


class Press(NamedTuple):
    """Is one press of a verdict's key or button."""

    run: Run
    """The run under review."""
    case: CaseText
    """The case that the button was drawn for."""
    verdict: Verdict
    """The verdict."""
    following: str | None
    """The case that comes next."""


def bring_to_front(case: CaseText) -> None:
    """Notes which case the reviewer sees from now on."""
    st.session_state[_FRONT] = case


def judge(press: Press) -> None:
    """Keeps the verdict on the case that was on the screen when the key went down.

    A browser draws a new case piece by piece, so for a moment its head stands above the buttons of
    the one before: what is pressed then is let go. Of presses that come in together Streamlit
    hands over the newest first; it counts, and the others are let go as well.
    """
    if st.session_state.get(_FRONT) != press.case:
        _let_go(press)
    elif session.who():
        _keep(press)
    else:
        st.session_state[_WAITING] = waiting() | {press.case: press}
        address.show_case(press.run.id, press.case.case_id)


def waiting() -> dict[CaseText, Press]:
    """Returns the verdicts that wait for the reviewer's name."""
    return dict(st.session_state.get(_WAITING, {}))


def give_name(name: str) -> None:
    """Takes the reviewer's name, and keeps the verdicts that have waited for it."""
    name = name.strip()
    try:
        if name:
            check_name("who", name)
    except UsageError as error:
        session.note_unsaid(f"Your name was not taken: {error}")
        return
    session.set_who(name)
    if name:
        presses = waiting()
        st.session_state.pop(_WAITING, None)
        for press in presses.values():
            _keep(press)


def note_key(case: CaseText, who: str) -> str:
    """Returns the key of the note that a reviewer writes on a case."""
    digest = hashlib.sha256(repr((who, *case)).encode("utf-8", "surrogatepass")).hexdigest()
    return f"note-{digest[:32]}"


def note_of(case: CaseText, who: str) -> str | None:
    """Returns the note that is written so far, be it before the name was given."""
    for key in (note_key(case, who), note_key(case, "")):
        if key in st.session_state:
            return str(st.session_state[key])
    return None


def settle(run: Run, case: CaseText, verdict_key: str, why_key: str) -> None:
    """Ends a disagreement as the form says; what was typed stays until it is kept."""
    verdict, why = st.session_state[verdict_key], str(st.session_state[why_key])
    try:
        entry = history.opened().journal.settle(
            run, case, who=session.who(), verdict=verdict, note=why
        )
    except UsageError as error:
        session.note_unsaid(f"Not saved: {error}", why)
    except HeadroomError as error:
        session.note_unsaid(f"Not saved, try again: {error}", why)
    else:
        st.session_state.pop(why_key, None)
        session.note_said(entry)


def ask_undo() -> None:
    """Notes that the newest verdict shall be taken back.

    Not done at once: a verdict whose key came just before may be handed over after this.
    """
    st.session_state[_UNDO] = True


def undo_if_asked(opened: History, run: Run, queue: Queue, ledger: Ledger) -> None:
    """Takes the reviewer's newest verdict on these cases back, and shows its case again."""
    if not st.session_state.pop(_UNDO, False):
        return
    entry = newest(queue, ledger)
    if entry is None:
        return
    try:
        undo = opened.journal.take_back(run, entry, who=session.who())
    except HeadroomError as error:
        session.note_unsaid(f"Not saved, try again: {error}")
        return
    written = note_of(entry.text, session.who())
    if not written or written in {other.note for other in ledger.of_case(entry.case_id)}:
        st.session_state[note_key(entry.text, session.who())] = entry.note
    session.note_said(undo)
    address.show_case(run.id, entry.case_id)
    ledger.refresh()


def newest(queue: Queue, ledger: Ledger) -> Entry | None:
    """Returns the reviewer's newest verdict on the cases of a queue."""
    for entry in ledger.newest_verdicts_of(session.who()):
        place = queue.place(entry.case_id)
        if place is not None and queue.cases[place].text == entry.text:
            return entry
    return None


def _keep(press: Press) -> None:
    """Keeps the verdict under the reviewer's name and brings the next case."""
    who, case = session.who(), press.case
    note = note_of(case, who) or ""
    try:
        entry = history.opened().journal.judge(
            press.run, case, who=who, verdict=press.verdict, note=note
        )
    except HeadroomError as error:
        what = f"{VERDICT_WORDS[press.verdict]} on {case.case_id}"
        session.note_unsaid(f"Not saved, try again: {what}: {error}", note)
        address.show_case(press.run.id, case.case_id)
        return
    for key in (note_key(case, who), note_key(case, "")):
        st.session_state.pop(key, None)
    st.session_state.pop(_FRONT, None)
    session.note_said(entry)
    address.show_case(press.run.id, press.following)


def _let_go(press: Press) -> None:
    """Says so where the press would have changed what was kept just before."""
    said = session.last_said()
    if said and said.text == press.case and said.verdict not in (press.verdict, None):
        session.note_let_go(f"{VERDICT_WORDS[press.verdict]} on it came too late and was let go.")
