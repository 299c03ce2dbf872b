"""A graded suite as the history keeps it: the run, its sums, and each case in it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, get_args

import msgspec

from evalcore.alerts import AlertKind
from evalcore.case import Mark, Reason, Stratum
from evalcore.excerpt import excerpt
from evalcore.report import JobStamp
from evalcore.stamp import Source

Outcome = Literal["failed", "passed", "unanswered"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """Counts the cases of one stratum in a run."""

    passed: int
    """How many graded cases passed."""
    n: int
    """How many cases were graded."""
    unanswered: int = 0
    """How many cases got no answer; they are in no other count."""
    instrument_hash: str
    """Hash of the stratum's cases with their checks, 64 hex digits; their order does not matter."""


class Exclusion(msgspec.Struct, frozen=True, kw_only=True):
    """Says why a run does not count in trends any more."""

    at: datetime
    """When it was excluded, in UTC."""
    who: str
    """The person who excluded it."""
    why: str
    """The reason given."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Holds what the history knows of one graded suite, without its cases."""

    id: int
    """Its number in this history, never given twice."""
    at: datetime
    """When its completions were made, or when it was saved, in UTC."""
    suite: str
    """What the suite is called, for people."""
    suite_sha256: str
    """Hash of the suite file's bytes, 64 hex digits."""
    instrument_hash: str
    """Hash of all cases with their checks, 64 hex digits; their order does not matter."""
    matching: str
    """The version of the folds that decided."""
    job: JobStamp
    """The thresholds in force and where they come from."""
    config: str
    """What was graded: the prompt under test, the model, the parameters, in the team's words."""
    model: str = ""
    """The model asked for; blank where nobody said."""
    note: str = ""
    """Words for people."""
    source: Source
    """How it came into the history."""
    repeat: int = 0
    """0 for the first run of these bytes under this config, 1 for its first repeat, and so on."""
    alerts: tuple[AlertKind, ...] = ()
    """Its alerts in the contract's order."""
    strata: Mapping[Stratum, Sums]
    """The three strata, each with its own sums."""
    exclusion: Exclusion | None = None
    """Why it does not count in trends; None where it counts."""

    @property
    def yardstick(self) -> str:
        """Names the job, or the suite where there is no job: runs of one name belong together."""
        return self.job.name or self.suite

    @property
    def line(self) -> str:
        """Names it for people in one line, with what keeps it from being like the others."""
        named = f"run {self.id}, {self.at:%Y-%m-%d %H:%M} UTC"
        parts = [named, excerpt(self.yardstick), excerpt(self.config)]
        if self.source == "example":
            parts.append("example")
        if self.exclusion:
            parts.append("excluded")
        return ", ".join(parts)

    @property
    def order(self) -> tuple[datetime, int]:
        """Gives what runs are sorted by: their time, and their number where that is equal."""
        return self.at, self.id

    @property
    def counted(self) -> bool:
        """Tells whether trends may use it: every case answered, and not excluded."""
        return self.complete and self.exclusion is None

    @property
    def complete(self) -> bool:
        """Tells whether every case got an answer."""
        return not any(sums.unanswered for sums in self.strata.values())


class RunCase(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Is one case in one run; equal numbers of `fixture` or `completion` mean equal texts."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """The instrument that it belonged to in that run."""
    outcome: Outcome
    """What grading gave."""
    fixture: int
    """Number of the prompt, stratum and checks among the history's texts."""
    completion: int | None
    """Number of the completion among the history's texts; None where none was recorded."""
    line: int = 0
    """Physical line in the suite file, from 1."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Says why a case did not simply pass."""

    reasons: tuple[Reason, ...] = ()
    """Why it failed, in the contract's order."""
    marks: tuple[Mark, ...] = ()
    """What a reviewer should see beside the grade."""
    cause: str = ""
    """Why there is no answer; blank where there is one."""
