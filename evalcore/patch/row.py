"""One row by itself, as an editor holds it: the loader's own checks on a single line."""

import json

from evalcore.case import DEFAULT_MAX_CHARS, Case
from evalcore.diagnosis import slow_case
from evalcore.errors import RowError
from evalcore.row import fast_case


def checked(line: bytes, number: int = 1) -> Case | tuple[RowError, ...]:
    """Returns the case on one line of a suite, or every fault that it has there.

    `number` is the line's place in its file, from 1. The end of the line may be missing.
    """
    if b"\n" in line.rstrip():
        return (
            RowError(
                line=number,
                problem="a line break inside the row",
                wanted="write the whole case on one line, breaks in text as \\n",
            ),
        )
    return fast_case(line, number) or slow_case(line, number)


def line_of(case: Case) -> bytes:
    """Returns a case as one line of a suite, without its completion and without what it lacks."""
    row = {
        "id": case.id,
        "stratum": case.stratum,
        "prompt": case.prompt,
        "must_include": case.must_include,
        "must_include_any": case.must_include_any,
        "must_not_include": case.must_not_include,
        "max_chars": None if case.max_chars == DEFAULT_MAX_CHARS else case.max_chars,
        "tags": case.tags,
        "family": case.family,
        "note": case.note,
    }
    given = {name: value for name, value in row.items() if value not in (None, ())}
    return json.dumps(given, ensure_ascii=False).encode()
