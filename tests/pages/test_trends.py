"""The Trends page, one visitor, without a browser."""

import re
from pathlib import Path
from typing import Any

import pytest

from evalcore.store import History
from tests.evalcore.keeping import keep
from tests.pages.conftest import App
from tests.pages.histories import day, multiply, named
from tests.pages.suites import counted

JOB = "order-desk-example"
HOSTILE = "$x$ *b* <b>i</b> ![p](http://127.0.0.1:9/p.png) :red[r]"
SUITE = counted(easy=(5, 5), medium=(18, 20), stretch=(9, 20))


def words(app: App, stratum: str) -> dict[str, str]:
    """What a panel says, by its heads."""
    panel = app.text(f"trend-{stratum}") or ""
    found = re.search("(.*)Trend(.*?)(?:Since(.*))?Headroom(.*)Noise(.*)", panel)
    assert found, panel
    heads = ("newest", "trend", "since", "headroom", "noise")
    return {head: said for head, said in zip(heads, found.groups(), strict=True) if said}


def rows(app: App) -> list[dict[str, str]]:
    """The runs table."""
    tables = app.at.dataframe
    listed: list[dict[str, str]] = tables[0].value.to_dict("records") if len(tables) else []
    return listed


def listed(app: App) -> list[int]:
    return [int(row["run"]) for row in rows(app)]


def charts(app: App) -> list[str]:
    """What each chart says to those who cannot see it."""
    return [chart.proto.alt for chart in app.at.get("vega_lite_chart")]


# -- nothing yet, and the example ----------------------------------------------


def test_without_a_history_one_button_loads_the_example(app: App, history_file: Path):
    app.open("trends")
    assert app.buttons == ["Load the example history"]
    assert not history_file.exists()
    app.click("Load the example history")
    assert listed(app) == [*range(15, 0, -1)]


@pytest.mark.usefixtures("example_history")
def test_the_example_says_where_headroom_is(app: App):
    app.open("trends")
    assert {stratum: words(app, stratum) for stratum in ("stretch", "medium", "easy")} == {
        "stretch": {
            "newest": "Stretch10 of 20 passedin v12",
            "trend": "too few versions: 3 of 8 needed",
            "since": "2026-10-22 UTC on the same cases (stretch cases changed: 20 as before)",
            "headroom": "6 more passes trip the alarm",
            "noise": "our own repeats flip 1 case in 20",
        },
        "medium": {
            "newest": "Medium19 of 20 passedin v12",
            "trend": "rising over the last 13 versions; about 0.2 more cases of 20 a version",
            "since": "2026-08-04 UTC on the same cases",
            "headroom": "3 more misses trip the alarm",
            "noise": "our own repeats flip 1 case in 20",
        },
        "easy": {
            "newest": "Easy8 of 8 passedin v12",
            "trend": "no clear trend over the last 13 versions",
            "since": "2026-08-04 UTC on the same cases",
            "headroom": "1 more miss trips the alarm",
            "noise": "our own repeats flipped none of 8 cases",
        },
    }


@pytest.mark.usefixtures("example_history")
def test_the_counts_of_the_three_instruments_stand_each_by_itself(app: App):
    newest = rows(app.open("trends"))[0]
    assert newest == {
        "run": "15",
        "when (UTC)": "2026-11-19 09:18",
        "job or suite": JOB,
        "config": "v12",
        "easy": "8 of 8",
        "medium": "19 of 20",
        "stretch": "10 of 20",
        "remarks": "example",
    }


def test_the_example_is_marked_and_goes_with_one_click(app: App, example_history: History):
    mine = keep(example_history, SUITE, "mine").run_id
    app.open("trends", job=JOB)
    assert "example runs of an order desk that does not exist" in (app.text("example-banner") or "")
    assert {row["remarks"].rpartition("; ")[2] for row in rows(app)} == {"example"}
    app.click("Remove the example")
    assert app.text("example-banner") is None
    assert listed(app) == [mine]
    assert [run.id for run in example_history.runs()] == [mine]


# -- few runs, and many --------------------------------------------------------


def test_one_run_is_shown_and_no_trend_is_claimed(app: App, history: History):
    keep(history, SUITE, "v1", at=day(0))
    assert words(app.open("trends"), "stretch") == {
        "newest": "Stretch9 of 20 passedin v1",
        "trend": "too few versions: 1 of 8 needed",
        "since": "2026-03-01 UTC on the same cases",
        "headroom": "7 more passes trip the alarm",
        "noise": "noise unknown: no repeats",
    }


def test_of_very_many_runs_the_newest_are_drawn_and_the_rest_is_counted(app: App, history: History):
    multiply(history, keep(history, SUITE, "v1", at=day(90)).run_id, 1_699)
    app.open("trends")
    assert "1,500 older runs are not drawn" in (app.text("trend-stretch") or "")
    assert "over the last 1,700 versions" in words(app, "stretch")["trend"]
    assert len(rows(app)) == 1_700


