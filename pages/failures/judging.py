"""Verdict buttons with their keys, the note, what became of the last verdict, and undo."""

import hashlib
from collections.abc import Callable

import streamlit as st

from evalcore.entry import CaseText, Entry, Verdict
from evalcore.errors import HeadroomError
from evalcore.run import Run
from evalcore.stamp import MAX_NAME_CHARS, MAX_NOTE_CHARS
from pages.failures.view import Desk, Front
from pages.failures.words import VERDICT_MEANINGS, VERDICT_WORDS
from pages.shared import address, history, session
from pages.shared.markup import alert, definitions, element, show, text

OF_MISSES: tuple[Verdict, ...] = ("real_miss", "acceptable", "bad_fixture", "unsure")
OF_PASSES: tuple[Verdict, ...] = ("wrong_reason", "acceptable", "bad_fixture", "unsure")
NEXT_KEY, PREVIOUS_KEY, UNDO_KEY, HELP_KEY = "J", "K", "Z", "H"
_KEY_CHARS = 100


def draw(desk: Desk, front: Front) -> None:
    """Draws what judges the case in front, and says what became of the last verdict."""
    _draw_verdicts(desk, front)
    _draw_moves(desk, front)
    draw_outcome(desk)
    _draw_name(desk, front)


def draw_outcome(desk: Desk) -> None:
    """Says what became of the last verdict: saved, taken back, or not saved."""
    with st.container(key="review-said"):
        fault, said = session.review_fault(), session.last_said()
        if fault:
            show(alert(f"Not saved, try again: {fault}"))
        elif said:
            _draw_said(desk, said)


def key_of(name: str, case_id: str) -> str:
    """Returns the key of a widget of one case."""
    if len(case_id) > _KEY_CHARS:
        digest = hashlib.sha256(case_id.encode()).hexdigest()
        case_id = f"{case_id[:_KEY_CHARS]}{digest[:16]}"
    return f"{name}-{case_id}"


def _draw_verdicts(desk: Desk, front: Front) -> None:
    mine = front.standing.verdicts.get(desk.who)
    offered = OF_PASSES if front.kept.outcome == "passed" else OF_MISSES
    with st.container(horizontal=True, key="review-verdicts"):
        for number, verdict in enumerate(offered, 1):
            st.button(
                VERDICT_WORDS[verdict],
                key=key_of(f"verdict-{verdict}", front.text.case_id),
                shortcut=str(number),
                type="primary" if mine and mine.verdict == verdict else "secondary",
                on_click=_judge,
                args=(desk.run, front.text, verdict, front.unreviewed),
            )


def _draw_moves(desk: Desk, front: Front) -> None:
    last = desk.undoable()
    with st.container(horizontal=True, key="review-moves"):
        _button(
            "Previous",
            PREVIOUS_KEY,
            front.before is None,
            address.show_case,
            desk.run.id,
            front.before,
        )
        _button("Next", NEXT_KEY, front.after is None, address.show_case, desk.run.id, front.after)
        _button("Undo", UNDO_KEY, last is None, _take_back, desk.run, last)
        if st.button("Keys", shortcut=HELP_KEY, key="review-help"):
            _draw_help()


def _button(label: str, key: str, off: bool, action: Callable[..., None], *args: object) -> None:
    st.button(
        label,
        key=f"review-{label.lower()}",
        shortcut=key,
        disabled=off,
        on_click=action,
        args=args,
    )


@st.dialog("Keys")
def _draw_help() -> None:
    """Lists the keys and what each verdict means."""
    verdicts = [
        (key, f"{VERDICT_WORDS[verdict]}: {VERDICT_MEANINGS[verdict]}")
        for key, verdict in zip("1234", OF_MISSES, strict=True)
    ]
    passes = f"{VERDICT_WORDS['wrong_reason']}, for a case that passed: "
    others = [
        ("1", passes + VERDICT_MEANINGS["wrong_reason"]),
        (NEXT_KEY, "next case"),
        (PREVIOUS_KEY, "previous case"),
        (UNDO_KEY, "take your last verdict back"),
        (HELP_KEY, "this list"),
    ]
    show(definitions([*verdicts, *others]))
    show(
        element(
            "p",
            text(
                "After a verdict the next unreviewed case comes by itself. Keys are off while "
                "you type; Escape or Tab leaves a field. A verdict never changes a grade."
            ),
            style="quiet",
        )
    )


