"""From verdicts to a better suite on the Failures page: decisions, the patch, and new cases."""

import json
import re
from pathlib import Path

import pytest

from evalcore.decision import Change
from evalcore.run import Run
from evalcore.store import History
from tests.evalcore.keeping import keep
from tests.pages.conftest import App
from tests.pages.histories import day
from tests.pages.suites import case, jsonl, reviewable
from tests.pages.test_failures import HOSTILE, judge, progress

WHY = "Why, for the row's note"
MINT = "Mint a new stretch case"
ROW = "The row on one line, without its completion"
INCLUDE = "Must include, needles parted by |"
ANY = "Must include any, wordings parted by |, lists by ;"
EXCLUDE = "Must not include, needles parted by |"
TRY = "A completion to try"


@pytest.fixture
def run(history: History) -> Run:
    """A run whose stretch misses s1, s2, s3 Ann has judged."""
    run = history.run(keep(history, reviewable(), "v1", at=day(1)).run_id)
    for case_id in ("s1", "s2", "s3"):
        judge(history, run, case_id, "Ann", "bad_fixture")
    return run


@pytest.fixture
def wide(history: History) -> bytes:
    """A suite of eleven stretch misses, of which Ann has judged two; its lines are odd."""
    rows = [
        case(f"s{number}", "stretch", completion="x", must_include=["y"]) for number in range(11)
    ]
    data = jsonl(rows).replace(b'"prompt": ', b'"mine":[1,  2.0],"prompt":', 2)
    data = b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n", 3).removesuffix(b"\n")
    run = history.run(keep(history, data, "v1", at=day(1)).run_id)
    for number in range(2):
        judge(history, run, f"s{number}", "Ann", "acceptable")
    return data


def changes(history: History) -> list[tuple[str, Change]]:
    return [(e.case_id, e.change) for _, e in history.journal.entries() if e.change]


def deciding(app: App, case_id: str, kind: str, **address: str) -> App:
    """Opens a case and a decision on it."""
    app.open("failures", case=case_id, state="all", **address).named("Ann")
    return app.choose("Decision", kind)


def panel(app: App) -> str:
    label = next(fold.label for fold in app.at.expander if fold.label.startswith("Suite patch"))
    return f"{label}\n{app.text(label)}"


def give_suite(app: App, data: bytes, name: str = "golden.jsonl") -> App:
    return app.upload(data, name)


def new_suite(app: App) -> bytes:
    """What the page offers as the new suite."""
    assert "Download the new suite" in [button.label for button in app.at.download_button]
    return bytes(app.at.session_state["patch-made"][1].suite.read())


# -- decisions -----------------------------------------------------------------


@pytest.mark.usefixtures("run")
def test_a_case_is_judged_before_it_is_decided_on(app: App):
    app.open("failures", case="m-missed", stratum="all").named("Ann")
    assert "Judge the case first;" in (app.text("review-decision") or "")
    assert "Decision" not in [group.label for group in app.at.button_group]


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("s1", ["Promote to medium", "Accept this wording", "Fix the check", "Retire", "Keep"]),
        ("s3", ["Promote to medium", "Fix the check", "Retire", "Keep"]),
        ("m-missed", ["Accept this wording", "Fix the check", "Retire", "Keep"]),
    ],
)
def test_only_what_makes_sense_is_offered(
    app: App, history: History, run: Run, case_id: str, expected: list[str]
):
    judge(history, run, case_id, "Ann", "bad_fixture")
    app.open("failures", case=case_id, state="all", stratum="all").named("Ann")
    assert app.counts("Decision") == expected


