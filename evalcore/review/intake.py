"""One line of exported entries, read strictly: every rule of the journal, with words for faults."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from evalcore.decision import DECISION_KINDS, Change
from evalcore.diagnosis import MAX_DEPTH, MAX_NUMBER_CHARS
from evalcore.entry import VERDICTS, Entry
from evalcore.errors import RowError, UsageError
from evalcore.excerpt import excerpt
from evalcore.framing import malformed_line
from evalcore.matching import is_blank
from evalcore.stamp import check_name, check_note

_YEARS = range(1970, 2200)
_MAX_RUN = (1 << 63) - 1
_TOO_LARGE = 10**MAX_NUMBER_CHARS
_SURROGATE = re.compile("[\ud800-\udfff]")
_KINDS = ("verdict", "change", "takes_back")
_LEAVE = "leave it as it was exported"


class _RefusedError(Exception):
    """Carries the one fault that keeps a line from being read any further."""

    def __init__(self, **fault: str) -> None:
        self.fault = fault


def entry_of(line: bytes, number: int) -> Entry | list[RowError]:
    """Returns the entry on a line, or every problem that it has."""
    try:
        members = _members(line)
    except _RefusedError as refused:
        return [RowError(line=number, **refused.fault)]
    faults = [*_name_faults(members), *_value_faults(members)] or [*_rule_faults(members)]
    if faults:
        return [RowError(line=number, **fault) for fault in faults]
    values = members | {"at": _time(members["at"])}
    if values.get("change") is not None:
        values["change"] = Change(**values["change"])
    return Entry(**values)


def _members(line: bytes) -> dict[str, Any]:
    """Parses one line of JSON to an object."""
    try:
        text = line.decode().strip(" \t\r")
        value = _DECODER.decode(text)
    except UnicodeDecodeError as error:
        found = f"byte 0x{line[error.start]:02x} as byte {error.start + 1} of the line"
        raise _RefusedError(
            problem="not valid UTF-8", found=found, wanted="save the file as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        raise _RefusedError(**malformed_line(text, error)) from None
    except RecursionError:
        raise _RefusedError(**_TOO_DEEP) from None
    except ValueError:  # Python reads no integer of thousands of digits
        raise _RefusedError(**_TOO_LONG) from None
    if not isinstance(value, dict):
        raise _RefusedError(
            problem="not an object", found=_shown(value), wanted="write one JSON object a line"
        )
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in members if names.count(name) > 1)
        raise _RefusedError(
            field=excerpt(twice),
            problem="the same key twice in one object",
            wanted="keep one of the two",
        )
    return members


def _no_number(text: str) -> Any:
    raise _RefusedError(problem="not a JSON number", found=text, wanted="write a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number)
_TOO_DEEP = {"problem": f"brackets nested more than {MAX_DEPTH} deep", "wanted": _LEAVE}
_TOO_LONG = {
    "problem": "a number too long or too large to be kept",
    "wanted": f"numbers have at most {MAX_NUMBER_CHARS} digits; write text in quotes",
}
_HALF = {
    "problem": "half a character (an unpaired surrogate)",
    "wanted": "write the whole character",
}


def _name_faults(members: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for name in members:
        if name not in _CHECKS:
            yield {
                "field": excerpt(name),
                "problem": "unknown field",
                "wanted": f"known here: {', '.join(_CHECKS)}",
            }
    for name in _REQUIRED:
        if name not in members:
            yield {"field": name, "problem": "missing", "wanted": "every entry has one"}


def _value_faults(members: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yields what is wrong with single values."""
    for name, check in _CHECKS.items():
        value = members.get(name)
        if name not in members or (value is None and name in _NULLABLE):
            continue
        if fault := check(value):
            problem, wanted = fault
            yield {"field": name, "problem": problem, "found": _shown(value), "wanted": wanted}


