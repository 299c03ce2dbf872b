"""What each kind of decision sets in a row, and the words that it leaves in the row's note."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC
from types import NoneType
from typing import Any

from evalcore.case import Case
from evalcore.decision import Change, Decision, DecisionKind
from evalcore.errors import PatchError
from evalcore.excerpt import excerpt
from evalcore.matching import fold, is_blank_needle

DONE: Mapping[DecisionKind, str] = {
    "promote": "promoted to medium",
    "accept_wording": "wording accepted",
    "fix_check": "check fixed",
    "retire": "retired",
    "keep": "kept as it is",
    "mint": "minted",
}
"""What has happened to the case, in words."""

_WHOLE: frozenset[DecisionKind] = frozenset({"retire", "keep", "mint"})
_WORDINGS = ("must_include", "must_include_any")
_EDITABLE = (
    "stratum", "prompt", "completion", *_WORDINGS, "must_not_include", "max_chars", "tags",
    "family", "note",
)  # fmt: skip


def promoted(case: Case) -> Change:
    """Moves a case to the medium stratum.

    Raises:
        PatchError: it is there already.
    """
    if case.stratum == "medium":
        raise PatchError(f"{_named(case.id)}: medium already; decide something else")
    return Change(kind="promote", fields={"stratum": "medium"})


def accepted(case: Case, needle: str, wording: str) -> Change:
    """Accepts a wording where a case asks for a needle.

    A needle of `must_include` moves to `must_include_any`, with the wording beside it; each list
    there that has the needle already gets the wording at its end. Whether a completion holds the
    wording is for grading to say.

    Raises:
        PatchError: the case does not ask for the needle, or the wording is blank or nothing new.
    """
    if is_blank_needle(wording):
        raise PatchError(f"{_named(case.id)}: the accepted wording is blank; write what to accept")
    lists = [_with_wording(wordings, needle, wording) for wordings in case.must_include_any]
    required = [other for other in case.must_include if other != needle]
    fields: dict[str, Any] = {}
    if len(required) < len(case.must_include):
        if fold(needle) == fold(wording):
            raise PatchError(_nothing_new(case, wording))
        fields["must_include"] = required
        lists.append([needle, wording])
    elif not any(needle in wordings for wordings in lists):
        raise PatchError(
            f'{_named(case.id)}: nothing asks for "{excerpt(needle)}"; choose a needle of '
            "must_include or must_include_any"
        )
    elif lists == list(map(list, case.must_include_any)):
        raise PatchError(_nothing_new(case, wording))
    return Change(kind="accept_wording", fields={**fields, "must_include_any": lists})


def fixed(case: Case, new: Case) -> Change:
    """Sets every field in which an edited case differs from what it was.

    Fields that the contract does not know stay as they are in the row.

    Raises:
        PatchError: nothing differs, or the id does, or there is a new field of an unknown name.
    """
    if new.id != case.id:
        raise PatchError(f"{_named(case.id)}: {_OTHER_ID}")
    if strange := sorted(set(new.unknown) - set(case.unknown)):
        names = ", ".join(map(excerpt, strange))
        raise PatchError(f"{_named(case.id)}: unknown fields ({names}); edit those in the file")
    fields = {
        name: _as_json(getattr(new, name))
        for name in _EDITABLE
        if getattr(new, name) != getattr(case, name)
    }
    if not fields:
        raise PatchError(f"{_named(case.id)}: nothing differs; edit the row, or keep it as it is")
    return Change(kind="fix_check", fields=fields)


def retired() -> Change:
    """Takes a case out of its suite."""
    return Change(kind="retire")


def kept() -> Change:
    """Leaves a case as it is."""
    return Change(kind="keep")


def minted(fields: Mapping[str, Any]) -> Change:
    """Adds a case to the suite; `fields` is its whole row, in the order of the line."""
    return Change(kind="mint", fields=dict(fields))


def combined(earlier: Change | None, change: Change) -> Change:
    """Returns what a decision makes of a case that was decided on before.

    `retire`, `keep` and `mint` replace what was decided, and are replaced. Otherwise all fields of
    both are set, the later value where they meet; decisions of two kinds together fix the check.
    """
    if earlier is None or {earlier.kind, change.kind} & _WHOLE:
        return change
    kind = change.kind if earlier.kind == change.kind else "fix_check"
    return Change(kind=kind, fields=earlier.fields | change.fields)


def change_fault(case_id: str, change: Change) -> str | None:
    """Says why a change does not do what its kind says, and what to do; None where it does."""
    fields = change.fields
    try:
        json.dumps(fields, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return "fields that JSON cannot hold; write plain JSON in whole characters, not too deep"
    if not isinstance(fields.get("note", ""), (str, NoneType)):
        return "a note that is no text; write it in quotes"
    match change.kind:
        case "promote":
            wrong = fields != {"stratum": "medium"}
            return 'promote sets "stratum" to "medium" and nothing else' if wrong else None
        case "accept_wording":
            wrong = not fields or not fields.keys() <= set(_WORDINGS)
            return f"accept_wording sets {' and '.join(_WORDINGS)} only" if wrong else None
        case "fix_check":
            if "id" in fields:
                return _OTHER_ID
            return None if fields else "fix_check sets no field; name the fields to set"
        case "retire" | "keep":
            return f"{change.kind} sets no field; leave the fields out" if fields else None
        case "mint":
            same = _id_of(fields) == case_id
            return None if same else "mint names another id in its row; write the same id in both"


def noted(note: str | None, decision: Decision) -> str:
    """Returns a row's note with a line more: "2026-12-01 Ada: promoted to medium: <why>"."""
    day = decision.at.astimezone(UTC).date().isoformat()
    said = f"{day} {decision.who}: {DONE[decision.change.kind]}"
    if decision.why:
        said += f": {decision.why}"
    return f"{note}\n{said}" if note else said


_OTHER_ID = "a case keeps its id; retire it and mint another one"


def _with_wording(wordings: Iterable[str], needle: str, wording: str) -> list[str]:
    """Returns accepted wordings, with a new one where they have the needle and not yet that."""
    known = list(wordings)
    new = needle in known and fold(wording) not in map(fold, known)
    return [*known, wording] if new else known


def _nothing_new(case: Case, wording: str) -> str:
    return (
        f'{_named(case.id)}: "{excerpt(wording)}" is accepted already; accept another wording, '
        "or fix the check"
    )


def _as_json(value: object) -> object:
    return list(map(_as_json, value)) if isinstance(value, tuple) else value


def _id_of(fields: Mapping[str, Any]) -> str | None:
    """Returns the id that the loader gives a row, where it gives one."""
    found = fields.get("id")
    return str(found) if isinstance(found, (str, int)) and not isinstance(found, bool) else None


def _named(case_id: str) -> str:
    return f'case "{excerpt(case_id)}"'
