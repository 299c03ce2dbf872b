"""What was judged, as a list for people: each case text once, with where its judgement stands."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from evalcore.case import Stratum
from evalcore.entry import CaseText, Entry, Verdict
from evalcore.run import Outcome
from evalcore.standing import Standing

State = Literal["agreed", "disagreement", "settled"]


class HeldCase(NamedTuple):
    """Is one case as a run holds it, without its texts."""

    text: CaseText
    """What a verdict on it would be on."""
    stratum: Stratum
    """Its stratum in that run."""
    outcome: Outcome
    """What grading gave."""


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


def judged_texts(
    standings: Iterable[tuple[CaseText, Standing]], cases: Mapping[str, HeldCase] | None = None
) -> list[Judged]:
    """Returns what was judged, by the time of its newest entry; with `cases`, only those of a run.

    Args:
        standings: where the judgement of each case text stands.
        cases: the cases of the run that is asked for, by id; None for any.
    """
    held = ((text, standing, (cases or {}).get(text.case_id)) for text, standing in standings)
    found = (
        _judged(text, standing, case)
        for text, standing, case in held
        if cases is None or (case and case.text == text)
    )
    return sorted(found, key=lambda one: (one.at, one.case_id))


def _judged(text: CaseText, standing: Standing, case: HeldCase | None) -> Judged:
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
