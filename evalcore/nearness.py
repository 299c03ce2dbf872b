"""Why a required needle was missed by a hair: an explanation for reviewers, never a grade."""

import re
from collections.abc import Iterator

from evalcore.characters import (
    APOSTROPHES,
    DASHES,
    FULL_WIDTH,
    INVISIBLE,
    QUOTES,
    WHITE_SPACE,
)
from evalcore.matching import Folding, Haystack, any_of, beyond_ascii, locate, soft_fold, softened

_MARKDOWN_SIGNS = "*_`~\\[]"
_MARKDOWN = re.compile(r"\]\([^()\s]*\)|[*_`~\\\[\]]")

# Cyrillic, Greek and Armenian letters drawn like Latin ones (a choice from Unicode's
# confusables.txt), case by case: a capital Nu looks like N, a small one like v.
_DRAWN_ALIKE = {
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "I": "ІΙӀ", "J": "ЈͿ", "K": "КΚ",
    "M": "МΜϺ", "N": "Ν", "O": "ОΟՕ", "P": "РΡ", "Q": "Ԛ", "S": "ЅՏ", "T": "ТΤ", "U": "Ս",
    "W": "Ԝ", "X": "ХΧ", "Y": "УΥҮ", "Z": "Ζ", "a": "аα", "c": "сϲ", "d": "ԁ", "e": "е",
    "g": "ց", "h": "һհ", "i": "іιı", "j": "јϳ", "k": "кκ", "l": "ӏ", "n": "ո", "o": "оοօ",
    "p": "рρ", "q": "ԛգ", "r": "г", "s": "ѕ", "u": "υս", "v": "νѵ", "w": "ԝ", "x": "хχ",
    "y": "уүγ",
}  # fmt: skip
_TO_LATIN = {other: latin for latin, others in _DRAWN_ALIKE.items() for other in others}

_DIFFERENCES = {
    "typographic apostrophe": APOSTROPHES,
    "typographic quotation mark": QUOTES,
    "hyphen or dash": f"{DASHES}-",
    "no-break space": "\u00a0\u2007\u202f",
    "invisible character": INVISIBLE,
    "full-width form": FULL_WIDTH,
}


def near_miss(haystack: Haystack, needle: str) -> tuple[str, int, int] | None:
    """Returns what differs, start and end of a place that a person may take for the needle.

    The offsets are code points of the original text; None where nothing comes near.
    """
    soft = softened(needle)
    if haystack.holds_softly(soft):
        start, end = locate(haystack.text, soft.text, soft_fold)
        return _differences(needle, haystack.text[start:end]), start, end
    for differs, folding in _further_folds(haystack.text, needle):
        wanted = folding(needle)
        if wanted.strip() and wanted in folding(haystack.text):
            return differs, *locate(haystack.text, wanted, folding)
    return None


def _further_folds(text: str, needle: str) -> Iterator[tuple[str, Folding]]:
    if any(sign in text or sign in needle for sign in _MARKDOWN_SIGNS):
        yield "matches after removing Markdown", _unmarked_fold
    if not (text.isascii() and needle.isascii()) and not _TO_LATIN.keys().isdisjoint(
        beyond_ascii(text + needle)
    ):
        yield "letters of another script that look the same", _latin_fold


def _unmarked_fold(text: str) -> str:
    return soft_fold(_MARKDOWN.sub("", text))


def _latin_fold(text: str) -> str:
    # A text has few of these letters, each of them often.
    for other in _TO_LATIN.keys() & beyond_ascii(text):
        text = text.replace(other, _TO_LATIN[other])
    return soft_fold(text)


def _differences(needle: str, found: str) -> str:
    """Names each kind of character that the needle and the found text do not share alike."""
    names = [
        name
        for name, characters in _DIFFERENCES.items()
        if any_of(characters).findall(needle) != any_of(characters).findall(found)
    ]
    spaces = any_of(WHITE_SPACE)
    if spaces.findall(needle) != spaces.findall(found) and "no-break space" not in names:
        names.append("white space")
    return ", ".join(names) or "typography"
