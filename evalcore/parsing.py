"""One line of JSON to an object, strictly, with words for what cannot be one."""

import json
import re
from collections.abc import Callable
from typing import Any

from evalcore.excerpt import excerpt
from evalcore.framing import malformed_line

MAX_NUMBER_CHARS = 64
MAX_DEPTH = 100

_SURROGATE = re.compile("[\ud800-\udfff]")

Fault = dict[str, str]
"""A row error's words, still without the line number."""


class RefusedError(Exception):
    """Carries the one fault that keeps a line from being read any further."""

    def __init__(self, **fault: str) -> None:
        """Takes the words of a row error."""
        self.fault = fault


def members_of(line: bytes, decoder: json.JSONDecoder) -> dict[str, Any]:
    """Parses one line of JSON to an object.

    Raises:
        RefusedError: it is none.
    """
    try:
        text = line.decode().rstrip(" \t\r\n")
        value = decoder.decode(text)
    except UnicodeDecodeError as error:
        raise RefusedError(
            problem="not valid UTF-8",
            found=f"byte 0x{line[error.start]:02x} as byte {error.start + 1} of the line",
            wanted="save the file as UTF-8",
        ) from None
    except json.JSONDecodeError as error:
        raise RefusedError(**malformed_line(text, error)) from None
    except RecursionError:
        raise RefusedError(**_TOO_DEEP) from None
    except ValueError:  # Python reads no integer of thousands of digits
        raise RefusedError(**TOO_LONG) from None
    if not isinstance(value, dict):
        raise RefusedError(
            problem="not an object", found=shown(value), wanted="write one JSON object a line"
        )
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Makes an object of its members, or refuses a key that stands in it twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise RefusedError(
            field=excerpt(next(name for name in members if names.count(name) > 1)),
            problem="the same key twice in one object",
            wanted="keep one of the two",
        )
    return members


def oddity(value: object, odd: Callable[[object], Fault | None]) -> Fault | None:
    """Returns what is `odd` in a value at any depth, or that it is nested too deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below += [*item, *item.values()]
            elif isinstance(item, list):
                below += item
            elif fault := odd(item):
                return fault
        if not below:
            return None
        level = below
    return _TOO_DEEP


def half_fault(text: str) -> Fault | None:
    """Returns the words for a text that holds half a character, if it does."""
    if not _SURROGATE.search(text):
        return None
    return {
        "problem": "an unpaired surrogate (half a character)",
        "found": excerpt(text),
        "wanted": "write the whole character",
    }


def shown(value: object) -> str:
    """Shows a value as its author would recognise it.

    Numbers may come as they were written, as a subclass of str.
    """
    if type(value) is str:
        return f'"{excerpt(value, 60)}"'
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    return excerpt(value if isinstance(value, str) else json.dumps(value), 40)


_TOO_DEEP = {
    "problem": f"brackets nested more than {MAX_DEPTH} deep",
    "wanted": "flatten the value or delete the field",
}
TOO_LONG = {
    "problem": "a number too long or too large to be kept",
    "wanted": f"numbers have at most {MAX_NUMBER_CHARS} digits; write text in quotes",
}
