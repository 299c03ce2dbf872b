"""Small suites and the shortest way to keep them, for tests of the history."""

import json
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

import sqlalchemy as sa

from evalcore.entry import CaseText
from evalcore.job import Job
from evalcore.pipeline import grade_suite
from evalcore.recording import Recording
from evalcore.report import Report
from evalcore.stamp import Stamp
from evalcore.store import History, Saved


def row(case_id: str, stratum: str = "easy", *, passes: bool = True, **more: Any) -> dict[str, Any]:
    completion = "here it is" if passes else "nothing"
    checks = {"must_include": ["it is"], "completion": completion}
    return {"id": case_id, "stratum": stratum, "prompt": "Say it."} | checks | more


def suite(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def many(n: int, *, mark: str = "") -> bytes:
    """Returns a suite of n cases over all strata, a third of which fail; `mark` makes it unique."""
    strata = ("easy", "medium", "stretch")
    return suite(
        row(f"case-{k}", strata[k % 3], passes=bool(k % 4), note=f"{mark}{k}") for k in range(n)
    )


def stamp(config: str = "v1", **more: Any) -> Stamp:
    return Stamp(**{"config": config, "suite": "desk", "source": "upload"} | more)


def graded(
    data: bytes, unanswered: Mapping[str, str] | None = None, job: Job | None = None
) -> tuple[Recording, Report]:
    recording = Recording()
    report = grade_suite(BytesIO(data), recording=recording, unanswered=unanswered or {}, job=job)
    return recording, report


def keep(
    history: History,
    data: bytes,
    config: str = "v1",
    *,
    unanswered: Mapping[str, str] | None = None,
    job: Job | None = None,
    again: bool = False,
    **more: Any,
) -> Saved:
    return history.save(*graded(data, unanswered, job), stamp(config, **more), again=again)


def texts_of(history: History, run_id: int) -> dict[str, CaseText]:
    """Returns by id what a verdict on each case of a run would be on."""
    ids = [case.case_id for case in history.cases(run_id)]
    return {case_id: held.text for case_id, held in history.fixtures(run_id, ids).items()}


def counts(history: History) -> dict[str, int]:
    """Counts the rows of each table."""
    with history._database.reading() as connection:
        tables = sa.inspect(connection).get_table_names()
        return {
            name: connection.scalar(sa.select(sa.func.count()).select_from(sa.table(name))) or 0
            for name in tables
            if name != "alembic_version"
        }
