"""Records as JSONL, one a line: each field held against a check, with words for every fault."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec

from evalcore.decision import DECISION_KINDS, Change
from evalcore.errors import MAX_PROBLEMS, HeadroomError, RowError, UsageError, problems_of
from evalcore.excerpt import excerpt
from evalcore.framing import file_fault
from evalcore.matching import is_blank
from evalcore.parsing import (
    MAX_NUMBER_CHARS,
    TOO_LONG,
    Fault,
    RefusedError,
    half_fault,
    members_of,
    oddity,
    shown,
    unique,
)
from evalcore.stamp import check_name, check_note, check_time

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HEAD_BYTES = 1 << 16
_TOO_LARGE = 10**MAX_NUMBER_CHARS

Check = Callable[[Any], Iterator[Fault]]
"""Yields what is wrong with the value of a field; its name and value are filled in if left out."""

T = TypeVar("T")
R = TypeVar("R", bound=msgspec.Struct)


def read_records(
    data: bytes,
    name: str,
    record_of: Callable[[bytes, int], T | list[RowError]],
    error: type[HeadroomError],
) -> list[T]:
    """Returns what `record_of` makes of the lines of a file's bytes, with their numbers.

    A byte order mark, CRLF and blank lines do no harm; `name` names the file in messages.

    Raises:
        HeadroomError: an `error` of one message with every problem found, its line and field, and
            what to do.
    """
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if whole := file_fault(data[:_HEAD_BYTES]):
        raise error(problems_of(name, [whole.text]))
    records: list[T] = []
    problems: list[str] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line or line.isspace():
            continue
        found = record_of(line, number)
        if isinstance(found, list):
            problems += (problem.text for problem in found)
        else:
            records.append(found)
        if len(problems) > MAX_PROBLEMS:
            break
    if problems:
        raise error(problems_of(name, problems))
    return records


class Form(Generic[R]):
    """Reads records of one kind: by a check for each field, then by rules for the whole."""

    def __init__(
        self,
        kind: type[R],
        checks: Mapping[str, Check],
        rules: Callable[[R], Iterable[Fault]] = lambda record: (),
    ) -> None:
        """Takes a check for every field of the struct `kind`; the rules see no faulty record."""
        fields = msgspec.structs.fields(kind)
        self._kind, self._checks, self._rules = kind, checks, rules
        self._required = [field.name for field in fields if field.required]
        self._nullable = {field.name for field in fields if field.default is None}

    def record_of(self, line: bytes, number: int) -> R | list[RowError]:
        """Returns the record on a line, its time `at` in UTC, or the problems that it has."""
        try:
            members = members_of(line, _DECODER)
        except RefusedError as refused:
            return [RowError(line=number, **refused.fault)]
        faults = list(islice(self.faults(members), MAX_PROBLEMS + 1))
        if not faults:
            at = datetime.fromisoformat(members["at"]).astimezone(UTC)
            record = msgspec.convert(members | {"at": at}, self._kind)
            faults = [*self._rules(record)]
            if not faults:
                return record
        return [RowError(line=number, **fault) for fault in faults]

    def faults(self, members: Mapping[str, Any]) -> Iterator[Fault]:
        """Yields what is wrong with single fields."""
        for name in members:
            if name not in self._checks:
                known = f"known here: {', '.join(self._checks)}"
                yield {"field": excerpt(name), "problem": "unknown field", "wanted": known}
        for name in self._required:
            if name not in members:
                wanted = "write it, or export the file anew"
                yield {"field": name, "problem": "missing", "wanted": wanted}
        for name, check in self._checks.items():
            value = members.get(name)
            if name in members and not (value is None and name in self._nullable):
                for fault in check(value):
                    yield {"field": name, "found": shown(value), **fault}


def _no_number(text: str) -> Any:
    raise RefusedError(problem="not a JSON number", found=text, wanted="write a number")


_DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_constant=_no_number)


# -- checks of fields ----------------------------------------------------------


def hex_digits(count: int, *, may_be_blank: bool = False) -> Check:
    """Makes the check for a hash or key in lower case."""
    form = re.compile(f"[0-9a-f]{{{count}}}")

    def check(value: Any) -> Iterator[Fault]:
        if not (isinstance(value, str) and (form.fullmatch(value) or (may_be_blank and not value))):
            problem = f"not {count} hex digits in lower case"
            yield {"problem": problem, "wanted": "leave it as it was exported"}

    return check


def one_of(words: Sequence[str]) -> Check:
    """Makes the check for one of some words."""

    def check(value: Any) -> Iterator[Fault]:
        if value not in words:
            yield {"problem": "no such word", "wanted": f"write one of {', '.join(words)}"}

    return check


def check_case_id(value: Any) -> Iterator[Fault]:
    """Takes any id that a suite can hold."""
    if not isinstance(value, str):
        yield {"problem": "not text", "wanted": "write the case's id in quotes"}
    elif half := half_fault(value):
        yield half
    elif is_blank(value):
        yield {"problem": "blank", "wanted": "write the case's id"}


def check_who(value: Any) -> Iterator[Fault]:
    """Takes a person's name as the history does."""
    yield from _text_faults(check_name, value)


def check_words(value: Any) -> Iterator[Fault]:
    """Takes a note or reason as the history does."""
    yield from _text_faults(check_note, value)


def check_at(value: Any) -> Iterator[Fault]:
    """Takes a time as the history does."""
    try:
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        yield {"problem": "not a time", "wanted": "write it like 2026-12-01T09:30:00Z"}
    else:
        yield from _told(check_time, at)


def check_change(value: Any) -> Iterator[Fault]:
    """Takes a decision's change by its shape; whether it means anything is not asked."""
    if not isinstance(value, dict):
        yield {"problem": "not an object", "wanted": 'write it like {"kind": "retire"}'}
        return
    for fault in _CHANGE.faults(value):
        yield {"found": "", **fault, "field": f"change.{fault['field']}"}


def _check_row(value: Any) -> Iterator[Fault]:
    if not isinstance(value, dict):
        wanted = "write the row's fields with their new values"
        yield {"problem": "not an object", "wanted": wanted}
    elif fault := oddity(value, _odd):
        yield fault


def _odd(value: object) -> Fault | None:
    """Names what the history could not keep."""
    if isinstance(value, str):
        return half_fault(value)
    if isinstance(value, float):
        return None if math.isfinite(value) else TOO_LONG
    return TOO_LONG if isinstance(value, int) and abs(value) >= _TOO_LARGE else None


def _text_faults(limit: Callable[[str, str], None], value: Any) -> Iterator[Fault]:
    if isinstance(value, str):
        yield from _told(limit, value)
    else:
        yield {"problem": "not text", "wanted": "write text in quotes"}


def _told(limit: Callable[[str, T], None], value: T) -> Iterator[Fault]:
    """Yields what a limit says of a value, which it shows itself."""
    try:
        limit("it", value)
    except UsageError as error:
        yield {"problem": str(error).removeprefix("it: "), "found": ""}


_CHANGE = Form(Change, {"kind": one_of(DECISION_KINDS), "fields": _check_row})
