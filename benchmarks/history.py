"""Measures a history of many runs on SQLite and PostgreSQL, against a plain table of results."""

import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Protocol

import psycopg
from sqlalchemy.engine import URL, make_url

from benchmarks import plain_history
from benchmarks.past import CASES, ROOT, Graded, Past, case_id, kept, url
from evalcore.case import STRATA
from evalcore.database import URL_VARIABLE
from evalcore.pipeline import compare_runs
from evalcore.store import History
from evalcore.trends import series
from scripts.ensure_postgres import find_postgres
from tests.postgres import Postgres

SAVES = 50
READS = 15
STARTS = 5
HEAD = """\
| history, 1,000 cases a run | runs | ours, SQLite | plain, SQLite | times plain \
| ours, PostgreSQL | times SQLite | wanted |
|---|---|---|---|---|---|---|---|"""
NO_POSTGRES = "No PostgreSQL was measured, because no server was found."
TASKS = {
    "save": ("save a run, ms", 300),
    "trends": ("rates of all runs, ms", 200),
    "case": ("a case in all runs, ms", 50),
    "compare": ("compare two runs, ms", 300),
}


@dataclass(frozen=True)
class Measured:
    """What one kind of history took: seconds by task, in the order measured, and bytes a grade."""

    bytes_with_texts: float
    bytes_without: float | None
    seconds: dict[str, list[float]] = field(default_factory=dict)


class Kind(Protocol):
    """One kind of history."""

    def trends(self, turn: int) -> object: ...
    def case(self, turn: int) -> object: ...
    def compare(self, turn: int) -> object: ...
    def saving(self, number: int, graded: Graded) -> Callable[[], object]:
        """Returns what saves a run, so that only that is measured."""

    def size(self) -> Measured: ...
    def close(self) -> None: ...


class Ours:
    """The history as the program keeps it."""

    def __init__(self, where: URL) -> None:
        self._where = where
        self.history = History(where)

    @cached_property
    def _ids(self) -> list[int]:
        return [run.id for run in self.history.runs()]

    def trends(self, turn: int) -> object:
        runs = self.history.runs()
        return [series(runs, stratum) for stratum in STRATA]

    def case(self, turn: int) -> object:
        return self.history.case_outcomes(case_id(turn), self._ids)

    def compare(self, turn: int) -> object:
        return compare_runs(self.history, *self._ids[-turn - 2 :][:2])

    def saving(self, number: int, graded: Graded) -> Callable[[], object]:
        return lambda: self.history.save(*graded)

    def size(self) -> Measured:
        grades = len(self._ids) * CASES
        whole, texts = _bytes(self._where)
        return Measured(whole / grades, (whole - texts) / grades)

    def close(self) -> None:
        self.history.close()


class Plain:
    """The plain table; it cannot compare two runs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = plain_history.connect(path)

    def trends(self, turn: int) -> object:
        return plain_history.rates(self._connection)

    def case(self, turn: int) -> object:
        return plain_history.case(self._connection, case_id(turn))

    def compare(self, turn: int) -> object:
        return None

    def saving(self, number: int, graded: Graded) -> Callable[[], object]:
        rows = plain_history.rows(number, graded[0])
        return lambda: plain_history.save(self._connection, rows)

    def size(self) -> Measured:
        grades = self._connection.execute("SELECT count(*) FROM results").fetchone()[0]
        return Measured(self._path.stat().st_size / grades, None)

    def close(self) -> None:
        self._connection.close()


def history_lines(sizes: Sequence[int], folder: Path) -> Iterator[str]:
    """Yields the rows of the table, and then what else is to be said."""
    past = Past()
    with _postgres() as server, tempfile.TemporaryDirectory() as copies:
        for runs in sizes:
            files = kept(past, runs, folder)
            ours, plain = (Path(shutil.copy(file, copies)) for file in files)
            kinds: list[Kind] = [Ours(url(ours)), Plain(plain)]
            if server:
                kinds.append(_loaded(past, runs, make_url(server.create_database())))
            yield from _rows(runs, _measured(past, runs, kinds))
    if not server:
        yield "\n" + NO_POSTGRES
    cold = statistics.median(_cold_compare(kept(past, runs, folder)[0]) for _ in range(STARTS))
    yield (
        f"\n`evalcore compare` of two of {runs:,} runs, a process of its own from start to end: "
        f"{cold:.2f} s (median of {STARTS})."
    )


@contextmanager
def _postgres() -> Iterator[Postgres | None]:
    server = Postgres() if find_postgres() else None
    try:
        yield server
    finally:
        if server:
            server.stop()


def _loaded(past: Past, runs: int, where: URL) -> Ours:
    """Returns the past's first runs in a database that was empty."""
    ours = Ours(where)
    for number in range(runs):
        ours.history.save(*past.graded(number))
    return ours