def draw_note(desk: Desk, front: Front) -> None:
    """Draws the note, which stays until it is kept with a verdict."""
    key = _note_key(front.text)
    mine = front.standing.verdicts.get(desk.who)
    st.session_state.setdefault(key, mine.note if mine else "")
    note = st.text_area(
        "Note, kept with your verdict",
        key=key,
        height=68,
        max_chars=MAX_NOTE_CHARS,
        persist_state="session",
    )
    if note and note != (mine.note if mine else ""):
        show(element("p", text("Not saved yet: it is kept with your verdict."), style="quiet"))


def _note_key(case: CaseText) -> str:
    digest = hashlib.sha256(repr(tuple(case)).encode("utf-8", "surrogatepass")).hexdigest()
    return f"note-{digest[:32]}"


def _draw_name(desk: Desk, front: Front) -> None:
    """Asks, once, whose verdicts these are; the verdict that brought it up waits for the answer."""
    waiting = session.waiting_verdict()
    if desk.who or waiting is None:
        return
    with st.form("reviewer", border=True):
        name = st.text_input(
            "Your name, so that the others know whose verdict it is", max_chars=MAX_NAME_CHARS
        )
        if st.form_submit_button("Save the verdict", type="primary") and name.strip():
            session.set_who(name.strip())
            session.hold_verdict(None)
            _keep(*waiting)
            st.rerun()  # the whole page, since the name stands at its top


def _judge(run: Run, case: CaseText, verdict: Verdict, following: str | None) -> None:
    """Keeps the verdict on the case that was on the screen when the key went down.

    A browser draws a new case piece by piece, so for a moment its head stands above the buttons
    of the one before; what is pressed then is let go.
    """
    if session.front() != case:
        return
    who = session.who()
    if not who:
        session.hold_verdict((run, case, verdict, following))
        address.show_case(run.id, case.case_id)
        return
    _keep(run, case, verdict, following)


def _keep(run: Run, case: CaseText, verdict: Verdict, following: str | None) -> None:
    """Keeps the verdict under the reviewer's name and brings the next case."""
    who = session.who()
    note = str(st.session_state.get(_note_key(case), ""))
    try:
        entry = history.opened().journal.judge(run, case, who=who, verdict=verdict, note=note)
    except HeadroomError as error:
        session.note_review_fault(str(error))
        address.show_case(run.id, case.case_id)
        return
    st.session_state.pop(_note_key(case), None)
    session.note_said(entry)
    address.show_case(run.id, following)


def _take_back(run: Run, entry: Entry) -> None:
    """Takes the verdict back and shows its case again."""
    try:
        undo = history.opened().journal.take_back(run, entry, who=session.who())
    except HeadroomError as error:
        session.note_review_fault(str(error))
        return
    st.session_state[_note_key(entry.text)] = entry.note
    session.note_said(undo)
    address.show_case(run.id, entry.case_id)


def _draw_said(desk: Desk, said: Entry) -> None:
    when = text(f" at {said.at:%H:%M:%S} UTC.")
    case = element("code", text(said.case_id))
    if said.verdict is None:
        show(element("p", text("Taken back: your verdict on "), case, when, style="said"))
        return
    standing = desk.ledger.standing(said.text)
    told = [text(f"Saved: {VERDICT_WORDS[said.verdict]} on "), case, when]
    if standing.disagreement:
        others = "; ".join(
            f"{entry.who} said {VERDICT_WORDS[entry.verdict]}"
            for entry in standing.verdicts.values()
            if entry.who != said.who and entry.verdict
        )
        told.append(element("strong", text(f" Reviewers disagree: {others}.")))
    show(element("p", *told, style="said"))
    if standing.disagreement:
        st.button(
            "Look at it again",
            key="review-disagreed",
            on_click=address.show_case,
            args=(desk.run.id, said.case_id),
        )
