"""What shall become of a reviewed case: an editor that shows, checks and replays the new row."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import msgspec
import streamlit as st

from evalcore.case import Case, Reason
from evalcore.decision import Change, DecisionKind
from evalcore.entry import Entry
from evalcore.errors import HeadroomError, PatchError, RowError
from evalcore.excerpt import distinct_excerpts
from evalcore.patch import (
    DONE,
    Answer,
    Replay,
    accepted,
    checked,
    combined,
    edited,
    fixed,
    kept,
    line_of,
    promoted,
    replayed,
    retired,
)
from evalcore.run import Run
from evalcore.stamp import MAX_NOTE_CHARS
from pages.failures.judging import key_of_text
from pages.failures.view import Desk, Front
from pages.shared import history, session
from pages.shared.difference import difference
from pages.shared.markup import alert, element, show, text

REPLAYED_RUNS = 10
KIND_WORDS = {
    "promote": "Promote to medium",
    "accept_wording": "Accept this wording",
    "fix_check": "Fix the check",
    "retire": "Retire",
    "keep": "Keep",
}
MEANINGS = {
    "promote": "Today's prompt shall always pass it: it becomes part of the contract.",
    "accept_wording": "A person accepts this wording: the needle becomes one of several.",
    "fix_check": "The prompt or a check is at fault: write the row as it should be.",
    "retire": "The case leaves the suite: its whole line goes.",
    "keep": "The case is right, and stays as it is.",
}
OTHER_PROMPT = (
    "The recorded completion answers the old prompt, so the new row has none until it is filled."
)
FIRST = "Judge the case first; then you decide here what becomes of it in the suite."


def draw(desk: Desk, front: Front) -> None:
    """Offers the decisions on the case in front to one who has judged it."""
    with st.container(border=True, key="review-decision"):
        show(element("h4", text("What becomes of it in the suite")))
        if desk.who not in front.standing.verdicts:
            show(element("p", text(FIRST), style="quiet"))
            return
        decided = desk.ledger.decision(front.text)
        if decided:
            draw_decided(desk.run, decided, "case")
        row = _row_so_far(front, decided)
        kind = st.pills(
            "Decision",
            list(_offered(front, row)),
            format_func=KIND_WORDS.__getitem__,
            key=key_of_text("decide", front.text),
            label_visibility="collapsed",
        )
        if kind:
            show(element("p", text(MEANINGS[kind]), style="quiet"))
            _draw_editor(desk, Subject(front, row, decided.change if decided else None), kind)


def draw_decided(run: Run, decided: Entry, where: str) -> None:
    """Says what was decided, and offers to take it back."""
    assert decided.change is not None
    why = f": {decided.note}" if decided.note else ""
    by = f", {decided.at:%Y-%m-%d %H:%M} UTC{why}"
    with st.container(horizontal=True, vertical_alignment="center"):
        show(
            element(
                "p",
                element("code", text(decided.case_id)),
                element("strong", text(f" {DONE[decided.change.kind]} ")),
                text("by "),
                text(decided.who),
                text(by),
            )
        )
        if st.button("Take it back", key=f"{where}-take-back-{decided.key}"):
            _take_back(run, decided)


def draw_errors(errors: Iterable[RowError]) -> None:
    """Lists what the loader would refuse in a row."""
    show(alert("\n".join(error.text for error in errors)))


class Subject(NamedTuple):
    """Is what a decision is made on."""

    front: Front
    """The case in front."""
    row: Case
    """Its row with what was decided before."""
    before: Change | None
    """What was decided before."""


def _row_so_far(front: Front, decided: Entry | None) -> Case:
    """Returns the case as an earlier decision leaves it, so that a second one adds to that."""
    case = front.kept.case
    fields = decided.change.fields if decided and decided.change else {}
    found = checked(edited(line_of(case), fields))
    return case if isinstance(found, tuple) else _with_completion(found, case)


def _with_completion(row: Case, case: Case) -> Case:
    """Returns a row with the recorded answer, which answers no other prompt."""
    return msgspec.structs.replace(
        row, completion=case.completion if row.prompt == case.prompt else None
    )


def _offered(front: Front, row: Case) -> Iterator[DecisionKind]:
    if row.stratum != "medium":
        yield "promote"
    if _needles(front, row):
        yield "accept_wording"
    yield from ("fix_check", "retire", "keep")


def _needles(front: Front, row: Case) -> list[str]:
    """Returns the needles that the completion lacks and the row still asks for, each once."""
    asked = {*row.must_include, *chain.from_iterable(row.must_include_any)}
    reasons: tuple[Reason, ...] = front.kept.explanation.reasons
    lacking = (each for each in reasons if each.kind in ("missing", "missing_any"))
    needles = (needle for reason in lacking for needle in reason.detail)
    return [needle for needle in dict.fromkeys(needles) if needle in asked]


def _draw_editor(desk: Desk, subject: Subject, kind: DecisionKind) -> None:
    """Lets the row be edited, shows the new one, and replays it."""
    try:
        change = _change(subject, kind)
    except PatchError as error:
        show(alert(str(error)))
        return
    if change is None:
        return
    change = combined(subject.before, change)
    if not _draw_new_row(desk, subject.front, change):
        return
    why = st.text_input(
        "Why, for the row's note",
        key=key_of_text("why", subject.front.text),
        max_chars=MAX_NOTE_CHARS,
        persist_state="session",
    )
    if st.button(f"Decide: {KIND_WORDS[kind].lower()}", type="primary", key="decide"):
        _decide(desk, subject.front, change, why)


def _change(subject: Subject, kind: DecisionKind) -> Change | None:
    """Asks what the change still needs to know; None until that is given."""
    match kind:
        case "promote":
            return promoted(subject.row)
        case "accept_wording":
            return _asked_wording(subject)
        case "fix_check":
            return _asked_row(subject)
        case "retire":
            return retired()
        case _:
            return kept()


def _asked_wording(subject: Subject) -> Change | None:
    front, needles = subject.front, _needles(subject.front, subject.row)
    shown = distinct_excerpts(needles)
    left, right = st.columns(2)
    needle = left.selectbox(
        "Instead of",
        needles,
        format_func=shown.__getitem__,
        key=key_of_text("needle", front.text),
        persist_state="session",
    )
    near = [mark.found for mark in front.kept.explanation.marks if mark.needle == needle]
    wording = right.text_input(
        "accept as well",
        near[0] if near else "",
        key=key_of_text(f"wording-{needles.index(needle)}", front.text),
        persist_state="session",
    )
    return accepted(subject.row, needle, wording) if wording else None


def _asked_row(subject: Subject) -> Change | None:
    case = subject.row
    line = line_of(case).decode()
    written = st.text_area(
        "The row on one line, without its completion",
        line,
        key=key_of_text("row", subject.front.text),
        height=160,
        persist_state="session",
    )
    if written == line:
        return None
    found = checked(written.encode("utf-8", "surrogatepass"))
    if isinstance(found, tuple):
        draw_errors(found)
        return None
    if found.completion is not None:
        show(alert("A completion is recorded, not written: take it out of the row again."))
        return None
    new = _with_completion(found, case)
    if new.completion is None and case.completion is not None:
        show(element("p", text(OTHER_PROMPT), style="quiet"))
    return fixed(case, new)


def _draw_new_row(desk: Desk, front: Front, change: Change) -> bool:
    """Shows what becomes of the row and of the last runs; False where the row is refused."""
    line = line_of(front.kept.case)
    if change.kind in ("retire", "keep"):
        return True
    new = edited(line, change.fields)
    case = checked(new)
    if isinstance(case, tuple):
        draw_errors(case)
        return False
    show(*difference("The row", line.decode(), new.decode()))
    replay = _replayed(desk, case)
    show(element("p", element("strong", text(f"Replayed: {replay.words}."))))
    if replay.n:
        then = f"As recorded, {replay.failed} of {replay.n} failed."
        show(element("p", text(then), style="quiet"))
    return True


def _replayed(desk: Desk, case: Case) -> Replay:
    """Grades the new row on what the last runs have recorded."""
    runs = [run for run in desk.of_job if run.counted]
    held = desk.history.case_outcomes(case.id, [run.id for run in runs])
    last = [run for run in runs if run.id in held][-REPLAYED_RUNS:]
    answers = desk.history.answers(case.id, [run.id for run in last])
    return replayed(
        case,
        (
            Answer(
                completion=answers[run.id].case.completion,
                prompt=answers[run.id].case.prompt,
                passed=answers[run.id].outcome == "passed",
            )
            for run in last
        ),
    )


def _decide(desk: Desk, front: Front, change: Change, why: str) -> None:
    try:
        desk.history.journal.decide(desk.run, front.text, who=desk.who, change=change, why=why)
    except HeadroomError as error:
        show(alert(f"Not saved, try again: {error}"))
        return
    for name in ("decide", "why", "row"):
        st.session_state.pop(key_of_text(name, front.text), None)
    st.rerun()  # the whole page, since the patch stands below the desk


def _take_back(run: Run, decided: Entry) -> None:
    try:
        history.opened().journal.take_back(run, decided, who=session.who())
    except HeadroomError as error:
        session.note_fault(f"Not saved, try again: {error}")
    st.rerun()
