"""What grading a suite gave: rates per stratum, alerts, and a report that never varies."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import BinaryIO

import msgspec

from evalcore.alerts import AlertDetail, AlertKind, Count, alert_details
from evalcore.case import STRATA, Case, Grade, Stratum
from evalcore.evidence import Evidence, Families, evidence_of
from evalcore.job import InForce, Job, Override, Thresholds, thresholds_in_force
from evalcore.matching import MATCHING, UNICODE
from evalcore.notices import Notice, size_notices
from evalcore.spool import Spool

SCHEMA = "evalcore.report/1"

_encode = msgspec.json.Encoder().encode
# DEL and the C1 controls, and what turns the direction of text, in UTF-8. JSON lets them stand as
# they are, and on a terminal they would do as they say.
_ACTIVE = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Is one failed case as the report lists it."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """Its stratum."""
    passed: bool
    """False, so that a row can be read by itself."""
    reasons: list[str]
    """Its reasons as text."""


class MarkEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Is one mark as the report lists it; fields without content are left out."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """Its stratum."""
    kind: str
    """The mark's kind; the other fields are the mark's too."""
    needle: str = ""
    differs: str = ""
    found: str = ""
    start: int | None = None
    end: int | None = None
    context: str = ""


class Unanswered(msgspec.Struct, frozen=True, kw_only=True):
    """Is one case without an answer as the report lists it."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """Its stratum."""
    cause: str
    """Why there is no answer."""


class Tally:
    """Takes in grades, some hundred at a time, and keeps what a report needs of them."""

    def __init__(self) -> None:
        """Starts without a grade."""
        self.failures = Spool()
        self.marks = Spool()
        self.unanswered = Spool()
        self._n: Counter[Stratum] = Counter()
        self._failed: Counter[Stratum] = Counter()
        self._unanswered: Counter[Stratum] = Counter()
        self._in_family: Counter[Stratum] = Counter()
        self._families: dict[Stratum, set[str]] = {stratum: set() for stratum in STRATA}

    def add(self, cases: Iterable[Case], grades: Sequence[Grade]) -> None:
        """Takes in graded cases."""
        failed = [grade for grade in grades if grade.reasons]
        self._n.update([grade.stratum for grade in grades])
        self._failed.update([grade.stratum for grade in failed])
        self.failures.extend(map(_failure, failed))
        self.marks.extend(entry for grade in grades if grade.marks for entry in _entries(grade))
        for case in cases:
            if case.family is not None:
                self._in_family[case.stratum] += 1
                self._families[case.stratum].add(case.family)

    def add_unanswered(self, case: Case, cause: str) -> None:
        """Takes in a case that got no answer; it is neither a pass nor a miss."""
        self._unanswered[case.stratum] += 1
        self.unanswered.extend([Unanswered(case_id=case.id, stratum=case.stratum, cause=cause)])

    def counts(self) -> dict[Stratum, Count]:
        """Returns the graded cases of each stratum."""
        return {
            stratum: Count(self._n[stratum] - self._failed[stratum], self._n[stratum])
            for stratum in STRATA
        }

    def in_families(self) -> dict[Stratum, Families]:
        """Returns how many cases of each stratum were written from templates."""
        return {
            stratum: Families(count=len(self._families[stratum]), cases=self._in_family[stratum])
            for stratum in STRATA
        }

    def unanswered_counts(self) -> dict[Stratum, int]:
        """Returns the cases of each stratum without an answer."""
        return dict(self._unanswered)


class SuiteStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Says which suite was graded."""

    sha256: str
    """Hash of the file's bytes."""
    instrument_hash: str
    """Hash of its cases, whatever their order."""


class JobStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Says which thresholds decided, and where they come from."""

    name: str | None
    """The job's name; None without a job."""
    sha256: str | None
    """Hash of the job file's bytes; None without a job."""
    source: str
    """`job`, `defaults` or `flags`."""
    thresholds: Thresholds
    """The thresholds in force."""
    proposed: tuple[str, ...]
    """The thresholds that are defaults, which are proposals."""
    overrides: tuple[Override, ...]
    """The flags given beside the job."""


class Rate(msgspec.Struct, frozen=True):
    """Is the pass rate of one stratum."""

    n: int
    """How many cases were graded."""
    pass_rate: float | None
    """Passed over graded, from 0 to 1; None without cases."""


