"""The two folds of text that decide containment, and where a needle stands in the original.

`fold` decides what must be there, `soft_fold` what must not; both are `matching/1`, and a change
of either is a new version, named in every report.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from evalcore.characters import (
    APOSTROPHES,
    CONTROL,
    DASHES,
    FULL_WIDTH,
    INVISIBLE,
    QUOTES,
    WHITE_SPACE,
)

MATCHING = "matching/1"
UNICODE = unicodedata.unidata_version

Folding = Callable[[str], str]

_ASCII = bytes(range(128))
_UTF_8 = ("utf-8", "surrogatepass")  # half a character is graded like any other text
_LONG = 500  # below this folding a text in one go is faster
_ASCII_SPACE = "\t\n\v\f\r"
# The last three become an apostrophe only when they are folded.
_SOFTENED = f"{INVISIBLE}{APOSTROPHES}{QUOTES}{DASHES}{FULL_WIDTH}{WHITE_SPACE}\u0149\u1ffd\ua78b"

# What single characters fold to that is longer than they are (CaseFolding.txt, status F).
_EXPANSIONS = (
    "ffi", "ffl", "ff", "fi", "fl", "ss", "st", "\u02bcn", "\u0565\u0582", "\u0574\u0576",
    "\u0574\u0565", "\u0574\u056b", "\u057e\u0576", "\u0574\u056d", "a\u02be", "\u03b1\u03b9",
    "\u03b7\u03b9", "\u03c9\u03b9",
)  # fmt: skip
_LATIN_MARKS = "\u0300-\u036f"


@cache
def any_of(characters: str) -> re.Pattern[str]:
    """Matches one character of a set; compiled when it is first asked for, which takes long."""
    return re.compile(f"[{characters}]")


@cache
def _equated() -> dict[str, str]:
    """Returns what the soft fold writes for single characters."""
    return (
        dict.fromkeys(APOSTROPHES, "'")
        | dict.fromkeys(QUOTES, '"')
        | dict.fromkeys(DASHES, "-")
        | {chr(0xFF01 + offset): chr(0x21 + offset) for offset in range(94)}
        | dict.fromkeys(any_of(WHITE_SPACE).findall("".join(map(chr, range(0x3001)))), " ")
    )


def fold(text: str) -> str:
    """Folds a text for caseless matching: NFC, U+0130 to `i`, full case folding, NFC.

    Never NFKC: `10²` is not `102` (Unicode 3.13, D145, with canonical composition).
    """
    if text.isascii():
        return text.lower()
    return _fold_each(text) if len(text) < _LONG else _fold_beyond_ascii(text)[0]


def _fold_beyond_ascii(text: str) -> tuple[str, str]:
    """Returns the folded text, and what is left of the text without its ASCII.

    Most texts are ASCII for the most part, and bytes lower ASCII many times as fast as a string is
    folded; so the rest of a long text is looked at by itself. Where it joins no ASCII letter,
    folding each of its characters is all that is left to do.
    """
    encoded = text.encode(*_UTF_8)
    beyond = encoded.translate(None, _ASCII).decode(*_UTF_8)
    if (
        len(text) < _LONG
        or len(beyond) * 4 > len(text)
        or not unicodedata.is_normalized("NFC", beyond)
        or any_of(_LATIN_MARKS).search(beyond)
    ):
        return _fold_each(text), beyond
    folded = encoded.lower().decode(*_UTF_8)
    for char in set(beyond):
        other = _fold_one(char)
        if other != char:
            folded = folded.replace(char, other)
    return folded, beyond


def _fold_each(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).replace("\u0130", "i")
    return unicodedata.normalize("NFC", composed.casefold())


_fold_one = lru_cache(maxsize=1024)(_fold_each)


def beyond_ascii(text: str) -> str:
    """Returns what is left of a text without its ASCII."""
    return text.encode(*_UTF_8).translate(None, _ASCII).decode(*_UTF_8)


def soft_fold(text: str) -> str:
    """Folds a text further, so that how a phrase is typeset makes no difference.

    Invisible characters are dropped, then `fold`, then every run of white space is one space,
    typographic quotes and apostrophes are `"` and `'`, hyphens, dashes and the minus sign are `-`,
    and full-width forms are their ASCII.
    """
    folded = fold(text)
    if not text.isascii() and any_of(_SOFTENED).search(beyond_ascii(text)):
        folded = bare_fold(text)
        equated = _equated()
        for char in equated.keys() & beyond_ascii(folded):
            folded = folded.replace(char, equated[char])
    return _one_space(folded)


def _one_space(folded: str) -> str:
    for char in _ASCII_SPACE:
        folded = folded.replace(char, " ")
    while "  " in folded:
        folded = folded.replace("  ", " ")
    return folded


def bare_fold(text: str) -> str:
    """Folds a text with its invisible characters dropped and nothing else equated."""
    if not text.isascii() and any_of(INVISIBLE).search(beyond_ascii(text)):
        text = any_of(INVISIBLE).sub("", text)
    return fold(text)


def is_blank(text: str) -> bool:
    """Tells whether a text shows nothing: white space, controls and invisible characters only."""
    if "!" <= text[:1] <= "~":
        return False
    return any_of(f"^{WHITE_SPACE}{INVISIBLE}{CONTROL}").search(text) is None


def is_blank_needle(needle: str) -> bool:
    """Tells whether nothing is left of a needle folded softly, so that it says nothing."""
    return any_of(f"^{WHITE_SPACE}{INVISIBLE}").search(needle) is None


def shortest_length(needle: str) -> int:
    """Returns how many code points a text needs at least to hold a required needle.

    Full case folding makes up to three characters of one (`\ufb03` is `ffi`), so a text can be
    shorter than the needle folded.
    """
    folded = fold(needle)
    for expansion in _EXPANSIONS:
        folded = folded.replace(expansion, "\0")
    return len(folded)


class SoftNeedle(NamedTuple):
    """Holds what matching a needle softly asks for again and again."""

    text: str
    """The needle as it must stand in a folded text."""
    anchor: str
    """A piece of it that must stand there in any case: its longest one without a space."""
    symbol: bool
    """True without any letter or digit; then nothing but invisible characters is equated."""


@lru_cache(maxsize=4096)
def soft_needle(needle: str) -> SoftNeedle:
    """Returns a forbidden needle, made ready to be looked for."""
    if any(map(str.isalnum, needle)):
        return softened(needle)
    return SoftNeedle(bare_fold(needle), "", True)


def softened(needle: str) -> SoftNeedle:
    """Returns a needle, whatever it is made of, ready to be looked for in the soft fold."""
    text = soft_fold(needle)
    return SoftNeedle(text, max(text.split(" "), key=len), False)


class Haystack:
    """Holds a text with its folds, each made at most once."""

    def __init__(self, text: str) -> None:
        """Folds the text; the softer folds wait until they are asked for."""
        self.text = text
        if text.isascii():
            self.folded = text.lower()
            self._is_plain = True
        else:
            self.folded, beyond = _fold_beyond_ascii(text)
            self._is_plain = any_of(_SOFTENED).search(beyond) is None

    @cached_property
    def soft(self) -> str:
        """The text after `soft_fold`."""
        return _one_space(self.folded) if self._is_plain else soft_fold(self.text)

    @cached_property
    def bare(self) -> str:
        """The text after `bare_fold`."""
        return self.folded if self._is_plain else bare_fold(self.text)

    def holds(self, needle: str) -> bool:
        """Tells whether a required needle is there."""
        return fold(needle) in self.folded

    def holds_softly(self, needle: SoftNeedle) -> bool:
        """Tells whether a forbidden needle is there."""
        if needle.symbol:
            return needle.text in self.bare
        if self._is_plain:
            # Softening changes nothing but runs of white space, so it can mostly be left undone.
            if needle.anchor not in self.folded:
                return False
            if needle.anchor == needle.text:
                return True
        return needle.text in self.soft


def locate(text: str, needle: str, folding: Folding) -> tuple[int, int]:
    """Returns start and end, in code points of `text`, of the first place that folds to `needle`.

    `needle` is folded already and known to be in `folding(text)`. Folding changes lengths, so the
    end is the shortest piece of the text that holds the needle, and the start the longest cut
    from that piece that still does; both are found by bisection.
    """
    start = folding(text).find(needle)
    end = start + len(needle)
    if not (
        _is_cut(text, start)
        and _is_cut(text, end)
        and len(folding(text[:start])) == start
        and folding(text[start:end]) == needle
    ):
        start, end = _bisected(text, needle, folding)
    while needle in folding(text[start : end - 1]):
        end -= 1
    while _is_cut(text, start + 1) and needle in folding(text[start + 1 : end]):
        start += 1
    return start, end


def _bisected(text: str, needle: str, folding: Folding) -> tuple[int, int]:
    cuts = range(len(text) + 1)
    end = _next_cut(
        text,
        bisect_left(cuts, True, key=lambda cut: needle in folding(text[: _next_cut(text, cut)])),
    )
    start = bisect_left(
        range(end), True, key=lambda cut: needle not in folding(text[_next_cut(text, cut) : end])
    )
    return max(start - 1, 0), end


def _is_cut(text: str, index: int) -> bool:
    """Tells whether the text can be parted here without changing how either part folds."""
    if index >= len(text) or text[index].isascii():
        return True
    char = text[index]
    joins = unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
    return not joins and not any_of(INVISIBLE).match(char)


def _next_cut(text: str, index: int) -> int:
    while not _is_cut(text, index):
        index += 1
    return index
