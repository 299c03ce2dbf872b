"""Where a history is, and how its database is opened, read and written."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

from evalcore.database import Database, exists, history_url, shown
from evalcore.errors import HistoryError
from evalcore.store import History, Saved
from tests.evalcore.keeping import counts, keep, many

ROOT = Path(__file__).parents[2]
FORMS = "give a file, sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME"


# -- addresses -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, "sqlite:///.evalcore/history.db"),
        ("", "sqlite:///.evalcore/history.db"),
        (" \n", "sqlite:///.evalcore/history.db"),
        ("runs.db", "sqlite:///runs.db"),
        (" runs.db ", "sqlite:///runs.db"),
        ("/srv/a b/ü.db", URL.create("sqlite", database="/srv/a b/ü.db")),
        ("a%20b@c:d?e#f.db", URL.create("sqlite", database="a%20b@c:d?e#f.db")),
        ("C:\\runs.db", URL.create("sqlite", database="C:\\runs.db")),
        ("sqlite:///runs.db", "sqlite:///runs.db"),
        ("sqlite:////srv/runs.db", "sqlite:////srv/runs.db"),
        ("sqlite+pysqlite:///runs.db", "sqlite:///runs.db"),
        ("postgres://h/n", "postgresql+psycopg://h/n"),
        ("postgresql://u:p@h:1/n", "postgresql+psycopg://u:p@h:1/n"),
        ("postgresql+psycopg://u:p%40@h/n", "postgresql+psycopg://u:p%40@h/n"),
        ("postgresql+psycopg2://h/n", "postgresql+psycopg://h/n"),
        ("postgresql://h/n?sslmode=require", "postgresql+psycopg://h/n?sslmode=require"),
        ("postgresql:///n", "postgresql+psycopg:///n"),
    ],
)
def test_the_environment_says_where_the_history_is(given, expected):
    environment = {} if given is None else {"EVAL_HISTORY_URL": given}
    assert history_url(environment) == make_url(expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("://", f"EVAL_HISTORY_URL cannot be read as a URL; {FORMS}"),
        ("postgresql://u:hush@h:port/n", f"EVAL_HISTORY_URL cannot be read as a URL; {FORMS}"),
        ("postgresql://[::1/n", f"EVAL_HISTORY_URL cannot be read as a URL; {FORMS}"),
        ("mysql://u:hush@h/n", f"EVAL_HISTORY_URL names mysql, which holds no history; {FORMS}"),
        ("http://hush@h", f"EVAL_HISTORY_URL names http, which holds no history; {FORMS}"),
        ("sqlite://", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        ("sqlite:///", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        ("sqlite://runs.db", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        ("sqlite:///:memory:", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        (":memory:", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        ("sqlite:///a%00b", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        ("a\0b", f"EVAL_HISTORY_URL names no file; {FORMS}"),
        ("sqlite:///a.db?timeout=x", "EVAL_HISTORY_URL: a file takes no options (found timeout)"),
        ("postgresql://u:hu@sh@h/n", 'more than one "@"; write one in a password as %40'),
        ("postgresql://u:h@u/sh@h/n", 'more than one "@"; write one in a password as %40'),
        ("postgresql://u:h@u?sh@h/n", 'more than one "@"; write one in a password as %40'),
        ("\x1b[2J://u:hush@h/n", "EVAL_HISTORY_URL "),
        ("x" * 5000 + "://u:hush@h/n", "EVAL_HISTORY_URL "),
    ],
)
def test_what_is_no_address_of_a_history_is_refused_without_its_password(given, message):
    with pytest.raises(HistoryError) as caught:
        history_url({"EVAL_HISTORY_URL": given})
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250
    assert str(caught.value).isprintable()
    assert "hush" not in str(caught.value)
    assert "sh@" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:///a/b.db", "a/b.db"),
        ("sqlite:///a%0Ab%1B.db", r"a\nb\x1b.db"),
        ("postgresql+psycopg://u:hush@h:1/n", "postgresql+psycopg://u:***@h:1/n"),
        ("postgresql+psycopg://u@h/n?password=hush", "postgresql+psycopg://u@h/n"),
        ("postgresql+psycopg://h/n?sslpassword=hush&user=u", "postgresql+psycopg://h/n"),
    ],
)
def test_a_history_is_named_without_its_password(url, name):
    assert shown(make_url(url)) == name


def test_an_empty_file_is_no_history_and_what_cannot_be_looked_at_may_be_one(tmp_path):
    (tmp_path / "here.db").write_bytes(b"something")
    (tmp_path / "empty.db").touch()
    assert not exists(make_url(f"sqlite:///{tmp_path}/empty.db"))
    assert exists(make_url(f"sqlite:///{tmp_path}/here.db"))
    assert not exists(make_url(f"sqlite:///{tmp_path}/there.db"))
    assert exists(make_url(f"sqlite:///{tmp_path}/here.db/below"))  # opening says what is wrong
    assert exists(make_url(f"sqlite:///{tmp_path}/{'x' * 300}"))
    assert exists(make_url("postgresql+psycopg://nowhere/n"))


# -- opening -------------------------------------------------------------------


def test_a_blank_history_is_begun_with_its_folder_in_place(tmp_path):
    url = URL.create("sqlite", database=str(tmp_path / "a b" / "ü?#%" / "history.db"))
    history = History(url)
    keep(history, many(3))
    assert (history.name, len(history.runs())) == (str(tmp_path / "a b/ü?#%/history.db"), 1)
    history.close()


def test_a_history_is_the_same_when_it_is_opened_again(history_url):
    first = History(history_url)
    keep(first, many(5))
    kept = first.runs()
    first.close()
    again = History(history_url)
    assert again.runs() == kept
    again.close()


def test_sqlite_keeps_a_log_so_that_a_reader_and_a_writer_do_not_wait(sqlite_url):
    history, other = History(sqlite_url), History(sqlite_url)
    keep(history, many(3))
    with history._database.reading() as connection:
        assert connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(sa.text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(sa.text("SELECT count(*) FROM runs")) == 1
        keep(other, many(4))
        assert connection.scalar(sa.text("SELECT count(*) FROM runs")) == 1
    assert len(history.runs()) == 2
    history.close()
    other.close()


def test_a_closed_sqlite_history_is_one_file(sqlite_url):
    history = History(sqlite_url)
    keep(history, many(3))
    history.close()
    assert [path.name for path in Path(sqlite_url.database).parent.iterdir()] == ["history.db"]


def test_runs_are_read_as_of_one_moment_though_another_is_saved_meanwhile(history_url):
    history, other = History(history_url), History(history_url)
    keep(history, many(3))
    saved: list[Saved] = []

    def save_meanwhile(_connection, _cursor, statement, *_rest):
        if "FROM exclusions" in statement and not saved:
            saved.append(keep(other, many(4)))

    sa.event.listen(history._database._engine, "before_cursor_execute", save_meanwhile)
    assert len(history.runs()) == 1
    assert len(history.runs()) == 2
    history.close()
    other.close()


def test_what_fails_within_a_transaction_leaves_nothing_behind(history):
    keep(history, many(3))
    before = counts(history)

    def fail_halfway():
        with history._database.writing() as connection:
            connection.execute(sa.text("DELETE FROM runs"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert counts(history) == before


# -- at once -------------------------------------------------------------------

# Opens the history, says so, waits for its parents' word, and does one thing.
CHILD = """\
import sys
from sqlalchemy.engine import make_url
from evalcore.database import Database
from evalcore.store import History
from tests.evalcore.keeping import keep, many, suite, row
url = make_url(sys.argv[1])
{before}
print("ready", flush=True)
sys.stdin.readline()
{then}
"""


def at_once(url, *works: tuple[str, str]) -> list[str]:
    """Runs each work in a process of its own, its second part at the same time as the others'."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD.format(before=before, then=then), str(url)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for before, then in works
    ]
    ready = [child.stdout.readline() for child in children if child.stdout]
    for child in children:
        if child.stdin:
            child.stdin.write("\n")
            child.stdin.flush()
    outputs = [child.communicate(timeout=60)[0] for child in children]
    assert ready == ["ready\n"] * len(works), (ready, outputs)
    return outputs


