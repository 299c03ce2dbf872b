"""The history of runs: what was graded when, under which thresholds, and with what result.

One class owns it. A save is one transaction, and every text is kept once, by its hash.
"""

import gzip
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL

from evalcore.case import STRATA, Case, Stratum
from evalcore.database import Database, portions
from evalcore.entry import CaseText
from evalcore.errors import NotInHistoryError, UsageError
from evalcore.excerpt import excerpt
from evalcore.flips import Noise
from evalcore.identity import case_of
from evalcore.journal import Journal
from evalcore.matching import MATCHING, soft_fold
from evalcore.recording import Label, RecordedCase, Recording
from evalcore.report import Report
from evalcore.retrieval import (
    bodies_of,
    known_texts,
    reviewable,
    runs_where,
    text_number,
)
from evalcore.review.judged import HeldCase
from evalcore.review.queue import ReviewCase
from evalcore.run import OUTCOMES, Explanation, Outcome, Run, RunCase, Sums
from evalcore.stamp import Stamp, check_name, check_note
from evalcore.tables import exclusions, grades, journal, reports, runs, strata, texts

_MAX_NUMBER = (1 << 63) - 1
_FAILED, _PASSED, _UNANSWERED = range(len(OUTCOMES))

_encode = msgspec.json.Encoder().encode
_decode_explanation = msgspec.json.Decoder(Explanation).decode
_decode_label = msgspec.json.Decoder(Label).decode


class Saved(NamedTuple):
    """Says where a run went."""

    run_id: int
    """Its number."""
    new: bool
    """False where the history had the same run already."""
    judged_alike: bool = True
    """False where the run that it had was judged by other thresholds; its verdict stands."""


class KeptCase(msgspec.Struct, frozen=True, kw_only=True):
    """Is one case in one run with everything that the history keeps of it."""

    case: Case
    """The case with its completion, as it was in that run."""
    outcome: Outcome
    """What grading gave."""
    explanation: Explanation
    """Why it did not simply pass."""


