"""One stratum over many runs: what may be joined by a line, and what stands beside it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter

import msgspec

from evalcore.case import Stratum
from evalcore.evidence import Evidence, Threshold, evidence_of, threshold_of
from evalcore.run import Run, Sums
from evalcore.trends.changes import Change, changes_between

MOST_POINTS = 200
_NEVER = datetime.max.replace(tzinfo=UTC)


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """Is one run as one stratum's series shows it."""

    run: Run
    """The run whose counts are shown."""
    stratum: Stratum
    """The stratum shown."""
    at: datetime
    """Where it stands in time, in UTC: the first run of its config, or its own."""
    segment: int
    """Number of its stretch of runs on the same cases with the same matching, from 0."""
    changes: tuple[Change, ...] = ()
    """What changed at `at` since the counted run before."""

    @property
    def sums(self) -> Sums:
        """Gives the stratum's counts."""
        return self.run.strata[self.stratum]

    @property
    def rate(self) -> float | None:
        """Gives the pass rate; None without cases."""
        return self.sums.passed / self.sums.n if self.sums.n else None

    @property
    def evidence(self) -> Evidence:
        """Works out state, interval and headroom, by the thresholds that held at the run."""
        return _evidence(self.stratum, self.sums.passed, self.sums.n, self.run.job.thresholds)

    @property
    def counted(self) -> bool:
        """Tells whether a trend may use it: every case answered, and not excluded."""
        return self.run.counted

    @property
    def breaks(self) -> bool:
        """Tells whether the line breaks before it."""
        return any(change.breaks for change in self.changes)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Says from when on a threshold held."""

    at: datetime
    """The first run judged by it, in UTC."""
    threshold: Threshold
    """The stratum's own threshold."""


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Holds one stratum over many runs, each list by the time it is shown at."""

    stratum: Stratum
    """The stratum."""
    points: tuple[Point, ...] = ()
    """What a line joins within a segment: one a config, or every counted run if so asked."""
    repeats: tuple[Point, ...] = ()
    """The other counted runs of those configs."""
    unfinished: tuple[Point, ...] = ()
    """Runs with unanswered cases; in no line and no trend."""
    excluded: tuple[Point, ...] = ()
    """Runs that a person took out; in no line and no trend."""
    marks: tuple[Point, ...] = ()
    """Counted runs at which something changed, at their own time; a gap is one of them."""
    steps: tuple[Step, ...] = ()
    """The threshold as it was, each from where it began to hold."""
    versions: tuple[Point, ...] = ()
    """The newest segment's distinct configs, all of them: what a trend is made of."""
    left_out: int = 0
    """How many older runs none of the lists above shows; `versions` has them."""

    @property
    def threshold(self) -> Threshold | None:
        """Gives the threshold that judged the newest version; None where there is no version."""
        newest = self.versions or self.points
        return newest[-1].evidence.threshold if newest else None

    @property
    def shown(self) -> tuple[Point, ...]:
        """Gives every run that has a rate to show."""
        listed = (*self.points, *self.repeats, *self.unfinished, *self.excluded)
        return tuple(point for point in listed if point.sums.n)

    @property
    def left_out_words(self) -> str:
        """Says how many runs are not drawn; blank where all are."""
        if not self.left_out:
            return ""
        runs = "older run is" if self.left_out == 1 else "older runs are"
        return f"{self.left_out:,} {runs} not drawn; the trend counts every version"


def series(
    runs: Iterable[Run],
    stratum: Stratum,
    *,
    one_per_config: bool = True,
    most: int = MOST_POINTS,
) -> Series:
    """Returns one stratum over runs given in any order.

    A config has one point in a segment: its newest counted run, placed at the time of its first,
    so that grading an old config again does not move it to the end. The newest `most` points are
    kept, and the newest `most` of all that is not joined; the newest run is always among them.
    """
    every = list(_in_time(runs, stratum))
    counted = [point for point in every if point.counted]
    graded = [point for point in counted if point.sums.n]
    versions = _one_per_config(graded)
    joined = versions if one_per_config else graded
    beside = _beside(every, joined)
    points, others = _newest(joined, most), _newest(beside, most)
    start = min((point.at for point in (*points, *others)), default=_NEVER)
    marks = [point for point in counted if point.changes and point.at >= start]
    return Series(
        stratum=stratum,
        points=tuple(points),
        repeats=tuple(point for point in others if point.counted),
        unfinished=tuple(p for p in others if not p.counted and not p.run.exclusion),
        excluded=tuple(point for point in others if point.run.exclusion),
        marks=tuple(_newest(marks, most)),
        steps=_steps(counted or every, start),
        versions=tuple(point for point in versions if point.segment == counted[-1].segment),
        left_out=len(joined) + len(beside) - len(points) - len(others),
    )


# A page asks for each point's several times, and many points have the same counts.
_evidence = lru_cache(maxsize=4096)(evidence_of)


def _in_time(runs: Iterable[Run], stratum: Stratum) -> Iterator[Point]:
    """Yields each run at its own time, held against the counted run before it."""
    before: Run | None = None
    segment = 0
    for run in sorted(runs, key=attrgetter("order")):
        changes = changes_between(before, run, stratum) if before else ()
        point = Point(run=run, stratum=stratum, at=run.at, segment=segment, changes=changes)
        if point.breaks:
            point = msgspec.structs.replace(point, segment=segment + 1)
        if point.counted:
            before, segment = run, point.segment
        yield point


def _one_per_config(graded: Iterable[Point]) -> list[Point]:
    """Returns each segment's configs, each as its newest run at the place of its first."""
    kept: dict[tuple[int, str, str], Point] = {}
    for point in graded:
        key = point.segment, point.run.config, point.run.model
        first = kept.get(key, point)
        kept[key] = msgspec.structs.replace(first, run=point.run)
    return list(kept.values())


def _beside(every: Iterable[Point], joined: Iterable[Point]) -> list[Point]:
    """Returns the runs that no line joins, without those that left a gap."""
    ids = {point.run.id for point in joined}
    return [p for p in every if p.run.id not in ids and (p.sums.n or not p.counted)]


def _newest(points: Sequence[Point], most: int) -> list[Point]:
    """Returns the points of the newest runs, in the order given."""
    by_run = sorted(points, key=lambda point: point.run.order, reverse=True)
    kept = {point.run.id for point in by_run[:most]}
    return [point for point in points if point.run.id in kept]


def _steps(points: Iterable[Point], start: datetime) -> tuple[Step, ...]:
    """Returns the thresholds in their order, from the one that held at the start."""
    steps: list[Step] = []
    for point in points:
        threshold = threshold_of(point.stratum, point.run.job.thresholds)
        if not steps or threshold != steps[-1].threshold:
            steps.append(Step(at=point.at, threshold=threshold))
    begun = sum(step.at <= start for step in steps)
    return tuple(steps[max(0, begun - 1) :])
