"""The PostgreSQL of the tests: databases of one's own, a crash that loses nothing, no remains."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from tests.postgres import Postgres

ROOT = Path(__file__).resolve().parents[2]
# Prints where its server is, and waits to be killed.
HOLDER = """\
from tests.postgres import Postgres
server = Postgres()
print(server.url("postgres"), server._folder, flush=True)
input()
"""


def connect(url):
    address = make_url(url)
    return psycopg.connect(
        f"host={address.host} port={address.port} user={address.username} dbname={address.database}"
    )


def answers(url):
    try:
        connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.stop()


def test_each_database_is_empty_and_goes_when_it_is_dropped(postgres):
    one, other = postgres.create_database(), postgres.create_database()
    with closing(connect(one)) as connection:
        connection.execute("CREATE TABLE mine (n int)")
        connection.commit()
        with closing(connect(other)) as second:
            tables = second.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'mine'")
            assert tables.fetchone() == (0,)
        postgres.drop_database(one)
        postgres.drop_database(other)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    assert not answers(one)


def test_killed_server_comes_back_with_what_was_committed_and_nothing_else(postgres):
    url = postgres.create_database()
    with closing(connect(url)) as connection:
        connection.execute("CREATE TABLE saved (n int)")
        connection.execute("INSERT INTO saved VALUES (1)")
        connection.commit()
        connection.execute("INSERT INTO saved VALUES (2)")
        postgres.kill()
        assert not answers(url)
        with pytest.raises(psycopg.OperationalError):
            connection.commit()
    postgres.restart()
    with closing(connect(url)) as connection:
        assert connection.execute("SELECT n FROM saved").fetchall() == [(1,)]


def test_nothing_stays_behind_when_the_tests_are_killed():
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout
        url, folder = holder.stdout.readline().split()
        assert answers(url)
        assert Path(folder).exists()
        holder.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while Path(folder).exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not os.path.lexists(folder)
    assert not answers(url)
