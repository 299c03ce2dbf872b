"""The one way from a suite's bytes to its report; command line, page and library all take it."""

from collections.abc import Callable, Mapping
from typing import BinaryIO

from evalcore.errors import UsageError
from evalcore.excerpt import excerpt
from evalcore.grading import grade_case
from evalcore.job import Job, thresholds_in_force
from evalcore.matching import Haystack
from evalcore.notices import NoticeBook
from evalcore.report import Report, SuiteStamp, Tally
from evalcore.suite import SuiteReader

_NOTHING: Mapping[str, str] = {}


def grade_suite(
    stream: BinaryIO,
    *,
    job: Job | None = None,
    flags: Mapping[str, float] | None = None,
    unanswered: Mapping[str, str] = _NOTHING,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Grades a suite of golden cases with their recorded completions.

    Args:
        stream: the JSONL, as a seekable binary stream; it is read in constant memory.
        job: the thresholds under version control, if there are any.
        flags: thresholds given for this run by name, each from 0 to 1.
        unanswered: cases that got no answer, as the cause by case id.
        progress: is called now and then with the number of bytes read so far.

    Raises:
        SuiteError: the suite has row errors; nothing is graded.
        UsageError: a flag is unknown, or no rate, or an unanswered case is not in the suite.
    """
    in_force = thresholds_in_force(job, flags or {})
    reader = SuiteReader(stream, progress)
    tally = Tally()
    book = NoticeBook()
    missing = set(unanswered)
    for cases in reader.blocks():
        if unanswered:
            for case in cases:
                if case.id in unanswered:
                    tally.add_unanswered(case, unanswered[case.id])
                    missing.discard(case.id)
            cases = [case for case in cases if case.id not in unanswered]
        haystacks = [Haystack(case.completion or "") for case in cases]
        grades = list(map(grade_case, cases, haystacks))
        tally.add(cases, grades)
        book.inspect(cases, haystacks, grades)
    if missing:
        raise UsageError(f'no case "{excerpt(min(missing))}" in the suite to be unanswered')
    book.add_similar_ids(reader.similar_ids)
    return Report(
        tally=tally,
        suite=SuiteStamp(sha256=reader.sha256, instrument_hash=reader.instrument_hash),
        job=job,
        in_force=in_force,
        notices=book.notices(),
    )