@pytest.mark.parametrize(
    ("kind", "button", "change", "done"),
    [
        ("promote", "promote to medium", {"stratum": "medium"}, "promoted to medium"),
        ("retire", "retire", {}, "retired"),
        ("keep", "keep", {}, "kept as it is"),
    ],
)
@pytest.mark.usefixtures("run")
def test_a_decision_is_kept_shown_and_taken_back(
    app: App, history: History, kind: str, button: str, change: dict[str, str], done: str
):
    deciding(app, "s1", kind).fill(WHY, HOSTILE).click(f"Decide: {button}")
    assert changes(history) == [("s1", Change(kind=kind, fields=change))]  # type: ignore[arg-type]
    shown = app.text("review-decision") or ""
    assert re.search(rf"s1 {done} by Ann, \S+ \S+ UTC: {re.escape(HOSTILE)}", shown)
    assert panel(app).startswith("Suite patch: 1 decision\n")
    assert f"s1 {done} by Ann, " in panel(app)
    app.click("Take it back")
    assert panel(app).startswith("Suite patch: 0 decisions\n")
    assert done not in (app.text("review-decision") or "")
    assert len(history.journal.entries()) == 5


@pytest.mark.usefixtures("run")
def test_a_near_miss_is_the_wording_that_is_offered(app: App, history: History):
    deciding(app, "s2", "accept_wording")
    assert (app.options("Instead of"), app.value("accept as well")) == (["don't"], "don’t")
    shown = app.text("review-decision") or ""
    assert "The row" in shown
    replay = "Replayed: with this change the last run would have passed."
    assert (replay in shown, "As recorded, 1 of 1 failed." in shown) == (True, True)
    app.click("Decide: accept this wording")
    assert changes(history) == [
        (
            "s2",
            Change(
                kind="accept_wording",
                fields={"must_include": [], "must_include_any": [["don't", "don’t"]]},
            ),
        )
    ]


@pytest.mark.usefixtures("run")
def test_without_a_near_miss_the_wording_is_written(app: App, history: History):
    deciding(app, "s1", "accept_wording")
    assert app.value("accept as well") == ""
    assert "Decide: accept this wording" not in app.buttons
    app.fill("accept as well", "it is").again()
    assert "is accepted already; accept another wording" in app.all_text()
    app.fill("accept as well", "nothing").again()
    assert "with this change the last run would have passed" in app.all_text()
    app.click("Decide: accept this wording")
    assert changes(history)[0][1].fields["must_include_any"] == [["it is", "nothing"]]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"stretch"', '"hard"', "line 1, field stratum: no such stratum"),
        ('{"id"', '{"id', "line 1"),
        ('["it is"]', '"it is"', "line 1, field must_include"),
        ('"s1"', '"s9"', "a case keeps its id; retire it and mint another one"),
        ('"must_include"', '"must_includes"', "must_includes"),
        ("}", "}\n{}", "a line break inside the row"),
    ],
)
@pytest.mark.usefixtures("run")
def test_a_row_that_the_loader_refuses_is_told_and_not_decided(
    app: App, history: History, old: str, new: str, told: str
):
    deciding(app, "s1", "fix_check")
    assert "Decide: fix the check" not in app.buttons
    row = str(app.value(ROW)).replace(old, new)
    app.fill(ROW, row).again()
    assert told in (app.text("review-decision") or "")
    assert app.value(ROW) == row
    assert "Decide: fix the check" not in app.buttons
    assert changes(history) == []


@pytest.mark.usefixtures("run")
def test_a_fixed_row_is_shown_replayed_and_kept(app: App, history: History):
    answers = ["nothing", "it was", "it is", "it was not"]
    for number, answer in enumerate(answers, start=2):
        held = case("s1", "stretch", completion=answer, must_include=["it is"])
        keep(history, jsonl([held]), f"v{number}", at=day(number))
    app.open("failures", case="s1", state="all").named("Ann").press("bad_fixture", "s1")
    deciding(app, "s1", "fix_check")
    row = str(app.value(ROW)).replace('["it is"]', '["IT WAS"]')
    app.fill(ROW, row).again()
    shown = app.text("review-decision") or ""
    assert "Replayed: with this change 3 of the last 5 runs would have failed." in shown
    assert "As recorded, 4 of 5 failed." in shown
    app.click("Decide: fix the check")
    assert changes(history) == [
        ("s1", Change(kind="fix_check", fields={"must_include": ["IT WAS"]}))
    ]


