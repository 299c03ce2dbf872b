"""Verdict buttons with their keys, the note, what became of the last verdict, and undo."""

import hashlib
from collections.abc import Callable

import streamlit as st

from evalcore.entry import CaseText, Entry, Verdict
from evalcore.stamp import MAX_NAME_CHARS, MAX_NOTE_CHARS
from pages.failures import verdicts
from pages.failures.view import Desk, Front
from pages.failures.words import VERDICT_MEANINGS, VERDICT_WORDS
from pages.shared import address, session
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
    _draw_name(desk)


def draw_outcome(desk: Desk) -> None:
    """Says what became of the last verdict: saved, taken back, or not saved."""
    with st.container(key="review-said"):
        (fault, _), said = session.unsaid(), session.last_said()
        if fault:
            show(alert(fault))
        elif said:
            _draw_said(desk, said)


def key_of(name: str, case_id: str) -> str:
    """Returns the key of a widget of one case."""
    if len(case_id) > _KEY_CHARS:
        digest = hashlib.sha256(case_id.encode()).hexdigest()
        case_id = f"{case_id[:_KEY_CHARS]}{digest[:16]}"
    return f"{name}-{case_id}"


def key_of_text(name: str, case: CaseText) -> str:
    """Returns the key of a widget of one case with these checks and this completion."""
    digest = hashlib.sha256(repr(tuple(case)).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{name}-{digest[:32]}"


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
                on_click=verdicts.judge,
                args=(verdicts.Press(desk.run, front.text, verdict, front.unreviewed),),
            )


def _draw_moves(desk: Desk, front: Front) -> None:
    last = verdicts.newest(desk.queue, desk.ledger)
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
        _button("Undo", UNDO_KEY, last is None, verdicts.ask_undo)
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
    key = verdicts.note_key(front.text, desk.who)
    mine = front.standing.verdicts.get(desk.who)
    if key not in st.session_state:
        written = verdicts.note_of(front.text, desk.who)
        st.session_state[key] = written or (mine.note if mine else "")
    note = st.text_area(
        "Note, kept with your verdict",
        key=key,
        height=68,
        max_chars=MAX_NOTE_CHARS,
        persist_state="session",
    )
    if note and note != (mine.note if mine else ""):
        show(element("p", text("Not saved yet: it is kept with your verdict."), style="quiet"))


def _draw_name(desk: Desk) -> None:
    """Asks, once, whose verdicts these are; the verdicts that brought it up wait for the answer."""
    count = len(verdicts.waiting())
    if desk.who or not count:
        return
    with st.form("reviewer", border=True):
        name = st.text_input(
            "Your name, so that the others know whose verdict it is", max_chars=MAX_NAME_CHARS
        )
        label = "Save the verdict" if count == 1 else f"Save the {count} verdicts"
        if st.form_submit_button(label, type="primary") and name.strip():
            verdicts.give_name(name)
            st.rerun()  # the whole page, since the name stands at its top


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
    if late := session.let_go():
        told.append(element("strong", text(f" {late}")))
    show(element("p", *told, style="said"))
    if standing.disagreement:
        st.button(
            "Look at it again",
            key="review-disagreed",
            on_click=address.show_case,
            args=(desk.run.id, said.case_id),
        )