def _measured(past: Past, runs: int, kinds: Sequence[Kind]) -> list[Measured]:
    """Measures all kinds in turn, so that a machine whose speed drifts decides nothing."""
    found = [kind.size() for kind in kinds]
    for task in ("trends", "case", "compare"):
        for turn in range(-1, READS):  # the first does not count: it loads and opens what is needed
            for kind, measured in zip(kinds, found, strict=True):
                took = _seconds(getattr(kind, task), max(turn, 0))
                if turn >= 0:
                    measured.seconds.setdefault(task, []).append(took)
    for number in range(runs, runs + SAVES):
        graded = past.graded(number)
        for kind, measured in zip(kinds, found, strict=True):
            took = _seconds(kind.saving(number, graded))
            measured.seconds.setdefault("save", []).append(took)
    for kind in kinds:
        kind.close()
    return found


def _seconds(action: Callable[..., object], *arguments: object) -> float:
    started = perf_counter()
    action(*arguments)
    return perf_counter() - started


def _rows(runs: int, found: Sequence[Measured]) -> Iterator[str]:
    ours, plain = found[:2]
    postgres = found[2] if len(found) > 2 else None
    for task, (name, most) in TASKS.items():
        # Nothing to compare with: a plain table has no checks and no texts of its own.
        beside = plain if task != "compare" else None
        cells = (
            _time(ours, task),
            _time(beside, task),
            f"**{_times(ours, beside, task)}**" if beside else "–",
            _time(postgres, task),
            _times(postgres, ours, task) if postgres else "–",
        )
        yield f"| {name} | {runs:,} | {' | '.join(cells)} | ≤ {most} |"
    without = f"{postgres.bytes_without:.0f}" if postgres else "–"
    yield (
        f"| bytes a grade, without texts | {runs:,} | {ours.bytes_without:.0f} | – | – "
        f"| {without} | – | < 150 |"
    )
    whole = f"{postgres.bytes_with_texts:.0f}" if postgres else "–"
    ratio = ours.bytes_with_texts / plain.bytes_with_texts
    yield (
        f"| bytes a grade, with texts | {runs:,} | {ours.bytes_with_texts:.0f} "
        f"| {plain.bytes_with_texts:.0f} | **{ratio:.2f}** | {whole} | – | – |"
    )


def _time(measured: Measured | None, task: str) -> str:
    """Says what a task took, at the median and at worst."""
    if measured is None:
        return "–"
    took = [seconds * 1000 for seconds in measured.seconds[task]]
    return f"{statistics.median(took):.1f}, worst {max(took):.0f}"


def _times(one: Measured, other: Measured, task: str) -> str:
    """Says how many times as long one took, by the median of the turns' ratios."""
    pairs = zip(one.seconds[task], other.seconds[task], strict=True)
    return f"{statistics.median(mine / theirs for mine, theirs in pairs):.2f}"


def _bytes(where: URL) -> tuple[int, int]:
    """Returns the bytes of a whole history and those of its texts with their index."""
    if where.drivername == "sqlite":
        return _bytes_of_file(where.database or "")
    address = where.set(drivername="postgresql").render_as_string(hide_password=False)
    sizes = "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND "
    with psycopg.connect(address) as connection:
        found: dict[str, int] = dict(
            connection.execute(sizes + "relnamespace = 'public'::regnamespace").fetchall()
        )
    return sum(found.values()), found["texts"]


def _bytes_of_file(path: str) -> tuple[int, int]:
    """Takes the table away to see what it held, since not every SQLite can tell, and puts it back.

    Connections of other programs see nothing of that.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:

        def pragma(name: str) -> int:
            value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
            return value

        connection.execute("BEGIN IMMEDIATE")
        free = pragma("freelist_count")
        connection.execute("DROP TABLE texts")
        freed = pragma("freelist_count") - free
        connection.execute("ROLLBACK")
        return pragma("page_count") * pragma("page_size"), freed * pragma("page_size")


def _cold_compare(path: Path) -> float:
    """Returns the seconds of a comparison of two runs with a program that was not running."""
    with closing(History(url(path))) as history:
        one, other = (str(run.id) for run in history.runs()[-2:])
    command = (sys.executable, "-m", "evalcore", "compare", one, other)
    environment = os.environ | {URL_VARIABLE: str(path)}
    started = perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    return perf_counter() - started