@pytest.mark.usefixtures("run")
def test_another_prompt_is_answered_by_no_stored_completion(app: App):
    deciding(app, "s1", "fix_check")
    app.fill(ROW, str(app.value(ROW)).replace("Say it.", "Say it again.")).again()
    assert (
        "Replayed: no stored completion answers this prompt; 1 run answers another prompt."
        in app.all_text()
    )


def test_runs_that_do_not_count_are_not_replayed(app: App, history: History, run: Run):
    excluded = keep(history, reviewable(), "v0", at=day(0)).run_id
    history.exclude(excluded, who="lead", why="wrong file")
    deciding(app, "s1", "promote")
    assert "with this change the last run would have failed" in app.all_text()


# -- the patch -----------------------------------------------------------------


def test_the_new_suite_differs_in_the_touched_lines_only(app: App, history: History, wide: bytes):
    deciding(app, "s0", "promote").fill(WHY, "café").click("Decide: promote to medium")
    deciding(app, "s1", "keep").click("Decide: keep")
    give_suite(app, wide, "g $x$.jsonl")
    assert "g $x$.jsonl" in panel(app)
    assert "1 line differs, all others are the same byte for byte." in panel(app)
    old, new = wide.split(b"\n"), new_suite(app).split(b"\n")
    assert [
        place for place, pair in enumerate(zip(old, new, strict=True)) if len(set(pair)) > 1
    ] == [0]
    assert new[0].startswith(b'\xef\xbb\xbf{"id": "s0", "stratum": "medium", "mine":[1,  2.0],')
    row = json.loads(new[0].removeprefix(b"\xef\xbb\xbf"))
    assert row["note"].endswith(" Ann: promoted to medium: café")
    # Without another file it stays, and a decision taken back is not in it any more.
    next(b for b in app.at.button if str(b.key).startswith("patch-take-back")).click()
    app.again()
    assert app.at.session_state["patch-made"][1].patched.touched == ()


def test_the_suite_that_is_open_on_gauges_need_not_be_given_again(
    app: App, history: History, wide: bytes
):
    app.open().upload(wide, "mine.jsonl")
    deciding(app, "s0", "retire").click("Decide: retire")
    assert "Suite file: mine.jsonl" in panel(app)
    assert len(new_suite(app).split(b"\n")) == 10


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (jsonl([case("other", "easy")]), "no such case in this suite"),
        (jsonl([case("s0", "stretch", must_include=["z"])]), "changed since it was decided on"),
        (b"no suite", "line 1"),
        (b"", "line 1: no cases"),
    ],
)
@pytest.mark.usefixtures("wide")
def test_a_file_that_is_not_the_suite_is_told(app: App, data: bytes, told: str):
    deciding(app, "s0", "retire").click("Decide: retire")
    give_suite(app, data, "other.jsonl")
    assert "other.jsonl: the decisions cannot be carried out." in panel(app)
    assert told in panel(app)
    assert "Download the new suite" not in app.all_text()


@pytest.mark.usefixtures("wide")
def test_decisions_are_of_the_suite_that_they_were_made_on(app: App, history: History):
    deciding(app, "s0", "retire").click("Decide: retire")
    keep(history, reviewable(), "v2", at=day(5))
    assert panel(app.open("failures")).startswith("Suite patch: 0 decisions\n")
    assert panel(app.open("failures", run="1")).startswith("Suite patch: 1 decision\n")


@pytest.mark.usefixtures("wide")
def test_a_promotion_that_leaves_too_few_says_so_and_unfolds_the_form(app: App):
    deciding(app, "s0", "promote").click("Decide: promote to medium")
    assert "leave 9 stretch cases" not in app.all_text()
    assert not folded(app).proto.expanded
    deciding(app, "s1", "promote").click("Decide: promote to medium")
    assert "The decisions leave 9 stretch cases, fewer than 10:" in app.all_text()
    assert folded(app).proto.expanded


