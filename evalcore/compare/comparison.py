"""What two runs have in common and what they do not, one stratum at a time, as plain data."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from evalcore.alerts import Count
from evalcore.case import Stratum
from evalcore.flips import Noise
from evalcore.run import Outcome, Run

SCHEMA = "evalcore.comparison/1"

Side = Literal["baseline", "run"]
FixturePart = Literal["edited", "moved_in", "moved_out", "added", "removed"]
FixtureField = Literal[
    "prompt", "must_include", "must_include_any", "must_not_include", "max_chars"
]
FIXTURE_PARTS: tuple[FixturePart, ...] = get_args(FixturePart)
FIXTURE_FIELDS: tuple[FixtureField, ...] = get_args(FixtureField)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Is a case that the two suites do not hold alike: edited, moved, added or removed."""

    case_id: str
    """The case's id."""
    from_stratum: Stratum | None
    """Its stratum in the baseline; None where it is not there."""
    to_stratum: Stratum | None
    """Its stratum in the run; None where it is not there."""
    before: Outcome | None
    """What grading gave in the baseline; None where it is not there."""
    after: Outcome | None
    """What grading gave in the run; None where it is not there."""
    changed: tuple[FixtureField, ...] = ()
    """The fields of a case of both suites that differ, beside the stratum."""


class NoAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Is a case that got no answer in at least one of the runs; it is no pass and no miss."""

    case_id: str
    """The case's id."""
    runs: tuple[Side, ...]
    """The runs without an answer to it."""


class Flips(msgspec.Struct, frozen=True, kw_only=True):
    """Counts the cases that went from one outcome to the other on equal fixtures."""

    passed_to_failed: int
    """How many passed in the baseline and failed in the run."""
    failed_to_passed: int
    """How many failed in the baseline and passed in the run."""
    n: int
    """How many cases are in both runs with equal fixtures and an answer in both."""
    of: int
    """How many cases the larger of the two runs holds in this stratum."""
    p: float | None
    """McNemar's mid-p; None without common cases, and where they are under half of `of`."""

    @property
    def changed(self) -> int:
        """How many cases flipped, either way."""
        return self.passed_to_failed + self.failed_to_passed

    @property
    def comparable(self) -> bool:
        """Tells whether enough cases are common for more than lists: half of the larger run."""
        return self.n > 0 and 2 * self.n >= self.of


class Corners(msgspec.Struct, frozen=True, kw_only=True):
    """Counts passes of either run's answers on either suite's fixtures.

    Each corner is over the cases that its suite holds in the stratum and its run has answered.
    """

    old_answers_old_fixtures: Count
    """The baseline as it was."""
    new_answers_old_fixtures: Count
    """The run's answers, graded by the baseline's suite."""
    old_answers_new_fixtures: Count
    """The baseline's answers, graded by the run's suite."""
    new_answers_new_fixtures: Count
    """The run as it was."""


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """Splits a change in passes; answers, fixtures and unanswered add up to it exactly."""

    answers: int
    """Passes won or lost because the completions differ."""
    fixtures: int
    """Passes won or lost because the suite differs: the sum of the five parts below."""
    edited: int
    """By cases that ask or check something else."""
    moved_in: int
    """By cases that came from another stratum."""
    moved_out: int
    """By cases that went to another stratum."""
    added: int
    """By cases that only the run's suite holds."""
    removed: int
    """By cases that only the baseline's suite holds."""
    unanswered: int
    """By cases of both suites that one of the runs did not answer; nobody's doing."""


class Regraded(msgspec.Struct, frozen=True, kw_only=True):
    """Says what grading again gave, where a run was graded by another version of the folds."""

    side: Side
    """The run that was graded again."""
    matching: str
    """The version that its recorded grades come from."""
    recorded: Count
    """What was recorded."""
    today: Count
    """What today's version gives, on which everything else here is built."""
    cases: tuple[str, ...]
    """Ids of the cases whose grade is another one today."""


class Sentences(msgspec.Struct, frozen=True, kw_only=True):
    """Says what the numbers of one stratum mean; blank where there is nothing to say."""

    headline: str = ""
    """From what to what, and whether the answers or the fixtures moved it."""
    fixtures: str = ""
    """What part of the suite moved it."""
    order: str = ""
    """The split in the other order, where it is another one."""
    flips: str = ""
    """Flip counts and what chance alone would give."""
    noise: str = ""
    """The flips beside those of our own repeats."""
    unanswered: str = ""
    """How many cases got no answer."""
    regraded: tuple[str, ...] = ()
    """What grading again under today's version changed, per run."""

    @property
    def further(self) -> tuple[str, ...]:
        """Gives the sentences after the headline that have something to say, in their order."""
        every = (self.fixtures, self.order, self.flips, self.noise, self.unanswered)
        return tuple(filter(None, (*every, *self.regraded)))


class StratumComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Compares two runs on one instrument; lists of cases are in file order."""

    stratum: Stratum
    """The instrument."""
    sentences: Sentences = Sentences()
    """The comparison in words."""
    baseline: Count
    """The baseline's count."""
    run: Count
    """The run's count."""
    passed_to_failed: tuple[str, ...]
    """Ids of cases with equal fixtures that passed and fail now."""
    failed_to_passed: tuple[str, ...]
    """Ids of cases with equal fixtures that failed and pass now."""
    still_failing: tuple[str, ...]
    """Ids of cases with equal fixtures that failed and fail."""
    removed: tuple[Change, ...]
    """Cases that only the baseline's suite holds."""
    added: tuple[Change, ...]
    """Cases that only the run's suite holds."""
    edited: tuple[Change, ...]
    """Cases of both that ask or check something else now, in the same stratum."""
    moved_in: tuple[Change, ...]
    """Cases that came from another stratum."""
    moved_out: tuple[Change, ...]
    """Cases that went to another stratum."""
    unanswered: tuple[NoAnswer, ...]
    """Cases without an answer in either run; they may be in a list above too."""
    flips: Flips
    """Counts on equal fixtures, and how often chance alone gives such a split."""
    noise: Noise | None
    """How often our own repeats disagree; None where there are none."""
    noise_p: float | None
    """Chance of so many flips if only our own noise were at work; None where it is unknown."""
    answered_in_both: int
    """How many cases both runs have answered, whatever their fixtures."""
    answers_changed: int
    """How many of those have another completion."""
    corners: Corners
    """Either run's answers on either suite's fixtures."""
    split: Split
    """The change in passes, answers first: by the old fixtures, then the new fixtures come."""
    split_fixtures_first: Split
    """The same change the other way round: new fixtures for the old answers, then new answers."""
    regraded: tuple[Regraded, ...] = ()
    """What grading again changed, for each run that another version of the folds had graded."""

    @property
    def changes(self) -> dict[FixturePart, tuple[Change, ...]]:
        """The cases that the two suites do not hold alike, by what happened to them."""
        return {part: getattr(self, part) for part in FIXTURE_PARTS}


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Compares a run with a baseline on three instruments, never pooled."""

    schema: str = SCHEMA
    """Names this shape."""
    strata: Mapping[Stratum, StratumComparison]
    """The three strata, each by itself."""
    baseline: Run
    """The run compared against."""
    run: Run
    """The run compared."""
