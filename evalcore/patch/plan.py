"""Decisions held against a suite: which line each of them is about, before any is changed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

from evalcore.case import Case
from evalcore.decision import Decision
from evalcore.errors import PatchError, problems_of
from evalcore.excerpt import excerpt
from evalcore.identity import fixture_hash
from evalcore.patch.changes import change_fault
from evalcore.suite import SuiteReader


class Plan(NamedTuple):
    """Says what shall become of which line."""

    edits: dict[int, tuple[Case, Decision]]
    """The case and decision of each line that changes, by physical line from 1."""
    minted: tuple[Decision, ...]
    """The cases to be added, in the order of their time."""
    kept: tuple[str, ...]
    """The ids of the cases that shall stay as they are."""
    overruled: tuple[Decision, ...]
    """The decisions that a newer one on the same case replaces."""
    stretch: int
    """How many stretch cases the suite has."""
    sha256: str
    """The hash of the suite's bytes that the lines are about, 64 hex digits."""


def plan_of(source: BinaryIO, decisions: Sequence[Decision]) -> Plan:
    """Reads a suite from where it stands and finds the cases that were decided on.

    Raises:
        SuiteError: the suite has row errors.
        PatchError: a decision does not fit its case; one message with every problem.
    """
    holding, overruled = _in_force(decisions)
    found: dict[str, Case] = {}
    stretch = 0
    reader = SuiteReader(source)
    for case in reader:
        stretch += case.stratum == "stretch"
        if case.id in holding:
            found[case.id] = case
    problems = list(_problems(holding.values(), found))
    if problems:
        raise refusal(problems)
    kinds = {case_id: decision.change.kind for case_id, decision in holding.items()}
    return Plan(
        edits={
            case.line: (case, holding[case_id])
            for case_id, case in found.items()
            if kinds[case_id] != "keep"
        },
        minted=tuple(one for one in holding.values() if one.change.kind == "mint"),
        kept=tuple(case_id for case_id in found if kinds[case_id] == "keep"),
        overruled=overruled,
        stretch=stretch,
        sha256=reader.sha256,
    )


def refusal(problems: Sequence[str]) -> PatchError:
    """Makes one message of all that keeps a suite from being changed."""
    return PatchError(problems_of("nothing was changed", problems))


def about(decision: Decision, problem: str) -> str:
    """Says of which decision a problem speaks."""
    kind = excerpt(decision.change.kind)
    return f'case "{excerpt(decision.case_id)}" ({kind}, {excerpt(decision.who)}): {problem}'


def _in_force(
    decisions: Sequence[Decision],
) -> tuple[dict[str, Decision], tuple[Decision, ...]]:
    """Returns the newest decision on each case, the later of two at one time, and the others."""
    holding: dict[str, Decision] = {}
    overruled = []
    for decision in sorted(decisions, key=lambda one: one.at):
        if older := holding.pop(decision.case_id, None):
            overruled.append(older)
        holding[decision.case_id] = decision
    return holding, tuple(overruled)


def _problems(decisions: Iterable[Decision], found: dict[str, Case]) -> Iterator[str]:
    for decision in decisions:
        fault = change_fault(decision.case_id, decision.change) or _misfit(
            decision, found.get(decision.case_id)
        )
        if fault:
            yield about(decision, fault)


def _misfit(decision: Decision, case: Case | None) -> str | None:
    """Says why a decision does not fit what the suite has under its id."""
    if decision.change.kind == "mint":
        return (
            f"its id is taken on line {case.line}; give the new case another id" if case else None
        )
    if case is None:
        return "no such case in this suite; was it retired, or is this another suite?"
    if fixture_hash(case) != decision.fixture_hash:
        return f"changed since it was decided on (line {case.line}); review it again"
    return None
