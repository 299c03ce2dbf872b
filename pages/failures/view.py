"""What the reviewer sees: a run's cases, what was said of them, and the one in front."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

from evalcore.entry import CaseText
from evalcore.identity import completion_hash, fixture_hash
from evalcore.review.ledger import Ledger
from evalcore.review.queue import Queue, Reviewed, Selection
from evalcore.run import Run
from evalcore.standing import Standing
from evalcore.store import History, KeptCase


class Desk(NamedTuple):
    """Holds what all parts of the page look at."""

    history: History
    """The history."""
    run: Run
    """The run under review."""
    runs: Sequence[Run]
    """All runs of the history, oldest first."""
    queue: Queue
    """Its cases."""
    ledger: Ledger
    """What people have said."""
    who: str
    """The reviewer; blank until a name is given."""
    reviewed: Reviewed
    """What was judged of the cases."""
    selection: Selection
    """What the filters leave."""

    @property
    def of_job(self) -> list[Run]:
        """Gives the runs of the same job, oldest first."""
        return [other for other in self.runs if other.yardstick == self.run.yardstick]


class Front(NamedTuple):
    """Is the case in front."""

    kept: KeptCase
    """The case with its grade."""
    text: CaseText
    """What a verdict on it is on."""
    standing: Standing
    """Where its judgement stands."""
    before: str | None
    """The case before it among those that the filters leave."""
    after: str | None
    """The case after it."""
    unreviewed: str | None
    """The next case that the reviewer has not judged."""


def front_of(desk: Desk, case_id: str) -> Front:
    """Returns a case of the run with its neighbours.

    Raises:
        NotInHistoryError: the run has no such case.
    """
    kept = desk.history.case(desk.run.id, case_id)
    completion = kept.case.completion
    text = CaseText(
        case_id,
        fixture_hash(kept.case),
        None if completion is None else completion_hash(completion),
    )
    here = desk.queue.place(case_id)
    places = desk.selection.places
    left = bisect_left(places, -1 if here is None else here)
    right = bisect_right(places, -1 if here is None else here)
    in_turn = chain(islice(places, right, None), islice(places, left))
    unreviewed = next((place for place in in_turn if place not in desk.reviewed.mine), None)
    return Front(
        kept=kept,
        text=text,
        standing=desk.ledger.standing(text),
        before=_id(desk, places[left - 1]) if left else None,
        after=_id(desk, places[right]) if right < len(places) else None,
        unreviewed=None if unreviewed is None else _id(desk, unreviewed),
    )


def _id(desk: Desk, place: int) -> str:
    return desk.queue.cases[place].case_id
