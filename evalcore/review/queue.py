"""The cases of a run that a person may review, and what filters leave of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import Literal, NamedTuple, get_args

import msgspec

from evalcore.case import ReasonKind, Stratum
from evalcore.entry import VERDICTS, CaseText, Verdict
from evalcore.review.ledger import Ledger
from evalcore.run import Outcome

Group = Literal["stretch", "medium", "easy", "passes"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""The misses of each stratum, and the stretch cases that passed."""
State = Literal["unreviewed", "mine", "disagreement"]
STATES: tuple[State, ...] = get_args(State)
NEAR = "near"

Facet = Literal["group", "reason", "near", "tag", "state", "verdict"]
FACETS: tuple[Facet, ...] = get_args(Facet)
_OF_REVIEW: frozenset[Facet] = frozenset({"state", "verdict"})

Wanted = Mapping[Facet, Collection[str]]
"""What is asked for: of each facet any of these options; all where none is named."""


class ReviewCase(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Is one case of a run as a list of many shows it."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """Its stratum in that run."""
    outcome: Outcome
    """What grading gave."""
    reasons: tuple[ReasonKind, ...]
    """Which rules it broke."""
    near_miss: bool
    """Whether a needle was missed by a hair."""
    tags: tuple[str, ...]
    """Words for filters."""
    fixture: bytes
    """Hash of the prompt, stratum and checks, 32 bytes."""
    completion: bytes | None
    """Hash of the completion, 32 bytes; None where none was recorded."""

    @property
    def group(self) -> Group:
        """Names the heap that it belongs to."""
        return self.stratum if self.outcome == "failed" else "passes"

    @property
    def text(self) -> CaseText:
        """Names what a verdict on it would be on."""
        completion = None if self.completion is None else self.completion.hex()
        return CaseText(self.case_id, self.fixture.hex(), completion)


class Reviewed(NamedTuple):
    """Says by place in the queue what was judged."""

    mine: dict[int, Verdict]
    """The person's own current verdicts."""
    disputed: set[int]
    """Where people disagree."""
    agreed: dict[int, Verdict]
    """What all who judged agree on."""


class Selection(NamedTuple):
    """Is what filters leave of a queue."""

    places: list[int]
    """The places in the queue, in file order."""
    counts: Mapping[Facet, Mapping[str, int]]
    """How many cases each option would leave, beside what the other facets ask for."""
    reviewed: int
    """How many of the cases the person has judged, whatever is asked for of their review."""
    total: int
    """How many cases that is counted among."""


class Queue:
    """Holds the reviewable cases of one run; it never changes and may be shared."""

    def __init__(self, cases: Sequence[ReviewCase]) -> None:
        """Sorts the cases into the options of each facet."""
        self.cases = cases
        self._place = {case.case_id: place for place, case in enumerate(cases)}
        self._all = frozenset(range(len(cases)))
        groups: dict[str, set[int]] = {group: set() for group in GROUPS}
        reasons: dict[str, set[int]] = {}
        near: dict[str, set[int]] = {NEAR: set()}
        tags: dict[str, set[int]] = {}
        for place, case in enumerate(cases):
            groups[case.group].add(place)
            for reason in case.reasons:
                reasons.setdefault(reason, set()).add(place)
            for tag in case.tags:
                tags.setdefault(tag, set()).add(place)
            if case.near_miss:
                near[NEAR].add(place)
        self._members: dict[Facet, dict[str, set[int]]] = {
            "group": groups,
            "reason": reasons,
            "near": near,
            "tag": dict(sorted(tags.items())),
        }

    def options(self, facet: Facet) -> list[str]:
        """Returns what a facet of the cases themselves offers."""
        return list(self._members[facet])

    def place(self, case_id: str) -> int | None:
        """Returns where a case stands, or None where it is not in the queue."""
        return self._place.get(case_id)

    def places(self, case_ids: Iterable[str]) -> frozenset[int]:
        """Returns where those of the cases stand that are in the queue."""
        return frozenset(self._place[each] for each in case_ids if each in self._place)

    def reviewed(self, ledger: Ledger, who: str) -> Reviewed:
        """Looks up what was judged of these cases, as a person sees it."""
        found = Reviewed({}, set(), {})
        for text, standing in ledger.judged():
            place = self._place.get(text.case_id)
            if place is None or self.cases[place].text != text:
                continue
            own = standing.verdicts.get(who)
            if own and own.verdict:
                found.mine[place] = own.verdict
            if standing.disagreement:
                found.disputed.add(place)
            elif standing.verdict:
                found.agreed[place] = standing.verdict
        return found

    def select(
        self, wanted: Wanted, reviewed: Reviewed, found: frozenset[int] | None = None
    ) -> Selection:
        """Returns what the filters leave; `found` is what a search has found, None without one."""
        members = self._members | self._review_members(reviewed)
        everything = self._all if found is None else found
        allowed = {
            facet: set[int]().union(*(members[facet].get(option, ()) for option in wanted[facet]))
            for facet in FACETS
            if wanted.get(facet)
        }
        counts = {}
        for facet in FACETS:
            others = [some for other, some in allowed.items() if other != facet]
            base = _common(everything, others)
            counts[facet] = {option: len(some & base) for option, some in members[facet].items()}
        asked = _common(everything, [s for f, s in allowed.items() if f not in _OF_REVIEW])
        return Selection(
            places=sorted(_common(everything, allowed.values())),
            counts=counts,
            reviewed=len(reviewed.mine.keys() & asked),
            total=len(asked),
        )

    def _review_members(self, reviewed: Reviewed) -> dict[Facet, dict[str, set[int]]]:
        verdicts: dict[str, set[int]] = {verdict: set() for verdict in VERDICTS}
        for place, verdict in reviewed.mine.items():
            verdicts[verdict].add(place)
        states: dict[str, set[int]] = {
            "unreviewed": set(self._all - reviewed.mine.keys()),
            "mine": set(reviewed.mine),
            "disagreement": reviewed.disputed,
        }
        return {"state": states, "verdict": verdicts}


def _common(everything: frozenset[int], some: Iterable[set[int]]) -> frozenset[int] | set[int]:
    """Returns the places in all of the sets, the small ones first."""
    return reduce(lambda one, other: one & other, sorted(some, key=len), everything)
