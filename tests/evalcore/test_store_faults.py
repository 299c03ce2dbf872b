"""What can go wrong around a history: a plain message, nothing lost, and it works on afterwards."""

import os
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

from evalcore import database
from evalcore.case import STRATA
from evalcore.errors import HistoryError
from evalcore.report import read_report
from evalcore.store import History
from tests.evalcore.keeping import counts, keep, many

ROOT = Path(__file__).parents[2]
NOBODY = 65534
USED_TEXTS = " UNION ".join(
    f"SELECT {column} FROM grades"
    for column in ("case_id", "fixture_id", "completion_id", "label_id")
)
BUSY = "another program holds it; nothing was changed, try again"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)


@contextmanager
def refusal():
    """Expects a plain message, and gives it away."""
    said: list[str] = []
    with pytest.raises(HistoryError) as caught:
        yield said
    said.append(str(caught.value))
    assert len(said[0]) < 700
    assert said[0].isprintable()
    assert not any(
        word in said[0] for word in ("Traceback", "sqlalche.me", "[SQL", "psycopg.", "sqlite3.")
    )


def check_whole(history: History) -> None:
    """Checks that each run is there with all its parts."""
    runs = history.runs()
    assert len({run.id for run in runs}) == len(runs)
    for run in runs:
        cases = history.cases(run.id)
        counted = Counter((case.stratum, case.outcome) for case in cases)
        report = read_report(history.report(run.id))
        assert report.suite.sha256 == run.suite_sha256
        for stratum in STRATA:
            passed, failed, unanswered = (
                counted[stratum, outcome] for outcome in ("passed", "failed", "unanswered")
            )
            sums = run.strata[stratum]
            assert (sums.passed, sums.n, sums.unanswered) == (passed, passed + failed, unanswered)
            assert report.rates[stratum].n == sums.n
    rows = counts(history)
    assert (rows["strata"], rows["reports"]) == (3 * len(runs), len(runs))
    with history._database.reading() as connection:
        kept = set(connection.execute(sa.text("SELECT id FROM texts")).scalars())
        used = set(connection.execute(sa.text(USED_TEXTS)).scalars()) - {None}
    assert kept == used


# -- locked --------------------------------------------------------------------


def test_a_history_that_another_program_writes_is_told_and_read_meanwhile(history_url, impatient):
    history, other = History(history_url), History(history_url)
    run_id = keep(history, many(5)).run_id
    with other._database.writing():
        for write in (
            lambda: keep(history, many(6)),
            lambda: history.exclude(run_id, who="ann", why="w"),
            history.remove_examples,
        ):
            with refusal() as said:
                write()
            assert said == [f"history {history.name}: {BUSY}"]
        assert len(history.runs()) == 1
        opened = History(history_url)
        assert len(opened.cases(run_id)) == 5
        opened.close()
    assert keep(history, many(6)).new
    check_whole(history)
    history.close()
    other.close()