class History:
    """Owns the history of runs.

    Every method may raise a HistoryError, and has then changed nothing; only where a PostgreSQL
    goes away at the very end of a save, nobody knows, and saving again settles it.
    """

    def __init__(self, url: URL) -> None:
        """Opens the history, brings it up to date, and begins one where there is none."""
        self._database = Database(url)
        self.journal = Journal(self._database)
        """What people say of cases."""
        self.name = self._database.name
        """Names it for people, without a password."""
        insert = sqlite.insert if self._database.is_sqlite else postgresql.insert
        self._insert_new_texts = insert(texts).on_conflict_do_nothing()

    def close(self) -> None:
        """Lets the connections go."""
        self._database.close()

    # -- writing -------------------------------------------------------------------

    def save(
        self, recording: Recording, report: Report, stamp: Stamp, *, again: bool = False
    ) -> Saved:
        """Keeps a graded suite, whole or not at all.

        The same bytes under the same config, model and job name are the same run and are kept
        once; with `again` they are kept beside it.
        """
        key = _key(report, stamp)
        with self._database.writing() as connection:
            same = sa.select(runs.c.id, runs.c.repeat, runs.c.job).where(runs.c.key == key)
            earlier = connection.execute(same.order_by(runs.c.repeat)).all()
            if earlier and not again:
                alike = earlier[0].job == _encode(report.job).decode()
                return Saved(earlier[0].id, new=False, judged_alike=alike)
            repeat = earlier[-1].repeat + 1 if earlier else 0
            row = _run_row(recording, report, stamp) | {"key": key, "repeat": repeat}
            run_id: int = connection.execute(
                sa.insert(runs).values(row).returning(runs.c.id)
            ).scalar_one()
            connection.execute(sa.insert(strata), _strata_rows(run_id, recording.sums()))
            connection.execute(sa.insert(reports).values(run_id=run_id, body=_packed(report)))
            for batch in recording.batches():
                connection.execute(
                    sa.insert(grades), list(self._grade_rows(connection, run_id, batch))
                )
        return Saved(run_id, new=True)

    def exclude(self, run_id: int, *, who: str, why: str) -> None:
        """Leaves a run out of trends from now on; it stays visible, and `include` undoes it."""
        self._note_exclusion(run_id, excluded=True, who=who, why=why)

    def include(self, run_id: int, *, who: str, why: str = "") -> None:
        """Lets an excluded run count again.

        Raises:
            UsageError: the run is not excluded.
        """
        if self.run(run_id).exclusion is None:
            raise UsageError(f"run {run_id} is not excluded, so there is nothing to take back")
        self._note_exclusion(run_id, excluded=False, who=who, why=why)

    def remove_examples(self) -> None:
        """Deletes the example runs with everything that only they used."""
        with self._database.writing() as connection:
            examples = sa.select(runs.c.id).where(runs.c.source == "example")
            columns = (
                grades.c.case_id, grades.c.fixture_id, grades.c.completion_id, grades.c.label_id,
            )  # fmt: skip
            used = sa.union(
                *(sa.select(column).where(grades.c.run_id.in_(examples)) for column in columns)
            )
            numbers = set(connection.execute(used).scalars()) - {None}
            told = sa.select(runs.c.suite_sha256).where(runs.c.source == "example")
            connection.execute(
                sa.delete(journal).where(
                    journal.c.run_id.in_(examples), journal.c.suite_sha256.in_(told)
                )
            )
            connection.execute(sa.delete(runs).where(runs.c.source == "example"))
            for some in portions(sorted(numbers)):
                still = sa.union(*(sa.select(column).where(column.in_(some)) for column in columns))
                unused = set(some) - set(connection.execute(still).scalars())
                connection.execute(sa.delete(texts).where(texts.c.id.in_(unused)))

    def _note_exclusion(self, run_id: int, *, excluded: bool, who: str, why: str) -> None:
        check_name("who", who)
        if excluded and not why.strip():
            raise UsageError("why: blank; say why this run shall not count")
        check_note("why", why)
        with self._database.writing() as connection:
            self._known_run(connection, run_id)
            connection.execute(
                sa.insert(exclusions).values(
                    run_id=run_id, at=datetime.now(UTC), excluded=excluded, who=who, why=why
                )
            )

    def _grade_rows(
        self, connection: sa.Connection, run_id: int, batch: Sequence[RecordedCase]
    ) -> Iterator[dict[str, Any]]:
        """Yields the rows of some cases, their texts replaced by numbers."""
        parts = [_texts_of(case) for case in batch]
        present = {text for part in parts for text in part if text is not None}
        numbers = self._numbered(connection, present)
        for case, (name, fixture, completion, label) in zip(batch, parts, strict=True):
            yield {
                "run_id": run_id,
                "case_id": numbers[name],
                "fixture_id": numbers[fixture],
                "completion_id": None if completion is None else numbers[completion],
                "label_id": None if label is None else numbers[label],
                "stratum": STRATA.index(case.stratum),
                "outcome": OUTCOMES.index(case.outcome),
                "line": case.line,
                "explanation": _encode(case.explanation) if case.explanation else None,
            }

    def _numbered(self, connection: sa.Connection, bodies: Iterable[bytes]) -> dict[bytes, int]:
        """Returns the number of each text, kept first where it is new."""
        by_hash = {_hash(body): body for body in bodies}
        numbers = known_texts(connection, by_hash)
        # In one order everywhere, or two that save at once could wait for each other for ever.
        new = sorted(by_hash.keys() - numbers.keys())
        if new:
            rows = [{"hash": digest, "body": by_hash[digest]} for digest in new]
            connection.execute(self._insert_new_texts, rows)
            numbers |= known_texts(connection, new)
        return {body: numbers[digest] for digest, body in by_hash.items()}

    # -- reading -------------------------------------------------------------------

    def runs(self) -> list[Run]:
        """Returns all runs, oldest first."""
        with self._database.reading() as connection:
            return runs_where(connection, sa.true())

    def run(self, run_id: int) -> Run:
        """Returns one run."""
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            return runs_where(connection, runs.c.id == run_id)[0]

    def report(self, run_id: int) -> bytes:
        """Returns a run's report, byte for byte as grading wrote it."""
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            body = sa.select(reports.c.body).where(reports.c.run_id == run_id)
            return gzip.decompress(connection.execute(body).scalar_one())

    def cases(self, run_id: int) -> list[RunCase]:
        """Returns the cases of a run in file order."""
        query = (
            sa.select(grades, texts.c.body)
            .join(texts, texts.c.id == grades.c.case_id)
            .where(grades.c.run_id == run_id)
            .order_by(grades.c.line)
        )
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            return [
                RunCase(
                    case_id=row.body.decode(),
                    stratum=STRATA[row.stratum],
                    outcome=OUTCOMES[row.outcome],
                    fixture=row.fixture_id,
                    completion=row.completion_id,
                    line=row.line,
                )
                for row in connection.execute(query)
            ]

    def reviewable(self, run_id: int) -> list[ReviewCase]:
        """Returns the misses of a run and the stretch cases that passed, in file order."""
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            return reviewable(connection, run_id)

    def cases_with(self, run_id: int, phrase: str) -> Iterator[str]:
        """Yields the ids of a run's cases that hold a phrase.

        Looked at are id, prompt, checks, completion and note, folded softly: letter case and
        typography do not matter.
        """
        wanted = soft_fold(phrase)
        columns = (
            grades.c.case_id, grades.c.fixture_id, grades.c.completion_id, grades.c.label_id,
        )  # fmt: skip
        query = sa.select(*columns).where(grades.c.run_id == run_id).order_by(grades.c.line)
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            for some in portions(connection.execute(query).all()):
                bodies = bodies_of(connection, set().union(*map(_texts_in, some)))
                for row in some:
                    case = _kept_case(bodies, row)
                    if any(wanted in soft_fold(part) for part in _searched(case)):
                        yield case.id

    def texts(self, numbers: Collection[int]) -> dict[int, bytes]:
        """Returns the texts of these numbers."""
        with self._database.reading() as connection:
            return bodies_of(connection, numbers)

    def case(self, run_id: int, case_id: str) -> KeptCase:
        """Returns one case of a run with its texts."""
        query = sa.select(grades).where(
            grades.c.run_id == run_id, grades.c.case_id == text_number(case_id)
        )
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            row = connection.execute(query).first()
            if row is None:
                raise NotInHistoryError(f'run {run_id} has no case "{excerpt(case_id)}"')
            return _kept(bodies_of(connection, _texts_in(row)), row)

    def fixtures(self, run_id: int, case_ids: Collection[str]) -> dict[str, HeldCase]:
        """Returns those of the cases that the run holds by id, without their texts."""
        fixtures, completions = texts.alias(), texts.alias()
        with self._database.reading() as connection:
            self._known_run(connection, run_id)
            numbers = known_texts(connection, {_hash(each.encode()) for each in case_ids})
            names = {numbers.get(_hash(each.encode())): each for each in case_ids}
            found: dict[str, HeldCase] = {}
            for some in portions(sorted(numbers.values())):
                query = (
                    sa.select(
                        grades.c.case_id,
                        grades.c.stratum,
                        grades.c.outcome,
                        fixtures.c.hash,
                        completions.c.hash,
                    )
                    .join(fixtures, fixtures.c.id == grades.c.fixture_id)
                    .outerjoin(completions, completions.c.id == grades.c.completion_id)
                    .where(grades.c.run_id == run_id, grades.c.case_id.in_(some))
                )
                for number, stratum, outcome, *hashes in connection.execute(query):
                    fixture, completion = (each and bytes(each).hex() for each in hashes)
                    text = CaseText(names[number], fixture, completion)
                    found[text.case_id] = HeldCase(text, STRATA[stratum], OUTCOMES[outcome])
        return found

    def answers(self, case_id: str, run_ids: Collection[int]) -> dict[int, KeptCase]:
        """Returns one case as it was in each of these runs that holds it."""
        query = sa.select(grades).where(
            grades.c.run_id.in_(run_ids), grades.c.case_id == text_number(case_id)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            bodies = bodies_of(connection, set[int]().union(*map(_texts_in, rows)))
            return {row.run_id: _kept(bodies, row) for row in rows}

    def case_outcomes(self, case_id: str, run_ids: Collection[int]) -> dict[int, Outcome]:
        """Returns what grading one case gave in each of these runs that holds it."""
        query = sa.select(grades.c.run_id, grades.c.outcome).where(
            grades.c.run_id.in_(run_ids), grades.c.case_id == text_number(case_id)
        )
        with self._database.reading() as connection:
            return {run_id: OUTCOMES[number] for run_id, number in connection.execute(query)}

    def outcomes(self, run_ids: Collection[int], stratum: Stratum) -> dict[int, dict[str, Outcome]]:
        """Returns by run and case what grading gave in one stratum."""
        query = sa.select(grades.c.run_id, grades.c.case_id, grades.c.outcome).where(
            grades.c.run_id.in_(run_ids), grades.c.stratum == STRATA.index(stratum)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            names = bodies_of(connection, {row.case_id for row in rows})
            ids = {number: name.decode() for number, name in names.items()}
        found: dict[int, dict[str, Outcome]] = {run_id: {} for run_id in run_ids}
        for run_id, number, outcome in rows:
            found[run_id][ids[number]] = OUTCOMES[outcome]
        return found

    def noise(self, pairs: Iterable[tuple[int, int]]) -> dict[Stratum, Noise]:
        """Counts by stratum how many cases came out otherwise in the second run of each pair.

        Only cases with equal checks that were graded in both runs are compared.
        """
        one, other = grades.alias(), grades.alias()
        differs = sa.case((one.c.outcome != other.c.outcome, 1), else_=0)
        query = (
            sa.select(one.c.stratum, sa.func.sum(differs), sa.func.count())
            .join(
                other,
                sa.and_(one.c.case_id == other.c.case_id, one.c.fixture_id == other.c.fixture_id),
            )
            .where(
                one.c.run_id == sa.bindparam("first"),
                other.c.run_id == sa.bindparam("second"),
                one.c.outcome != _UNANSWERED,
                other.c.outcome != _UNANSWERED,
            )
            .group_by(one.c.stratum)
        )
        flips, compared = [0] * len(STRATA), [0] * len(STRATA)
        with self._database.reading() as connection:
            for first, second in pairs:
                for stratum, changed, n in connection.execute(
                    query, {"first": first, "second": second}
                ):
                    flips[stratum] += int(changed)
                    compared[stratum] += n
        return {
            stratum: Noise(flips=flips[number], pairs=compared[number])
            for number, stratum in enumerate(STRATA)
        }

    def common_sums(self, run_ids: Collection[int]) -> dict[int, dict[Stratum, tuple[int, int]]]:
        """Returns passed and n by run and stratum, on the cases graded alike in all these runs.

        Alike means the same id with the same prompt, stratum and checks.
        """
        mine = sa.and_(grades.c.run_id.in_(run_ids), grades.c.outcome != _UNANSWERED)
        common = (
            sa.select(grades.c.case_id, grades.c.fixture_id)
            .where(mine)
            .group_by(grades.c.case_id, grades.c.fixture_id)
            .having(sa.func.count() == len(run_ids))
            .subquery()
        )
        query = (
            sa.select(
                grades.c.run_id, grades.c.stratum, sa.func.sum(grades.c.outcome), sa.func.count()
            )
            .join(common, common.c.case_id == grades.c.case_id)
            .where(mine)
            .group_by(grades.c.run_id, grades.c.stratum)
        )
        found = {run_id: dict.fromkeys(STRATA, (0, 0)) for run_id in run_ids}
        with self._database.reading() as connection:
            for run_id, stratum, passed, n in connection.execute(query):
                found[run_id][STRATA[stratum]] = (int(passed), n)
        return found

    def _known_run(self, connection: sa.Connection, run_id: int) -> None:
        known = sa.select(sa.exists().where(runs.c.id == run_id))
        if not 0 < run_id <= _MAX_NUMBER or not connection.scalar(known):
            raise NotInHistoryError(
                f"there is no run {run_id} in the history {self.name}; "
                "`evalcore history` lists those that are"
            )


def _hash(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def _texts_in(row: Any) -> set[int]:
    """Returns the numbers of the texts that a grade refers to."""
    return {row.case_id, row.fixture_id, row.completion_id, row.label_id} - {None}


def _kept_case(bodies: Mapping[int, bytes], row: Any) -> Case:
    """Puts a case together from the texts that its grade refers to."""
    label = Label() if row.label_id is None else _decode_label(bodies[row.label_id])
    completion = None if row.completion_id is None else bodies[row.completion_id].decode()
    return msgspec.structs.replace(
        case_of(bodies[row.fixture_id], bodies[row.case_id].decode(), completion),
        **msgspec.structs.asdict(label),
    )


def _kept(bodies: Mapping[int, bytes], row: Any) -> KeptCase:
    """Puts together all that is kept of a case in a run."""
    return KeptCase(
        case=msgspec.structs.replace(_kept_case(bodies, row), line=row.line),
        outcome=OUTCOMES[row.outcome],
        explanation=_decode_explanation(row.explanation) if row.explanation else Explanation(),
    )


def _searched(case: Case) -> Iterator[str]:
    """Yields what a search looks at."""
    yield from (case.id, case.prompt, case.completion or "", case.note or "")
    yield from chain(case.must_include, *case.must_include_any, case.must_not_include)


def _key(report: Report, stamp: Stamp) -> bytes:
    """Returns what makes a run the same run; an example is never one of the team's own."""
    is_example = stamp.source == "example"
    parts = (report.suite.sha256, stamp.config, stamp.model, report.job.name, is_example)
    return hashlib.sha256(_encode(parts)).digest()


def _run_row(recording: Recording, report: Report, stamp: Stamp) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "at": stamp.at or now,
        "saved_at": now,
        "suite": stamp.suite,
        "suite_sha256": report.suite.sha256,
        "instrument_hash": report.suite.instrument_hash,
        "matching": MATCHING,
        "job": _encode(report.job).decode(),
        "config": stamp.config,
        "model": stamp.model,
        "note": stamp.note,
        "source": stamp.source,
        "alerts": _encode(report.alerts).decode(),
        "complete": not any(sums.unanswered for sums in recording.sums().values()),
    }


def _strata_rows(run_id: int, sums: Mapping[Stratum, Sums]) -> list[dict[str, Any]]:
    return [
        {"run_id": run_id, "stratum": number, **msgspec.structs.asdict(sums[stratum])}
        for number, stratum in enumerate(STRATA)
    ]


def _packed(report: Report) -> bytes:
    packed = BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as out:
        report.write(out)  # type: ignore[arg-type]
    return packed.getvalue()


def _texts_of(case: RecordedCase) -> tuple[bytes, bytes, bytes | None, bytes | None]:
    return (
        case.case_id.encode(),
        bytes(case.fixture),
        None if case.completion is None else case.completion.encode(),
        _encode(case.label) if case.label else None,
    )