class Report:
    """Holds everything that grading a suite gave, ready to be written.

    `failures`, `marks` and `unanswered` are the long lists, read anew each time they are
    iterated; all else is a plain value.
    """

    def __init__(
        self,
        *,
        tally: Tally,
        suite: SuiteStamp,
        job: Job | None,
        in_force: InForce,
        notices: list[Notice],
    ) -> None:
        """Draws the conclusions from the counts."""
        counts = tally.counts()
        families = tally.in_families()
        self._tally = tally
        self._suite_notices = notices
        self.n = sum(count.n for count in counts.values())
        self.rates = {stratum: _rate(count) for stratum, count in counts.items()}
        self.suite = suite
        self.job = JobStamp(
            name=job.name if job else None,
            sha256=job.sha256 if job else None,
            source=in_force.source,
            thresholds=in_force.thresholds,
            proposed=in_force.proposed,
            overrides=in_force.overrides,
        )
        self.alert_details = alert_details(counts, in_force, tally.unanswered_counts())
        self.evidence: dict[Stratum, Evidence] = {
            stratum: evidence_of(
                stratum, count.passed, count.n, in_force.thresholds, families[stratum]
            )
            for stratum, count in counts.items()
        }
        self.notices = [*notices, *size_notices(self.evidence, in_force)]

    def judged_by(self, job: Job | None) -> "Report":
        """Returns what the same grades say under another job's thresholds, or the defaults."""
        return Report(
            tally=self._tally,
            suite=self.suite,
            job=job,
            in_force=thresholds_in_force(job, {}),
            notices=self._suite_notices,
        )

    @property
    def alerts(self) -> list[AlertKind]:
        """The alerts in the contract's order."""
        return [detail.alert for detail in self.alert_details]

    @property
    def ok(self) -> bool:
        """True when there is no alert."""
        return not self.alert_details

    @property
    def exit_code(self) -> int:
        """0 without an alert, 2 with one, 1 where a case is unanswered."""
        return exit_code(ok=self.ok, unanswered=len(self._tally.unanswered))

    @property
    def failures(self) -> Iterator[Failure]:
        """The failed cases in file order."""
        return (msgspec.json.decode(text, type=Failure) for text in self._tally.failures)

    @property
    def marks(self) -> Iterator[MarkEntry]:
        """The marks in file order."""
        return (msgspec.json.decode(text, type=MarkEntry) for text in self._tally.marks)

    @property
    def unanswered(self) -> Iterator[Unanswered]:
        """The cases without an answer in file order."""
        return (msgspec.json.decode(text, type=Unanswered) for text in self._tally.unanswered)

    def write(self, out: BinaryIO) -> None:
        """Writes the report as JSON: the same bytes for the same suite and job, anywhere."""
        separator = b"{\n  "
        for name, value in self._members():
            out.write(separator + _encode(name) + b": ")
            if isinstance(value, Spool):
                out.writelines(map(tamed, value.array(indent=2)))
            else:
                text = msgspec.json.format(_encode(value), indent=2)
                out.write(tamed(text.replace(b"\n", b"\n  ")))
            separator = b",\n  "
        out.write(b"\n}\n")

    def to_bytes(self) -> bytes:
        """Returns what `write` writes."""
        out = BytesIO()
        self.write(out)
        return out.getvalue()

    def _members(self) -> Iterator[tuple[str, object]]:
        yield "n", self.n
        yield "rates", self.rates
        yield "alerts", self.alerts
        yield "ok", self.ok
        yield "failures", self._tally.failures
        yield "schema", SCHEMA
        yield "matching", MATCHING
        yield "unicode", UNICODE
        yield "suite", self.suite
        yield "job", self.job
        yield "alert_details", self.alert_details
        yield "evidence", self.evidence
        yield "unanswered", self._tally.unanswered
        yield "marks", self._tally.marks
        yield "notices", self.notices


class SavedReport(msgspec.Struct, frozen=True, kw_only=True):
    """Is a report as it was written; each field is a key of its JSON."""

    n: int
    """How many cases were graded."""
    rates: dict[Stratum, Rate]
    """The pass rate of each stratum."""
    alerts: list[AlertKind]
    """The alerts in the contract's order."""
    ok: bool
    """True when there is no alert."""
    failures: list[Failure]
    """The failed cases in file order."""
    schema: str
    """The version of the report's own form."""
    matching: str
    """The version of the folds that decided."""
    unicode: str
    """The version of the Unicode tables that the folds used."""
    suite: SuiteStamp
    """Which suite was graded."""
    job: JobStamp
    """Which thresholds decided."""
    alert_details: list[AlertDetail]
    """What each alert speaks of."""
    evidence: dict[Stratum, Evidence]
    """What the counts of each stratum say."""
    unanswered: list[Unanswered]
    """The cases without an answer in file order."""
    marks: list[MarkEntry]
    """The marks in file order."""
    notices: list[Notice]
    """What else there is to know of the suite."""

    @property
    def exit_code(self) -> int:
        """0 without an alert, 2 with one, 1 where a case is unanswered."""
        return exit_code(ok=self.ok, unanswered=len(self.unanswered))


def exit_code(*, ok: bool, unanswered: int) -> int:
    """Returns 0 without an alert, 2 with one, 1 where a case is unanswered."""
    if unanswered:
        return 1
    return 0 if ok else 2


read_report = msgspec.json.Decoder(SavedReport).decode


def tamed(text: bytes) -> bytes:
    """Escapes control and direction characters in a JSON text, which means the same."""
    if text.isascii() and b"\x7f" not in text:
        return text
    return _ACTIVE.sub(lambda match: b"\\u%04x" % ord(match[0].decode()), text)


def _rate(count: Count) -> Rate:
    return Rate(count.n, count.passed / count.n if count.n else None)


def _failure(grade: Grade) -> Failure:
    return Failure(
        case_id=grade.case_id,
        stratum=grade.stratum,
        passed=grade.passed,
        reasons=[reason.text for reason in grade.reasons],
    )


def _entries(grade: Grade) -> Iterator[MarkEntry]:
    for mark in grade.marks:
        yield MarkEntry(
            case_id=grade.case_id, stratum=grade.stratum, **msgspec.structs.asdict(mark)
        )
