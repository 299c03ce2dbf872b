"""One completion against its case's checks: plain substring checks, reasons as data."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from evalcore.case import Case, Grade, Mark, MarkKind, Reason
from evalcore.matching import (
    Haystack,
    bare_fold,
    fold,
    is_blank,
    locate,
    soft_fold,
    soft_needle,
)
from evalcore.nearness import near_miss

CONTEXT_CHARS = 24
MAX_HITS = 10


def grade_case(case: Case, haystack: Haystack | None = None) -> Grade:
    """Grades the recorded completion of a case.

    `haystack` is the completion with its folds, where the caller has them already. A completion
    that was not recorded is graded as an empty one and marked.
    """
    if haystack is None:
        haystack = Haystack(case.completion or "")
    reasons = _reasons(case, haystack)
    if not reasons:
        return Grade(case_id=case.id, stratum=case.stratum)
    return Grade(
        case_id=case.id,
        stratum=case.stratum,
        reasons=reasons,
        marks=tuple(_marks(case, haystack, reasons)),
    )


class Found(NamedTuple):
    """Says where a required needle stands in the completion."""

    needle: str
    """The needle, as the row has it."""
    start: int
    """Where it begins, in code points of the completion."""
    end: int
    """Where it ends, exclusive."""


def found_needles(case: Case) -> Iterator[Found]:
    """Yields the first place of each required needle, and accepted wording, that is there."""
    haystack = Haystack(case.completion or "")
    needles = (*case.must_include, *chain.from_iterable(case.must_include_any))
    for needle in dict.fromkeys(needles):
        if haystack.holds(needle):
            yield Found(needle, *locate(haystack.text, fold(needle), fold))


def _reasons(case: Case, haystack: Haystack) -> tuple[Reason, ...]:
    reasons: list[Reason] = []
    if is_blank(haystack.text):
        reasons.append(Reason("empty_completion"))
    length = len(haystack.text)
    if length > case.max_chars:
        reasons.append(Reason("over_budget", (f"{length}>{case.max_chars}",)))
    for needle in case.must_include:
        if fold(needle) not in haystack.folded:
            reasons.append(Reason("missing", (needle,)))
    for wordings in case.must_include_any:
        if not any(map(haystack.holds, wordings)):
            reasons.append(Reason("missing_any", wordings))
    for needle in case.must_not_include:
        if haystack.holds_softly(soft_needle(needle)):
            reasons.append(Reason("forbidden", (needle,)))
    return tuple(dict.fromkeys(reasons)) if reasons else ()


def _marks(case: Case, haystack: Haystack, reasons: tuple[Reason, ...]) -> Iterator[Mark]:
    if case.completion is None:
        yield Mark(kind="not_recorded")
        return
    for reason in reasons:
        if reason.kind == "forbidden":
            yield from _forbidden_marks(haystack.text, reason.detail[0])
        elif reason.kind in ("missing", "missing_any"):
            yield from _near_miss_marks(haystack, reason.detail)


def _forbidden_marks(text: str, needle: str) -> Iterator[Mark]:
    """Yields the place of each hit, of many the first."""
    ready = soft_needle(needle)
    folding = bare_fold if ready.symbol else soft_fold
    behind = 0
    for _ in range(MAX_HITS):
        if ready.text not in folding(text[behind:]):
            return
        start, end = locate(text[behind:], ready.text, folding)
        yield _mark_at((behind + start, behind + end), "forbidden", text, needle)
        behind += end


def _near_miss_marks(haystack: Haystack, needles: tuple[str, ...]) -> Iterator[Mark]:
    for needle in needles:
        near = near_miss(haystack, needle)
        if near:
            differs, start, end = near
            yield _mark_at((start, end), "near_miss", haystack.text, needle, differs)


def _mark_at(
    place: tuple[int, int], kind: MarkKind, text: str, needle: str, differs: str = ""
) -> Mark:
    start, end = place
    found = text[start:end]
    before = text[max(0, start - CONTEXT_CHARS) : start]
    after = text[end : end + CONTEXT_CHARS]
    return Mark(
        kind=kind,
        needle=needle,
        differs=differs,
        found=found,
        start=start,
        end=end,
        context=f"{before}[{found}]{after}",
    )
