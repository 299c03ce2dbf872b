"""Series over runs: what is joined, where it breaks, what a trend says, and the worst cases."""

import csv
import json
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.run import Outcome
from evalcore.trends import (
    MOST_POINTS,
    Cell,
    Row,
    Trend,
    changes_between,
    headroom_words,
    series,
    strip,
    strip_rows,
    trend,
)
from tests.evalcore.sample_runs import EXCLUDED, START, a_run, job, sums

SHARED = Path(__file__).resolve().parents[3] / "shared"
AIDER = SHARED / "data" / "aider"
CASES = SHARED / "cases"


def ids(points):
    return [point.run.id for point in points]


def places(points):
    """Returns segment, run, and the day at which it stands."""
    return [(point.segment, point.run.id, (point.at - START).days) for point in points]


def texts(changes):
    return [(change.kind, change.text) for change in changes]


def marks(found):
    return [(point.run.id, texts(point.changes)) for point in found.marks]


def on(passes, n=20, **fields):
    """Returns one run a config, in the order of their passes."""
    return [a_run(at, passed=passed, n=n, **fields) for at, passed in enumerate(passes, start=1)]


# -- what is joined ------------------------------------------------------------


def test_points_follow_time_and_then_the_number_of_the_run():
    runs = [a_run(4, day=2), a_run(3, day=1), a_run(2, day=2), a_run(1, day=5)]
    assert ids(series(runs, "stretch").points) == [3, 2, 4, 1]


def test_a_config_has_one_point_its_newest_run_at_the_place_of_its_first():
    runs = [a_run(1, "old", 5), a_run(2, "new", 9), a_run(3, "old", 7), a_run(4, "old", 6)]
    found = series(runs, "stretch")
    assert places(found.points) == [(0, 4, 1), (0, 2, 2)]
    assert [point.sums.passed for point in found.points] == [6, 9]
    assert places(found.repeats) == [(0, 1, 1), (0, 3, 3)]
    assert found.versions == found.points


def test_every_run_is_a_point_if_so_asked_and_a_trend_still_counts_configs():
    runs = [a_run(1, "old"), a_run(2, "new"), a_run(3, "old")]
    found = series(runs, "stretch", one_per_config=False)
    assert (ids(found.points), found.repeats, ids(found.versions)) == ([1, 2, 3], (), [3, 2])


def test_unfinished_and_excluded_runs_are_seen_and_never_the_point_of_a_config():
    runs = [
        a_run(1, "one"),
        a_run(2, "one", unanswered=1),
        a_run(3, "two", unanswered=2),
        a_run(4, "one", exclusion=EXCLUDED),
        a_run(5, "three", unanswered=1, exclusion=EXCLUDED),
    ]
    found = series(runs, "stretch")
    assert (ids(found.points), ids(found.versions)) == ([1], [1])
    assert (ids(found.unfinished), ids(found.excluded)) == ([2, 3], [4, 5])
    assert ids(found.shown) == [1, 2, 3, 4, 5]
    assert found.repeats == found.marks == ()


def test_a_run_without_any_answer_has_no_rate_to_show():
    found = series([a_run(1, passed=0, n=0, unanswered=3)], "easy")
    assert (ids(found.unfinished), found.shown) == ([1], ())
    assert found.unfinished[0].rate is None


def test_a_point_is_judged_by_the_thresholds_of_its_run():
    runs = [a_run(1, passed=16), a_run(2, passed=16, job=job(stretch_high=0.9)), a_run(3, n=1)]
    points = series([*runs[:2], a_run(3, passed=1, n=1)], "stretch").points
    assert [point.evidence.state for point in points] == ["alarm", "ok", "refused"]
    assert [point.evidence.threshold.value for point in points] == [0.8, 0.9, 0.8]
    assert points[0].rate == 0.8


def test_steps_are_the_threshold_as_it_was_at_each_run():
    runs = [
        a_run(1),
        a_run(2),
        a_run(3, job=job(stretch_high=0.9)),
        a_run(4, job=job(stretch_high=0.9, easy_floor=0.5)),
        a_run(5),
        a_run(6, job=job(stretch_high=0.1), exclusion=EXCLUDED),
    ]
    steps = [
        ((step.at - START).days, step.threshold.value) for step in series(runs, "stretch").steps
    ]
    assert steps == [(1, 0.8), (3, 0.9), (5, 0.8)]