def test_processes_that_open_a_blank_history_at_once_begin_one(history_url):
    work = ("", "history = History(url)\nprint(keep(history, many(3)).new)\nhistory.close()")
    outputs = at_once(history_url, *[work] * 3)
    assert sorted(outputs) == ["False\n"] * 2 + ["True\n"]
    history = History(history_url)
    assert len(history.runs()) == 1
    history.close()


def test_processes_that_save_different_runs_at_once_keep_them_all(history):
    # The same texts in opposite orders, in more batches than one, so that each waits for the other.
    works = [
        (
            "rows = [row(f'case-{k}', note=f'{k}') for k in range(3000)]\n"
            f"data = [suite(rows), suite(rows[::-1])][{k % 2}]\nhistory = History(url)",
            f"print(keep(history, data, 'v{k}').new)\nhistory.close()",
        )
        for k in range(4)
    ]
    outputs = at_once(history._database._engine.url, *works)
    assert outputs == ["True\n"] * 4
    assert {run.config: run.strata["easy"].n for run in history.runs()} == dict.fromkeys(
        ("v0", "v1", "v2", "v3"), 3000
    )
    assert counts(history)["texts"] == 3000 * 2 + 2


def test_processes_that_save_the_same_run_at_once_keep_it_once(history):
    work = (
        "data = many(500)\nhistory = History(url)",
        "print(keep(history, data).new)\nhistory.close()",
    )
    outputs = at_once(history._database._engine.url, *[work] * 3)
    assert sorted(outputs) == ["False\n"] * 2 + ["True\n"]
    assert (counts(history)["runs"], counts(history)["grades"]) == (1, 500)


