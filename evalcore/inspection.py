"""What is odd about single cases: checks that say nothing, cannot be met or are met by accident.

Each inspection takes some cases with their folded completions and yields the odd ones, each with
a detail for people, blank where the case's id says enough.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from evalcore.case import Case
from evalcore.excerpt import excerpt
from evalcore.matching import Haystack, fold, shortest_length, soft_needle

SHORT_NEEDLE_CHARS = 3

Cases = Sequence[Case]
Haystacks = Sequence[Haystack]
Findings = Iterator[tuple[Case, str]]
Inspection = Callable[[Cases, Haystacks], Findings]

# Scripts written without spaces have no words to stand inside of; Korean joins particles to words.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = f"[^\\W{_UNSPACED}]"


def unknown_fields(cases: Cases, haystacks: Haystacks) -> Findings:
    """Finds cases with fields that the contract does not know."""
    for case in cases:
        if case.unknown:
            yield case, f"{_name(case)}: {', '.join(map(excerpt, case.unknown))}"


def not_recorded(cases: Cases, haystacks: Haystacks) -> Findings:
    """Finds cases without a recorded completion."""
    for case in cases:
        if case.completion is None:
            yield case, ""


def no_checks(cases: Cases, haystacks: Haystacks) -> Findings:
    """Finds cases of which nothing but emptiness and length is checked."""
    for case in cases:
        if not (case.must_include or case.must_include_any or case.must_not_include):
            yield case, ""


def cannot_pass(cases: Cases, haystacks: Haystacks) -> Findings:
    """Finds cases whose checks no completion can meet together."""
    for case in cases:
        if _may_clash(case):
            clash = _clash(case)
            if clash:
                yield case, f"{_name(case)}: {clash}"


def _may_clash(case: Case) -> bool:
    """Tells at a glance whether the needles are worth comparing one by one."""
    required = "\n".join(case.must_include)
    if case.must_include_any or len(required) * 3 > case.max_chars or not required.isascii():
        return True
    if not case.must_not_include:
        return False
    folded = required.lower()
    return any(
        needle.symbol or needle.anchor in folded
        for needle in map(soft_needle, case.must_not_include)
    )


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
    # One character folds to three at most.
    if len(needle) * 3 > case.max_chars and shortest_length(needle) > case.max_chars:
        return f'required "{excerpt(needle, 40)}" does not fit into {case.max_chars} characters'
    for forbidden in case.must_not_include:
        if Haystack(needle).holds_softly(soft_needle(forbidden)):
            return f'forbidden "{excerpt(forbidden, 40)}" is in required "{excerpt(needle, 40)}"'
    return ""


def echo_passes(cases: Cases, haystacks: Haystacks) -> Findings:
    """Finds cases that the prompt itself, given back as completion, would pass."""
    for case in cases:
        if (
            (case.must_include or case.must_include_any)
            and len(case.prompt) <= case.max_chars
            and (not case.must_include or fold(case.must_include[0]) in fold(case.prompt))
            and _passes(Haystack(case.prompt), case)
        ):
            yield case, ""


def _passes(echo: Haystack, case: Case) -> bool:
    return (
        all(map(echo.holds, case.must_include))
        and all(any(map(echo.holds, wordings)) for wordings in case.must_include_any)
        and not any(map(echo.holds_softly, map(soft_needle, case.must_not_include)))
    )


def short_needle(cases: Cases, haystacks: Haystacks) -> Findings:
    """Finds cases with a short needle that stands inside other words and nowhere else."""
    for case, haystack in zip(cases, haystacks, strict=True):
        for needle in chain(case.must_include, case.must_not_include, *case.must_include_any):
            if len(needle) <= SHORT_NEEDLE_CHARS and _only_inside_words(needle, haystack):
                yield case, f'{_name(case)}: "{excerpt(needle)}"'
                break


def _only_inside_words(needle: str, haystack: Haystack) -> bool:
    folded = fold(needle)
    if f" {folded} " in haystack.folded or folded not in haystack.folded:
        return False
    return _standing_alone(folded).search(haystack.folded) is None


@lru_cache(maxsize=1024)
def _standing_alone(folded: str) -> re.Pattern[str]:
    """Matches the needle where no letter or digit of a spaced script continues it."""
    before = f"(?<!{_LETTER})" if re.match(_LETTER, folded[0]) else ""
    after = f"(?!{_LETTER})" if re.match(_LETTER, folded[-1]) else ""
    return re.compile(before + re.escape(folded) + after)


def _name(case: Case) -> str:
    return excerpt(case.id, 60)
