"""Untrusted text made fit to show: cut to a readable length, with nothing unseen left in it."""

import re
from collections.abc import Iterable
from itertools import accumulate

from evalcore.characters import CONTROL, INVISIBLE

_UNSEEN = re.compile(f"[{CONTROL}{INVISIBLE}\u2028\u2029\ud800-\udfff\ufff9-\ufffb]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def spelled_out(text: str) -> str:
    """Returns the text with control, direction and invisible characters spelled as escapes."""
    return _UNSEEN.sub(_escape, text)


def excerpt(text: str, limit: int = 80) -> str:
    """Returns the text spelled out and cut to `limit` characters, the cut marked by `…`."""
    shown = spelled_out(text[: limit + 1])
    if len(shown) <= limit:
        return shown
    pieces = list(map(spelled_out, text[:limit]))
    kept = sum(end < limit for end in accumulate(map(len, pieces)))
    return "".join(pieces[:kept]) + "…"


def distinct_excerpts(texts: Iterable[str], limit: int = 80) -> dict[str, str]:
    """Returns an excerpt of each text, all different even where long ones are cut alike."""
    shown: dict[str, str] = {}
    taken: set[str] = set()
    for text in texts:
        name = excerpt(text, limit)
        while name in taken:
            name = f"{name} ({len(shown) + 1})"
        taken.add(name)
        shown[text] = name
    return shown


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return _SHORT.get(match[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
