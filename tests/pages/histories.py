"""Histories made to measure, for pages without and with a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from evalcore.archive import read_index
from evalcore.job import Job, parse_job, read_job
from evalcore.pipeline import import_past
from evalcore.store import History
from evalcore.tables import reports, runs, strata
from tests.evalcore.keeping import keep
from tests.pages.suites import counted

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "history"
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


@contextmanager
def history_at(file: Path) -> Iterator[History]:
    """Holds the history of a file as another program would."""
    opened = History(make_url(f"sqlite:///{file}"))
    try:
        yield opened
    finally:
        opened.close()


def example_at(file: Path) -> Path:
    """Makes a history of the example and returns its file."""
    with history_at(file) as opened:
        load_example(opened)
    return file


def full_at(file: Path) -> Path:
    """Makes a history of runs that each show something, and returns its file.

    Runs 1 to 15 are the example; 16 to 18 of the job "unfinished" end with one that lacks an
    answer and one that is excluded; 19 to 23 of "gap" lack the stretch cases in their middle;
    24 and on of "many" are 1,700.
    """
    suite = counted(easy=(5, 5), medium=(18, 20), stretch=(9, 20))
    with history_at(file) as opened:
        load_example(opened)
        for number, config in enumerate(("v1", "v2", "v3")):
            lacking = {"stretch-3": "timed out"} if config == "v2" else {}
            at = day(number - 500)
            job = named("unfinished")
            last = keep(opened, suite, config, job=job, at=at, unanswered=lacking).run_id
        opened.exclude(last, who="Ada", why="the wrong prompt file")
        for number in range(5):
            data = counted(easy=(5, 5), medium=(18, 20)) if number == 2 else suite
            keep(opened, data, f"v{number}", job=named("gap"), at=day(number - 490))
        many = keep(opened, suite, "v1", job=named("many"), at=day(-400)).run_id
        multiply(opened, many, 1_699)
    return file


def named(name: str) -> Job:
    """Returns a job with the default thresholds."""
    return parse_job(f"[job]\nname = '{name}'\n".encode(), "evalcore.toml")


def load_example(history: History) -> None:
    """Loads the example as the page does, runs 1 to 15 in an empty history."""
    job = read_job(EXAMPLE / "evalcore.toml")
    entries = read_index(EXAMPLE / "index.csv")
    for imported in import_past(history, entries, source="example", job=job):
        assert imported.saved, imported.refusal


def multiply(history: History, run_id: int, times: int) -> None:
    """Adds copies of a run's counts, each an hour older than the last and with its own config.

    They have no cases, which trends do not ask for: a thousand such runs take no time.
    """
    with history._database.writing() as connection:
        run = dict(connection.execute(sa.select(runs).where(runs.c.id == run_id)).mappings().one())
        sums = connection.execute(sa.select(strata).where(strata.c.run_id == run_id)).mappings()
        report = connection.execute(sa.select(reports).where(reports.c.run_id == run_id)).mappings()
        first = run_id + 1
        copies = [
            run
            | {
                "id": first + number,
                "key": number.to_bytes(32),
                "config": f"version {number}",
                "at": run["at"] - timedelta(hours=times - number),
            }
            for number in range(times)
        ]
        connection.execute(sa.insert(runs), copies)
        for table, rows in ((strata, list(sums)), (reports, list(report))):
            connection.execute(
                sa.insert(table), [{**row, "run_id": copy["id"]} for copy in copies for row in rows]
            )
