"""What a suite's author should look at: remarks that name their cases and change no grade."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from evalcore import inspection
from evalcore.case import STRATA, Case, Grade, Stratum
from evalcore.evidence import Evidence, size_notice
from evalcore.inspection import SHORT_NEEDLE_CHARS, Findings
from evalcore.job import InForce
from evalcore.matching import Haystack
from evalcore.phrases import size_words
from evalcore.suite import IdPlace, alike

NoticeKind = Literal[
    "unknown_fields",
    "similar_ids",
    "not_recorded",
    "no_checks",
    "cannot_pass",
    "echo_passes",
    "short_needle",
    "easy_too_large",
    "small_stratum",
    "flags_without_job",
]
Level = Literal["notice", "warning"]

MAX_NAMED = 50

_TEXTS: dict[NoticeKind, str] = {
    "unknown_fields": "fields that the contract does not know; they stay in the file, ungraded",
    "similar_ids": "ids that a reader cannot tell apart; they are different cases all the same",
    "not_recorded": "no recorded completion; graded as empty, which is no headroom",
    "no_checks": "no check but emptiness and length; nearly any answer passes",
    "cannot_pass": "no completion can pass; look at the checks",
    "echo_passes": "echoing the prompt would pass; ask for something that the prompt does not say",
    "short_needle": (
        f"a needle of up to {SHORT_NEEDLE_CHARS} characters stands inside other words"
    ),
}


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Says one thing about a suite."""

    kind: NoticeKind
    """What it is about."""
    level: Level
    """`warning` where a miss is hidden."""
    text: str
    """The sentence for people."""
    count: int
    """How many cases it is about."""
    cases: dict[Stratum, list[str]]
    """Their ids by stratum in file order, at most 50 in all."""
    details: list[str] = []
    """What there is to say of single cases, at most 50."""

    @property
    def unnamed(self) -> int:
        """How many of its cases are not named; 0 for a notice about a whole stratum."""
        named = sum(map(len, self.cases.values()))
        return self.count - named if named else 0


class NoticeBook:
    """Collects remarks on single cases and makes one notice of each kind."""

    def __init__(self) -> None:
        """Starts without a remark."""
        self._entries: dict[NoticeKind, _Entry] = {}

    def inspect(
        self, cases: Sequence[Case], haystacks: Sequence[Haystack], grades: Sequence[Grade]
    ) -> None:
        """Takes down what there is to say of some cases, with their folded completions and grades.

        A case that passes need not be asked whether it can.
        """
        failed = [case for case, grade in zip(cases, grades, strict=True) if not grade.passed]
        findings: tuple[tuple[NoticeKind, Findings], ...] = (
            ("unknown_fields", inspection.unknown_fields(cases)),
            ("not_recorded", inspection.not_recorded(cases)),
            ("no_checks", inspection.no_checks(cases)),
            ("cannot_pass", inspection.cannot_pass(failed)),
            ("echo_passes", inspection.echo_passes(cases)),
            ("short_needle", inspection.short_needle(cases, haystacks)),
        )
        for kind, found in findings:
            for case, detail in found:
                self._add(kind, case.id, case.stratum, detail)

    def add_similar_ids(self, groups: Iterable[tuple[IdPlace, ...]]) -> None:
        """Takes down groups of ids that differ in blanks, letter case or Unicode form alone."""
        for group in groups:
            for place in group:
                detail = alike(group) if place is group[0] else ""
                self._add("similar_ids", place.case_id, place.stratum, detail)

    def notices(self) -> list[Notice]:
        """Returns one notice a kind, in a fixed order."""
        return [
            Notice(
                kind=kind,
                level="notice",
                text=f"{entry.count} {'case' if entry.count == 1 else 'cases'}: {text}",
                count=entry.count,
                cases=entry.cases,
                details=entry.details,
            )
            for kind, text in _TEXTS.items()
            if (entry := self._entries.get(kind))
        ]

    def _add(self, kind: NoticeKind, case_id: str, stratum: Stratum, detail: str) -> None:
        entry = self._entries.setdefault(kind, _Entry())
        if entry.count < MAX_NAMED:
            entry.cases[stratum].append(case_id)
        if detail and len(entry.details) < MAX_NAMED:
            entry.details.append(detail)
        entry.count += 1


class _Entry:
    def __init__(self) -> None:
        self.count = 0
        self.cases: dict[Stratum, list[str]] = {stratum: [] for stratum in STRATA}
        self.details: list[str] = []


def size_notices(evidence: Mapping[Stratum, Evidence], in_force: InForce) -> list[Notice]:
    """Returns what there is to say of the strata's sizes and of where the thresholds come from."""
    return [*_large(evidence, in_force), *_small(evidence), *_unowned_flags(in_force)]


def _large(evidence: Mapping[Stratum, Evidence], in_force: InForce) -> Iterator[Notice]:
    for stratum in STRATA:
        n = evidence[stratum].n
        found = size_notice(stratum, n, in_force.thresholds)
        if found:
            yield _plain("easy_too_large", found.text, n, found.level)


def _small(evidence: Mapping[Stratum, Evidence]) -> Iterator[Notice]:
    for stratum in STRATA:
        of = evidence[stratum]
        if of.n < _useful_n(of):
            text = f"{of.n} {stratum} {'case' if of.n == 1 else 'cases'}: {size_words(of)}"
            yield _plain("small_stratum", text, of.n)


def _useful_n(evidence: Evidence) -> int:
    """Returns the size below which a stratum is worth a remark (S3)."""
    if evidence.stratum == "medium":
        return (evidence.size.one_miss_breaks_up_to or 0) + 1
    proposed = evidence.size.guidance[0] if evidence.size.guidance else 0
    if evidence.stratum == "stretch":
        return max(proposed, evidence.size.smallest_n_to_support or 0)
    return proposed


def _unowned_flags(in_force: InForce) -> Iterator[Notice]:
    if in_force.source == "flags":
        text = "threshold flags without a job: keep thresholds in a job file under version control"
        yield _plain("flags_without_job", text, 0)


def _plain(kind: NoticeKind, text: str, count: int, level: Level = "notice") -> Notice:
    return Notice(
        kind=kind, level=level, text=text, count=count, cases={stratum: [] for stratum in STRATA}
    )
