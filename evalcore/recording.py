"""What grading a suite leaves for the history: each case with its texts and what explains it."""

from collections.abc import Iterator, Sequence

import msgspec

from evalcore.case import STRATA, Case, Grade, Stratum
from evalcore.identity import InstrumentHash, fixture_json
from evalcore.run import OUTCOMES, Explanation, Outcome, Sums
from evalcore.spool import Spool

BATCH_CASES = 1000
BATCH_BYTES = 16 << 20


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Holds what people wrote beside a case's checks."""

    tags: tuple[str, ...] = ()
    """Words for filters."""
    family: str | None = None
    """The template that the case was written from."""
    note: str | None = None
    """Words for people."""


class RecordedCase(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Is one case with everything that the history keeps of it."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """Its stratum."""
    line: int
    """Its line in the suite file."""
    outcome: Outcome
    """What grading gave."""
    fixture: msgspec.Raw
    """Canonical JSON of prompt, stratum and checks."""
    completion: str | None
    """The recorded answer, or None where none was recorded."""
    label: Label | None
    """What people wrote beside the checks, if anything."""
    explanation: Explanation | None
    """Why the case did not simply pass; None where it did."""


_NO_LABEL = Label()
_NO_EXPLANATION = Explanation()
_decode = msgspec.json.Decoder(RecordedCase).decode


class Recording:
    """Takes in graded cases, some hundred at a time, and keeps them on disk where they are many."""

    def __init__(self) -> None:
        """Starts without a case."""
        self._cases = Spool()
        self._sums = {stratum: [0, 0, 0] for stratum in STRATA}
        self._instruments = {stratum: InstrumentHash() for stratum in STRATA}

    def add(self, cases: Sequence[Case], grades: Sequence[Grade]) -> None:
        """Takes in cases with their grades."""
        self._cases.extend(
            self._counted(
                case,
                "passed" if grade.passed else "failed",
                Explanation(reasons=grade.reasons, marks=grade.marks),
            )
            for case, grade in zip(cases, grades, strict=True)
        )

    def add_unanswered(self, case: Case, cause: str) -> None:
        """Takes in a case that got no answer."""
        self._cases.extend((self._counted(case, "unanswered", Explanation(cause=cause)),))

    def batches(self) -> Iterator[list[RecordedCase]]:
        """Yields the cases in the order they came in, so many at a time as memory likes."""
        batch: list[RecordedCase] = []
        size = 0
        for line in self._cases:
            batch.append(_decode(line))
            size += len(line)
            if len(batch) == BATCH_CASES or size > BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def sums(self) -> dict[Stratum, Sums]:
        """Returns the counts of each stratum."""
        return {
            stratum: Sums(
                passed=passed,
                n=passed + failed,
                unanswered=unanswered,
                instrument_hash=self._instruments[stratum].hexdigest(),
            )
            for stratum, (failed, passed, unanswered) in self._sums.items()
        }

    def _counted(self, case: Case, outcome: Outcome, explanation: Explanation) -> RecordedCase:
        self._sums[case.stratum][OUTCOMES.index(outcome)] += 1
        self._instruments[case.stratum].add((case,))
        label = Label(tags=case.tags, family=case.family, note=case.note)
        return RecordedCase(
            case_id=case.id,
            stratum=case.stratum,
            line=case.line,
            outcome=outcome,
            fixture=msgspec.Raw(fixture_json(case)),
            completion=case.completion,
            label=None if label == _NO_LABEL else label,
            explanation=None if explanation == _NO_EXPLANATION else explanation,
        )
