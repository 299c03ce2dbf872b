"""What is read from the history's tables on one connection, as the records that it stands for."""

import hashlib
from collections.abc import Collection
from typing import Any

import msgspec
import sqlalchemy as sa

from evalcore.alerts import AlertKind
from evalcore.case import STRATA, MarkKind, ReasonKind, Stratum
from evalcore.database import portions
from evalcore.errors import NotInHistoryError
from evalcore.report import JobStamp
from evalcore.review.queue import ReviewCase
from evalcore.run import OUTCOMES, Exclusion, Run, Sums
from evalcore.tables import exclusions, grades, runs, strata, texts

_decode_job = msgspec.json.Decoder(JobStamp).decode
_decode_alerts = msgspec.json.Decoder(tuple[AlertKind, ...]).decode


def known_texts(connection: sa.Connection, hashes: Collection[bytes]) -> dict[bytes, int]:
    """Returns the number of each hash whose text is kept."""
    numbers: dict[bytes, int] = {}
    for some in portions(list(hashes)):
        query = sa.select(texts.c.hash, texts.c.id).where(texts.c.hash.in_(some))
        numbers.update((bytes(digest), number) for digest, number in connection.execute(query))
    return numbers


def bodies_of(connection: sa.Connection, numbers: Collection[int]) -> dict[int, bytes]:
    """Returns the texts of these numbers.

    Raises:
        NotInHistoryError: one of them is not kept any more.
    """
    bodies: dict[int, bytes] = {}
    for some in portions(list(numbers)):
        query = sa.select(texts.c.id, texts.c.body).where(texts.c.id.in_(some))
        bodies.update((number, bytes(body)) for number, body in connection.execute(query))
    if len(bodies) < len(set(numbers)):
        raise NotInHistoryError("a text is gone, so its run was removed meanwhile; choose another")
    return bodies


def text_number(case_id: str) -> sa.ScalarSelect[int]:
    """Returns what looks up the number of a case's id."""
    digest = hashlib.sha256(case_id.encode("utf-8", "surrogatepass")).digest()
    return sa.select(texts.c.id).where(texts.c.hash == digest).scalar_subquery()


def runs_where(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> list[Run]:
    """Returns the runs that the condition holds for, oldest first."""
    chosen = sa.select(runs.c.id).where(condition)
    sums: dict[int, dict[Stratum, Sums]] = {}
    for row in connection.execute(sa.select(strata).where(strata.c.run_id.in_(chosen))):
        sums.setdefault(row.run_id, {})[STRATA[row.stratum]] = Sums(
            passed=row.passed,
            n=row.n,
            unanswered=row.unanswered,
            instrument_hash=row.instrument_hash,
        )
    excluded = _exclusions(connection, chosen)
    rows = connection.execute(sa.select(runs).where(condition).order_by(runs.c.at, runs.c.id))
    return [_run(row, sums[row.id], excluded.get(row.id)) for row in rows]


class _Kind(msgspec.Struct, gc=False):
    """Is what a queue needs of a reason."""

    kind: ReasonKind


class _MarkedKind(msgspec.Struct, gc=False):
    """Is what a queue needs of a mark."""

    kind: MarkKind


class _Gist(msgspec.Struct, gc=False):
    """Is what a queue needs of an explanation."""

    reasons: tuple[_Kind, ...] = ()
    marks: tuple[_MarkedKind, ...] = ()


class _Tags(msgspec.Struct, gc=False):
    """Is what a queue needs of a label."""

    tags: tuple[str, ...] = ()


_decode_gist = msgspec.json.Decoder(_Gist).decode
_decode_tags = msgspec.json.Decoder(_Tags).decode
_FAILED, _PASSED = OUTCOMES.index("failed"), OUTCOMES.index("passed")


def reviewable(connection: sa.Connection, run_id: int) -> list[ReviewCase]:
    """Returns the misses of a run and the stretch cases that passed, in file order."""
    names, fixtures, completions, labels = (texts.alias() for _ in range(4))
    is_stretch = grades.c.stratum == STRATA.index("stretch")
    query = (
        sa.select(
            names.c.body,
            grades.c.stratum,
            grades.c.outcome,
            grades.c.explanation,
            labels.c.body,
            fixtures.c.hash,
            completions.c.hash,
        )
        .join(names, names.c.id == grades.c.case_id)
        .join(fixtures, fixtures.c.id == grades.c.fixture_id)
        .outerjoin(completions, completions.c.id == grades.c.completion_id)
        .outerjoin(labels, labels.c.id == grades.c.label_id)
        .where(
            grades.c.run_id == run_id,
            sa.or_(
                grades.c.outcome == _FAILED,
                sa.and_(is_stretch, grades.c.outcome == _PASSED),
            ),
        )
        .order_by(grades.c.line)
    )
    return [_review_case(*row) for row in connection.execute(query)]


def _review_case(
    name: bytes,
    stratum: int,
    outcome: int,
    explanation: bytes | None,
    label: bytes | None,
    fixture: bytes,
    completion: bytes | None,
) -> ReviewCase:
    gist = _decode_gist(explanation) if explanation else _Gist()
    return ReviewCase(
        case_id=bytes(name).decode(),
        stratum=STRATA[stratum],
        outcome=OUTCOMES[outcome],
        reasons=tuple(dict.fromkeys(reason.kind for reason in gist.reasons)),
        near_miss=any(mark.kind == "near_miss" for mark in gist.marks),
        tags=_decode_tags(label).tags if label else (),
        fixture=bytes(fixture),
        completion=None if completion is None else bytes(completion),
    )


def _run(row: Any, sums: dict[Stratum, Sums], exclusion: Exclusion | None) -> Run:
    return Run(
        id=row.id,
        at=row.at,
        suite=row.suite,
        suite_sha256=row.suite_sha256,
        instrument_hash=row.instrument_hash,
        matching=row.matching,
        job=_decode_job(row.job),
        config=row.config,
        model=row.model,
        note=row.note,
        source=row.source,
        repeat=row.repeat,
        alerts=_decode_alerts(row.alerts),
        strata=sums,
        exclusion=exclusion,
    )


def _exclusions(connection: sa.Connection, chosen: Any) -> dict[int, Exclusion]:
    """Returns the exclusions that hold: of each run the newest entry, unless it takes one back."""
    query = sa.select(exclusions).where(exclusions.c.run_id.in_(chosen)).order_by(exclusions.c.id)
    newest = {row.run_id: row for row in connection.execute(query)}
    return {
        run_id: Exclusion(at=row.at, who=row.who, why=row.why)
        for run_id, row in newest.items()
        if row.excluded
    }
