"""Verdicts on the Failures page while the history does not serve: told, and nothing typed lost."""

import re
from pathlib import Path

import pytest

from evalcore import journal
from evalcore.run import Run
from evalcore.store import History
from tests.evalcore.keeping import keep
from tests.pages.conftest import App
from tests.pages.histories import day, history_at
from tests.pages.suites import case, jsonl, reviewable
from tests.pages.test_failures import ASK, NOTE, judge, progress, said, said_last
from tests.pages.test_saving import locked

BUSY = "another program holds it; nothing was changed, try again"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "PATIENCE_SECONDS", 0.1)


def not_saved(app: App) -> bool:
    return re.search(f"Not saved, try again: .*{BUSY}", app.all_text()) is not None


@pytest.fixture
def run(history: History) -> Run:
    return history.run(keep(history, reviewable(), "v1", at=day(1)).run_id)


@pytest.mark.usefixtures("run")
def test_a_verdict_that_a_held_history_does_not_take_is_told_and_its_note_stays(
    app: App, history: History, history_file: Path
):
    app.open("failures").named("Ann")
    with locked(history_file):
        app.fill(NOTE, "long\nthought $x$").press("acceptable", "s1")
        assert said_last(app).startswith("Not saved, try again: ")
        assert BUSY in said_last(app)
        assert "Saved" not in app.all_text()
        assert (app.case_in_front, app.value(NOTE)) == ("s1", "long\nthought $x$")
        assert "Not saved yet: it is kept with your verdict." in (app.text("review-case") or "")
        app.again()
        assert app.value(NOTE) == "long\nthought $x$"
    assert said(history) == []
    app.press("acceptable", "s1")
    assert said_last(app).startswith("Saved: Acceptable on s1 at ")
    assert "Not saved" not in app.all_text()
    assert [entry.note for _, entry in history.journal.entries()] == ["long\nthought $x$"]
    assert app.case_in_front == "s2"


@pytest.mark.usefixtures("run")
def test_an_undo_that_a_held_history_does_not_take_is_told(
    app: App, history: History, history_file: Path
):
    app.open("failures").named("Ann").press("real_miss", "s1")
    with locked(history_file):
        app.click("Undo")
        assert said_last(app).startswith("Not saved, try again: ")
        assert progress(app) == "1 of 3 reviewed"
    app.click("Undo")
    assert said_last(app).startswith("Taken back: ")
    assert len(said(history)) == 2


@pytest.mark.usefixtures("run")
def test_a_first_verdict_under_a_new_name_outlives_a_held_history(
    app: App, history: History, history_file: Path
):
    app.open("failures").fill(NOTE, "n").press("unsure", "s1")
    with locked(history_file):
        app.fill(ASK, "Ann").click("Save the verdict")
        assert said_last(app).startswith("Not saved, try again: ")
        assert (app.value("You are"), app.value(NOTE), app.case_in_front) == ("Ann", "n", "s1")
    app.press("unsure", "s1")
    assert said(history) == [("Ann", "s1", "unsure")]


def test_a_settlement_that_a_held_history_does_not_take_keeps_its_words(
    app: App, history: History, history_file: Path, run: Run
):
    judge(history, run, "s1", "Ann", "acceptable")
    judge(history, run, "s1", "Bob", "real_miss")
    app.open("failures", case="s1", state="all").named("Bob")
    with locked(history_file):
        app.fill("Why", "we talked").click("Settle")
        assert not_saved(app)
        assert app.value("Why") == "we talked"
    app.click("Settle")
    assert history.journal.entries()[-1].entry.settles


def test_a_settlement_of_what_is_settled_meanwhile_is_told(app: App, history: History, run: Run):
    judge(history, run, "s1", "Ann", "acceptable")
    judge(history, run, "s1", "Bob", "real_miss")
    app.open("failures", case="s1", state="all").named("Bob")
    judge(history, run, "s1", "Ann", "real_miss")
    before = said(history)
    app.fill("Why", "we talked").click("Settle")
    assert said(history) == before
    assert said_last(app).startswith("Not saved: there is no disagreement here any more")
    assert "Settle" not in app.buttons


