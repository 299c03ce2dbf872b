"""Minting a stretch case: its prompt and checks, tried on a completion as they are written."""

import json
from typing import Any

import msgspec
import streamlit as st

from evalcore.case import DEFAULT_MAX_CHARS, Case
from evalcore.entry import CaseText
from evalcore.errors import HeadroomError
from evalcore.grading import grade_case
from evalcore.patch import checked, minted
from evalcore.pipeline import Decided
from evalcore.run import Run
from evalcore.stamp import MAX_NOTE_CHARS
from pages.failures.deciding import draw_errors
from pages.shared import history, session
from pages.shared.completion import completion, legend
from pages.shared.markup import alert, element, show, text

NEEDLES_APART = "|"
LISTS_APART = ";"
HOW = "Write an id and a prompt; the checks are tried on the completion as you type them."
NEEDS_NAME = "Give your name at the top of the page; then you can add the case."
_TEXTS = ("id", "prompt", "include", "any", "exclude", "tags", "answer", "why")


def draw(run: Run, decided: Decided, *, unfolded: bool) -> None:
    """Draws the form; what is typed stays until the case is added."""
    form = st.expander(
        "Mint a new stretch case", expanded=unfolded, key="review-mint", on_change="rerun"
    )
    if not form.open:
        return
    with form:
        row, answer = _asked()
        if not row["id"] or not row["prompt"]:
            show(element("p", text(HOW), style="quiet"))
            return
        line = json.dumps(row, ensure_ascii=False)
        case = checked(line.encode("utf-8", "surrogatepass"))
        if isinstance(case, tuple):
            draw_errors(case)
            return
        _draw_grade(case, answer)
        show(element("p", text("Its line: "), element("code", text(line, 2_000))))
        _draw_add(run, decided, row)


def _asked() -> tuple[dict[str, Any], str]:
    """Returns the row that is written so far, and the completion to try it on."""
    left, right = st.columns(2)
    with left:
        case_id = _line("Id", "id")
        prompt = _area("Prompt", "prompt")
        include = _line(f"Must include, needles parted by {NEEDLES_APART}", "include")
        wordings = _line(
            f"Must include any, wordings parted by {NEEDLES_APART}, lists by {LISTS_APART}", "any"
        )
        exclude = _line(f"Must not include, needles parted by {NEEDLES_APART}", "exclude")
    with right:
        answer = _area("A completion to try", "answer")
        recorded = st.checkbox(
            "Record it in the new row", key=_key("record"), persist_state="session"
        )
        budget = st.number_input(
            "Budget in characters",
            1,
            value=DEFAULT_MAX_CHARS,
            key=_key("budget"),
            persist_state="session",
        )
        tags = _line("Tags, parted by commas", "tags")
    row = {
        "id": case_id.strip(),
        "stratum": "stretch",
        "prompt": prompt.strip(),
        "completion": answer if recorded else None,
        "must_include": _parts(include, NEEDLES_APART),
        "must_include_any": [_parts(some, NEEDLES_APART) for some in _parts(wordings, LISTS_APART)],
        "must_not_include": _parts(exclude, NEEDLES_APART),
        "max_chars": int(budget),
        "tags": _parts(tags, ","),
    }
    return {name: value for name, value in row.items() if value not in (None, [])}, answer


def _draw_grade(case: Case, answer: str) -> None:
    """Grades the completion to try, and shows where its checks hit."""
    if not answer:
        show(element("p", text("Write a completion to try the checks on."), style="quiet"))
        return
    tried = msgspec.structs.replace(case, completion=answer)
    grade = grade_case(tried)
    words = "● passed" if grade.passed else "▲ failed"
    show(element("p", element("span", text(words), style="ok" if grade.passed else "alarm")))
    show(
        element("ul", *(element("li", text(reason.text)) for reason in grade.reasons)),
        completion(tried, grade.marks),
        legend(tried, grade.marks),
    )


def _draw_add(run: Run, decided: Decided, row: dict[str, Any]) -> None:
    why = _line("Why, for the row's note", "why", MAX_NOTE_CHARS)
    if not session.who():
        show(element("p", text(NEEDS_NAME), style="quiet"))
        return
    minted_ids = {
        entry.case_id for entry in decided.entries if entry.change and entry.change.kind == "mint"
    }
    if row["id"] in minted_ids or history.opened().fixtures(run.id, [row["id"]]):
        show(alert("The suite has a case of this id already; give this one another id."))
        return
    st.button("Add it to the patch", type="primary", on_click=_add, args=(run, row, why))


def _add(run: Run, row: dict[str, Any], why: str) -> None:
    case = CaseText(row["id"], "", None)
    try:
        journal = history.opened().journal
        journal.decide(run, case, who=session.who(), change=minted(row), why=why)
    except HeadroomError as error:
        session.note_fault(f"Not saved, try again: {error}")
        return
    for name in _TEXTS:
        st.session_state[_key(name)] = ""


def _line(label: str, name: str, most: int | None = None) -> str:
    return st.text_input(label, key=_key(name), max_chars=most, live=True, persist_state="session")


def _area(label: str, name: str) -> str:
    return st.text_area(label, key=_key(name), height=120, persist_state="session")


def _key(name: str) -> str:
    return f"mint-{name}"


def _parts(text: str, sign: str) -> list[str]:
    """Returns what stands between the signs, blanks around it left out."""
    return [part for part in map(str.strip, text.split(sign)) if part]
