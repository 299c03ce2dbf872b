"""Saving what is open on Gauges, and opening runs there, without a browser."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from evalcore import database
from evalcore.job import parse_job
from evalcore.store import History
from pages.shared.suite import Kept
from tests.evalcore.keeping import keep
from tests.pages.conftest import App
from tests.pages.histories import day, history_at
from tests.pages.suites import case, counted, jsonl

SAVE = "Save to history"
SUITE = counted(easy=(5, 5), medium=(18, 20), stretch=(9, 20))
HOSTILE = "$x$ *b* <b>i</b> ![p](http://127.0.0.1:9/p.png)"
STRICT = b'[job]\nname = "strict"\n[thresholds]\nstretch_high = 0.3\n'


def typed(app: App) -> tuple[object, ...]:
    return tuple(app.value(f) for f in ("What was graded", "Model, if you like", NOTE))


NOTE = "Note, if you like"


def filled(app: App, config: str = "v1", model: str = "m", note: str = "n") -> App:
    app.fill("What was graded", config).fill("Model, if you like", model)
    return app.fill(NOTE, note)


def gauges(app: App) -> list[str | None]:
    return [app.text(f"gauge-{stratum}") for stratum in ("easy", "medium", "stretch")]


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Holds the history as another program that writes to it for long."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


# -- saving --------------------------------------------------------------------


def test_saving_says_when_and_where_and_the_address_names_the_run(app: App, history_file: Path):
    app.open().upload(SUITE, "desk.jsonl")
    assert not history_file.exists()
    assert str(history_file) in (app.text(SAVE) or "")
    filled(app, " v1 ", "m-1", "first\nsecond").click("Save")
    said = app.text("run") or ""
    assert re.match(r"Saved as run 1 at \d\d:\d\d:\d\d UTC\.Run 1 · ", said)
    assert app.address == {"run": "1"}
    with history_at(history_file) as history:
        (run,) = history.runs()
    assert (run.config, run.model, run.note, run.suite, run.source) == (
        "v1", "m-1", "first\nsecond", "desk", "upload",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("config", "model", "expected"),
    [
        ("", "m", "Not saved: config: blank"),
        ("   ", "m", "Not saved: config: blank"),
        ("a\x07b", "m", "Not saved: config: "),
        ("a\u202eb", "m", "Not saved: config: "),
        ("v1", "a\x07b", "Not saved: model: "),
    ],
)
def test_a_name_that_cannot_be_kept_costs_nothing_typed(
    app: App, history_file: Path, config: str, model: str, expected: str
):
    app.open().upload(SUITE)
    filled(app, config, model, "a note").click("Save")
    assert expected in (app.text(SAVE) or "")
    assert typed(app) == (config, model, "a note")
    assert "9 of 20 passed" in (gauges(app)[2] or "")
    filled(app, "v1", "m", "a note").click("Save")
    assert "Saved as run 1" in (app.text("run") or "")


def test_the_same_again_is_told_and_kept_only_when_asked_for(app: App, history: History):
    for _ in range(2):
        app.open().upload(SUITE, "desk.jsonl")
        filled(app).click("Save")
    assert "This is run 1 already: the same bytes under the same name." in (app.text(SAVE) or "")
    assert [run.id for run in history.runs()] == [1]
    app.click("Save a copy")
    assert app.address == {"run": "2"}
    assert "upload, repeat 1" in (app.text("run") or "")
    assert [run.repeat for run in history.runs()] == [0, 1]


def test_the_run_that_is_there_already_can_be_opened(app: App, history: History):
    keep(history, SUITE, "v1", model="m", suite="desk")
    app.open().upload(SUITE, "desk.jsonl")
    filled(app).click("Save")
    app.click("Open run 1")
    assert app.address == {"run": "1"}
    assert "Saved as run" not in (app.text("run") or "")


def test_an_example_can_be_saved_too(app: App, history: History):
    app.open(example="order_desk")
    filled(app).click("Save")
    assert app.address == {"run": "1"}
    assert history.run(1).suite == "order_desk"


def test_a_run_is_saved_and_shown_by_the_job_that_judged_it(app: App, history: History):
    app.open().upload_job(STRICT).upload(SUITE)
    filled(app).click("Save")
    assert history.run(1).yardstick == "strict"
    assert "stretch ceiling 30 %" in app.all_text()
    assert "▲ alarm" in (gauges(app)[2] or "")


def test_what_was_typed_survives_a_history_that_is_held(
    app: App, history: History, history_file: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    app.open().upload(SUITE)
    with locked(history_file):
        filled(app, "v1", "m-1", "long\nthought").click("Save")
        assert "another program holds it; nothing was changed, try again" in (app.text(SAVE) or "")
        assert typed(app) == ("v1", "m-1", "long\nthought")
    app.click("Save")
    assert "Saved as run 1" in (app.text("run") or "")
    assert history.run(1).note == "long\nthought"


def test_an_unsaved_upload_is_seen_by_nobody_else(app: App, another_app: App, history: History):
    app.open().upload(counted("mine-", easy=(0, 2)))
    assert "mine-" in app.all_text()
    for page in ("", "trends", "compare"):
        assert "mine-" not in another_app.open(page).all_text()
    assert history.runs() == []


# -- opening -------------------------------------------------------------------


def test_another_visitor_opens_the_link_and_sees_the_same(app: App, another_app: App):
    app.open().upload_job(STRICT).upload(SUITE)
    filled(app, HOSTILE, HOSTILE, HOSTILE).click("Save")
    another_app.open("gauges", **app.address)
    assert gauges(another_app) == gauges(app)
    assert another_app.text("failed-cases") == app.text("failed-cases")
    said = another_app.text("run") or ""
    assert f"· strict · {HOSTILE} · {HOSTILE} · upload{HOSTILE}" in said
    assert "Saved as run" not in said
    assert SAVE not in [fold.label for fold in another_app.at.expander]


def test_the_download_of_a_run_is_the_report_as_it_was_written(history: History):
    run_id = keep(history, SUITE, "v1").run_id
    written = history.report(run_id)
    assert b'"stretch"' in written
    assert Kept(run_id, written).report_bytes() == written


@pytest.mark.usefixtures("example_history")
@pytest.mark.parametrize("run", ["99", "0", "-1", "1.0", "", "abc", "9" * 30, "١", HOSTILE])
def test_a_run_that_is_not_there_is_named_and_no_other_is_shown(app: App, run: str):
    app.open("gauges", run=run)
    fault = app.text("history-fault") or ""
    assert fault.startswith(f"there is no run {run[:10]}")
    assert fault.endswith("; the link may be an old one.")
    assert gauges(app) == [None, None, None]
    app.click("Go on without it")
    assert (app.page, app.address) == ("Gauges", {})
    assert "Open the example" in app.buttons


def test_a_run_is_not_there_where_there_is_no_history(app: App, history_file: Path):
    app.open("gauges", run="1")
    assert "there is no run 1 in the history" in (app.text("history-fault") or "")
    assert not history_file.exists()


@pytest.mark.usefixtures("example_history")
@pytest.mark.parametrize("case_id", ["no such case", "", HOSTILE])
def test_a_case_that_is_not_there_is_named_and_the_run_stays(app: App, case_id: str):
    app.open("gauges", run="12", case=case_id)
    assert f'run 12 has no case "{case_id}"; the link may be an old one.' in (
        app.text("case") or ""
    )
    assert "16 of 20 passed" in (gauges(app)[2] or "")
    app.click("Close the case")
    assert app.address == {"run": "12"}
    assert app.text("case") is None


def test_a_case_is_shown_with_its_texts_and_its_outcomes_over_runs(app: App, history: History):
    row = case(
        HOSTILE, "stretch", prompt=f"p {HOSTILE}", completion=f"c {HOSTILE}", note=f"n {HOSTILE}",
        must_include=[f"m {HOSTILE}"],
    )  # fmt: skip
    passes = row | {"completion": f"m {HOSTILE}"}
    for number, rows in enumerate(([row], [passes], [row | {"id": "other"}], [row])):
        keep(history, jsonl(rows), f"v{number}", at=day(number))
    said = app.open("gauges", run="1", case=HOSTILE).text("case") or ""
    for text in (f"{HOSTILE} in run 1", f"p {HOSTILE}", f"c {HOSTILE}", f"Note: n {HOSTILE}"):
        assert text in said
    assert f"missing:m {HOSTILE}" in said
    assert "Its last 3 runs, oldest first▲●▲" in said


@pytest.mark.usefixtures("example_history")
def test_a_run_leads_to_its_misses_its_trends_and_to_compare(app: App):
    app.open("gauges", run="12")
    links = {link.proto.label: link.proto.query_string for link in app.at.get("page_link")}
    assert links == {
        "Review the misses": "run=12",
        "Trends of this job": "job=order-desk-example",
        "Compare with another run": "run=12",
    }


def test_a_run_is_judged_by_its_own_job_and_not_by_the_visitors(app: App, history: History):
    job = parse_job(b'[job]\nname = "own"\n', "own.toml")
    run_id = keep(history, SUITE, "v1", job=job).run_id
    app.open().upload_job(STRICT)
    app.open("gauges", run=str(run_id))
    assert "● ok" in (gauges(app)[2] or "")
    assert "job own" in app.all_text()


def test_a_run_can_be_left_out_and_taken_back_where_it_is_open(app: App, history: History):
    run_id = keep(history, SUITE, "v1").run_id
    app.open("gauges", run=str(run_id)).fill("Your name", "Ada").fill("Why", HOSTILE)
    app.click("Exclude the run")
    assert f"Run {run_id} does not count in trends" in (app.text("run") or "")
    assert f"UTC by Ada: {HOSTILE}" in (app.text("run") or "")
    exclusion = history.run(run_id).exclusion
    assert exclusion
    assert (exclusion.who, exclusion.why) == ("Ada", HOSTILE)
    app.click("Let it count again")
    assert history.run(run_id).exclusion is None
    assert "does not count" not in (app.text("run") or "")


def test_an_upload_takes_the_place_of_a_run(app: App, history: History):
    run_id = keep(history, SUITE, "v1").run_id
    app.open("gauges", run=str(run_id)).upload(counted(easy=(1, 2)))
    assert app.address == {}
    assert "1 of 2 passed" in (gauges(app)[0] or "")
