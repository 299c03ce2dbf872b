"""What was judged, as a list for people: each case text once, with where its judgement stands."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Literal

import msgspec

from evalcore.case import Stratum
from evalcore.entry import CaseText, Entry, Verdict
from evalcore.run import Outcome, RunCase
from evalcore.standing import Standing

State = Literal["agreed", "disagreement", "settled"]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """Is one case text that somebody has judged."""

    case_id: str
    """The case's id."""
    fixture_hash: str
    """Hash of its prompt, stratum and checks, 64 hex digits."""
    completion_hash: str | None
    """Hash of its completion, 64 hex digits; None where none was recorded."""
    stratum: Stratum | None
    """Its stratum in the run that was asked for; None where none was."""
    outcome: Outcome | None
    """What grading gave there; None where no run was asked for."""
    state: State
    """Whether all who judged it agree, or somebody has settled it."""
    verdict: Verdict | None
    """What they agree on, or the settlement; None where they disagree."""
    at: datetime
    """When the newest of the entries below was made, in UTC."""
    verdicts: tuple[Entry, ...]
    """The current verdict of each person, oldest first."""
    settlement: Entry | None
    """The entry that settled a disagreement."""

    @property
    def entries(self) -> list[Entry]:
        """Returns all that holds, oldest first."""
        every = (*self.verdicts, *((self.settlement,) if self.settlement else ()))
        return sorted(every, key=lambda entry: entry.at)

    @property
    def words(self) -> str:
        """Says where the judgement stands."""
        if self.state == "disagreement":
            return "reviewers disagree"
        if self.state == "settled":
            return f"settled: {self.verdict}"
        return f"agreed: {self.verdict}" if len(self.verdicts) > 1 else f"{self.verdict}"


def by_text(
    cases: Collection[RunCase], texts: Callable[[Collection[int]], Mapping[int, bytes]]
) -> dict[CaseText, RunCase]:
    """Returns some cases of a run by what a verdict on them would be on.

    Args:
        cases: the cases, whose texts are all read at once.
        texts: what gives the texts of these numbers, as `History.texts` does.
    """
    numbers = {case.fixture for case in cases}
    numbers |= {case.completion for case in cases if case.completion is not None}
    bodies = texts(numbers)
    hashes = {number: hashlib.sha256(body).hexdigest() for number, body in bodies.items()}
    return {
        CaseText(
            case.case_id,
            hashes[case.fixture],
            None if case.completion is None else hashes[case.completion],
        ): case
        for case in cases
    }


def judged_texts(
    standings: Iterable[tuple[CaseText, Standing]], cases: Mapping[CaseText, RunCase] | None = None
) -> list[Judged]:
    """Returns what was judged, by the time of its newest entry; with `cases`, only those of a run.

    Args:
        standings: where the judgement of each case text stands.
        cases: the cases of the run that is asked for, by their texts; None for any.
    """
    found = (
        _judged(text, standing, cases.get(text) if cases else None)
        for text, standing in standings
        if cases is None or text in cases
    )
    return sorted(found, key=lambda one: (one.at, one.case_id))


def _judged(text: CaseText, standing: Standing, case: RunCase | None) -> Judged:
    return Judged(
        **text._asdict(),
        stratum=case.stratum if case else None,
        outcome=case.outcome if case else None,
        state=_state(standing),
        verdict=standing.verdict,
        at=max(entry.at for entry in _entries(standing)),
        verdicts=tuple(sorted(standing.verdicts.values(), key=lambda entry: entry.at)),
        settlement=standing.settlement,
    )


def _state(standing: Standing) -> State:
    if standing.settlement:
        return "settled"
    return "disagreement" if standing.disagreement else "agreed"


def _entries(standing: Standing) -> Iterator[Entry]:
    yield from standing.verdicts.values()
    if standing.settlement:
        yield standing.settlement