def test_an_unfinished_run_alone_still_has_its_threshold():
    (step,) = series([a_run(1, unanswered=1)], "medium").steps
    assert (step.at, step.threshold.key) == (START + timedelta(days=1), "medium_floor")


# -- where it breaks -----------------------------------------------------------


def test_a_change_of_the_stratums_cases_breaks_the_line_and_starts_a_segment():
    runs = [a_run(1), a_run(2), a_run(3, cases="b", n=22), a_run(4, cases="b", n=22)]
    found = series(runs, "stretch")
    assert [point.segment for point in found.points] == [0, 0, 1, 1]
    assert marks(found) == [(3, [("cases", "stretch cases changed: 20 before, 22 now")])]
    assert ids(found.versions) == [3, 4]


def test_a_change_of_the_matching_version_breaks_the_line():
    found = series([a_run(1), a_run(2, matching="2")], "easy")
    assert [point.segment for point in found.points] == [0, 1]
    assert marks(found) == [(2, [("matching", "matching from 1 to 2")])]
    assert found.marks[0].breaks


def test_other_cases_of_the_suite_are_a_mark_and_no_break():
    found = series([a_run(1), a_run(2, others="b")], "stretch")
    assert [point.segment for point in found.points] == [0, 0]
    assert marks(found) == [(2, [("other_cases", "other cases of the suite changed")])]
    assert not found.marks[0].breaks


def test_a_config_has_one_point_in_each_segment():
    runs = [a_run(1, "one"), a_run(2, "one", cases="b"), a_run(3, "one"), a_run(4, "one")]
    found = series(runs, "stretch")
    assert places(found.points) == [(0, 1, 1), (1, 2, 2), (2, 4, 3)]
    assert ids(found.repeats) == [3]


@pytest.mark.parametrize("after", ["a", "b"], ids=["same cases again", "other cases"])
def test_a_stratum_without_cases_leaves_a_gap_and_never_a_bridge_or_a_zero(after):
    runs = [a_run(1), a_run(2, passed=0, n=0), a_run(3, passed=0, n=0), a_run(4, cases=after)]
    found = series(runs, "stretch")
    assert places(found.points) == [(0, 1, 1), (2, 4, 4)]
    assert ids(found.shown) == [1, 4]
    assert marks(found) == [
        (2, [("no_cases", "no stretch cases in this run")]),
        (4, [("no_cases", "the run before had no stretch cases")]),
    ]
    assert found.left_out == 0


def test_a_gap_at_the_end_leaves_nothing_to_say_of_headroom():
    found = series([*on(range(9)), a_run(10, passed=0, n=0)], "stretch")
    assert headroom_words(found) == "the newest run has no stretch cases"
    assert trend(found) == Trend(word="too few versions", versions=0)


@pytest.mark.parametrize(
    "between", [{"unanswered": 1}, {"exclusion": EXCLUDED}], ids=["unfinished", "excluded"]
)
def test_a_run_that_does_not_count_breaks_nothing_and_marks_nothing(between):
    runs = [a_run(1), a_run(2, cases="b", model="m", **between), a_run(3)]
    found = series(runs, "stretch")
    assert [point.segment for point in found.points] == [0, 0]
    assert found.marks == ()
    (beside,) = (*found.unfinished, *found.excluded)
    assert [change.kind for change in beside.changes] == ["cases", "model"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, []),
        ({}, {"cases": "b"}, [("cases", "easy cases changed: 20 as before")]),
        ({}, {"model": "m2"}, [("model", "model from none named to m2")]),
        ({"model": "m1"}, {"model": "m2"}, [("model", "model from m1 to m2")]),
        ({"model": "m1"}, {}, [("model", "model from m1 to none named")]),
        ({}, {"job": job("nightly")}, [("job", "job from triage to nightly")]),
        ({}, {"job": job(None)}, [("job", "job from triage to none named")]),
        ({}, {"job": job(sha256="3" * 64)}, [("job", "job file changed, its thresholds did not")]),
        (
            {},
            {"job": job(sha256="3" * 64, stretch_high=0.855, ceiling_easy=0.95)},
            [
                (
                    "job",
                    "stretch ceiling from 80 % to 85.5 %; "
                    "easy rate of the ceiling alert from 99 % to 95 %",
                )
            ],
        ),
        (
            {},
            {"cases": "b", "matching": "2", "model": "\u202em\n", "job": job(easy_floor=0.9)},
            [
                ("cases", "easy cases changed: 20 as before"),
                ("matching", "matching from 1 to 2"),
                ("job", "easy floor from 100 % to 90 %"),
                ("model", "model from none named to \\u202em\\n"),
            ],
        ),
    ],
)
def test_changes_in_words(before, after, expected):
    assert texts(changes_between(a_run(1, **before), a_run(2, **after), "easy")) == expected


