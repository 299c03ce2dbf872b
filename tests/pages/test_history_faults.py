"""A history that does not serve: the page says so, offers a way on, and lives."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore import database
from evalcore.database import URL_VARIABLE
from evalcore.store import History
from tests.evalcore.keeping import keep
from tests.pages.conftest import App
from tests.pages.histories import history_at
from tests.pages.suites import counted
from tests.pages.test_saving import filled, locked

PAGES = ("gauges", "trends", "compare")
SUITE = counted(easy=(5, 5), medium=(18, 20), stretch=(9, 20))


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)


def fault(app: App) -> str:
    return app.text("history-fault") or ""


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"no history at all, only words" * 100, "the file is no history"),
        (b"SQLite format 3\0" + b"\xff" * 4_000, "the file is no history"),
    ],
)
def test_garbage_in_the_place_of_the_history(
    app: App, history_file: Path, page: str, content: bytes, expected: str
):
    history_file.write_bytes(content)
    app.open(page, run="1")
    assert expected in fault(app)
    assert "Try again" in app.buttons
    history_file.unlink()
    app.click("Try again")
    assert expected not in fault(app)
    assert history_file.exists() is False


def test_a_truncated_history(app: App, example_history: History, history_file: Path):
    example_history.close()
    os.truncate(history_file, history_file.stat().st_size // 2)
    for page, address in (("trends", {}), ("compare", {}), ("gauges", {"run": "12"})):
        app.open(page, **address)
        assert "it is damaged; move it away" in fault(app), page


def test_a_history_that_is_held_while_it_is_looked_at(
    app: App, history: History, history_file: Path
):
    keep(history, SUITE, "v1")
    history.close()
    with locked(history_file):
        app.open("trends")
        # A reader need not wait for a writer.
        assert (fault(app), len(app.at.dataframe)) == ("", 1)
        app.fill("Your name", "Ada").fill("Why", "wrong file").click("Exclude the run")
        assert "Not saved: " in app.all_text()
        assert "another program holds it" in app.all_text()
    app.click("Exclude the run")
    assert "excluded by Ada: wrong file" in str(app.at.dataframe[0].value)


def test_a_history_that_is_gone_in_mid_visit(app: App, history: History, history_file: Path):
    keep(history, SUITE, "v1")
    keep(history, SUITE, "v2")
    history.close()
    for page, address, after in (
        ("trends", {}, "Load the example history"),
        ("compare", {}, "Load the example history"),
        ("gauges", {"run": "1"}, "Go on without it"),
    ):
        app.open(page, **address)
        kept = history_file.read_bytes()
        history_file.unlink()
        app.again()
        assert after in app.buttons, page
        assert not history_file.exists()
        history_file.write_bytes(kept)
        app.again()
        assert after not in app.buttons, page


def test_a_new_history_in_the_place_of_an_old_one_is_the_one_that_is_shown(
    app: App, history_file: Path, tmp_path: Path
):
    for name in ("old", "new"):
        with history_at(tmp_path / name) as opened:
            keep(opened, SUITE, name)
    (tmp_path / "old").replace(history_file)
    app.open("gauges", run="1")
    assert "· old ·" in (app.text("run") or "")
    (tmp_path / "new").replace(history_file)
    assert "· new ·" in (app.again().text("run") or "")


def test_an_upload_can_be_graded_though_there_is_no_history_to_save_it_in(
    app: App, history_file: Path
):
    history_file.write_bytes(b"no history" * 500)
    app.open().upload(SUITE)
    assert "9 of 20 passed" in (app.text("gauge-stretch") or "")
    filled(app, "v1", "m", "n").click("Save")
    assert "Not saved: " in (app.text("Save to history") or "")
    assert app.value("What was graded") == "v1"
    history_file.unlink()
    app.click("Save")
    assert "Saved as run 1" in (app.text("run") or "")


@pytest.mark.parametrize(
    "url", ["mysql://u:secret@host/db", "postgresql://u:sec@ret@127.0.0.1/x", "sqlite://", "://"]
)
def test_an_address_of_no_history(app: App, monkeypatch: pytest.MonkeyPatch, url: str):
    monkeypatch.setenv(URL_VARIABLE, url)
    for page in PAGES:
        app.open(page, run="1")
        assert URL_VARIABLE in fault(app)
        assert "secret" not in app.all_text()
        assert "ret@" not in app.all_text()


@pytest.fixture
def postgres_url(postgres_server) -> Iterator[str]:
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


def test_a_postgresql_that_goes_away_and_comes_back(
    app: App, postgres_server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(URL_VARIABLE, postgres_url)
    app.open("trends").click("Load the example history")
    assert len(app.at.dataframe[0].value) == 15
    postgres_server.kill()
    try:
        app.again()
        assert "the database does not answer" in fault(app)
        assert "Try again" in app.buttons
        app.open().upload(SUITE)
        filled(app, "v1", "m", "n").click("Save")
        assert "Not saved: " in (app.text("Save to history") or "")
    finally:
        postgres_server.restart()
    app.click("Save")
    assert "Saved as run" in (app.text("run") or "")
    app.open("trends", job="order-desk-example")
    assert len(app.at.dataframe[0].value) == 15