HOLDER = """\
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA locking_mode = EXCLUSIVE")
connection.execute("BEGIN EXCLUSIVE")
connection.execute("CREATE TABLE IF NOT EXISTS texts (n)")
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def held_by_another_process(file: Path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        yield
        holder.kill()


def test_a_file_that_another_process_has_for_itself_is_told(sqlite_url, impatient):
    history = History(sqlite_url)
    keep(history, many(5))
    history.close()
    with held_by_another_process(Path(sqlite_url.database)):
        for ask in (
            lambda: History(sqlite_url),
            history.runs,
            lambda: history.report(1),
            lambda: keep(history, many(6)),
        ):
            with refusal() as said:
                ask()
            assert said == [f"history {history.name}: {BUSY}"]
    assert keep(history, many(6)).new
    check_whole(history)
    history.close()


def test_a_blank_file_that_another_process_has_for_itself_is_told(sqlite_url, impatient):
    with held_by_another_process(Path(sqlite_url.database)), refusal() as said:
        History(sqlite_url)
    assert said == [f"history {sqlite_url.database}: {BUSY}"]
    History(sqlite_url).close()


# -- permissions ---------------------------------------------------------------


@contextmanager
def as_somebody():
    """Acts as a user whom permissions bind; root is bound by none."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def their_folder():
    """A folder of that user, in a place that everybody may enter."""
    folder = Path(tempfile.mkdtemp(prefix="headroom-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def file_url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def test_a_file_that_may_not_be_written_is_read_and_told(their_folder):
    url = file_url(their_folder / "history.db")
    with as_somebody():
        history = History(url)
        keep(history, many(5))
        history.close()
        (their_folder / "history.db").chmod(0o444)
        history = History(url)
        assert len(history.runs()) == 1
        for write in (
            lambda: keep(history, many(6)),
            lambda: history.exclude(1, who="ann", why="w"),
            history.remove_examples,
        ):
            with refusal() as said:
                write()
            assert said == [
                f"history {url.database}: it cannot be written; nothing was changed, check the "
                "permissions there"
            ]
        history.close()
        for file in their_folder.iterdir():  # SQLite's own files beside it are like it
            file.chmod(0o644)
        assert keep(history, many(6)).new
        check_whole(history)
        history.close()


def test_a_folder_that_may_not_be_written_is_told_and_its_history_is_kept(their_folder):
    url = file_url(their_folder / "history.db")
    with as_somebody():
        history = History(url)
        keep(history, many(5))
        history.close()
        their_folder.chmod(0o555)
        for ask in (lambda: History(url), history.runs, lambda: keep(history, many(6))):
            with refusal() as said:
                ask()
            assert said[0] in {
                f"history {url.database}: it cannot be opened; check the path, the folder and "
                "their permissions",
                f"history {url.database}: it cannot be written; nothing was changed, check the "
                "permissions there",
            }
        with refusal() as said:
            History(file_url(their_folder / "another.db"))
        assert "another.db: it cannot be opened; check the path" in said[0]
        with refusal() as said:
            History(file_url(their_folder / "new" / "history.db"))
        assert said[0].endswith("Permission denied; check the path and its permissions")
        their_folder.chmod(0o755)
        assert keep(history, many(6)).new
        assert len(history.runs()) == 2
        history.close()
        assert os.listdir(their_folder) == ["history.db"]  # noqa: PTH208


def test_a_file_that_may_not_be_read_is_told(their_folder):
    with as_somebody():
        (their_folder / "history.db").touch(mode=0o000)
        with refusal() as said:
            History(file_url(their_folder / "history.db"))
    assert said[0].endswith("it cannot be opened; check the path, the folder and their permissions")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (".", "it cannot be opened; check the path, the folder and their permissions"),
        ("a-file/history.db", "; check the path and its permissions"),
        ("a-file/below/history.db", "; check the path and its permissions"),
        ("x" * 300, "it cannot be opened; check the path, the folder and their permissions"),
        ("x" * 300 + "/history.db", "File name too long; check the path and its permissions"),
        ("/dev/null", "; "),
    ],
)
def test_a_path_that_can_hold_no_history_is_told(tmp_path, path, words):
    (tmp_path / "a-file").touch()
    with refusal() as said:
        History(file_url(tmp_path / path))
    assert said[0].startswith("history /")
    assert words in said[0]


# -- damage --------------------------------------------------------------------


def test_an_empty_file_becomes_a_history(sqlite_url):
    Path(sqlite_url.database).touch()
    history = History(sqlite_url)
    assert keep(history, many(3)).new
    history.close()


@pytest.mark.parametrize(
    "content",
    [
        b"no database at all, but words" * 100,
        b"xy",
        b"\0" * 8192,
        random.Random(1).randbytes(20_000),
        many(50),
        b"SQLite format 3\0" + b"\0" * 5000,
        b"SQLite format 3\0" + random.Random(2).randbytes(8192),
    ],
    ids=["words", "two bytes", "zeros", "noise", "suite", "head and zeros", "head and noise"],
)
def test_a_file_that_is_no_database_is_told_and_left_alone(sqlite_url, content):
    file = Path(sqlite_url.database)
    file.write_bytes(content)
    with refusal() as said:
        History(sqlite_url)
    assert said[0] in {
        f"history {file}: the file is no history; name another one, or move it away to begin anew",
        f"history {file}: it is damaged; move it away and put a copy from before in its place",
    }
    assert file.read_bytes() == content


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    """The bytes of a history with two runs."""
    file = tmp_path_factory.mktemp("intact") / "history.db"
    history = History(file_url(file))
    keep(history, many(400))
    keep(history, many(400, mark="b"), "v2")
    history.close()
    return file.read_bytes()


