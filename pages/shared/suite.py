"""What a visitor can have open: a suite that was graded, or one that was refused."""

import zlib
from collections.abc import Iterator
from copy import copy
from itertools import groupby
from operator import attrgetter
from threading import Lock

import msgspec

from evalcore.case import STRATA, Stratum
from evalcore.errors import RowError
from evalcore.job import Job
from evalcore.report import MarkEntry, Report

PAGE_CASES = 100


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Is a suite that cannot be graded."""

    name: str
    """The name of its file, as the visitor's machine gave it."""
    errors: tuple[RowError, ...]
    """Its first row errors."""
    total: int
    """How many row errors it has."""
    remarks: tuple[str, ...]
    """What else is odd about it."""


class FailedCase(msgspec.Struct, frozen=True, kw_only=True):
    """Is one failed case with the marks that say where."""

    case_id: str
    """The case's id."""
    reasons: list[str]
    """Its reasons as text."""
    marks: list[MarkEntry]
    """Its near misses and forbidden hits, or that nothing was recorded."""


class Graded:
    """Is a suite that was graded, with its failed cases packed a page at a time.

    Hundreds of thousands of failed cases take some bytes each this way, and any page of them is
    at hand at once.
    """

    def __init__(self, name: str, report: Report) -> None:
        """Reads the long lists of the report once."""
        self.name = name
        self.report = report
        self._lock = Lock()
        self._pages: dict[Stratum, list[bytes]] = {stratum: [] for stratum in STRATA}
        batches: dict[Stratum, list[FailedCase]] = {stratum: [] for stratum in STRATA}
        for stratum, case in _failed_cases(report):
            batches[stratum].append(case)
            if len(batches[stratum]) == PAGE_CASES:
                self._pages[stratum].append(_packed(batches[stratum]))
                batches[stratum].clear()
        for stratum, batch in batches.items():
            if batch:
                self._pages[stratum].append(_packed(batch))

    def failed_pages(self, stratum: Stratum) -> int:
        """Counts the pages of failed cases of a stratum."""
        return len(self._pages[stratum])

    def failed_page(self, stratum: Stratum, number: int) -> list[FailedCase]:
        """Returns at most 100 failed cases of a stratum in file order; pages count from 1."""
        packed = zlib.decompress(self._pages[stratum][number - 1])
        return msgspec.msgpack.decode(packed, type=list[FailedCase])

    def judged_by(self, job: Job | None) -> "Graded":
        """Returns the same grades judged by a job's thresholds, or by the defaults."""
        judged = copy(self)
        judged.report = self.report.judged_by(job)
        return judged

    def report_bytes(self) -> bytes:
        """Returns the report; downloads may ask for it at the same time, from other threads."""
        with self._lock:
            return self.report.to_bytes()


Suite = Graded | Refused


def _packed(cases: list[FailedCase]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(cases), level=1)


def _failed_cases(report: Report) -> Iterator[tuple[Stratum, FailedCase]]:
    """Yields each failed case with its marks; the report has both in file order."""
    groups = groupby(filter(_says_where, report.marks), key=attrgetter("case_id"))
    nothing: tuple[str | None, Iterator[MarkEntry]] = (None, iter(()))
    marked, marks = next(groups, nothing)
    for failure in report.failures:
        mine = []
        if failure.case_id == marked:
            mine = list(marks)
            marked, marks = next(groups, nothing)
        yield (
            failure.stratum,
            FailedCase(case_id=failure.case_id, reasons=failure.reasons, marks=mine),
        )


def _says_where(mark: MarkEntry) -> bool:
    """Tells whether a mark is of a kind that failed cases alone carry."""
    return mark.kind in ("near_miss", "forbidden", "not_recorded")
