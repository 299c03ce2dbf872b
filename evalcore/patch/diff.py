"""What decisions have changed in a suite, as a unified diff that git applies."""

from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO, NamedTuple

from evalcore.excerpt import spelled_out
from evalcore.patch.suite import Patched

CONTEXT_LINES = 3


class _Pair(NamedTuple):
    """Is a line of the old suite and what became of it; nothing where there is none."""

    before: bytes
    after: bytes


def unified_diff(source: BinaryIO, patched: Patched, name: str) -> Iterator[bytes]:
    """Yields the lines of the diff that makes the new suite of the old one; none without change.

    What has changed is known, so nothing is searched for: the old suite is read once more, in
    constant memory but for a neighbourhood of lines. Lines end with LF and nowhere else.

    Args:
        source: the old suite, from where it stood when it was patched.
        patched: what was changed.
        name: the file's path for the head of the diff; what a reader could not see is spelled out.
    """
    if not patched.touched:
        return
    # git too puts a tab behind a name with a space, which would else end the name.
    path = (spelled_out(name) + ("\t" if " " in name else "")).encode()
    yield b"--- a/" + path + b"\n"
    yield b"+++ b/" + path + b"\n"
    shift = 0
    for first, pairs in _neighbourhoods(source, patched):
        old = sum(bool(pair.before) for pair in pairs)
        new = sum(bool(pair.after) for pair in pairs)
        yield b"@@ -%s +%s @@\n" % (_span(first, old), _span(first + shift, new))
        for pair in pairs:
            yield from _shown(pair)
        shift += new - old


def _neighbourhoods(source: BinaryIO, patched: Patched) -> Iterator[tuple[int, list[_Pair]]]:
    """Yields each run of lines with changes in it, and the number of its first line."""
    edits = {one.line: one.after for one in patched.touched if one.kind != "mint"}
    minted = [one.after for one in patched.touched if one.kind == "mint"]
    changed = [*edits, *([patched.lines + 1] if minted else [])]
    near = {
        line
        for place in changed
        for line in range(max(place - CONTEXT_LINES, 1), place + CONTEXT_LINES + 1)
    }
    numbered = ((number, line) for number, line in enumerate(source, start=1) if number in near)
    # Numbers of lines that follow each other differ from their places by the same.
    for _, run in groupby(enumerate(numbered), key=lambda one: one[1][0] - one[0]):
        lines = [one for _, one in run]
        pairs = [_Pair(line, edits.get(number, line)) for number, line in lines]
        if lines[-1][0] == patched.lines:
            pairs = _with_minted(pairs, minted)
        yield lines[0][0], pairs


def _with_minted(pairs: list[_Pair], minted: list[bytes]) -> list[_Pair]:
    """Returns the last pairs of a suite and the cases added behind them."""
    before, after = pairs[-1]
    if minted and after and not after.endswith(b"\n"):
        end = b"\r\n" if minted[0].endswith(b"\r\n") else b"\n"
        pairs = [*pairs[:-1], _Pair(before, after + end)]
    return [*pairs, *(_Pair(b"", line) for line in minted)]


def _span(start: int, length: int) -> bytes:
    """Returns the range of a hunk; that of no lines names the line before it."""
    if length == 1:
        return b"%d" % start
    return b"%d,%d" % (start if length else start - 1, length)


def _shown(pair: _Pair) -> Iterator[bytes]:
    if pair.before == pair.after:
        yield from _marked(b" ", pair.after)
        return
    yield from _marked(b"-", pair.before)
    yield from _marked(b"+", pair.after)


def _marked(sign: bytes, line: bytes) -> Iterator[bytes]:
    if not line:
        return
    yield sign + line
    if not line.endswith(b"\n"):
        yield b"\n\\ No newline at end of file\n"
