"""One line of a suite with some of its fields set anew, and every other byte as it was."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_MARK = "\ufeff"
# Numbers are left as text: a line may hold more digits than Python reads as one.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def edited(line: bytes, fields: Mapping[str, Any]) -> bytes:
    """Returns the line with top-level fields set to new JSON values.

    Of a field that is there only the value is replaced; a field that is not is added before the
    closing brace, null as any other value. Spaces, the order of keys, unknown fields, numbers and
    escapes as written, the line's end and a byte order mark stay byte for byte. New text spells
    characters beyond ASCII as the line does: with escapes only where it writes all of them so.

    Raises:
        ValueError: the line holds no JSON object in UTF-8, or a value is none of JSON's.
    """
    text = line.decode()
    members = list(_members(text))
    spelling = _spelling(text, members)
    pieces = []
    done = 0
    for member in members:
        if member.name in fields:
            pieces += [text[done : member.start], spelling.of(fields[member.name])]
            done = member.end
    names = {member.name for member in members}
    added = {name: value for name, value in fields.items() if name not in names}
    if added:
        end = members[-1].end if members else text.index("{") + 1
        joint = spelling.comma if members else ""
        pieces += [text[done:end], joint, spelling.of(added)[1:-1]]
        done = end
    pieces.append(text[done:])
    # Half a character has no bytes of its own; its escape lets the loader say so.
    return "".join(pieces).encode(errors="backslashreplace")


class _Member(NamedTuple):
    """Says where in a line a member of its object stands."""

    name: str
    key_start: int
    key_end: int
    start: int
    end: int


class _Spelling(NamedTuple):
    """Says how a line writes its JSON."""

    comma: str
    colon: str
    ascii_only: bool

    def of(self, value: Any) -> str:
        separators = (self.comma, self.colon)
        return json.dumps(value, ensure_ascii=self.ascii_only, separators=separators)


def _members(text: str) -> Iterator[_Member]:
    """Yields the members of the object that a line holds, in their order."""
    start = _after_space(text, 1 if text.startswith(_MARK) else 0)
    whole, end = _DECODER.raw_decode(text, start)
    if not isinstance(whole, dict) or _after_space(text, end) < len(text):
        raise ValueError("not one JSON object")
    place = _after_space(text, start + 1)
    while text[place] != "}":
        name, key_end = _DECODER.raw_decode(text, place)
        start = _after_space(text, _after_space(text, key_end) + 1)
        _, end = _DECODER.raw_decode(text, start)
        yield _Member(name, place, key_end, start, end)
        place = _after_space(text, end)
        if text[place] == ",":
            place = _after_space(text, place + 1)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _spelling(text: str, members: list[_Member]) -> _Spelling:
    """Tells from the first two members, and from all characters, how the line is written."""
    if not members:
        return _Spelling(", ", ": ", False)
    spaced = text[members[0].start - 1] != ":"
    colon = ": " if spaced else ":"
    if len(members) > 1:
        spaced = text[members[1].key_start - 1] != ","
    return _Spelling(", " if spaced else ",", colon, _escapes_all(text))


def _escapes_all(text: str) -> bool:
    """Tells whether a line holds characters beyond ASCII and writes each as an escape."""
    bare = text.removeprefix(_MARK)
    return (
        bare.isascii()
        and "\\u" in bare
        and not json.dumps(_DECODER.decode(bare), ensure_ascii=False).isascii()
    )