def _rule_faults(members: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yields what is wrong with values that are good by themselves."""
    kinds = [kind for kind in _KINDS if members.get(kind) is not None]
    if len(kinds) != 1:
        named = f"more than one of {', '.join(_KINDS)}" if kinds else f"none of {', '.join(_KINDS)}"
        yield {"problem": named, "wanted": "an entry is exactly one of them"}
        return
    if not members["fixture_hash"] and not _may_lack_a_fixture(members):
        yield {"field": "fixture_hash", "problem": "blank", "wanted": "only a minted case has none"}
    if members.get("settles"):
        if kinds != ["verdict"]:
            yield {"field": "settles", "problem": "true without a verdict", "wanted": _LEAVE}
        elif not members.get("note", "").strip():
            yield {"field": "note", "problem": "blank", "wanted": "say what settles it"}
    if members.get("takes_back") == members["key"]:
        yield {
            "field": "takes_back",
            "problem": "the entry itself",
            "wanted": "name the entry that it takes back",
        }


def _may_lack_a_fixture(members: Mapping[str, Any]) -> bool:
    change = members.get("change")
    return members.get("takes_back") is not None or (change or {}).get("kind") == "mint"


_Check = Callable[[Any], tuple[str, str] | None]
"""Takes a value and says what is wrong and what to do, if anything is."""


def _hex(digits: int, *, may_be_blank: bool = False) -> _Check:
    form = re.compile(f"[0-9a-f]{{{digits}}}")

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and (form.fullmatch(value) or (may_be_blank and not value)):
            return None
        return f"not {digits} hex digits in lower case", _LEAVE

    return check


def _one_of(words: Sequence[str]) -> _Check:
    def check(value: Any) -> tuple[str, str] | None:
        return None if value in words else ("no such word", f"write one of {', '.join(words)}")

    return check


def _said(field: str, limit: Callable[[str, str], None]) -> _Check:
    """Holds a text against the journal's own limits."""

    def check(value: Any) -> tuple[str, str] | None:
        if not isinstance(value, str):
            return "not text", "write text in quotes"
        try:
            limit(field, value)
        except UsageError as error:
            problem, _, wanted = str(error).removeprefix(f"{field}: ").rpartition("; ")
            return problem.partition(" (found")[0], wanted
        return None

    return check


def _check_time(value: Any) -> tuple[str, str] | None:
    try:
        at = _time(value)
    except (TypeError, ValueError, OverflowError):
        return "not a time", "write it like 2026-12-01T09:30:00Z"
    if at is None:
        return "a time without a zone", "write it in UTC, with Z at its end"
    if at.year not in _YEARS:
        return f"not from {_YEARS.start} to {_YEARS.stop - 1}", "correct the date"
    return None


def _time(value: Any) -> datetime | None:
    """Returns the time in UTC, or None where it has no zone."""
    at = datetime.fromisoformat(value)
    return at.astimezone(UTC) if at.tzinfo else None


def _check_run(value: Any) -> tuple[str, str] | None:
    if type(value) is int and 1 <= value <= _MAX_RUN:
        return None
    return "no number of a run", "write a whole number of 1 or more"


def _check_case_id(value: Any) -> tuple[str, str] | None:
    if not isinstance(value, str):
        return "not text", "write the case's id in quotes"
    if _SURROGATE.search(value):
        return _HALF["problem"], _HALF["wanted"]
    return ("blank", "write the case's id") if is_blank(value) else None


def _check_flag(value: Any) -> tuple[str, str] | None:
    return None if isinstance(value, bool) else ("neither true nor false", "write true or false")


def _check_change(value: Any) -> tuple[str, str] | None:
    if not isinstance(value, dict):
        return "not an object", 'write it like {"kind": "retire"}'
    for name in value:
        if name not in ("kind", "fields"):
            return f"unknown field {excerpt(name)}", "known here: kind, fields"
    if value.get("kind") not in DECISION_KINDS:
        return "without a known kind", f"write one of {', '.join(DECISION_KINDS)}"
    fields = value.get("fields", {})
    if not isinstance(fields, dict):
        return "fields are not an object", 'write them like {"fields": {"stratum": "medium"}}'
    fault = _oddity(fields)
    return (fault["problem"], fault["wanted"]) if fault else None


def _oddity(value: object) -> dict[str, str] | None:
    """Names what the journal could not keep, at any depth of a value."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below += [*item, *item.values()]
            elif isinstance(item, list):
                below += item
            elif isinstance(item, str) and _SURROGATE.search(item):
                return _HALF
            elif isinstance(item, int | float) and not _can_be_kept(item):
                return _TOO_LONG
        if not below:
            return None
        level = below
    return _TOO_DEEP


def _can_be_kept(number: float) -> bool:
    return math.isfinite(number) if isinstance(number, float) else abs(number) < _TOO_LARGE


_CHECKS: Mapping[str, _Check] = {
    "key": _hex(32),
    "at": _check_time,
    "who": _said("who", check_name),
    "run": _check_run,
    "suite_sha256": _hex(64),
    "case_id": _check_case_id,
    "fixture_hash": _hex(64, may_be_blank=True),
    "completion_hash": _hex(64),
    "verdict": _one_of(VERDICTS),
    "settles": _check_flag,
    "change": _check_change,
    "takes_back": _hex(32),
    "note": _said("note", check_note),
}
_FIELDS = {field.name: field for field in msgspec.structs.fields(Entry)}
_REQUIRED = [name for name, field in _FIELDS.items() if field.required]
_NULLABLE = {name for name, field in _FIELDS.items() if field.default is None}


def _shown(value: object) -> str:
    """Shows a value as its author would recognise it."""
    if isinstance(value, str):
        return f'"{excerpt(value, 60)}"'
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    return excerpt(json.dumps(value), 40)
