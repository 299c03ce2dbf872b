"""The Compare page, one visitor, without a browser."""

import pytest

from evalcore.store import History
from tests.evalcore.keeping import keep, row, suite
from tests.pages.conftest import App
from tests.pages.histories import day
from tests.pages.suites import case, jsonl

HOSTILE = "$x$ *b* <b>i</b> ![p](http://127.0.0.1:9/p.png)"


def pair(app: App) -> tuple[object, object]:
    return app.value("Baseline"), app.value("Run")


def in_stratum(app: App, stratum: str = "stretch") -> list[str]:
    """What is said of a stratum: headline, lists, sentences."""
    return (app.text(f"compare-{stratum}") or "").split("\n")


def lists(app: App, stratum: str = "stretch") -> str:
    return in_stratum(app, stratum)[1]


def runs(history: History, *suites: bytes) -> None:
    for number, data in enumerate(suites, start=1):
        keep(history, data, f"v{number}", at=day(number))


# -- which two -----------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1])
def test_with_fewer_than_two_runs_one_button_loads_the_example(
    app: App, history: History, count: int
):
    runs(history, *[suite([row("a")])] * count)
    app.open("compare")
    assert app.buttons == ["Load the example history"]
    app.click("Load the example history")
    assert len(app.options("Run")) == 15 + count


@pytest.mark.usefixtures("example_history")
@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ({}, (14, 15)),
        ({"run": "9"}, (8, 9)),
        ({"baseline": "3"}, (3, 15)),
        ({"run": "1"}, (15, 1)),
        ({"baseline": "13", "run": "12"}, (13, 12)),
        ({"baseline": "5", "run": "5"}, (5, 5)),
    ],
)
def test_the_pair_is_what_the_address_says_or_the_run_before(
    app: App, address: dict[str, str], expected: tuple[int, int]
):
    assert pair(app.open("compare", **address)) == expected
    assert app.address == address


def test_the_run_before_is_one_of_the_same_suite(app: App, history: History):
    for number, name in enumerate(("ours", "theirs", "ours"), start=1):
        keep(history, suite([row("a")]), f"v{number}", suite=name, at=day(number))
    assert pair(app.open("compare")) == (1, 3)


@pytest.mark.usefixtures("example_history")
def test_choosing_and_swapping_keep_the_address(app: App, another_app: App):
    app.open("compare").choose("Baseline", 12)
    app.choose("Run", 13)
    assert (pair(app), app.address) == ((12, 13), {"baseline": "12", "run": "13"})
    app.click("Swap")
    assert (pair(app), app.address) == ((13, 12), {"baseline": "13", "run": "12"})
    assert another_app.open("compare", **app.address).all_text() == app.all_text()


@pytest.mark.usefixtures("example_history")
@pytest.mark.parametrize(
    "address", [{"run": "77"}, {"baseline": "0"}, {"run": "-1"}, {"run": "x"}, {"run": HOSTILE}]
)
def test_an_unknown_run_is_named_and_the_page_goes_on(app: App, address: dict[str, str]):
    app.open("compare", **address)
    (asked,) = address.values()
    fault = app.text("history-fault") or ""
    assert fault.startswith(f"there is no run {asked[:10]}")
    assert in_stratum(app) == [""]
    app.click("Go on without it")
    assert (pair(app), app.address) == ((14, 15), {})


# -- what changed --------------------------------------------------------------


@pytest.mark.usefixtures("example_history")
def test_the_example_says_that_the_yardstick_moved_and_not_the_answers(app: App):
    app.open("compare", baseline="12", run="13")
    headlines = [in_stratum(app, name)[0] for name in ("stretch", "medium", "easy")]
    assert headlines == [
        "Stretch fell from 16 of 20 to 9 of 20: same answers, new fixtures −7",
        "Medium stayed at 20 of 20: same answers, same fixtures",
        "Easy stayed at 8 of 8: same answers, same fixtures",
    ]
    assert (
        "the baseline’s fixturesthe run’s fixtures"
        "the baseline’s answers16 of 208 of 14the run’s answers10 of 149 of 20"
    ) in in_stratum(app)[3]


def test_the_lists_stand_in_order_what_fell_first(app: App, history: History):
    def stretch(case_id: str, *, passes: bool, **more: object) -> dict[str, object]:
        return row(case_id, "stretch", passes=passes, **more)

    before = [
        stretch("rose", passes=False),
        stretch("fell", passes=True),
        stretch("gone", passes=True),
        stretch("stays", passes=False),
        stretch("edited", passes=True),
        stretch("left", passes=True),
    ]
    after = [
        stretch("rose", passes=True),
        stretch("fell", passes=False),
        stretch("stays", passes=False),
        stretch("edited", passes=True, must_include=["nothing"]),
        row("left", "medium", passes=True),
        stretch("came", passes=False),
    ]
    runs(history, suite(before), suite(after))
    app.open("compare")
    assert lists(app) == (
        "passed → failed: 1fell"
        "failed → passed: 1rose"
        "still failing: 1stays"
        "only in the baseline: 1gone: passed"
        "only in the run: 1came: failed"
        "prompt or checks changed: 1edited: must_include changed; passed → failed"
        "moved out: 1left: stretch → medium; passed → passed"
    )
    assert "moved in: 1left: stretch → medium" in lists(app, "medium")
    assert app.options("Case") == ["fell", "rose", "edited", "left", "came", "gone", "stays"]


