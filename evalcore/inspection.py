"""What is odd about single cases: checks that say nothing, cannot be met or are met by accident.

Each inspection takes some cases and yields the odd ones, each with a detail for people, blank where
the case's id says enough.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from evalcore.case import Case
from evalcore.excerpt import excerpt
from evalcore.matching import Haystack, fold, shortest_length, soft_needle

SHORT_NEEDLE_CHARS = 3

Findings = Iterator[tuple[Case, str]]

# Scripts written without spaces have no words to stand inside of; Korean joins particles to words.
_UNSPACED = (
    ("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1100", "\u11ff"), ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"), ("\u3130", "\u318f"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"),
    ("\uac00", "\ud7ff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"),
)  # fmt: skip


def unknown_fields(cases: Iterable[Case]) -> Findings:
    """Finds cases with fields that the contract does not know."""
    for case in cases:
        if case.unknown:
            yield case, f"{_name(case)}: {', '.join(map(excerpt, case.unknown))}"


def not_recorded(cases: Iterable[Case]) -> Findings:
    """Finds cases without a recorded completion."""
    for case in cases:
        if case.completion is None:
            yield case, ""


def no_checks(cases: Iterable[Case]) -> Findings:
    """Finds cases of which nothing but emptiness and length is checked."""
    for case in cases:
        if not (case.must_include or case.must_include_any or case.must_not_include):
            yield case, ""


def cannot_pass(cases: Iterable[Case]) -> Findings:
    """Finds cases whose checks no completion can meet together."""
    for case in cases:
        clash = _clash(case)
        if clash:
            yield case, f"{_name(case)}: {clash}"


def _holds_any_softly(haystack: Haystack, forbidden: tuple[str, ...]) -> bool:
    return any(map(haystack.holds_softly, map(soft_needle, forbidden)))


def _clash(case: Case) -> str:
    for needle in case.must_include:
        clash = _clash_of(needle, case)
        if clash:
            return clash
    for wordings in case.must_include_any:
        clashes = [_clash_of(needle, case) for needle in wordings]
        if all(clashes):
            return clashes[0]
    return ""


def _clash_of(needle: str, case: Case) -> str:
    if shortest_length(needle) > case.max_chars:
        return f'required "{excerpt(needle, 40)}" does not fit into {case.max_chars} characters'
    haystack = Haystack(needle)
    for forbidden in case.must_not_include:
        if haystack.holds_softly(soft_needle(forbidden)):
            return f'forbidden "{excerpt(forbidden, 40)}" is in required "{excerpt(needle, 40)}"'
    return ""


def echo_passes(cases: Iterable[Case]) -> Findings:
    """Finds cases that the prompt itself, given back as completion, would pass."""
    for case in cases:
        if (
            (case.must_include or case.must_include_any)
            and len(case.prompt) <= case.max_chars
            and _passes(case.prompt, case)
        ):
            yield case, ""


def _passes(echo: str, case: Case) -> bool:
    folded = fold(echo)
    for needle in case.must_include:
        if fold(needle) not in folded:
            return False
    haystack = Haystack(echo)
    for wordings in case.must_include_any:
        if not any(map(haystack.holds, wordings)):
            return False
    return not _holds_any_softly(haystack, case.must_not_include)


def short_needle(cases: Iterable[Case], haystacks: Iterable[Haystack]) -> Findings:
    """Finds cases with short needles that stand inside other words of the completion."""
    for case, haystack in zip(cases, haystacks, strict=True):
        inside = [
            needle
            for needle in chain(case.must_include, case.must_not_include, *case.must_include_any)
            # An accent may be a code point of its own.
            if len(needle) <= SHORT_NEEDLE_CHARS
            or (len(needle) <= 4 * SHORT_NEEDLE_CHARS and not needle.isascii())
        ]
        if inside:
            inside = [needle for needle in inside if _is_inside_words(needle, case, haystack)]
        if inside:
            listed = ", ".join(f'"{excerpt(needle)}"' for needle in dict.fromkeys(inside))
            yield case, f"{_name(case)}: {listed}"


def _is_inside_words(needle: str, case: Case, haystack: Haystack) -> bool:
    if needle in case.must_not_include:
        return _stands_inside_a_word(soft_needle(needle).text, haystack.soft)
    return _stands_inside_a_word(fold(needle), haystack.folded)


def _stands_inside_a_word(needle: str, text: str) -> bool:
    """Tells whether a letter or digit goes on with a short needle at either end of a place."""
    opens, closes = _is_of_word(needle[0]), _is_of_word(needle[-1])
    if len(needle) > SHORT_NEEDLE_CHARS or not (opens or closes):
        return False
    at = text.find(needle)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(needle) : at + len(needle) + 1]
        if (opens and _is_of_word(before)) or (closes and _is_of_word(after)):
            return True
        at = text.find(needle, at + 1)
    return False


@lru_cache(maxsize=4096)
def _is_of_word(char: str) -> bool:
    """Tells whether a character is a letter, digit or `_` of a script written with spaces."""
    if not char.isalnum() and char != "_":
        return False
    return char.isascii() or not any(first <= char <= last for first, last in _UNSPACED)


def _name(case: Case) -> str:
    return excerpt(case.id, 60)