def unfold_form(app: App) -> App:
    app.at.session_state["review-mint"] = True
    return app.again()


def folded(app: App):
    return next(fold for fold in app.at.expander if fold.label == MINT)


# -- minting -------------------------------------------------------------------


@pytest.mark.usefixtures("wide")
def test_a_new_case_is_graded_as_it_is_written_and_comes_last(
    app: App, history: History, wide: bytes
):
    unfold_form(app.open("failures").named("Ann"))
    assert "Write an id and a prompt;" in (app.text(MINT) or "")
    app.fill("Id", "new").fill("Prompt", "Say more.").again()
    assert "Write a completion to try the checks on." in (app.text(MINT) or "")
    app.fill(INCLUDE, "more | now").fill(ANY, "a|b; c | z").fill(EXCLUDE, "never").again()
    app.fill(TRY, "More, a and never.").again()
    shown = app.text(MINT) or ""
    for words in ("▲ failed", "missing:now", "missing_any:c|z", "forbidden:never"):
        assert words in shown
    app.fill(TRY, "More now: a, z.").again()
    assert "● passed" in (app.text(MINT) or "")
    app.fill("Tags, parted by commas", "tone, json").fill(WHY, "to be harder").again()
    app.at.checkbox[0].check()
    app.again().click("Add it to the patch")
    row = {
        "id": "new",
        "stratum": "stretch",
        "prompt": "Say more.",
        "completion": "More now: a, z.",
        "must_include": ["more", "now"],
        "must_include_any": [["a", "b"], ["c", "z"]],
        "must_not_include": ["never"],
        "max_chars": 1200,
        "tags": ["tone", "json"],
    }
    assert changes(history) == [("new", Change(kind="mint", fields=row))]
    assert (app.value("Id"), app.value("Prompt"), app.value(TRY)) == ("", "", "")
    give_suite(app, wide)
    lines = new_suite(app).split(b"\n")
    assert b"\n".join(lines[:11]).removesuffix(b"\r") == wide
    minted = json.loads(lines[11])
    assert minted.pop("note").endswith(" Ann: minted: to be harder")
    assert minted == row


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"Id": "s0"}, "The suite has a case of this id already"),
        ({"Id": "new", INCLUDE: "it|\u200b"}, "line 1, field must_include[1]"),
    ],
)
def test_a_new_case_that_cannot_be_is_told_and_nothing_is_lost(
    app: App, history: History, fields: dict[str, str], told: str
):
    unfold_form(app.open("failures").named("Ann")).fill("Prompt", "Say more.")
    for label, value in fields.items():
        app.fill(label, value)
    app.again()
    assert told in (app.text(MINT) or "")
    assert "Add it to the patch" not in app.buttons
    assert {label: app.value(label) for label in fields} == fields
    assert changes(history) == []


@pytest.mark.usefixtures("wide")
def test_a_name_is_needed_to_add_a_case(app: App):
    unfold_form(app.open("failures")).fill("Id", "new").fill("Prompt", "Say more.").again()
    assert "Give your name at the top of the page;" in (app.text(MINT) or "")
    assert "Add it to the patch" not in app.buttons
    assert "Add it to the patch" in app.named("Ann").buttons


# -- the cases of others -------------------------------------------------------

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"


@pytest.fixture
def shared(request: pytest.FixtureRequest, app: App) -> App:
    """The suite of a case seen in the wild, saved through the page, and Failures open on it."""
    file = CASES / request.param / "fixtures.jsonl"
    if not file.exists():
        pytest.skip(f"{file} is not there")
    app.open().upload(file.read_bytes(), "fixtures.jsonl")
    app.fill("What was graded", "v1").click("Save")
    return app.open("failures", run="1")


