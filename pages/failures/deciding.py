"""What shall become of a reviewed case: an editor that shows, checks and replays the new row."""

from collections.abc import Iterable, Iterator

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
from pages.failures.judging import key_of
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
        kind = st.pills(
            "Decision",
            list(_offered(front)),
            format_func=KIND_WORDS.__getitem__,
            key=key_of("decide", front.text.case_id),
            label_visibility="collapsed",
        )
        if kind:
            show(element("p", text(MEANINGS[kind]), style="quiet"))
            _draw_editor(desk, front, kind)


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
        st.button(
            "Take it back",
            key=f"{where}-take-back-{decided.key}",
            on_click=_take_back,
            args=(run, decided),
        )


def draw_errors(errors: Iterable[RowError]) -> None:
    """Lists what the loader would refuse in a row."""
    show(alert("\n".join(error.text for error in errors)))


def _offered(front: Front) -> Iterator[DecisionKind]:
    if front.kept.case.stratum != "medium":
        yield "promote"
    if _needles(front):
        yield "accept_wording"
    yield from ("fix_check", "retire", "keep")


def _needles(front: Front) -> list[str]:
    """Returns the needles that the completion lacks, each once."""
    reasons: tuple[Reason, ...] = front.kept.explanation.reasons
    lacking = (each for each in reasons if each.kind in ("missing", "missing_any"))
    return list(dict.fromkeys(needle for reason in lacking for needle in reason.detail))


def _draw_editor(desk: Desk, front: Front, kind: DecisionKind) -> None:
    """Lets the row be edited, shows the new one, and replays it."""
    try:
        change = _change(front, kind)
    except PatchError as error:
        show(alert(str(error)))
        return
    if change is None:
        return
    if not _draw_new_row(desk, front, change):
        return
    why = st.text_input(
        "Why, for the row's note", key=key_of("why", front.text.case_id), max_chars=MAX_NOTE_CHARS
    )
    if st.button(f"Decide: {KIND_WORDS[kind].lower()}", type="primary", key="decide"):
        _decide(desk, front, change, why)


def _change(front: Front, kind: DecisionKind) -> Change | None:
    """Asks what the change still needs to know; None until that is given."""
    case = front.kept.case
    match kind:
        case "promote":
            return promoted(case)
        case "accept_wording":
            return _asked_wording(front)
        case "fix_check":
            return _asked_row(front)
        case "retire":
            return retired()
        case _:
            return kept()


def _asked_wording(front: Front) -> Change | None:
    case_id, needles = front.text.case_id, _needles(front)
    shown = distinct_excerpts(needles)
    left, right = st.columns(2)
    needle = left.selectbox(
        "Instead of", needles, format_func=shown.__getitem__, key=key_of("needle", case_id)
    )
    near = [mark.found for mark in front.kept.explanation.marks if mark.needle == needle]
    wording = right.text_input(
        "accept as well",
        near[0] if near else "",
        key=key_of(f"wording-{needles.index(needle)}", case_id),
    )
    return accepted(front.kept.case, needle, wording) if wording else None


def _asked_row(front: Front) -> Change | None:
    case = front.kept.case
    line = line_of(case).decode()
    written = st.text_area(
        "The row on one line, without its completion", line, key=key_of("row", case.id), height=160
    )
    if written == line:
        return None
    found = checked(written.encode("utf-8", "surrogatepass"))
    if isinstance(found, tuple):
        draw_errors(found)
        return None
    return fixed(case, msgspec.structs.replace(found, completion=case.completion))


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
    then = f"; {replay.failed} of them failed as recorded" if replay.n else ""
    show(element("p", element("strong", text(f"Replayed: {replay.words}{then}."))))
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
                run_id=run.id,
                at=run.at,
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
    st.session_state.pop(key_of("decide", front.text.case_id), None)
    st.rerun()  # the whole page, since the patch stands below the desk


def _take_back(run: Run, decided: Entry) -> None:
    try:
        history.opened().journal.take_back(run, decided, who=session.who())
    except HeadroomError as error:
        session.note_fault(f"Not saved, try again: {error}")