@pytest.mark.parametrize("part", [0.00001, 0.001, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_truncated_file_is_told_and_left_alone(sqlite_url, intact, part):
    file = Path(sqlite_url.database)
    file.write_bytes(intact[: max(2, int(len(intact) * part))])
    with refusal() as said:
        History(sqlite_url)
    assert said[0] in {
        f"history {file}: the file is no history; name another one, or move it away to begin anew",
        f"history {file}: it is damaged; move it away and put a copy from before in its place",
    }
    assert file.read_bytes() == intact[: max(2, int(len(intact) * part))]
    file.write_bytes(intact)
    history = History(sqlite_url)
    assert len(history.runs()) == 2
    history.close()


def test_a_file_that_is_truncated_while_it_is_open_is_told(sqlite_url, intact):
    file = Path(sqlite_url.database)
    file.write_bytes(intact)
    history = History(sqlite_url)
    file.write_bytes(intact[: len(intact) // 2])
    for ask in (history.runs, lambda: history.cases(2), lambda: keep(history, many(5))):
        with refusal() as said:
            ask()
        assert said == [
            f"history {file}: it is damaged; move it away and put a copy from before in its place"
        ]
    history.close()


CASE_IDS = "WHERE id IN (SELECT case_id FROM grades)"


@pytest.mark.parametrize(
    ("table", "change", "ask"),
    [
        ("reports", "body = x'ff'", lambda history: history.report(1)),
        ("reports", "body = x'1f8b'", lambda history: history.report(1)),
        ("reports", "body = x'1f8b08000000000000ffdead'", lambda history: history.report(1)),
        ("grades", "explanation = x'ff'", lambda history: history.case(1, "case-0")),
        ("texts", f"body = x'ff' {CASE_IDS}", lambda history: history.cases(1)),
        ("texts", f"body = x'ff' {CASE_IDS}", lambda history: history.outcomes([1], "easy")),
        ("runs", "job = 'no JSON'", lambda history: history.runs()),
        ("runs", "alerts = '[7]'", lambda history: history.run(1)),
    ],
)
def test_what_cannot_be_read_any_more_is_told(history, table, change, ask):
    keep(history, many(4))
    if not history._database.is_sqlite:
        change = re.sub("x'([0-9a-f]+)'", r"decode('\1', 'hex')", change)
    with history._database.writing() as connection:
        connection.execute(sa.text(f"UPDATE {table} SET {change}"))
    with refusal() as said:
        ask(history)
    assert said == [
        f"history {history.name}: it is damaged; move it away and put a copy from before in its "
        "place"
    ]
    assert counts(history)["runs"] == 1


# -- full ----------------------------------------------------------------------


def test_a_full_disk_in_mid_save_leaves_the_history_whole(sqlite_url):
    history = History(sqlite_url)
    keep(history, many(20))
    limit = [pages(history) + 10]

    def set_limit(connection, *_rest):
        connection.execute(f"PRAGMA max_page_count = {limit[0]}")

    sa.event.listen(history._database._engine, "checkout", set_limit)
    with refusal() as said:
        keep(history, many(3000, mark="b"))
    assert said == [
        f"history {history.name}: the disk is full; nothing was changed, make room and try again"
    ]
    assert len(history.runs()) == 1
    check_whole(history)
    limit[0] = 1 << 30
    assert keep(history, many(3000, mark="b")).new
    check_whole(history)
    assert integrity(history) == ["ok"]
    history.close()


def pages(history: History) -> int:
    with history._database.reading() as connection:
        return connection.scalar(sa.text("PRAGMA page_count")) or 0


def integrity(history: History) -> list[str]:
    with history._database.reading() as connection:
        assert connection.execute(sa.text("PRAGMA foreign_key_check")).all() == []
        return list(connection.execute(sa.text("PRAGMA integrity_check")).scalars())


@pytest.fixture
def small_disk(tmp_path):
    """A disk of two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "headroom", str(place)]
    try:
        run = subprocess.run(mount, capture_output=True, check=False)
    except OSError as error:
        pytest.skip(f"no small disk can be mounted here ({error})")
    if run.returncode:
        pytest.skip(f"no small disk can be mounted here ({run.stderr.decode().strip()})")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_real_disk_that_is_full_leaves_the_history_whole(small_disk):
    history = History(file_url(small_disk / "history.db"))
    keep(history, many(20))
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (1 << 20))
    with refusal() as said:
        keep(history, many(8000, mark="b"))
    assert "the disk is full; nothing was changed, make room and try again" in said[0]
    check_whole(history)
    assert len(history.runs()) == 1
    filler.unlink()
    assert keep(history, many(400, mark="b")).new
    check_whole(history)
    assert integrity(history) == ["ok"]
    history.close()


def test_a_file_that_may_not_grow_leaves_the_history_whole(sqlite_url):
    history = History(sqlite_url)
    keep(history, many(20))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, before[1]))
    try:
        with refusal() as said:
            keep(history, many(3000, mark="b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "the disk does not answer as it should; nothing was changed, check the disk" in said[0]
    assert len(history.runs()) == 1
    assert keep(history, many(3000, mark="b")).new
    check_whole(history)
    assert integrity(history) == ["ok"]
    history.close()


# -- a server that goes away ---------------------------------------------------


@pytest.mark.parametrize("moment", ["INSERT INTO texts", "INSERT INTO grades", "commit"])
def test_a_server_that_is_killed_in_mid_save_and_comes_back(postgres_server, postgres_url, moment):
    history = History(postgres_url)
    keep(history, many(20))
    killed: list[str] = []

    def kill(*_arguments):
        if not killed:
            killed.append(moment)
            postgres_server.kill()

    def kill_at(_connection, _cursor, statement, *_rest):
        if statement.startswith(moment):
            kill()

    engine = history._database._engine
    if moment == "commit":
        sa.event.listen(engine, "commit", kill)
    else:
        sa.event.listen(engine, "before_cursor_execute", kill_at)
    try:
        with refusal() as said:
            keep(history, many(300, mark="b"))
        assert "127.0.0.1" in said[0]
        assert ": the database does not answer (" in said[0]
        for ask in (history.runs, lambda: keep(history, many(300, mark="b"))):
            with refusal() as said:
                ask()
            assert ": the database does not answer (" in said[0]
    finally:
        postgres_server.restart()
    assert len(history.runs()) == 1
    assert keep(history, many(300, mark="b")).new
    check_whole(history)
    history.close()


def test_connections_that_a_restart_cut_off_are_not_noticed(postgres_server, postgres_url):
    history = History(postgres_url)
    keep(history, many(20))
    postgres_server.kill()
    postgres_server.restart()
    assert keep(history, many(30), "v2").new
    assert len(history.runs()) == 2
    history.close()


@contextmanager
def asking_for_passwords(server, role: str):
    """Lets a server ask one role for its password."""
    rules = server._folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(f"host all {role} 127.0.0.1/32 scram-sha-256\n{before}")
    run(server, "SELECT pg_reload_conf()")
    yield
    rules.write_text(before)
    run(server, "SELECT pg_reload_conf()")


def run(server, statement: str) -> None:
    address = make_url(server.url("postgres")).set(drivername="postgresql")
    with psycopg.connect(address.render_as_string(hide_password=False), autocommit=True) as client:
        client.execute(statement)


def test_a_wrong_password_is_told_and_not_shown(postgres_server, postgres_url):
    run(postgres_server, "CREATE ROLE careful LOGIN PASSWORD 'right'")
    run(postgres_server, f'ALTER DATABASE "{postgres_url.database}" OWNER TO careful')
    with asking_for_passwords(postgres_server, "careful"):
        wrong = postgres_url.set(username="careful", password="hush")
        with refusal() as said:
            History(wrong)
        assert 'password authentication failed for user "careful"' in said[0]
        assert "EVAL_HISTORY_URL" in said[0]
        assert "hush" not in said[0]
        with refusal() as said:
            History(postgres_url.set(username="careful"))
        assert "no password supplied" in said[0]
        history = History(wrong.set(password="right"))
        assert keep(history, many(3)).new
        assert "right" not in history.name
        history.close()
    postgres_server.drop_database(postgres_server.url(postgres_url.database))
    run(postgres_server, "DROP ROLE careful")
    run(postgres_server, f'CREATE DATABASE "{postgres_url.database}"')


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"database": "nope"}, 'database "nope" does not exist'),
        ({"username": "nope", "password": "hush"}, 'role "nope" does not exist'),
        ({"port": 1}, "Connection refused"),
        ({"port": 1, "host": "localhost"}, "Connection refused"),
        ({"host": "no-such-host.invalid"}, "no-such-host.invalid"),
        ({"host": "x\x1b[2J"}, r"x\x1b[2J"),
        ({"query": {"nope": "hush"}}, "nope"),
    ],
)
def test_a_server_that_cannot_be_reached_is_told_with_what_to_do(postgres_url, change, words):
    with refusal() as said:
        History(postgres_url.set(**change))
    assert words in said[0]
    assert "hush" not in said[0]
    assert "EVAL_HISTORY_URL" in said[0] or "connection option" in said[0]


def test_a_user_who_may_only_read_is_told(postgres_server, postgres_url):
    history = History(postgres_url)
    keep(history, many(5))
    with history._database.writing() as connection:
        connection.execute(sa.text("CREATE ROLE reader LOGIN"))
        connection.execute(sa.text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"))
    reading = History(postgres_url.set(username="reader"))
    assert len(reading.runs()) == 1
    with refusal() as said:
        keep(reading, many(6))
    assert "it cannot be written; nothing was changed, check the permissions there" in said[0]
    reading.close()
    with history._database.writing() as connection:
        connection.execute(sa.text("DROP OWNED BY reader"))
        connection.execute(sa.text("DROP ROLE reader"))
    history.close()


# -- killed --------------------------------------------------------------------

# Lets one child after the other save until it is killed, some time after it has begun, and says
# what each of them had begun and what it had been told to be saved.
KILLER = """\
import os, random, signal, sys, time
from sqlalchemy.engine import make_url
from evalcore.store import History
from tests.evalcore.keeping import graded, many, stamp

url, times = make_url(sys.argv[1]), int(sys.argv[2])
draw = random.Random(times)
for number in range(times):
    begun, begin = os.pipe()
    child = os.fork()
    if child == 0:
        history = History(url)
        for k in range(1000):
            name = f"v{number}.{k}"
            suite = graded(many(300, mark=name))
            os.write(1, f"begun {name}\\n".encode())
            os.write(begin, b".")
            history.save(*suite, stamp(name))
            os.write(1, f"saved {name}\\n".encode())
    os.close(begin)
    os.read(begun, 1)
    time.sleep(draw.uniform(0, float(sys.argv[3])))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(begun)
"""


def begun_and_saved(url: URL, times: int, seconds: float) -> tuple[set[str], set[str]]:
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(url), str(times), str(seconds)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    lines = [line.split() for line in done.stdout.splitlines()]
    begun, saved = ({name for what, name in lines if what == word} for word in ("begun", "saved"))
    return begun, saved


def check_killed(history: History, times: int, begun: set[str], saved: set[str]) -> None:
    kept = {run.config for run in history.runs()}
    assert saved <= kept <= begun
    assert len(begun - saved) > times // 4  # so many died in the middle of a save
    assert len(kept) > times // 4
    check_whole(history)
    assert counts(history)["grades"] == 300 * len(kept)
    assert keep(history, many(300), "after all").new


def test_a_kill_in_mid_save_never_breaks_a_file(sqlite_url):
    History(sqlite_url).close()
    begun, saved = begun_and_saved(sqlite_url, 50, 0.1)
    history = History(sqlite_url)
    check_killed(history, 50, begun, saved)
    assert integrity(history) == ["ok"]
    history.close()


def test_a_kill_in_mid_save_never_breaks_a_database(postgres_url):
    History(postgres_url).close()
    begun, saved = begun_and_saved(postgres_url, 15, 0.25)
    history = History(postgres_url)
    check_killed(history, 15, begun, saved)
    history.close()


def test_a_kill_while_a_history_is_begun_leaves_a_blank_file_or_a_history(sqlite_url):
    code = (
        "import os, sys\nfrom evalcore import database\nfrom sqlalchemy.engine import make_url\n"
        "from alembic import op\nmake = op.create_table\n"
        "def create_table(name, *arguments, **options):\n"
        "    if name == 'grades':\n        os.kill(os.getpid(), 9)\n"
        "    return make(name, *arguments, **options)\n"
        "op.create_table = create_table\n"
        "database.Database(make_url(sys.argv[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(sqlite_url)], cwd=ROOT, check=False)
    assert done.returncode == -9
    with sqlite3.connect(sqlite_url.database) as connection:
        assert connection.execute("SELECT * FROM sqlite_master").fetchall() == []
    connection.close()
    history = History(sqlite_url)
    assert keep(history, many(3)).new
    history.close()
