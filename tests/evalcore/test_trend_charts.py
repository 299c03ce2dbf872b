"""The trend and the strip as specifications: what is drawn, where, and what it says in words."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from evalcore import charts
from evalcore.charts import DARK, LIGHT
from evalcore.run import Outcome
from evalcore.trends import Series, series, strip
from tests.evalcore.sample_runs import EXCLUDED, a_run, job

ODD = "=cmd\u202e <img src=x> $x$ **b** \x1b[31m" + "y" * 200


def drawn(runs, stratum="stretch", palette=LIGHT, **options) -> dict[str, Any]:
    return charts.trend(series(runs, stratum), palette, **options).to_dict()


def layers(spec, kind) -> list[dict[str, Any]]:
    return [layer for layer in spec["layer"] if layer["mark"]["type"] == kind]


def rows(spec, layer):
    """Returns what a layer draws, its filter applied."""
    values = spec["datasets"][layer["data"]["name"]]
    for step in layer.get("transform", []):
        field = step["filter"].removeprefix("datum.").removeprefix("datum['").removesuffix("']")
        values = [value for value in values if value[field]]
    return values


def runs_of(spec) -> dict[int, dict[str, Any]]:
    return {value["run"]: value for value in spec["datasets"]["runs"]}


def band(spec):
    return rows(spec, layers(spec, "area")[0])


def lone(spec):
    """Returns the intervals that are drawn as bars of their own."""
    return rows(spec, layers(spec, "rule")[1])


def line(spec):
    return rows(spec, layers(spec, "line")[1])


def steps(spec):
    return [(row["at"][:10], row["rate"]) for row in rows(spec, layers(spec, "line")[0])]


def diamonds(spec):
    (layer,) = [of for of in layers(spec, "point") if of["mark"].get("shape") == "diamond"]
    return rows(spec, layer)


def breaks(spec):
    return [row["at"][:10] for row in rows(spec, layers(spec, "rule")[0])]


def names(spec):
    return [layer["mark"]["text"] for layer in layers(spec, "text")][::2]


# -- the trend -----------------------------------------------------------------


def test_a_single_run_shows_a_point_an_interval_and_a_threshold():
    spec = drawn([a_run(1, passed=1, n=5)])
    (point,) = runs_of(spec).values()
    (interval,) = lone(spec)
    assert (point["rate"], point["shape"]) == (0.2, "circle")
    assert (round(interval["low"], 4), round(interval["high"], 4)) == (0.0362, 0.6245)
    assert steps(spec) == [("2026-03-01", 0.8), ("2026-03-02", 0.8)]
    assert names(spec) == ["ceiling 80 %"]


def test_a_chart_names_itself_its_axes_and_their_units():
    spec = drawn([a_run(1)], "medium", height=123)
    assert (spec["title"], spec["height"]) == ("Share of medium cases passed, by run", 123)
    (x,) = {json.dumps(of["encoding"]["x"]) for of in spec["layer"] if "x" in of["encoding"]}
    assert json.loads(x)["axis"]["title"] == "time of run (UTC)"
    assert json.loads(x)["scale"] == {
        "type": "utc",
        "domain": ["2026-03-01T21:00:00.000Z", "2026-03-02T21:00:00.000Z"],
        "nice": False,
    }
    axes = [of["encoding"]["y"]["axis"] for of in spec["layer"] if "y" in of["encoding"]]
    assert {axis["labelExpr"] for axis in axes} == {"datum.value * 100 + ' %'"}
    assert axes[0]["values"] == [0, 0.25, 0.5, 0.75, 1]


def test_all_shares_have_one_scale_with_nothing_made_up():
    spec = drawn([a_run(1, passed=0), a_run(2, passed=20)])
    scales = [of["encoding"]["y"]["scale"] for of in spec["layer"] if "y" in of["encoding"]]
    assert {tuple(scale["domain"]) for scale in scales} == {(-0.04, 1.16)}


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("fields", "shape", "filled"),
    [
        ({"passed": 9}, "circle", True),
        ({"passed": 16}, "triangle-up", True),
        ({"passed": 1, "n": 1}, "circle", False),
        ({"unanswered": 1}, "circle", False),
        ({"exclusion": EXCLUDED}, "M-.6,-.6L.6,.6M.6,-.6L-.6,.6", False),
        ({"unanswered": 1, "exclusion": EXCLUDED}, "M-.6,-.6L.6,.6M.6,-.6L-.6,.6", False),
    ],
    ids=["ok", "alarm", "refused", "unfinished", "excluded", "unfinished and excluded"],
)
def test_a_shape_says_what_a_run_is_and_colour_repeats_it(palette, fields, shape, filled):
    point = runs_of(drawn([a_run(1, **fields)], palette=palette))[1]
    assert point["shape"] == shape
    assert (point["fill"] not in (palette.paper, "transparent")) is filled


def test_repeats_are_short_strokes_at_their_own_time():
    spec = drawn([a_run(1, "p", 5), a_run(2, "p", 7), a_run(3)])
    assert {number: row["shape"] for number, row in runs_of(spec).items()} == {
        1: "stroke",
        2: "circle",
        3: "circle",
    }
    assert {row["run"]: row["at"] for row in line(spec)} == {
        2: "2026-03-02T09:00:00.000Z",
        3: "2026-03-04T09:00:00.000Z",
    }
    assert runs_of(spec)[1]["at"] == "2026-03-02T09:00:00.000Z"
    assert [row["run"] for row in lone(drawn([a_run(1, "p"), a_run(2, "p")]))] == [2]


def test_only_what_counts_is_joined_and_banded():
    spec = drawn(
        [a_run(1), a_run(2, unanswered=1), a_run(3, exclusion=EXCLUDED), a_run(4), a_run(5)]
    )
    assert sorted(row["run"] for row in line(spec)) == [1, 4, 5]
    assert sorted(row["run"] for row in band(spec)) == [1, 4, 5]
    assert lone(spec) == []


def test_line_and_band_break_where_the_cases_changed():
    spec = drawn([a_run(1), a_run(2), a_run(3, cases="b"), a_run(4, passed=0, n=0), a_run(5)])
    assert {row["run"]: row["segment"] for row in line(spec)} == {1: 0, 2: 0, 3: 1, 5: 3}
    assert sorted(row["run"] for row in lone(spec)) == [3, 5]
    assert breaks(spec) == ["2026-03-04", "2026-03-05", "2026-03-06"]
    for layer in (layers(spec, "line")[1], layers(spec, "area")[0]):
        assert layer["encoding"]["detail"]["field"] == "segment"


def test_breaks_are_named_as_far_as_there_is_room():
    far = [a_run(1), a_run(2), a_run(50, cases="b"), a_run(100, cases="b", matching="2")]
    assert names(drawn(far))[1:] == ["matching changed", "cases changed"]
    near = [a_run(1), a_run(98, cases="b"), a_run(99, cases="b", matching="2"), a_run(100)]
    assert names(drawn(near))[1:] == ["cases changed"]


def test_a_name_near_the_left_end_stands_to_the_right_of_its_line():
    spec = drawn([a_run(1), a_run(2, cases="b"), a_run(100, cases="b")])
    assert layers(spec, "text")[-1]["mark"]["align"] == "left"


def test_a_mark_says_on_hover_what_changed():
    spec = drawn([a_run(1), a_run(2, others="b", model="m2"), a_run(3, others="b", model="m2")])
    (mark,) = diamonds(spec)
    assert mark["changed"] == "other cases of the suite changed; model from none named to m2"
    assert mark["run"] == 2
    assert breaks(spec) == []


def test_the_threshold_is_a_dashed_step_line_as_it_was_at_each_run():
    spec = drawn([a_run(1), a_run(60, job=job(stretch_high=0.9)), a_run(101)])
    assert steps(spec) == [
        ("2026-02-27", 0.8),
        ("2026-04-30", 0.9),
        ("2026-06-10", 0.8),
        ("2026-06-13", 0.8),
    ]
    assert layers(spec, "line")[0]["mark"]["interpolate"] == "step-after"
    assert layers(spec, "line")[0]["mark"]["strokeDash"]
    assert names(spec) == ["ceiling 80 %", "ceiling 90 %", "ceiling 80 %"]


def test_a_threshold_that_held_too_briefly_has_no_name_of_its_own():
    runs = [a_run(1), a_run(95, job=job(stretch_high=0.9)), a_run(100)]
    assert names(drawn(runs)) == ["ceiling 80 %", "ceiling 80 %"]


@pytest.mark.parametrize(
    ("stratum", "zone"), [("easy", (0, 1)), ("medium", (0, 0.85)), ("stretch", (0.8, 1))]
)
def test_the_alarm_zone_is_a_thin_strip_at_the_newest_end(stratum, zone):
    spec = drawn([a_run(1)], stratum)
    (strip_layer,) = layers(spec, "rect")
    ((low, high),) = [(row["low"], row["high"]) for row in rows(spec, strip_layer)]
    assert (low, high) == zone
    assert (strip_layer["mark"]["x"], strip_layer["mark"]["x2"]) == (
        {"expr": "width - 5"},
        "width",
    )


def test_a_click_on_any_run_gives_its_id():
    spec = drawn([a_run(7)])
    (clicked,) = spec["params"]
    assert clicked["name"] == "run"
    assert clicked["select"]["fields"] == ["run"]
    assert list(runs_of(spec)) == [7]


def test_the_tooltip_says_counts_interval_state_and_what_changed():
    point = runs_of(drawn([a_run(1), a_run(2, "two", 17, model="m2")]))[2]
    assert {key: point[key] for key in ("config", "when", "counts", "plausible")} == {
        "config": "two",
        "when": "2026-03-03 09:00",
        "counts": "17 of 20 passed",
        "plausible": "63 % to 94 % is plausible",
    }
    assert (point["state"], point["changed"]) == (
        "alarm, by the ceiling 80 %",
        "model from none named to m2",
    )


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "ok, by the ceiling 80 %"),
        ({"passed": 1, "n": 1}, "refused: too few cases to tell"),
        ({"unanswered": 2}, "unfinished, in no trend: not every case has an answer"),
        ({"exclusion": EXCLUDED}, "excluded, in no trend: the wrong prompt file"),
    ],
)
def test_the_tooltip_says_why_a_run_is_in_no_trend(fields, state):
    assert runs_of(drawn([a_run(1, **fields)]))[1]["state"] == state


def test_the_tooltip_says_where_a_rerun_of_an_old_config_is_shown():
    spec = drawn([a_run(1, "old"), a_run(2), a_run(3, "old")])
    assert runs_of(spec)[3]["when"] == (
        "2026-03-04 09:00, shown at its config's first run, 2026-03-02 09:00"
    )


def test_times_are_told_in_utc_wherever_they_were_taken():
    east = timezone(timedelta(hours=9))
    point = runs_of(drawn([a_run(1, at=datetime(2026, 3, 2, 3, tzinfo=east))]))[1]
    assert (point["at"], point["when"]) == ("2026-03-01T18:00:00.000Z", "2026-03-01 18:00")


def test_names_that_nobody_checked_are_plain_short_text():
    spec = drawn([a_run(1, ODD), a_run(2, ODD + "2", model=ODD)])
    point = runs_of(spec)[2]
    assert point["config"].startswith("=cmd\\u202e <img src=x> $x$ **b** \\x1b[31m")
    assert len(point["config"]) <= 80
    assert len(diamonds(spec)[0]["changed"]) < 120


@pytest.mark.parametrize("same_config", [False, True], ids=["own configs", "one config"])
def test_5100_points_of_1700_runs_draw_with_the_newest_in_it(same_config):
    runs = [a_run(at, "p" if same_config else None, at % 21) for at in range(1, 1701)]
    for stratum in ("easy", "medium", "stretch"):
        shown = runs_of(drawn(runs, stratum))
        assert set(range(1501, 1701)) <= set(shown)
        assert len(shown) == 200 + same_config


def test_many_points_are_drawn_smaller():
    few, many = drawn([a_run(1)]), drawn([a_run(at) for at in range(100)])
    assert runs_of(few)[1]["size"] > 2 * runs_of(many)[1]["size"]


def test_nothing_to_show_is_for_words_and_not_for_a_chart():
    with pytest.raises(ValueError, match="no run with easy cases"):
        charts.trend(Series(stratum="easy"), LIGHT)


def test_runs_of_a_few_days_are_told_by_the_hour_and_of_months_by_the_day():
    hours = drawn([a_run(1), a_run(2)])["layer"][0]["encoding"]["x"]["axis"]["format"]
    days = drawn([a_run(1), a_run(90)])["layer"][0]["encoding"]["x"]["axis"]["format"]
    assert (hours, days) == ("%m-%d %H:%M", "%Y-%m-%d")


def test_a_trend_can_be_read_aloud():
    runs = [
        a_run(1),
        a_run(2, "prompt 1", 8),
        a_run(3, unanswered=1),
        a_run(4, exclusion=EXCLUDED),
        a_run(5, "prompt\n5", 17, others="b"),
    ]
    assert charts.trend_text(series(runs, "stretch")) == (
        "Share of stretch cases passed, by run. 2 points from 2026-03-02 to 2026-03-06 (UTC). "
        "2026-03-06: prompt\\n5, alarm; 17 of 20 passed; for similar cases anything from about "
        "63 % to 94 % is plausible. The alarm zone lies at or above the ceiling 80 %. "
        "Not joined, repeats: 1. Not joined, unfinished: 1. Not joined, excluded: 1. "
        "2026-03-06: other cases of the suite changed."
    )
    assert "below the floor 85 %" in charts.trend_text(series([a_run(1)], "medium"))


def test_unfinished_runs_alone_have_words_and_a_chart():
    runs = [a_run(1, unanswered=1), a_run(2, unanswered=1)]
    assert charts.trend_text(series(runs, "stretch")) == (
        "Share of stretch cases passed, by run. The alarm zone lies at or above the ceiling 80 %. "
        "Not joined, unfinished: 2."
    )
    assert line(drawn(runs)) == band(drawn(runs)) == []


def test_without_a_rate_the_words_say_so():
    assert charts.trend_text(Series(stratum="easy")) == (
        "Share of easy cases passed, by run. No run has a rate to show."
    )


# -- the strip -----------------------------------------------------------------

OUTCOMES: dict[int, dict[str, Outcome]] = {
    1: {"a": "passed", "b": "failed"},
    2: {"a": "unanswered", "b": "passed", "c": "failed"},
}


def strip_spec(outcomes=OUTCOMES, palette=LIGHT) -> dict[str, Any]:
    runs = [a_run(number, day=9 - number) for number in outcomes]
    return charts.strip(strip(outcomes, runs), palette).to_dict()


def cells(spec):
    return spec["datasets"]["cells"]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_cells_differ_by_shape_and_an_absent_case_has_none(palette):
    spec = strip_spec(palette=palette)
    looks = {(cell["case"], cell["run"]): (cell["fill"], cell["stroke"]) for cell in cells(spec)}
    assert looks == {
        ("a", 1): (palette.paper, palette.ok),
        ("a", 2): ("transparent", "transparent"),
        ("b", 1): (palette.alarm, palette.alarm),
        ("b", 2): (palette.paper, palette.ok),
        ("c", 2): (palette.alarm, palette.alarm),
    }
    (circles,) = layers(spec, "point")
    assert circles["transform"] == [{"filter": "(datum['outcome'] === 'unanswered')"}]


def test_rows_are_worst_first_and_columns_oldest_first():
    (squares,) = layers(strip_spec(), "rect")
    assert squares["encoding"]["y"]["scale"]["domain"] == ["c", "b", "a"]
    assert squares["encoding"]["x"]["scale"]["domain"] == [
        "2026-03-08 09:00 run 2",
        "2026-03-09 09:00 run 1",
    ]


def test_a_click_on_a_cell_gives_run_and_case():
    (clicked,) = strip_spec()["params"]
    assert (clicked["name"], clicked["select"]["fields"]) == ("cell", ["run", "case"])


def test_the_strips_tooltip_says_case_run_and_outcome():
    cell = next(cell for cell in cells(strip_spec()) if cell["case"] == "c")
    (squares,) = layers(strip_spec(), "rect")
    told = {of["title"]: cell[of["field"]] for of in squares["encoding"]["tooltip"]}
    assert told == {
        "case": "c",
        "outcome": "failed",
        "config": "prompt 2",
        "run at (UTC)": "2026-03-08 09:00",
    }


def test_ids_are_cut_to_show_and_whole_to_open_and_no_two_become_one_row():
    ids = [f"{'long-' * 20}{at}" for at in range(3)] + ["\u202eid"]
    failed: Outcome = "failed"
    spec = strip_spec({1: dict.fromkeys(ids, failed)})
    names = {cell["case"]: cell["row"] for cell in cells(spec)}
    assert sorted(names) == sorted(ids)
    assert len(set(names.values())) == 4
    assert names["\u202eid"] == "\\u202eid"
    assert max(map(len, names.values())) < 40


def test_60_cases_of_60_runs_draw():
    failed: Outcome = "failed"
    outcomes = {run: dict.fromkeys(map(str, range(60)), failed) for run in range(1, 61)}
    assert len(cells(strip_spec(outcomes))) == 3600


def test_an_empty_strip_is_for_words():
    with pytest.raises(ValueError, match="no case"):
        charts.strip(strip({}, []), LIGHT)
    assert charts.strip_text(strip({}, [])) == "No case in any run."


def test_a_strip_can_be_read_aloud():
    words = charts.strip_text(strip(OUTCOMES, [a_run(1), a_run(2)]))
    assert words == "Cases by run, 3 by 2, worst case first: c passed 0 of 1 times."


def test_a_run_at_midnight_of_another_zone_has_its_day_in_utc():
    runs = [a_run(1, at=datetime(2026, 3, 1, 23, 30, tzinfo=timezone(timedelta(hours=-2))))]
    spec = charts.strip(strip(OUTCOMES, runs), LIGHT).to_dict()
    assert {cell["column"] for cell in cells(spec)} == {"2026-03-02 01:30 run 1"}


def test_a_specification_holds_what_altair_itself_would_write():
    runs = [a_run(number, passed=number) for number in range(1, 12)]
    for chart in (
        charts.trend(series(runs, "stretch"), LIGHT),
        charts.strip(strip(OUTCOMES, runs), LIGHT),
    ):
        mine, theirs = charts.spec(chart), chart.to_dict()
        assert {**mine, "config": None} == {**theirs, "config": None}
        view = theirs["config"]["view"]
        assert mine["config"]["view"] == {
            name: value for name, value in view.items() if not name.startswith("continuous")
        }
