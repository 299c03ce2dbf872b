"""The one way from a suite's bytes to its report, and from there into the history.

Command line, pages and library all take it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from evalcore.errors import HeadroomError, SuiteError, UsageError
from evalcore.excerpt import excerpt
from evalcore.grading import grade_case
from evalcore.job import Job, find_job, thresholds_in_force
from evalcore.matching import Haystack
from evalcore.notices import NoticeBook
from evalcore.report import Report, SuiteStamp, Tally
from evalcore.suite import SuiteReader

if TYPE_CHECKING:
    from evalcore.archive import Entry as Past
    from evalcore.compare import Comparison
    from evalcore.entry import Entry
    from evalcore.recording import Recording
    from evalcore.run import Run
    from evalcore.stamp import Source, Stamp
    from evalcore.store import History, Saved

NOISE_PAIRS = 20
"""How many of the newest pairs of repeats say what the noise is."""
_NOTHING: Mapping[str, str] = {}


def grade_suite(
    stream: BinaryIO,
    *,
    job: Job | None = None,
    flags: Mapping[str, float] | None = None,
    unanswered: Mapping[str, str] = _NOTHING,
    recording: "Recording | None" = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Grades a suite of golden cases with their recorded completions.

    Args:
        stream: the JSONL, as a seekable binary stream; it is read in constant memory.
        job: the thresholds under version control, if there are any.
        flags: thresholds given for this run by name, each from 0 to 1.
        unanswered: cases that got no answer, as the cause by case id.
        recording: takes in what a history would keep of each case.
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
                    if recording:
                        recording.add_unanswered(case, unanswered[case.id])
                    missing.discard(case.id)
            cases = [case for case in cases if case.id not in unanswered]
        haystacks = [Haystack(case.completion or "") for case in cases]
        grades = list(map(grade_case, cases, haystacks))
        tally.add(cases, grades)
        book.inspect(cases, haystacks, grades)
        if recording:
            recording.add(cases, grades)
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


def keep_suite(
    history: "History",
    stream: BinaryIO,
    stamp: "Stamp",
    *,
    job: Job | None = None,
    again: bool = False,
    progress: Callable[[int], None] | None = None,
) -> "Saved":
    """Grades a suite and keeps it in the history as a run.

    Raises:
        SuiteError: the suite has row errors; nothing is kept.
        HistoryError: the history cannot take it; nothing is kept.
    """
    from evalcore.recording import Recording

    recording = Recording()
    report = grade_suite(stream, job=job, recording=recording, progress=progress)
    return history.save(recording, report, stamp, again=again)


def compare_runs(history: "History", baseline_id: int, run_id: int) -> "Comparison":
    """Compares a run of the history with a baseline, beside the noise of the team's other repeats.

    The two runs themselves are no part of that noise: they cannot be judged by themselves.
    """
    from evalcore.compare import compare
    from evalcore.flips import repeat_pairs

    baseline, run = history.run(baseline_id), history.run(run_id)
    others = [
        other
        for other in history.runs()
        if other.yardstick == run.yardstick and other.id not in (baseline_id, run_id)
    ]
    return compare(
        baseline,
        run,
        history.cases(baseline_id),
        history.cases(run_id),
        history.texts,
        history.noise((one.id, other.id) for one, other in repeat_pairs(others, NOISE_PAIRS)),
    )


class Decided(NamedTuple):
    """Holds what people decided on the suite of a run."""

    entries: list["Entry"]
    """Their decisions, oldest first."""
    stretch_left: int
    """How many stretch cases the suite has when all of them are carried out."""


def decided_on(history: "History", run: "Run", decisions: "Iterable[Entry]") -> Decided:
    """Returns those of the decisions that are on a run's cases as they are in it.

    A case minted on any run of its job is among them until the run holds a case of that id; where
    one id was minted on several suites, the newest holds.
    """
    every = sorted(decisions, key=lambda entry: (entry.at, entry.key))
    held = history.fixtures(run.id, {entry.case_id for entry in every})
    mints = _mints_for(history, run, [entry for entry in every if entry.case_id not in held])
    sums = run.strata["stretch"]
    entries, left = [], sums.n + sums.unanswered
    for entry in every:
        assert entry.change is not None
        case = held.get(entry.case_id)
        if entry.change.kind == "mint":
            if mints.get(entry.case_id) is not entry:
                continue
        elif case is None or case.text.fixture_hash != entry.fixture_hash:
            continue
        entries.append(entry)
        stratum = case.stratum if case else ""
        becomes = (
            "" if entry.change.kind == "retire" else entry.change.fields.get("stratum", stratum)
        )
        left += (becomes == "stretch") - (stratum == "stretch")
    return Decided(entries, left)


def _mints_for(history: "History", run: "Run", decisions: "Iterable[Entry]") -> "dict[str, Entry]":
    """Returns by id the newest mint on a suite of the run's job."""
    mints = [entry for entry in decisions if entry.change and entry.change.kind == "mint"]
    runs = history.runs() if mints else ()
    suites = {other.suite_sha256 for other in runs if other.yardstick == run.yardstick}
    return {entry.case_id: entry for entry in mints if entry.suite_sha256 in suites}


class Imported(NamedTuple):
    """Says what became of one recorded suite of the past."""

    entry: "Past"
    """The suite."""
    saved: "Saved | None"
    """Where it went; None where it was refused."""
    refusal: str = ""
    """Why it was refused."""
    remark: str = ""
    """Why the job file beside it does not apply, where one is there and none was given."""


def import_past(
    history: "History",
    entries: "Iterable[Past]",
    *,
    source: "Source",
    job: Job | None = None,
    suite: str = "",
    again: bool = False,
) -> Iterator[Imported]:
    """Keeps recorded suites of the past, one run each, and yields what became of them.

    Without a job each takes the one beside it, if that names it. `suite` says what they are called
    where no job does; the name of their folder, unless given. A suite that is refused keeps no
    other one out.
    """
    from evalcore.stamp import Stamp

    for entry in entries:
        try:
            judge, remark = (job, None) if job else find_job(entry.path)
            stamp = Stamp(
                config=entry.config,
                suite=suite or entry.path.resolve().parent.name,
                source=source,
                model=entry.model,
                note=entry.note,
                at=entry.at,
            )
            with entry.path.open("rb") as stream:
                saved = keep_suite(history, stream, stamp, job=judge, again=again)
        except SuiteError as error:
            yield Imported(entry=entry, saved=None, refusal=f"{error.count}\n{error}")
        except HeadroomError as error:
            yield Imported(entry=entry, saved=None, refusal=str(error))
        except OSError as error:
            yield Imported(entry=entry, saved=None, refusal=_unread(error))
        else:
            yield Imported(entry=entry, saved=saved, remark=remark or "")


def _unread(error: OSError) -> str:
    return f"{error.strerror or type(error).__name__}; check the path and its permissions"