@pytest.mark.parametrize("button", ["Decide: retire", "Take it back"])
@pytest.mark.usefixtures("run")
def test_a_decision_that_a_held_history_does_not_take_is_told(
    app: App, history: History, history_file: Path, button: str
):
    app.open("failures", state="all").named("Ann").press("bad_fixture", "s1")
    app.open("failures", case="s1", state="all").named("Ann").choose("Decision", "retire")
    app.fill("Why, for the row's note", "because")
    if button == "Take it back":
        app.click("Decide: retire")
    before = len(said(history))
    with locked(history_file):
        app.click(button)
        assert not_saved(app)
    assert len(said(history)) == before
    app.click(button)
    assert len(said(history)) == before + 1


@pytest.mark.usefixtures("run")
def test_a_minted_case_that_a_held_history_does_not_take_stays_in_the_form(
    app: App, history: History, history_file: Path
):
    app.open("failures").named("Ann")
    app.at.session_state["review-mint"] = True
    app.again().fill("Id", "new").fill("Prompt", "Say more.").again()
    with locked(history_file):
        app.click("Add it to the patch")
        assert not_saved(app)
        assert (app.value("Id"), app.value("Prompt")) == ("new", "Say more.")
    app.click("Add it to the patch")
    assert [entry.case_id for _, entry in history.journal.entries()] == ["new"]
    assert (app.value("Id"), app.value("Prompt")) == ("", "")


@pytest.mark.usefixtures("run")
def test_a_history_that_goes_in_mid_verdict_is_told_and_the_note_comes_back_with_it(
    app: App, history: History, history_file: Path
):
    history.close()
    app.open("failures").named("Ann").fill(NOTE, "my words")
    moved = history_file.with_name("moved.db")
    history_file.rename(moved)
    app.press("real_miss", "s1")
    assert "Saved" not in app.all_text()
    assert not history_file.exists()
    moved.rename(history_file)
    app.again()
    assert said_last(app).startswith(
        "Not saved, try again: Real miss on s1: there is no history at "
    )
    assert (app.case_in_front, app.value(NOTE)) == ("s1", "my words")
    app.press("real_miss", "s1")
    with history_at(history_file) as opened:
        assert said(opened) == [("Ann", "s1", "real_miss")]


@pytest.mark.parametrize("content", [b"no history at all, only words" * 100, b""])
def test_garbage_in_the_place_of_the_history(app: App, history_file: Path, content: bytes):
    history_file.write_bytes(content)
    app.open("failures", run="1", case="s1")
    if content:
        assert "the file is no history" in (app.text("history-fault") or "")
        assert "Try again" in app.buttons
    else:
        assert app.buttons == ["Load the example history"]


def test_another_history_in_the_place_of_the_old_one_has_its_own_verdicts(
    app: App, history_file: Path, tmp_path: Path
):
    for name, completion in (("old", "x"), ("new", "y")):
        with history_at(tmp_path / name) as opened:
            row = case(f"s-{name}", "stretch", completion=completion, must_include=["z"])
            judged = opened.run(keep(opened, jsonl([row])).run_id)
            judge(opened, judged, f"s-{name}", "Ann", "unsure")
    (tmp_path / "old").replace(history_file)
    app.open("failures", state="all").named("Ann")
    assert (app.listed, progress(app)) == (["s-old"], "1 of 1 reviewed")
    (tmp_path / "new").replace(history_file)
    assert (app.again().listed, progress(app)) == (["s-new"], "1 of 1 reviewed")
    assert "s-old" not in app.all_text()


@pytest.mark.usefixtures("run")
def test_a_note_stays_while_another_case_or_another_page_is_looked_at(app: App):
    app.open("failures", state="all").named("Ann").fill(NOTE, "half a note").click("Next")
    assert app.value(NOTE) == ""
    app.fill(NOTE, "of s2").click("Previous")
    assert app.value(NOTE) == "half a note"
    where = {name: app.address[name] for name in app.address}
    app.open("trends")
    app.open("failures", **where)
    assert (app.case_in_front, app.value(NOTE)) == ("s1", "half a note")
    assert re.search("Not saved yet", app.text("review-case") or "")
