"""The database of a history: where it is, how it is opened and brought up to date, and its faults.

SQLite in `.evalcore/history.db` unless the environment's EVAL_HISTORY_URL names another file or a
PostgreSQL.
"""

import re
import sqlite3
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from gzip import BadGzipFile
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from msgspec import DecodeError
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from evalcore.errors import HistoryError
from evalcore.excerpt import excerpt

DEFAULT_FILE = ".evalcore/history.db"
URL_VARIABLE = "EVAL_HISTORY_URL"
SCHEMA = "0002"
"""The newest step in `migrations`."""
BUSY_SECONDS = 15
_ASKED_AT_ONCE = 500
_CONNECT_SECONDS = 10
_WRITERS = 0x6865_6164  # any number, the same in every program that writes a history
_Item = TypeVar("_Item")
_REVISION = re.compile("[0-9]{4}")
_FORMS = "a file, sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME"
_BUSY = "another program holds it; nothing was changed, try again"
_READ_ONLY = "it cannot be written; nothing was changed, check the permissions there"
_DAMAGED = "it is damaged; move it away and put a copy from before in its place"
_FULL = "the disk is full; nothing was changed, make room and try again"
# By how SQLite's names and PostgreSQL's numbers of errors begin.
_FAULTS = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_CANTOPEN": "it cannot be opened; check the path, the folder and their permissions",
    "SQLITE_NOTADB": "the file is no history; name another one, or move it away to begin anew",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": "the disk does not answer as it should; nothing was changed, check the disk",
    "SQLITE_PERM": "it may not be opened; check the file's permissions",
    "25006": _READ_ONLY,
    "42501": _READ_ONLY,
    "53100": _FULL,
    "55P03": _BUSY,
}


def history_url(environment: Mapping[str, str]) -> URL:
    """Returns where the history is.

    Raises:
        HistoryError: EVAL_HISTORY_URL is neither a file nor the URL of a database known here.
    """
    given = environment.get(URL_VARIABLE, "").strip()
    if "://" not in given:
        return _file_url(given or DEFAULT_FILE)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        # The text may hold a password, so it is not shown.
        raise HistoryError(f"{URL_VARIABLE} cannot be read as a URL; give {_FORMS}") from None
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite":
        if url.query:
            found = excerpt(next(iter(url.query)), 40)
            raise HistoryError(f"{URL_VARIABLE}: a file takes no options (found {found})")
        return _file_url("" if url.host else url.database or "")
    if kind not in ("postgres", "postgresql"):
        found = excerpt(url.drivername, 40)
        raise HistoryError(f"{URL_VARIABLE} names {found}, which holds no history; give {_FORMS}")
    if given.count("@") > 1:  # a part of the password would pass for the host, and be shown
        raise HistoryError(
            f'{URL_VARIABLE} holds more than one "@"; write one in a password as %40'
        )
    return url.set(drivername="postgresql+psycopg")


def _file_url(path: str) -> URL:
    if not path or "\0" in path or path == ":memory:":
        raise HistoryError(f"{URL_VARIABLE} names no file; give {_FORMS}")
    return URL.create("sqlite", database=path)


def exists(url: URL) -> bool:
    """Tells whether there may be a history: a file with something in it, or any PostgreSQL."""
    if url.drivername != "sqlite":
        return True
    try:
        return Path(url.database or "").stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError:
        return True  # opening it says what is wrong


def shown(url: URL) -> str:
    """Names the history for people, without its password, which may be among the options too."""
    if url.drivername == "sqlite":
        return excerpt(url.database or "", 200)
    return excerpt(url.set(query={}).render_as_string(hide_password=True), 200)