def test_runs_without_a_case_in_common_are_told_so(app: App, history: History):
    runs(history, suite([row("a"), row("b")]), suite([row("c", passes=False)]))
    said = in_stratum(app.open("compare"), "easy")
    assert said[0] == ("Easy went from 2 of 2 to 0 of 1: no case answered in both, new fixtures −2")
    assert "No case can be compared like for like." in said[2]


@pytest.mark.usefixtures("example_history")
def test_a_run_with_itself_has_no_difference(app: App):
    app.open("compare", baseline="5", run="5")
    assert in_stratum(app)[0] == "Stretch stayed at 8 of 20: same answers, same fixtures"
    assert "None changed sides" not in app.all_text()
    assert "none changed sides" in app.all_text()


def test_a_case_without_an_answer_is_no_pass_and_no_flip(app: App, history: History):
    data = suite([row("a"), row("b")])
    keep(history, data, "v1", at=day(1))
    keep(history, data, "v2", at=day(2), unanswered={"a": "timed out"})
    app.open("compare")
    assert lists(app, "easy") == "no answer: 1a: in the run"
    app.open("compare", case="a")
    assert "no answer: timed out" in (app.text("side-by-side") or "")


# -- a case side by side -------------------------------------------------------


@pytest.fixture
def edited(history: History) -> None:
    """Two runs: a case whose answer changed, one that is the same, and one on each side alone."""
    checks = {"must_include": ["weekday"], "must_not_include": ["Sunday"]}
    old = [
        case("both", "stretch", completion="Open on Sunday only.", **checks),
        case("same", "stretch", completion="weekday", **checks),
        case("old", "stretch", completion="weekday", **checks),
    ]
    new = [
        case("both", "stretch", completion="Open on each weekday only.", **checks),
        case("same", "stretch", completion="weekday", **checks),
        case("new", "stretch", completion="weekday", **checks),
    ]
    runs(history, jsonl(old), jsonl(new))


@pytest.mark.usefixtures("edited")
def test_a_chosen_case_is_shown_twice_with_what_changed(app: App, another_app: App):
    app.open("compare").choose("Case", "both")
    assert app.address == {"case": "both"}
    side = app.text("side-by-side") or ""
    assert "Baseline: run 1, v1▲ failed · stretch" in side
    assert "missing:weekdayforbidden:Sunday" in side
    assert "forbidden at 8 to 14: Sunday" in side
    assert "Run: run 2, v2● passed · stretch" in side
    assert "found at 13 to 20: weekday" in side
    assert "Open on Sundayeach weekday only." in side
    assert another_app.open("compare", case="both").text("side-by-side") == side


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("same", "Nothing: both are the same, letter for letter."),
        ("old", "Run: run 2, v2This run does not have the case."),
        ("new", "Baseline: run 1, v1This run does not have the case."),
    ],
)
def test_a_link_opens_a_case_that_need_not_differ(app: App, case_id: str, expected: str):
    app.open("compare", case=case_id)
    assert expected in (app.text("side-by-side") or "")


@pytest.mark.usefixtures("edited")
def test_a_case_of_neither_run_is_not_another_one(app: App):
    side = app.open("compare", case="other").text("side-by-side") or ""
    assert side.count("This run does not have the case.") == 2
    assert "Completion" not in side


@pytest.mark.usefixtures("edited")
def test_another_pair_closes_the_case(app: App):
    app.open("compare", case="both").choose("Run", 1)
    assert app.address == {"run": "1"}
    assert "Completion" not in (app.text("side-by-side") or "")


def test_texts_of_cases_stand_letter_for_letter(app: App, history: History):
    old = case(HOSTILE, "stretch", completion=f"{HOSTILE} old", must_include=["x", HOSTILE])
    new = {**old, "completion": "$y$ <i>new</i>", "note": HOSTILE}
    runs(history, jsonl([old]), jsonl([new]))
    app.open("compare", case=HOSTILE)
    assert lists(app) == f"passed → failed: 1{HOSTILE}"
    side = app.text("side-by-side") or ""
    assert app.options("Case") == [HOSTILE]
    assert f"Note: {HOSTILE}" in side
    assert f"missing:{HOSTILE}" in side
    assert f"{HOSTILE} old" in side
