"""A real PostgreSQL server, run as a process on loopback in a folder of its own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

from scripts.ensure_postgres import HELP, find_postgres

START_SECONDS = 60
STOP_SECONDS = 30
SUPERUSER = "headroom"
# No connection of Unix's own, whose path may be too long; nothing waits for a disk. A commit is
# still written before it is acknowledged, so that `kill` loses none.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "32MB",
    "unix_socket_directories": "",
}
# Waits for the end of its input, which comes with `stop` or with the tests, however those end.
GUARD = 'cat >/dev/null; "$1/pg_ctl" stop -D "$2/data" -m immediate >/dev/null 2>&1; rm -rf "$2"'


class Postgres:
    """Runs a server from start to `stop`, whose databases go with it; without one the test fails.

    A guard process ends the server and removes its folder even when the tests are killed.
    """

    def __init__(self) -> None:
        programs = find_postgres()
        if programs is None:
            pytest.fail(HELP, pytrace=False)
        self._programs = programs
        self._port = _free_port()
        self._names = (f"test_{number}" for number in count(1))
        self._account = _account()
        self._folder = Path(tempfile.mkdtemp(prefix="headroom-postgres-"))
        if self._account:
            shutil.chown(self._folder, self._account["user"], self._account["group"])
        self._server: subprocess.Popen[bytes] | None = None
        self._guard = self._start(
            "sh", "-c", GUARD, "sh", str(programs), str(self._folder), stdin=subprocess.PIPE
        )
        try:
            self._create_cluster()
            self.restart()
        except BaseException:
            self.stop()
            raise

    def url(self, database: str) -> str:
        """Returns SQLAlchemy's address of a database."""
        return f"postgresql+psycopg://{SUPERUSER}@127.0.0.1:{self._port}/{database}"

    def create_database(self) -> str:
        """Creates an empty database and returns its address."""
        name = next(self._names)
        self._execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Removes a database that `create_database` made, whoever is still connected."""
        self._execute(f"DROP DATABASE {make_url(url).database} WITH (FORCE)")

    def kill(self) -> None:
        """Ends the server at once, as a crash would: no transaction in progress is finished."""
        assert self._server, "the server has not been started"
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(STOP_SECONDS)

    def restart(self) -> None:
        """Starts the server again after `kill`, at the same address and with the same data."""
        settings = SETTINGS | {"port": str(self._port)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self._server = self._start(*self._program("postgres"), *options)
        self._wait_until_ready(self._server)

    def stop(self) -> None:
        """Ends the server and removes its folder; a second time it does nothing."""
        if self._guard.stdin:
            self._guard.stdin.close()
        self._guard.wait(STOP_SECONDS)
        if self._server:
            self._server.wait(STOP_SECONDS)

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def _program(self, name: str) -> tuple[str, ...]:
        return (str(self._programs / name), "-D", str(self._folder / "data"))

    def _create_cluster(self) -> None:
        options = f"-U {SUPERUSER} -A trust -E UTF8 --locale=C --no-sync".split()
        if self._start(*self._program("initdb"), *options).wait(START_SECONDS):
            raise RuntimeError(f"No database cluster could be made:\n{self._log.read_text()}")

    def _start(self, *command: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Starts a program out of reach of a Ctrl-C, which is meant for the tests."""
        with self._log.open("ab") as output:
            return subprocess.Popen(
                command,
                cwd=self._folder,
                env=_clean_environment(),
                stdin=stdin,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **self._account,
            )

    def _wait_until_ready(self, server: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and server.poll() is None:
            try:
                self._execute("SELECT 1")
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return
        raise RuntimeError(f"The PostgreSQL server did not start:\n{self._log.read_text()}")

    def _execute(self, statement: str) -> None:
        address = f"host=127.0.0.1 port={self._port} user={SUPERUSER} dbname=postgres"
        with psycopg.connect(address, autocommit=True, connect_timeout=5) as connection:
            connection.execute(statement.encode())


def _account() -> dict[str, Any]:
    """Returns whom to run as: PostgreSQL refuses root, and everybody else runs it themselves."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": ()}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _clean_environment() -> Mapping[str, str]:
    """Drops settings of the person's own for PostgreSQL, and takes messages in English."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {"LC_ALL": "C"}