def test_a_stratum_without_cases_says_so_and_is_no_zero(app: App, history: History):
    keep(history, counted(medium=(3, 4), stretch=(1, 2)), "v1", at=day(0))
    app.open("trends")
    easy = app.text("trend-easy") or ""
    assert "No run with easy cases." in easy
    assert "0 %" not in easy
    assert "0 of 0" not in easy
    assert rows(app)[0]["easy"] == "no cases"
    assert len(charts(app)) == 3  # two panels and the strip


def test_a_stratum_that_loses_its_cases_for_a_run_leaves_a_gap(app: App, history: History):
    for number, suite in enumerate((SUITE, counted(easy=(5, 5), medium=(18, 20)), SUITE)):
        keep(history, suite, f"v{number}", at=day(number))
    app.open("trends")
    (chart,) = (text for text in charts(app) if "stretch cases passed" in text)
    assert "2 points from 2026-03-01 to 2026-03-03 (UTC)." in chart
    assert "2026-03-02: no stretch cases in this run" in chart


def test_an_unfinished_run_is_in_no_trend(app: App, history: History):
    keep(history, SUITE, "v1", at=day(0))
    keep(history, SUITE, "v2", at=day(1), unanswered={"stretch-3": "timed out"})
    app.open("trends")
    assert words(app, "stretch")["newest"] == "Stretch9 of 20 passedin v1"
    assert any("Not joined, unfinished: 1." in text for text in charts(app))
    assert rows(app)[0]["stretch"] == "8 of 19, 1 unanswered"


# -- choices -------------------------------------------------------------------


@pytest.fixture
def two_jobs(history: History) -> History:
    """Runs 1 to 3 of the job alpha and run 4, the newest, of beta."""
    alpha, beta = map(named, "αβ")
    for number, config in enumerate(("v1", "v2", "v2"), start=1):
        keep(history, counted(f"{number}-", stretch=(17, 20)), config, job=alpha, at=day(number))
    keep(history, counted(stretch=(1, 2)), "other", job=beta, at=day(4))
    return history


@pytest.mark.usefixtures("two_jobs")
@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ({}, [4]),
        ({"job": "α"}, [3, 2, 1]),
        ({"job": "β"}, [4]),
        ({"job": "α", "config": "v2"}, [3, 2]),
        ({"job": "α", "config": ["v1", "v2"]}, [3, 2, 1]),
        ({"job": "α", "from": "2026-03-03"}, [3, 2]),
        ({"job": "α", "to": "2026-03-03"}, [2, 1]),
        ({"job": "α", "from": "2026-03-03", "to": "2026-03-03"}, [2]),
        ({"job": "α", "alerts": "ceiling"}, []),
        ({"job": "α", "alerts": "missing_stratum"}, [3, 2, 1]),
        ({"job": "α", "alerts": ["no alert", "missing_stratum"]}, [3, 2, 1]),
        ({"job": "α", "alerts": "no alert"}, []),
    ],
)
def test_an_address_chooses_what_is_shown(app: App, address: dict[str, Any], expected: list[int]):
    app.open("trends", **address)
    assert (listed(app), app.address) == (expected, address)


@pytest.mark.usefixtures("two_jobs")
def test_a_choice_changes_what_is_shown_and_the_address(app: App):
    app.open("trends").choose("Job or suite", "α")
    assert (listed(app), app.address) == ([3, 2, 1], {"job": "α"})
    app.choose("Configs", ["v2"])
    assert (listed(app), app.address) == ([3, 2], {"job": "α", "config": "v2"})
    app.choose("To (UTC)", day(2).date())
    assert listed(app) == [2]
    assert app.address == {"job": "α", "config": "v2", "to": "2026-03-03"}
    app.choose("Configs", []).choose("To (UTC)", None)
    assert (listed(app), app.address) == ([3, 2, 1], {"job": "α"})


@pytest.mark.usefixtures("example_history")
def test_a_link_opens_the_same_view_for_another_visitor(app: App, another_app: App):
    app.open("trends")
    app.choose("Configs", ["v9", "v10", "v11"]).choose("A point for every run", True)
    app.choose("Like for like", True).choose("From (UTC)", day(200).date())
    app.choose("To (UTC)", day(400).date()).choose("Stratum", "medium")
    app.choose("Alerts", ["ceiling"])
    another_app.open("trends", **app.address)
    assert another_app.address == app.address == {
        "job": JOB,
        "config": ["v9", "v10", "v11"],
        "every": "true",
        "alike": "true",
        "from": "2026-09-17",
        "to": "2027-04-05",
        "stratum": "medium",
        "alerts": "ceiling",
    }  # fmt: skip
    assert another_app.all_text() == app.all_text()
    assert charts(another_app) == charts(app)
    assert listed(another_app) == listed(app) == [12]