def test_the_config_alone_is_no_change():
    assert changes_between(a_run(1, "one"), a_run(2, "two"), "easy") == ()


plans = st.lists(
    st.tuples(
        st.integers(0, 5),  # day
        st.sampled_from("pqr"),  # config
        st.sampled_from("ab"),  # cases
        st.sampled_from("12"),  # matching
        st.sampled_from(["counts", "counts", "counts", "unfinished", "excluded", "gap"]),
    ),
    max_size=12,
)


def planned(plan):
    kinds: dict[str, dict[str, Any]] = {
        "counts": {},
        "unfinished": {"unanswered": 1},
        "excluded": {"exclusion": EXCLUDED},
        "gap": {"passed": 0, "n": 0},
    }
    return [
        a_run(number, config, day=day, cases=cases, matching=matching, **kinds[kind])
        for number, (day, config, cases, matching, kind) in enumerate(plan, start=1)
    ]


@given(plans, st.randoms(use_true_random=False))
def test_a_series_is_what_a_plain_reading_of_the_rules_gives(plan, random):
    runs = planned(plan)
    random.shuffle(runs)
    counted = sorted(
        (r for r in runs if r.complete and not r.exclusion), key=lambda r: (r.at, r.id)
    )
    stretches: list[list[int]] = []
    previous = None
    for run in counted:
        now = run.strata["stretch"].instrument_hash, run.matching
        if now != previous:
            stretches.append([])
        previous = now
        if run.strata["stretch"].n:
            stretches[-1].append(run.id)
    by_id = {run.id: run for run in runs}
    expected = []
    for number, members in enumerate(stretches):
        configs = defaultdict(list)
        for member in members:
            configs[by_id[member].config].append(by_id[member])
        expected += [(number, same[-1].id, (same[0].at - START).days) for same in configs.values()]

    found = series(runs, "stretch")
    assert places(found.points) == expected
    newest = [place for place in expected if place[0] == len(stretches) - 1]
    assert places(found.versions) == newest
    shown = [*found.points, *found.repeats, *found.unfinished, *found.excluded]
    gaps = [run.id for run in counted if not run.strata["stretch"].n]
    assert sorted([*ids(shown), *gaps]) == sorted(by_id)


# -- windows -------------------------------------------------------------------


def test_the_newest_points_are_shown_and_the_trend_counts_all_versions():
    found = series(on([1] * 10 + [2] * 10), "stretch", most=5)
    assert ids(found.points) == [16, 17, 18, 19, 20]
    assert len(found.versions) == 20
    assert found.left_out_words == "15 older runs are not drawn; the trend counts every version"


def test_an_old_config_graded_anew_is_among_the_newest():
    runs = [*on([1] * 20), a_run(21, "prompt 1")]
    found = series(runs, "stretch", most=3)
    assert places(found.points) == [(0, 21, 1), (0, 19, 19), (0, 20, 20)]
    assert ids(found.repeats) == [1]


def test_marks_and_steps_begin_where_the_points_begin():
    runs = [a_run(at, job=job(stretch_high=at / 10)) for at in range(1, 10)]
    found = series(runs, "stretch", most=3)
    assert ids(found.marks) == [7, 8, 9]
    assert [step.threshold.value for step in found.steps] == [0.7, 0.8, 0.9]
    long_ago = [a_run(1), *(a_run(at, model="m") for at in range(2, 10))]
    assert series(long_ago, "stretch", most=3).marks == ()