def portions(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Yields the items some hundred at a time, since databases limit what one statement takes."""
    for start in range(0, len(items), _ASKED_AT_ONCE):
        yield items[start : start + _ASKED_AT_ONCE]


class Database:
    """Holds the connections of one history and gives out its transactions."""

    def __init__(self, url: URL) -> None:
        """Opens the database, makes it where there is none, and brings its tables up to date.

        Raises:
            HistoryError: it cannot be opened, is no history, or was written by a newer version.
        """
        self.name = shown(url)
        self._engine = _engine(url)
        weakref.finalize(self, self._engine.dispose)
        # PostgreSQL would show each statement of a transaction another moment.
        moment = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._reader = self._engine.execution_options(**moment)
        try:
            if self.is_sqlite:
                with self.plain_faults():
                    Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
            with self.reading() as connection:
                found = self._schema_of(connection)
            if found != SCHEMA:
                self._migrate()
        except BaseException:
            self.close()
            raise

    @property
    def is_sqlite(self) -> bool:
        """Tells SQLite from PostgreSQL."""
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yields a connection that sees the history at one moment."""
        with self.plain_faults(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def writing(self, patience: float | None = None) -> Iterator[sa.Connection]:
        """Yields a connection whose changes all come to be at its end, or none of them.

        One transaction writes at a time: it is SQLite's way, and two that save the same texts in
        different orders would wait for each other for ever. `patience` is how many seconds it
        waits for another one, BUSY_SECONDS unless given.
        """
        patience = BUSY_SECONDS if patience is None else patience
        writer = self._engine.execution_options(writes=True, patience=patience)
        with self.plain_faults(), writer.begin() as connection:
            if not self.is_sqlite:
                connection.execute(sa.text(f"SET LOCAL lock_timeout = '{patience}s'"))
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_WRITERS)))
            yield connection

    def close(self) -> None:
        """Lets the connections go."""
        self._engine.dispose()

    @contextmanager
    def plain_faults(self) -> Iterator[None]:
        """Turns the database's faults into words for people.

        Raises:
            HistoryError: something within raised a fault of the database, or could not read what it
                holds.
        """
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            raise HistoryError(f"history {self.name}: {_fault(error)}") from error
        except PoolTimeout as error:
            raise HistoryError(f"history {self.name}: {_BUSY}") from error
        except (zlib.error, EOFError, BadGzipFile, DecodeError, UnicodeDecodeError) as error:
            raise HistoryError(f"history {self.name}: {_DAMAGED}") from error
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise HistoryError(
                f"history {self.name}: {reason}; check the path and its permissions"
            ) from error

    def _schema_of(self, connection: sa.Connection) -> str | None:
        """Returns the step that the tables are at, or None where there is no table."""
        tables = set(sa.inspect(connection).get_table_names())
        if not tables:
            return None
        version = ""
        if {"alembic_version", "runs"} <= tables:
            version = connection.scalar(sa.text("SELECT version_num FROM alembic_version")) or ""
        if not _REVISION.fullmatch(version):
            raise HistoryError(
                f"history {self.name}: the database holds the tables of another program; "
                "name another one"
            )
        if version > SCHEMA:
            raise HistoryError(
                f"history {self.name}: written by a newer version of this program (schema "
                f"{version}, this one knows up to {SCHEMA}); update evalcore"
            )
        return version

    def _migrate(self) -> None:
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", "evalcore:migrations")
        if self.is_sqlite:
            with self.plain_faults(), closing(self._engine.raw_connection()) as raw:
                # The mode cannot change in a transaction.
                raw.cursor().execute("PRAGMA journal_mode = WAL")
        with self.writing() as connection:
            if self._schema_of(connection) != SCHEMA:  # another program may have been faster
                config.attributes["connection"] = connection
                command.upgrade(config, "head")


def _engine(url: URL) -> sa.Engine:
    if url.drivername != "sqlite":
        return sa.create_engine(
            url,
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": _CONNECT_SECONDS,
                # In milliseconds, for a network that died.
                "tcp_user_timeout": int(2000 * BUSY_SECONDS),
            },
        )
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    sa.event.listen(engine, "connect", _prepare)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    # Python's own way of beginning transactions lets two readers block each other as writers.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: sa.Connection) -> None:
    options = connection.get_execution_options()
    patience = options.get("patience", BUSY_SECONDS)
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {1000 * patience:.0f}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")


def _fault(error: DBAPIError | sqlite3.Error) -> str:
    """Says what went wrong and what to do; never shows a statement or its values."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    for beginning, words in _FAULTS.items():
        if code.startswith(beginning):
            return words
    lines = [line.strip() for line in str(cause).splitlines()] or [type(cause).__name__]
    lost = isinstance(error, DBAPIError) and (
        error.connection_invalidated or isinstance(error, OperationalError)
    )
    if isinstance(cause, sqlite3.Error) or not lost:
        return f"{excerpt(lines[0], 160)}; nothing was changed"
    return (
        f"the database does not answer ({excerpt('; '.join(lines), 300)}); see that it runs and "
        f"that {URL_VARIABLE} names it, then try again: what was kept already is kept once"
    )