def test_threads_share_one_history(history):
    def save(number):
        keep(history, suite_of(number), f"v{number}")
        assert len(history.runs()) >= 1

    threads = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {run.config for run in history.runs()} == {f"v{number}" for number in range(8)}


def suite_of(number: int) -> bytes:
    return many(200, mark=str(number % 3))


# -- what is no history --------------------------------------------------------


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE users (n int)"],
        ["CREATE TABLE users (n int)", "CREATE TABLE alembic_version (version_num text)"],
        [
            "CREATE TABLE users (n int)",
            "CREATE TABLE alembic_version (version_num text)",
            "INSERT INTO alembic_version VALUES ('1975ea83b712')",
        ],
        [
            "CREATE TABLE runs (n int)",
            "CREATE TABLE alembic_version (version_num text)",
            "INSERT INTO alembic_version VALUES ('0000a1b2c3d4')",
        ],
        ["CREATE TABLE runs (n int)"],
    ],
)
def test_another_programs_database_is_left_alone(history_url, statements):
    engine = sa.create_engine(history_url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    tables = set(sa.inspect(engine).get_table_names())
    with pytest.raises(HistoryError) as caught:
        History(history_url)
    assert str(caught.value) == (
        f"history {shown(history_url)}: the database holds the tables of another program; "
        "name another one"
    )
    assert set(sa.inspect(engine).get_table_names()) == tables
    engine.dispose()


def test_another_programs_file_keeps_its_way_of_writing(tmp_path):
    with sqlite3.connect(tmp_path / "theirs.db") as connection:
        connection.execute("CREATE TABLE users (n int)")
    connection.close()
    before = (tmp_path / "theirs.db").read_bytes()
    with pytest.raises(HistoryError):
        Database(make_url(f"sqlite:///{tmp_path}/theirs.db"))
    assert (tmp_path / "theirs.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["theirs.db"]
