"""One line of a suite to a case: a fast strict reader that gives up on whatever looks odd.

What it gives up on goes to `diagnosis`, which reads slowly and has the words; where both read a
line, both give the same case.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import astuple

from evalcore.case import DEFAULT_MAX_CHARS, Case, Stratum
from evalcore.matching import is_blank, is_blank_needle
from evalcore.parsing import MAX_NUMBER_CHARS

_Texts = tuple[str, ...]
_Wordings = tuple[Annotated[_Texts, Meta(min_length=1)], ...]
# An integer beyond 64 bits may be one of too many digits, which its value does not tell.
_Budget = Annotated[int, Meta(ge=1, le=(1 << 63) - 1)]


class Row(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True, gc=False):
    """Is the shape of one line in the file; absent and null mean the same."""

    id: str | int
    stratum: Stratum
    prompt: str
    completion: str | UnsetType | None = UNSET
    must_include: _Texts | UnsetType | None = UNSET
    must_include_any: _Wordings | UnsetType | None = UNSET
    must_not_include: _Texts | UnsetType | None = UNSET
    max_chars: _Budget | UnsetType | None = UNSET
    tags: _Texts | UnsetType | None = UNSET
    family: str | UnsetType | None = UNSET
    note: str | UnsetType | None = UNSET


_decode = msgspec.json.Decoder(Row).decode


def fast_case(line: bytes, number: int) -> Case | None:
    """Returns the case of a plain good line, or None where only the slow reader can tell."""
    try:
        row = _decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    case = Case(
        id=row.id if isinstance(row.id, str) else _digits(row.id),
        stratum=row.stratum,
        prompt=row.prompt,
        completion=None if row.completion is UNSET else row.completion,
        must_include=row.must_include or (),
        must_include_any=row.must_include_any or (),
        must_not_include=row.must_not_include or (),
        max_chars=row.max_chars or DEFAULT_MAX_CHARS,
        tags=row.tags or (),
        family=None if row.family is UNSET else row.family,
        note=None if row.note is UNSET else row.note,
        line=number,
    )
    if _has_blank(case) or _may_repeat_a_key(line, astuple(row)):
        return None
    return case


def _digits(number: int) -> str:
    """Returns the digits of an integer id, or nothing where they cannot be told from its value."""
    digits = str(number) if number.bit_length() < 256 else ""
    return digits if number and len(digits) <= MAX_NUMBER_CHARS else ""


def _has_blank(case: Case) -> bool:
    """Tells whether the id or a needle is blank; one that begins with visible ASCII is not."""
    if not "!" <= case.id < "\x7f" and is_blank(case.id):
        return True
    for needles in (case.must_include, case.must_not_include, *case.must_include_any):
        for needle in needles:
            if not "!" <= needle < "\x7f" and is_blank_needle(needle):
                return True
    return False


def _may_repeat_a_key(line: bytes, values: tuple[Any, ...]) -> bool:
    """Tells whether the line has more colons than its keys and its texts account for.

    Every key brings a colon, so a row whose count comes out even repeats none. A colon written as
    an escape would upset the count.
    """
    # Much faster than bytes.count, which looks at each byte by itself.
    colons = len(line) - len(line.replace(b":", b""))
    surplus = colons - len(values) + values.count(UNSET)
    return surplus != 0 and (b"\\u003" in line or surplus != _colons_in(values))


def _colons_in(value: object) -> int:
    """Counts the colons of a text, or of all texts in a tuple."""
    if isinstance(value, str):
        return value.count(":")
    return sum(map(_colons_in, value)) if isinstance(value, tuple) else 0
