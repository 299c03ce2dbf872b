"""What two texts share word for word, and what is gone from the one and new in the other."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

import msgspec

Kind = Literal["same", "gone", "new"]

MAX_CHARS = 20_000  # comparing takes memory by the product of both lengths
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"  # written without spaces between words
_TOKEN = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|\s+|[^\w\s]")
_WORD = re.compile(r"\w")


class Piece(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Is a stretch of text that both texts hold, or only one of them."""

    kind: Kind
    """`same` in both, `gone` only in the text before, `new` only in the text after."""
    text: str
    """The stretch with its white space, never empty."""


def is_cut(before: str, after: str) -> bool:
    """Tells whether `word_diff` leaves out the end of either text."""
    return max(len(before), len(after)) > MAX_CHARS


def word_diff(before: str, after: str) -> list[Piece]:
    """Compares the first `MAX_CHARS` characters of two texts word by word.

    Joining what is `same` or `gone` gives the text before, joining what is `same` or `new` the
    text after. A replaced phrase is one `gone` and one `new` piece, in this order: what lies
    between two changed words counts as changed unless it holds a word.
    """
    old, new = _tokens(before[:MAX_CHARS]), _tokens(after[:MAX_CHARS])
    pieces: list[Piece] = []
    gone, fresh, between = "", "", ""
    for tag, was, now in _blocks(old, new):
        if tag != "equal":
            gone, fresh, between = gone + between + was, fresh + between + now, ""
        elif (gone or fresh) and not _WORD.search(was):
            between = was
        else:
            pieces += _pieces(gone, fresh, was)
            gone, fresh, between = "", "", ""
    pieces += _pieces(gone, fresh, between)
    return pieces


def _blocks(old: list[str], new: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yields stretches of both texts in order, each with what to do to get the one from the other.

    The longest common subsequence of words decides what is equal.
    """
    from rapidfuzz.distance import Indel

    numbers: dict[str, int] = {}  # numbers are compared exactly, strings by their hashes
    was = [numbers.setdefault(token, len(numbers)) for token in old]
    now = [numbers.setdefault(token, len(numbers)) for token in new]
    for code in Indel.opcodes(was, now):
        yield (
            code.tag,
            "".join(old[code.src_start : code.src_end]),
            "".join(new[code.dest_start : code.dest_end]),
        )


def _tokens(text: str) -> list[str]:
    """Cuts a text into words, white space and single signs; combining marks stay with theirs."""
    tokens: list[str] = []
    for token in _TOKEN.findall(text):
        if tokens and unicodedata.category(token[0]) in ("Mn", "Mc", "Me", "Cf"):
            tokens[-1] += token
        else:
            tokens.append(token)
    return tokens


def _pieces(gone: str, new: str, same: str) -> Iterator[Piece]:
    if gone:
        yield Piece(kind="gone", text=gone)
    if new:
        yield Piece(kind="new", text=new)
    if same:
        yield Piece(kind="same", text=same)