def test_one_run_left_out_is_said_in_the_singular():
    words = series(on([1, 2]), "stretch", most=1).left_out_words
    assert words == "1 older run is not drawn; the trend counts every version"
    assert series(on([1, 2]), "stretch").left_out_words == ""


@pytest.mark.parametrize("same_config", [False, True], ids=["own configs", "one config"])
def test_a_history_of_1700_runs_is_cut_to_a_window_with_the_newest_in_it(same_config):
    runs = [a_run(at, "p" if same_config else None, at % 21) for at in range(1, 1701)]
    found = series(runs, "stretch")
    assert len(found.points) + len(found.repeats) == MOST_POINTS + same_config
    assert {run.id for run in runs[-MOST_POINTS:]} <= set(ids(found.shown))
    assert found.left_out == 1700 - MOST_POINTS - same_config


# -- the trend -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("passes", "words", "pace"),
    [
        ([1, 2, 3], "too few versions: 3 of 8 needed", ""),
        (range(7), "too few versions: 7 of 8 needed", ""),
        (range(8), "rising over the last 8 versions", "about 1 more case of 20 a version"),
        (
            range(20, 8, -1),
            "falling over the last 12 versions",
            "about 1 fewer case of 20 a version",
        ),
        (range(0, 20, 2), "rising over the last 10 versions", "about 2 more cases of 20 a version"),
        (
            [3, 4, 4, 5, 6, 6, 7, 7, 8, 9, 9, 10],
            "rising over the last 12 versions",
            "about 0.6 more cases of 20 a version",
        ),
        (
            [5] * 12 + [6] * 12,
            "rising over the last 24 versions",
            "less than 0.1 more cases of 20 a version",
        ),
        ([5, 9, 5, 9, 5, 9, 5, 9], "no clear trend over the last 8 versions", ""),
        ([20] * 9, "no clear trend over the last 9 versions", ""),
    ],
)
def test_the_trend_in_words(passes, words, pace):
    found = trend(series(on(passes), "stretch"))
    assert (found.words, found.pace) == (words, pace)


def test_equal_rates_have_no_tau_and_no_trend():
    assert trend(series(on([7] * 9), "easy")) == Trend(word="no clear trend", versions=9)


def test_repeats_of_a_config_are_no_more_versions():
    runs = [a_run(at, f"prompt {at % 7}", at % 21) for at in range(40)]
    assert trend(series(runs, "stretch")).words == "too few versions: 7 of 8 needed"


def test_only_the_newest_segment_makes_a_trend():
    runs = [*on(range(10)), *(a_run(at, cases="b") for at in range(11, 14))]
    assert trend(series(runs, "stretch")).words == "too few versions: 3 of 8 needed"


def test_grading_the_oldest_config_anew_does_not_turn_a_trend():
    runs = [*on(range(12)), a_run(13, "prompt 1", 0)]
    found = series(runs, "stretch")
    assert trend(found) == trend(series(runs[:-1], "stretch"))
    assert headroom_words(found) == "5 more passes trip the alarm"


