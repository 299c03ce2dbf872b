"""The baseline: the history that anyone would write, one table of results without any reasons."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from evalcore.recording import Recording

Row = tuple[int, str, str, bool, str]

TABLE = """\
CREATE TABLE IF NOT EXISTS results (
    run INTEGER, case_id TEXT, stratum TEXT, passed INTEGER, completion TEXT,
    PRIMARY KEY (run, case_id)
)"""
SAVE = "INSERT INTO results VALUES (?, ?, ?, ?, ?)"
RATES = "SELECT run, stratum, sum(passed), count(*) FROM results GROUP BY run, stratum"
CASE = "SELECT run, passed FROM results WHERE case_id = ?"


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute(TABLE)
    return connection


def rows(run: int, recording: Recording) -> list[Row]:
    return [
        (run, case.case_id, case.stratum, case.outcome == "passed", case.completion or "")
        for batch in recording.batches()
        for case in batch
    ]


def save(connection: sqlite3.Connection, some: Iterable[Row]) -> None:
    with connection:
        connection.executemany(SAVE, some)


def rates(connection: sqlite3.Connection) -> list[tuple[int, str, int, int]]:
    return connection.execute(RATES).fetchall()


def case(connection: sqlite3.Connection, case_id: str) -> list[tuple[int, int]]:
    return connection.execute(CASE, (case_id,)).fetchall()