def test_a_link_still_means_the_same_job_when_another_one_has_newer_runs(
    app: App, another_app: App, example_history: History
):
    app.open("trends").choose("Configs", ["v9"])
    keep(example_history, SUITE, "newer")
    assert listed(another_app.open("trends", **app.address)) == [11]


@pytest.mark.usefixtures("example_history")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("job", "no such job"),
        ("job", HOSTILE),
        ("config", "v99"),
        ("from", "yesterday"),
        ("to", "2026-13-01"),
        ("every", "maybe"),
        ("alike", "1"),
        ("stratum", "hard"),
        ("alerts", "smoke"),
    ],
)
def test_an_unknown_part_of_the_address_is_named(app: App, name: str, value: str):
    app.open("trends", **{name: value})
    assert f"{name}={value} in the address" in app.all_text()
    assert app.address in ({}, {"job": JOB})
    assert listed(app) == [*range(15, 0, -1)]


@pytest.mark.usefixtures("example_history")
def test_a_part_that_is_said_twice_counts_once(app: App):
    app.open("trends", config=["v1", "v1"], stratum=["easy", "medium"], to="2999-12-31")
    assert listed(app) == [1]
    assert app.address == {
        "job": JOB, "config": "v1", "stratum": "medium", "to": "2999-12-31",
    }  # fmt: skip


@pytest.mark.usefixtures("example_history")
def test_no_run_left_says_what_to_do(app: App):
    app.open("trends", to="2026-01-01")
    assert "No run is left by these choices." in app.all_text()
    assert (rows(app), charts(app)) == ([], [])
    app.choose("To (UTC)", None)
    assert len(rows(app)) == 15


@pytest.mark.usefixtures("example_history")
def test_like_for_like_says_what_is_compared(app: App):
    app.open("trends").choose("Like for like", True)
    assert (
        "on the cases that all complete shown runs hold with the same checks: "
        "8 easy, 20 medium, 12 stretch."
    ) in (app.text("trend-choice") or "")
    assert words(app, "stretch")["newest"] == "Stretch6 of 12 passedin v12"
    assert "over the last 13 versions" in words(app, "stretch")["trend"]


@pytest.mark.usefixtures("example_history")
def test_every_run_can_have_a_point_of_its_own(app: App):
    (before,) = (text for text in charts(app.open("trends")) if "medium cases passed" in text)
    app.choose("A point for every run", True)
    (after,) = (text for text in charts(app) if "medium cases passed" in text)
    assert ("13 points" in before, "15 points" in after) == (True, True)


# -- leaving a run out ---------------------------------------------------------


@pytest.mark.usefixtures("example_history")
def test_an_excluded_run_leaves_the_trend_stays_visible_and_can_come_back(app: App):
    app.open("trends")
    app.fill("Your name", "Ada").fill("Why", HOSTILE).click("Exclude the run")
    assert words(app, "stretch")["newest"] == "Stretch11 of 20 passedin v11"
    assert any("Not joined, excluded: 1." in text for text in charts(app))
    assert rows(app)[0]["remarks"].endswith(f"excluded by Ada: {HOSTILE}")
    assert f"UTC by Ada: {HOSTILE}" in (app.text("Leave a run out of trends") or "")
    app.click("Let it count again")
    assert words(app, "stretch")["newest"] == "Stretch10 of 20 passedin v12"
    assert rows(app)[0]["remarks"] == "example"


@pytest.mark.usefixtures("example_history")
@pytest.mark.parametrize(
    ("name", "why", "expected"),
    [("", "wrong file", "who: blank"), ("Ada", " ", "why: blank"), ("A\x07", "x", "who: ")],
)
def test_an_exclusion_that_lacks_something_keeps_what_was_typed(
    app: App, name: str, why: str, expected: str
):
    app.open("trends").fill("Your name", name).fill("Why", why).click("Exclude the run")
    assert f"Not saved: {expected}" in (app.text("Leave a run out of trends") or "")
    assert (app.value("Your name"), app.value("Why")) == (name, why)
    assert rows(app)[0]["remarks"] == "example"


# -- text from people ----------------------------------------------------------


def test_names_stand_letter_for_letter(app: App, history: History):
    keep(history, SUITE, f"{HOSTILE} config", job=named(f"{HOSTILE} job"), at=day(0))
    app.open("trends")
    assert f"in {HOSTILE} config" in (app.text("trend-stretch") or "")
    assert app.options("Job or suite") == [f"{HOSTILE} job"]
    assert app.options("Configs") == [f"{HOSTILE} config"]
    assert (rows(app)[0]["job or suite"], rows(app)[0]["config"]) == (
        f"{HOSTILE} job",
        f"{HOSTILE} config",
    )
