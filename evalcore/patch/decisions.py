"""Decisions as a file: JSONL, one decision a line, read strictly and written without loss."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec

from evalcore.decision import DECISION_KINDS, Change, Decision
from evalcore.errors import MAX_PROBLEMS, PatchError, RowError, UsageError, problems_of
from evalcore.excerpt import excerpt
from evalcore.framing import file_fault, malformed_line
from evalcore.matching import is_blank
from evalcore.patch.changes import change_fault
from evalcore.report import tamed
from evalcore.stamp import check_name, check_note

MAX_DECISIONS_BYTES = 64 << 20
_YEARS = range(1970, 2200)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HASH = re.compile("[0-9a-f]{64}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REQUIRED = ("case_id", "fixture_hash", "change", "who", "at")
_KNOWN = (*_REQUIRED, "why")

Fault = tuple[str, str]
"""The field, blank for the line as a whole, and what is wrong with it."""


def decisions_jsonl(decisions: Iterable[Decision]) -> bytes:
    """Returns a decisions file, in which control and direction characters are escaped."""
    return tamed(b"".join(msgspec.json.encode(one) + b"\n" for one in decisions))


def read_decisions(data: bytes, name: str) -> list[Decision]:
    """Returns the decisions of a file's bytes, in its order; `name` names it in messages.

    Blank lines, CRLF and a byte order mark are accepted.

    Raises:
        PatchError: one message with every problem found, its line and field, and what to do.
    """
    if len(data) > MAX_DECISIONS_BYTES:
        size = MAX_DECISIONS_BYTES >> 20
        problem = f"larger than {size} MiB; it holds a line for each decision, is it the suite?"
        raise PatchError(problems_of(name, [problem]))
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if whole := file_fault(data[: 1 << 16]):
        raise PatchError(problems_of(name, [whole.text]))
    decisions: list[Decision] = []
    problems: list[str] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line and not line.isspace():
            found = _decision(line, number)
            if isinstance(found, Decision):
                decisions.append(found)
            else:
                problems += found
        if len(problems) > MAX_PROBLEMS:
            break
    if problems:
        raise PatchError(problems_of(name, problems))
    return decisions


def _decision(line: bytes, number: int) -> Decision | list[str]:
    """Returns the decision on a line, or every problem that it has."""
    fields = _parsed(line, number)
    if isinstance(fields, RowError):
        return [fields.text]
    faults = list(islice(_faults(fields), MAX_PROBLEMS))
    if faults:
        return [RowError(line=number, field=field, problem=what).text for field, what in faults]
    change = fields["change"]
    return Decision(
        case_id=fields["case_id"],
        fixture_hash=fields["fixture_hash"],
        change=Change(kind=change["kind"], fields=change.get("fields", {})),
        who=fields["who"],
        at=datetime.fromisoformat(fields["at"]),
        why=fields.get("why", ""),
    )


class _TwiceError(ValueError):
    """Carries the key that stands in one object twice."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise _TwiceError(name)
        members[name] = value
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def _parsed(line: bytes, number: int) -> dict[str, Any] | RowError:
    """Returns the object on a line, or why there is none."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        found = f"byte 0x{line[error.start]:02x} as byte {error.start + 1} of the line"
        fault = {"problem": "not valid UTF-8", "found": found, "wanted": "save it as UTF-8"}
        return RowError(line=number, **fault)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return RowError(line=number, **malformed_line(text, error))
    except _TwiceError as error:
        problem = "the same key twice in one object; keep one of the two"
        return RowError(line=number, field=excerpt(str(error)), problem=problem)
    except RecursionError:
        return RowError(line=number, problem="brackets nested too deep; flatten the value")
    except ValueError:  # Python's own limit on the digits of an integer
        return RowError(line=number, problem="a number of thousands of digits; shorten it")
    if not isinstance(value, dict):
        return RowError(line=number, problem="not an object; write one decision a line")
    return value


def _faults(fields: Mapping[str, Any]) -> Iterator[Fault]:
    """Yields what is wrong with the fields of one decision."""
    for name in fields:
        if name not in _KNOWN:
            yield excerpt(name), f"unknown field; known here: {', '.join(_KNOWN)}"
    for name in _REQUIRED:
        if name not in fields:
            yield name, "missing; write it, or export the decisions anew"
    for name, fault_of in _CHECKS.items():
        if name in fields and (fault := fault_of(fields[name])):
            yield name, fault
    change = fields.get("change")
    if not isinstance(change, dict):
        return
    faults = list(_shape_faults(change))
    yield from faults
    if not faults and isinstance(fields.get("case_id"), str):
        yield from _meaning_faults(fields, change)


def _shape_faults(change: Mapping[str, Any]) -> Iterator[Fault]:
    """Yields what keeps a change from being read at all."""
    for name in change:
        if name not in ("kind", "fields"):
            yield f"change.{excerpt(name)}", "unknown field; known here: kind, fields"
    if change.get("kind") not in DECISION_KINDS:
        yield "change.kind", f"none of {', '.join(DECISION_KINDS)}{_found(change.get('kind'))}"
    if not isinstance(change.get("fields", {}), dict):
        yield "change.fields", "not an object; write the row's fields with their new values"


def _meaning_faults(fields: Mapping[str, Any], change: Mapping[str, Any]) -> Iterator[Fault]:
    """Yields where a decision contradicts itself."""
    kind = change["kind"]
    fault = change_fault(fields["case_id"], Change(kind=kind, fields=change.get("fields", {})))
    if fault:
        yield "change", fault
    if "fixture_hash" in fields and (fields["fixture_hash"] == "") != (kind == "mint"):
        yield "fixture_hash", "blank for mint and for nothing else; export the decisions anew"


def _case_id_fault(value: object) -> str | None:
    if isinstance(value, str) and not is_blank(value) and not _SURROGATE.search(value):
        return None
    return f"not an id{_found(value)}; write the case's id in quotes"


def _hash_fault(value: object) -> str | None:
    if value == "" or (isinstance(value, str) and _HASH.fullmatch(value)):
        return None
    return f"not 64 hexadecimal digits{_found(value)}; export the decisions anew"


def _change_fault(value: object) -> str | None:
    if isinstance(value, dict):
        return None
    return f'not an object{_found(value)}; write {{"kind": "…", "fields": {{…}}}}'


def _text_fault(check: Callable[[str, str], None], name: str, value: object) -> str | None:
    if not isinstance(value, str):
        return f"not text{_found(value)}; write it in quotes"
    try:
        check(name, value)
    except UsageError as error:
        return str(error).removeprefix(f"{name}: ")
    return None


def _time_fault(value: object) -> str | None:
    advice = "write it like 2026-12-01T14:30:00Z"
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None:
        return f"not a time{_found(value)}; {advice}"
    if at.tzinfo is None:
        return f"a time without a zone{_found(value)}; {advice}"
    if at.year not in _YEARS:
        return f"not from {_YEARS.start} to {_YEARS.stop - 1}{_found(value)}; correct the date"
    return None


_CHECKS: Mapping[str, Callable[[object], str | None]] = {
    "case_id": _case_id_fault,
    "fixture_hash": _hash_fault,
    "change": _change_fault,
    "who": lambda value: _text_fault(check_name, "who", value),
    "at": _time_fault,
    "why": lambda value: _text_fault(check_note, "why", value),
}


def _found(value: object) -> str:
    """Shows what stood there, where it is short enough to be told."""
    if isinstance(value, str):
        return f' (found "{excerpt(value, 40)}")'
    if isinstance(value, (dict, list)):
        return f" (found {'an object' if isinstance(value, dict) else 'a list'})"
    return f" (found {excerpt(json.dumps(value), 40)})"
