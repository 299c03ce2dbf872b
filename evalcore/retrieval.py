"""What is read from the history's tables on one connection, as the records that it stands for."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from evalcore.alerts import AlertKind
from evalcore.case import STRATA, Stratum
from evalcore.errors import NotInHistoryError
from evalcore.report import JobStamp
from evalcore.run import Exclusion, Run, Sums
from evalcore.tables import exclusions, runs, strata, texts

_ASKED_AT_ONCE = 500
_Item = TypeVar("_Item")

_decode_job = msgspec.json.Decoder(JobStamp).decode
_decode_alerts = msgspec.json.Decoder(tuple[AlertKind, ...]).decode


def portions(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Yields the items some hundred at a time, since databases limit what one statement takes."""
    for start in range(0, len(items), _ASKED_AT_ONCE):
        yield items[start : start + _ASKED_AT_ONCE]


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