def in_the_wild(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("shared", [name], indirect=True)


@in_the_wild("sto-two-reviewers")
def test_two_reviewers_are_both_kept_and_told(shared: App, another_app: App, history: History):
    another_app.open("failures", run="1").named("B")  # opened before A has judged
    shared.named("A").press("acceptable", "s1")
    another_app.fill("Note, kept with your verdict", "true miss").press("real_miss", "s1")
    assert "Reviewers disagree: A said Acceptable." in another_app.all_text()
    kept = [(e.who, e.verdict, e.note) for _, e in history.journal.entries()]
    assert kept == [("A", "acceptable", ""), ("B", "real_miss", "true miss")]
    shared.open("failures", run="1", case="s1", state="all")
    shown = shared.text("review-case") or ""
    assert "Reviewers disagree.A, " in shown
    assert "Real miss: true miss" in shown


@in_the_wild("sto-undo")
def test_a_wrong_verdict_is_taken_back_also_after_a_reload(
    shared: App, another_app: App, history: History
):
    shared.named("Ann").press("real_miss", "s1").click("Undo")
    assert "0 of 2 reviewed" in progress(shared)
    shared.click("Next").press("acceptable", "s2")
    another_app.open("failures", run="1").named("Ann").click("Undo")
    assert "0 of 2 reviewed" in progress(another_app)
    said = [(e.case_id, e.verdict) for _, e in history.journal.entries()]
    assert said == [("s1", "real_miss"), ("s1", None), ("s2", "acceptable"), ("s2", None)]


@in_the_wild("sto-save-feedback")
def test_a_long_note_is_stored_whole_once_and_confirmed_with_the_time(
    shared: App, history: History
):
    note = ("$x$ \N{PILE OF POO} line\n" * 1_000)[:10_000]
    shared.named("Ann").fill("Note, kept with your verdict", note).press("unsure", "s1")
    assert "Saved: Unsure on s1 at " in shared.all_text()
    shared.open("failures", run="1", case="s1", state="all").press("unsure", "s1")
    assert [entry.note for _, entry in history.journal.entries()] == [note]


@in_the_wild("sto-override-and-rate")
def test_a_human_verdict_does_not_rewrite_the_rate(shared: App, history: History):
    report, run = history.report(1), history.run(1)
    shared.named("Ann").press("acceptable", "s1")
    words = shared.text("review-progress") or ""
    assert "String checks: 0 of 2 stretch cases passed. Review: 1 of 2 misses judged" in words
    assert (history.report(1), history.run(1)) == (report, run)
    assert "0 of 2 passed" in (shared.open("gauges", run="1").text("gauge-stretch") or "")


@in_the_wild("sub-forbidden-inside-word")
def test_a_false_alarm_of_a_check_is_seen_and_marked_as_the_checks_fault(
    shared: App, history: History
):
    shared.open("failures", run="1", stratum="medium").named("Ann")
    assert shared.listed == ["m1", "m2"]
    html = "".join(element.proto.body for element in shared.at.get("html"))
    assert 'The s</bdi><mark class="forbidden"><bdi>hell</bdi></mark><bdi> is ' in html
    shared.press("bad_fixture", "m1")
    assert [(e.case_id, e.verdict) for _, e in history.journal.entries()] == [("m1", "bad_fixture")]


def test_an_unsaved_upload_of_another_visitor_is_nowhere_on_the_page(
    app: App, another_app: App, history: History, wide: bytes
):
    folder = CASES / "ui-cross-session"
    if not folder.exists():
        pytest.skip(f"{folder} is not there")
    for visitor, name in ((app, "user_a"), (another_app, "user_b")):
        visitor.open().upload((folder / f"{name}.jsonl").read_bytes(), "fixtures.jsonl")
    for visitor, foreign in ((app, "B-"), (another_app, "A-")):
        deciding(visitor, "s0", "retire").click("Decide: retire")
        assert foreign not in visitor.all_text()
        assert foreign not in "".join(visitor.listed)
        assert "Suite file" not in panel(visitor)
