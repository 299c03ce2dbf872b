"""What a visitor can have open: a suite just graded or refused, or a run of the history."""

import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from itertools import groupby
from operator import attrgetter
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import BinaryIO, cast

import msgspec

from evalcore.case import STRATA, Stratum
from evalcore.errors import RowError
from evalcore.job import Job
from evalcore.report import MarkEntry, Report, SavedReport, read_report

PAGE_CASES = 100
_IN_MEMORY_BYTES = 4 << 20


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


class FailedPages:
    """Packs the failed cases of a report a page at a time.

    Hundreds of thousands of failed cases take some bytes each this way, and any page of them is
    at hand at once.
    """

    def __init__(self, report: Report | SavedReport) -> None:
        """Reads the long lists of the report once."""
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

    def count(self, stratum: Stratum) -> int:
        """Counts the pages of failed cases of a stratum."""
        return len(self._pages[stratum])

    def page(self, stratum: Stratum, number: int) -> list[FailedCase]:
        """Returns at most 100 failed cases of a stratum in file order; pages count from 1."""
        packed = zlib.decompress(self._pages[stratum][number - 1])
        return msgspec.msgpack.decode(packed, type=list[FailedCase])


OpenSuite = Callable[[], AbstractContextManager[BinaryIO]]
"""Opens a suite file again, from its start."""


class SuiteCopy:
    """Keeps the bytes of an upload, on disk where they are many, for as long as its visitor."""

    def __init__(self, upload: BinaryIO) -> None:
        """Copies the upload from where it stands."""
        self._file = SpooledTemporaryFile(_IN_MEMORY_BYTES)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        copyfileobj(upload, self._file)

    @contextmanager
    def reopen(self) -> Iterator[BinaryIO]:
        """Yields the bytes from their start; one reader at a time."""
        self._file.seek(0)
        yield cast(BinaryIO, self._file)

    def read(self) -> bytes:
        """Returns all of the bytes."""
        with self.reopen() as stream:
            return stream.read()


class Graded:
    """Is a suite that was graded for one visitor."""

    def __init__(self, name: str, report: Report, job: Job | None, reopen: OpenSuite) -> None:
        """Packs the failed cases."""
        self.name = name
        self.report = report
        self.failed = FailedPages(report)
        self.job = job
        """The job that judged it; None where the defaults did."""
        self.reopen = reopen
        """Opens what was graded, to keep it."""
        self._lock = Lock()

    def judged_by(self, job: Job | None) -> "Graded":
        """Returns the same grades judged by a job's thresholds, or by the defaults."""
        judged = copy(self)
        judged.job = job
        judged.report = self.report.judged_by(job)
        return judged

    def report_bytes(self) -> bytes:
        """Returns the report; downloads may ask for it at the same time, from other threads."""
        with self._lock:
            return self.report.to_bytes()


class Kept:
    """Is a run that the history keeps."""

    def __init__(self, run_id: int, written: bytes) -> None:
        """Reads the report as it was written."""
        self.run_id = run_id
        self.name = f"Run {run_id}"
        self.report = read_report(written)
        self.failed = FailedPages(self.report)
        self._written = written

    def report_bytes(self) -> bytes:
        """Returns the report, byte for byte."""
        return self._written


Suite = Graded | Refused


def _packed(cases: list[FailedCase]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(cases), level=1)


def _failed_cases(report: Report | SavedReport) -> Iterator[tuple[Stratum, FailedCase]]:
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
