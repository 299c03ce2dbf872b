"""One line of a suite, read slowly: every check of the contract, with words for each fault."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from evalcore.case import DEFAULT_MAX_CHARS, STRATA, Case
from evalcore.errors import RowError
from evalcore.excerpt import excerpt
from evalcore.matching import is_blank, is_blank_needle
from evalcore.parsing import (
    MAX_NUMBER_CHARS,
    Fault,
    RefusedError,
    half_fault,
    members_of,
    oddity,
    shown,
    unique,
)

NAME_SIMILARITY = 0.8


class _Integer(str):
    """Is a JSON number without fraction and exponent, as it was written."""


class _Decimal(str):
    """Is any other JSON number, as it was written."""


class _Constant(str):
    """Is `NaN` or an infinity, which JSON does not have."""


def slow_case(line: bytes, number: int) -> Case | tuple[RowError, ...]:
    """Returns the case on one line of a suite, or every fault that it has."""
    try:
        fields = members_of(line, _DECODER)
    except RefusedError as refused:
        return (RowError(line=number, **refused.fault),)
    unknown = tuple(name for name in fields if name not in _CHECKS)
    faults = [*_name_faults(unknown), *_value_faults(fields)]
    if faults:
        return tuple(RowError(line=number, **fault) for fault in faults)
    return _case(fields, unknown, number)


_DECODER = json.JSONDecoder(
    object_pairs_hook=unique, parse_int=_Integer, parse_float=_Decimal, parse_constant=_Constant
)


def _name_faults(unknown: tuple[str, ...]) -> Iterator[Fault]:
    for name in unknown:
        odd = _odd_text(name)
        nearest = _nearest_field(name)
        if odd:
            yield {"field": excerpt(name), **odd}
        elif nearest:
            yield {
                "field": excerpt(name),
                "problem": "unknown field",
                "found": excerpt(name),
                "wanted": f"did you mean {nearest}? A check under another name is never made",
            }


@lru_cache(maxsize=1024)
def _nearest_field(name: str) -> str | None:
    """Returns the known field that a name was probably meant to be."""
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    found = process.extractOne(
        name,
        tuple(_CHECKS),
        scorer=Levenshtein.normalized_similarity,
        processor=lambda text: text.casefold().replace("_", ""),
    )
    # A score_cutoff would leave out what lies exactly on it.
    return found[0] if found and found[1] >= NAME_SIMILARITY else None


def _value_faults(fields: Mapping[str, Any]) -> Iterator[Fault]:
    for name in ("id", "stratum", "prompt"):
        if name not in fields:
            yield {
                "field": name,
                "problem": "missing",
                "wanted": f"every case needs {_WANTED[name]}",
            }
    for name, value in fields.items():
        odd = oddity(value, _odd_text)
        if odd:
            yield {"field": excerpt(name), **odd}
        elif name in _CHECKS and not (value is None and name not in _REQUIRED):
            for place, problem, found in _CHECKS[name](value):
                yield {
                    "field": name + place,
                    "problem": problem,
                    "found": shown(found),
                    "wanted": f"write {_WANTED[name]}",
                }


def _odd_text(text: object) -> Fault | None:
    """Names what other programs could not read back."""
    if isinstance(text, _Constant):
        return {"problem": "not a JSON number", "found": text, "wanted": "write a number"}
    if isinstance(text, (_Integer, _Decimal)) and len(text) > MAX_NUMBER_CHARS:
        return {
            "problem": f"a number of {len(text)} characters",
            "found": excerpt(text, 20),
            "wanted": f"numbers have at most {MAX_NUMBER_CHARS}; write text in quotes",
        }
    return half_fault(text) if isinstance(text, str) else None


Finding = tuple[str, str, object]
"""Where inside the field, what is wrong, and what stood there."""


def _check_id(value: object) -> Iterator[Finding]:
    if type(value) not in (str, _Integer):
        yield "", f"{_kind(value)} where an id should be", value
    elif is_blank(str(value)):
        yield "", "a blank id", value


def _check_stratum(value: object) -> Iterator[Finding]:
    if type(value) is not str or value not in STRATA:
        yield "", "no such stratum", value


def _check_text(value: object) -> Iterator[Finding]:
    if type(value) is not str:
        yield "", f"{_kind(value)} where text should be", value


def _check_max_chars(value: object) -> Iterator[Finding]:
    if type(value) is not _Integer:
        yield "", f"{_kind(value)} where a whole number should be", value
    elif int(value) < 1:
        yield "", "a budget below 1", value


def _check_texts(value: object) -> Iterator[Finding]:
    if type(value) is not list:
        yield "", f"{_kind(value)} where a list should be", value
        return
    for index, item in enumerate(value):
        if type(item) is not str:
            yield f"[{index}]", f"{_kind(item)} in a list of texts", item


def _check_needles(value: object) -> Iterator[Finding]:
    yield from _check_texts(value)
    for index, item in enumerate(value if type(value) is list else ()):
        if type(item) is str and is_blank_needle(item):
            yield f"[{index}]", "an empty or blank needle, which says nothing", item


def _check_wordings(value: object) -> Iterator[Finding]:
    if type(value) is not list:
        yield "", f"{_kind(value)} where a list should be", value
        return
    for index, item in enumerate(value):
        if item == []:
            yield f"[{index}]", "an empty list, which nothing can satisfy", item
        for place, problem, found in _check_needles(item):
            yield f"[{index}]{place}", problem, found


_CHECKS: dict[str, Callable[[object], Iterator[Finding]]] = {
    "id": _check_id,
    "stratum": _check_stratum,
    "prompt": _check_text,
    "completion": _check_text,
    "must_include": _check_needles,
    "must_include_any": _check_wordings,
    "must_not_include": _check_needles,
    "max_chars": _check_max_chars,
    "tags": _check_texts,
    "family": _check_text,
    "note": _check_text,
}
_REQUIRED = ("id", "stratum", "prompt")
_WANTED = {
    "id": "an id: text that is not blank, or a whole number",
    "stratum": "one of easy, medium, stretch",
    "prompt": "a prompt in quotes",
    "completion": "the recorded text in quotes, or null where none was recorded",
    "must_include": 'needles in quotes: ["…"]',
    "must_include_any": 'lists of accepted wordings: [["…", "…"]]',
    "must_not_include": 'needles in quotes: ["…"]',
    "max_chars": "a whole number of 1 or more",
    "tags": 'words in quotes: ["…"]',
    "family": "a name in quotes",
    "note": "text in quotes",
}


def _kind(value: object) -> str:
    """Names a JSON value's type in people's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (_Integer, _Decimal)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


def _case(fields: Mapping[str, Any], unknown: tuple[str, ...], number: int) -> Case:
    return Case(
        id=str(fields["id"]),
        stratum=fields["stratum"],
        prompt=fields["prompt"],
        completion=fields.get("completion"),
        must_include=tuple(fields.get("must_include") or ()),
        must_include_any=tuple(map(tuple, fields.get("must_include_any") or ())),
        must_not_include=tuple(fields.get("must_not_include") or ()),
        max_chars=int(fields.get("max_chars") or DEFAULT_MAX_CHARS),
        tags=tuple(fields.get("tags") or ()),
        family=fields.get("family"),
        note=fields.get("note"),
        unknown=unknown,
        line=number,
    )