def test_a_trend_counts_versions_that_are_not_drawn():
    runs = on([at // 20 for at in range(250)])
    assert trend(series(runs, "stretch")).words == "rising over the last 250 versions"


@pytest.mark.parametrize(
    ("stratum", "passed", "n", "thresholds", "words"),
    [
        # ceil(.55 * 100) is 55; in floating point it would be 56
        ("stretch", 54, 100, {"stretch_high": 0.55}, "1 more pass trips the alarm"),
        ("stretch", 15, 20, {}, "1 more pass trips the alarm"),
        ("stretch", 9, 20, {}, "7 more passes trip the alarm"),
        ("stretch", 16, 20, {}, "already tripped"),
        ("medium", 17, 20, {}, "1 more miss trips the alarm"),
        ("medium", 19, 20, {}, "3 more misses trip the alarm"),
        ("medium", 55, 100, {"medium_floor": 0.55}, "1 more miss trips the alarm"),
        ("easy", 20, 20, {}, "1 more miss trips the alarm"),
        ("easy", 1, 1, {}, "no alarm below 2 cases"),
    ],
)
def test_headroom_of_the_newest_version(stratum, passed, n, thresholds, words):
    runs = [a_run(1, passed=0, n=n), a_run(2, passed=passed, n=n, job=job(**thresholds))]
    assert headroom_words(series(runs, stratum)) == words


def plain_tau_b(values):
    pairs = list(combinations(values, 2))
    concordant = sum(later > earlier for earlier, later in pairs)
    discordant = sum(later < earlier for earlier, later in pairs)
    untied = concordant + discordant
    return (concordant - discordant) / sqrt(len(pairs) * untied)


def plain_p(values):
    """Returns the two-sided p of tau-b by its normal approximation with ties in one variable."""
    m = len(values)
    pairs = list(combinations(values, 2))
    s = sum((later > earlier) - (later < earlier) for earlier, later in pairs)
    ties = [values.count(value) for value in set(values)]
    variance = m * (m - 1) * (2 * m + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)
    return 2 * NormalDist().cdf(-abs(s) / sqrt(variance / 18))


def plain_slope(values):
    indexed = combinations(enumerate(values), 2)
    return median((later - earlier) / (j - i) for (i, earlier), (j, later) in indexed)


# -- real leaderboards ---------------------------------------------------------


def board(name, test_cases=None):
    """Returns the rows of a leaderboard as runs; other numbers of cases are other cases."""
    path = AIDER / f"{name}_leaderboard.csv"
    if not path.is_file():
        pytest.skip("no folder ../shared/data/aider beside the project")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["pass_rate_2"]]
    return [
        a_run(
            number,
            row["model"],
            round(float(row["pass_rate_2"]) * int(row["test_cases"]) / 100),
            int(row["test_cases"]),
            cases=row["test_cases"],
            at=datetime.fromisoformat(row["date"]).replace(tzinfo=UTC),
        )
        for number, row in enumerate(rows, start=1)
        if test_cases in (None, row["test_cases"])
    ]


def test_the_edit_board_crossed_its_ceiling_60_days_before_it_was_replaced():
    points = series(board("edit", "133"), "stretch").points
    crossed = next(point for point in points if point.evidence.state == "alarm")
    replaced = min(run.at for run in board("polyglot"))
    assert crossed.at == datetime(2024, 10, 22, tzinfo=UTC)
    assert (crossed.sums.passed, crossed.sums.n) == (112, 133)
    assert (replaced - crossed.at).days == 60


def test_a_board_whose_cases_change_has_a_segment_for_each_stretch_of_them():
    runs = sorted(board("edit"), key=lambda run: (run.at, run.id))
    sizes = [run.strata["stretch"].n for run in runs]
    switches = sum(one != other for one, other in pairwise(sizes))
    found = series(runs, "stretch")
    assert found.points[-1].segment == switches > 5
    assert len(found.marks) == switches
    assert trend(found).words == "too few versions: 1 of 8 needed"


@pytest.mark.parametrize(
    ("name", "test_cases", "versions", "word"),
    [("edit", "133", 93, "no clear trend"), ("polyglot", "225", 62, "rising")],
)
def test_the_trend_of_a_real_board_is_what_plain_arithmetic_gives(name, test_cases, versions, word):
    runs = board(name, test_cases)
    # A model that was graded again keeps its first place and takes its newest rate.
    by_model = {run.config: run.strata["stretch"].passed / int(test_cases) for run in runs}
    rates = list(by_model.values())
    found = trend(series(runs, "stretch"))
    assert (found.word, found.versions) == (word, versions)
    assert found.tau == pytest.approx(plain_tau_b(rates))
    assert found.p == pytest.approx(plain_p(rates), rel=1e-6)
    assert found.p is not None
    assert (found.p <= 0.05) is (word == "rising")
    if word == "rising":
        assert found.slope == pytest.approx(plain_slope(rates))
        assert found.n == 225


@given(st.lists(st.integers(0, 20), min_size=8, max_size=30))
def test_the_direction_of_a_trend_is_the_sign_of_plain_tau(passes):
    found = trend(series(on(passes), "stretch"))
    if found.word in ("rising", "falling"):
        assert (plain_tau_b(passes) > 0) is (found.word == "rising")
        assert found.slope == pytest.approx(plain_slope(passes) / 20)
    elif found.tau is not None:
        assert found.tau == pytest.approx(plain_tau_b(passes))
        assert found.p is not None
        assert found.p > 0.05


# -- sample histories ----------------------------------------------------------


def sample(name):
    path = CASES / name
    if not path.is_file():
        pytest.skip("no folder ../shared/cases beside the project")
    rows = map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
    return [
        a_run(
            number,
            row["model"],
            at=datetime.fromisoformat(row["run_at"]),
            strata={s: sums(round(row["rates"][s] * n), n) for s, n in row["n"].items()},
        )
        for number, row in enumerate(rows, start=1)
    ]


@pytest.mark.parametrize("name", ["history.jsonl", "history_blank.jsonl"])
def test_an_empty_history_gives_an_empty_series_and_words(name):
    found = series(sample(f"cht-empty-history/{name}"), "stretch")
    assert (found.shown, found.marks, found.steps, found.left_out) == ((), (), (), 0)
    assert trend(found).words == "too few versions: 0 of 8 needed"
    assert headroom_words(found) == "no complete run with stretch cases"


def test_a_single_run_has_a_point_an_interval_and_a_threshold():
    found = series(sample("cht-single-run/history.jsonl"), "stretch")
    (point,), (step,) = found.points, found.steps
    assert point.evidence.sentence == (
        "1 of 5 passed; for similar cases anything from about 3 % to 62 % is plausible."
    )
    assert step.threshold.value == 0.8
    assert headroom_words(found) == "3 more passes trip the alarm"


# -- the worst cases -----------------------------------------------------------

OUTCOMES: dict[int, dict[str, Outcome]] = {
    1: {"a": "passed", "b": "failed", "c": "passed", "lost": "unanswered"},
    2: {"a": "failed", "b": "failed", "c": "unanswered", "d": "failed"},
    3: {"a": "passed", "b": "passed", "c": "passed"},
}


def test_rows_come_worst_first_by_the_share_of_graded_runs_and_then_by_id():
    rows, left_out = strip_rows(OUTCOMES, [a_run(1), a_run(2), a_run(3)])
    assert rows == (
        Row(case_id="d", passed=0, graded=1),
        Row(case_id="b", passed=1, graded=3),
        Row(case_id="a", passed=2, graded=3),
        Row(case_id="c", passed=2, graded=2),
        Row(case_id="lost", passed=0, graded=0),
    )
    assert left_out == 0


def test_only_the_runs_given_decide_what_is_worst():
    rows, left_out = strip_rows(OUTCOMES, [a_run(3), a_run(9)], limit=2)
    assert ([row.case_id for row in rows], left_out) == (["a", "b"], 1)


def test_a_strip_holds_the_newest_runs_and_has_no_cell_where_a_run_lacks_the_case():
    found = strip(OUTCOMES, [a_run(3), a_run(1), a_run(2)], most_rows=2, most_runs=2)
    second, third = a_run(2), a_run(3)
    assert found.runs == (second, third)
    assert found.cells == (
        Cell(case_id="d", run=second, outcome="failed"),
        Cell(case_id="a", run=second, outcome="failed"),
        Cell(case_id="a", run=third, outcome="passed"),
    )
    assert (found.rows_left_out, found.runs_left_out) == (2, 1)
    assert found.left_out_words == "not shown: 2 cases that pass more often and 1 older run"


@pytest.mark.parametrize(
    ("rows", "runs", "words"),
    [
        (9, 9, ""),
        (3, 9, "not shown: 1 case that passes more often"),
        (9, 1, "not shown: 2 older runs"),
    ],
)
def test_what_a_strip_leaves_out_is_said(rows, runs, words):
    passed: Outcome = "passed"
    outcomes = {at: dict.fromkeys("abcd", passed) for at in (1, 2, 3)}
    found = strip(outcomes, [a_run(at) for at in (1, 2, 3)], most_rows=rows, most_runs=runs)
    assert found.left_out_words == words


def test_a_strip_of_no_runs_is_empty():
    found = strip({}, [])
    assert (found.runs, found.rows, found.cells, found.left_out_words) == ((), (), (), "")


def test_the_order_of_runs_given_changes_nothing():
    runs = [a_run(at, f"prompt {at % 5}", at % 21) for at in range(30)]
    shuffled = Random(3).sample(runs, len(runs))
    assert series(shuffled, "medium") == series(runs, "medium")
    assert strip(OUTCOMES, shuffled) == strip(OUTCOMES, runs)
