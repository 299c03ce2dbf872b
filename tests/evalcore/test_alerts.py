"""Counts and thresholds in, alerts out: every rule of the contract with its boundaries."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.alerts import ALERT_KINDS, AlertDetail, Count, alert_details
from evalcore.case import STRATA
from evalcore.job import FLAG_KEYS, Job, Override, Thresholds, thresholds_in_force
from evalcore.pipeline import grade_suite
from evalcore.report import Report

THIN, MISSING, CEILING, TOO_EASY = "thin_stratum", "missing_stratum", "ceiling", "stretch_too_easy"
EASY, MEDIUM, OVERRIDE, INCOMPLETE = (
    "easy_regression",
    "medium_regression",
    "threshold_override",
    "incomplete",
)
NEUTRAL = ((8, 8), (18, 20), (9, 20))


def job(**thresholds: float) -> Job:
    return Job(name="j", thresholds=Thresholds(**thresholds), sha256="0" * 64)


def details(counts, of_job=None, flags=None, unanswered=None) -> list[AlertDetail]:
    held = {stratum: Count(*count) for stratum, count in zip(STRATA, counts, strict=True)}
    return alert_details(held, thresholds_in_force(of_job, flags or {}), unanswered or {})


def alerts(*args, **kwargs) -> list[str]:
    return [detail.alert for detail in details(*args, **kwargs)]


def graded(counts, **options) -> Report:
    """Grades a suite with these counts of passed and graded cases."""
    rows = [
        {
            "id": f"{stratum}-{number}",
            "stratum": stratum,
            "prompt": "p",
            "completion": "yes" if number < passed else "no",
            "must_include": ["yes"],
        }
        for stratum, (passed, n) in zip(STRATA, counts, strict=True)
        for number in range(n)
    ]
    return grade_suite(BytesIO("\n".join(map(json.dumps, rows)).encode()), **options)


def test_the_order_of_alerts_is_the_contracts():
    assert ALERT_KINDS == (THIN, MISSING, CEILING, TOO_EASY, EASY, MEDIUM, OVERRIDE, INCOMPLETE)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (NEUTRAL, []),
        # thin and missing, beside whatever else fires
        (((1, 1), (18, 20), (9, 20)), [THIN]),
        (((2, 2), (18, 20), (9, 20)), []),
        (((8, 8), (1, 1), (9, 20)), [THIN]),
        (((8, 8), (18, 20), (0, 1)), [THIN]),
        (((0, 0), (18, 20), (9, 20)), [THIN, MISSING]),
        (((8, 8), (18, 20), (0, 0)), [THIN, MISSING]),
        (((0, 0), (0, 0), (0, 0)), [THIN, MISSING]),
        (((0, 1), (0, 1), (0, 0)), [THIN, MISSING, EASY, MEDIUM]),
        (((7, 8), (10, 20), (0, 1)), [THIN, EASY, MEDIUM]),
        # a thin stratum keeps the two that speak of all off the list
        (((8, 8), (20, 20), (1, 1)), [THIN]),
        (((1, 1), (20, 20), (20, 20)), [THIN]),
        (((8, 8), (1, 1), (20, 20)), [THIN]),
        (((0, 0), (20, 20), (20, 20)), [THIN, MISSING]),
        # stretch at its ceiling: 16 of 20 is at 0.80
        (((8, 8), (18, 20), (16, 20)), [TOO_EASY]),
        (((8, 8), (18, 20), (15, 20)), []),
        (((8, 8), (18, 20), (2, 2)), [TOO_EASY]),
        (((8, 8), (18, 20), (1, 2)), []),
        (((8, 8), (18, 20), (4, 5)), [TOO_EASY]),
        (((8, 8), (18, 20), (79, 99)), []),
        (((8, 8), (18, 20), (80, 100)), [TOO_EASY]),
        # all at their ceilings: 99 of 100 easy is at 0.99, 19 of 20 medium at 0.95
        (((8, 8), (19, 20), (16, 20)), [CEILING, TOO_EASY]),
        (((8, 8), (20, 20), (20, 20)), [CEILING, TOO_EASY]),
        (((99, 100), (19, 20), (16, 20)), [CEILING, TOO_EASY, EASY]),
        (((98, 100), (19, 20), (16, 20)), [TOO_EASY, EASY]),
        (((98, 99), (19, 20), (16, 20)), [TOO_EASY, EASY]),
        (((8, 8), (94, 100), (16, 20)), [TOO_EASY]),
        (((8, 8), (20, 20), (15, 20)), []),
        (((7, 8), (20, 20), (16, 20)), [TOO_EASY, EASY]),
        # the floors: 17 of 20 is not below 0.85
        (((8, 8), (17, 20), (9, 20)), []),
        (((8, 8), (16, 20), (9, 20)), [MEDIUM]),
        (((8, 8), (6, 7), (9, 20)), []),
        (((8, 8), (5, 6), (9, 20)), [MEDIUM]),
        (((8, 8), (85, 100), (9, 20)), []),
        (((8, 8), (84, 100), (9, 20)), [MEDIUM]),
        (((7, 8), (18, 20), (9, 20)), [EASY]),
        (((999_999, 10**6), (18, 20), (9, 20)), [EASY]),
        (((7, 8), (16, 20), (9, 20)), [EASY, MEDIUM]),
        (((0, 8), (0, 20), (0, 20)), [EASY, MEDIUM]),
        (((7, 8), (16, 20), (20, 20)), [TOO_EASY, EASY, MEDIUM]),
    ],
)
def test_counts_to_alerts(counts, expected):
    assert alerts(counts) == expected


@pytest.mark.parametrize(
    ("thresholds", "counts", "expected"),
    [
        ({"easy_floor": 0.875}, ((7, 8), (18, 20), (9, 20)), []),
        ({"easy_floor": 0.876}, ((7, 8), (18, 20), (9, 20)), [EASY]),
        ({"easy_floor": 0.0}, ((0, 8), (18, 20), (9, 20)), []),
        ({"medium_floor": 0.95}, NEUTRAL, [MEDIUM]),
        ({"medium_floor": 0.55}, ((8, 8), (55, 100), (9, 20)), []),
        ({"medium_floor": 0.29}, ((8, 8), (29, 100), (9, 20)), []),
        ({"stretch_high": 0.45}, NEUTRAL, [TOO_EASY]),
        ({"stretch_high": 0.46}, NEUTRAL, []),
        ({"stretch_high": 0.0}, ((8, 8), (18, 20), (0, 20)), [TOO_EASY]),
        ({"stretch_high": 1.0}, ((8, 8), (20, 20), (19, 20)), []),
        ({"stretch_high": 1.0}, ((8, 8), (20, 20), (20, 20)), [CEILING, TOO_EASY]),
        ({"stretch_high": 0.45, "ceiling_medium": 0.9}, NEUTRAL, [CEILING, TOO_EASY]),
        ({"stretch_high": 0.45, "ceiling_medium": 0.91}, NEUTRAL, [TOO_EASY]),
        ({"ceiling_easy": 1.0}, ((99, 100), (20, 20), (20, 20)), [TOO_EASY, EASY]),
    ],
)
def test_a_jobs_thresholds_decide(thresholds, counts, expected):
    assert alerts(counts, job(**thresholds)) == expected
    flags = {key: value for key, value in thresholds.items() if key in FLAG_KEYS}
    if flags == thresholds:
        assert alerts(counts, None, flags) == expected


@pytest.mark.parametrize(
    ("of_job", "flags", "counts", "expected"),
    [
        # a stricter flag adds what it asks for, and needs no remark
        ({}, {"medium_floor": 0.95}, NEUTRAL, [MEDIUM]),
        ({}, {"stretch_high": 0.4}, NEUTRAL, [TOO_EASY]),
        ({"ceiling_medium": 0.9}, {"stretch_high": 0.4}, NEUTRAL, [CEILING, TOO_EASY]),
        ({"easy_floor": 0.5}, {"easy_floor": 1.0}, ((7, 8), (18, 20), (9, 20)), [EASY]),
        # a laxer one takes nothing away and is named
        ({}, {"easy_floor": 0.5}, ((7, 8), (18, 20), (9, 20)), [EASY, OVERRIDE]),
        ({}, {"medium_floor": 0.0}, ((8, 8), (16, 20), (9, 20)), [MEDIUM, OVERRIDE]),
        ({}, {"stretch_high": 1.0}, ((8, 8), (18, 20), (16, 20)), [TOO_EASY, OVERRIDE]),
        ({}, {"stretch_high": 1.0}, ((8, 8), (20, 20), (16, 20)), [CEILING, TOO_EASY, OVERRIDE]),
        ({}, {"easy_floor": 0.99}, NEUTRAL, [OVERRIDE]),
        ({}, {"stretch_high": 0.81}, ((0, 0), (0, 0), (0, 0)), [THIN, MISSING, OVERRIDE]),
        # an equal one says nothing
        ({}, {"easy_floor": 1.0, "medium_floor": 0.85, "stretch_high": 0.8}, NEUTRAL, []),
        ({"medium_floor": 0.9}, {"medium_floor": 0.9}, NEUTRAL, []),
        # of several flags each counts by itself
        ({}, {"medium_floor": 0.95, "stretch_high": 0.9}, NEUTRAL, [MEDIUM, OVERRIDE]),
        ({}, {"easy_floor": 0.5, "stretch_high": 0.4}, NEUTRAL, [TOO_EASY, OVERRIDE]),
        # without a job flags replace the defaults, laxer or not
        (None, {"easy_floor": 0.5}, ((7, 8), (18, 20), (9, 20)), []),
        (None, {"medium_floor": 0.5, "stretch_high": 1.0}, ((8, 8), (10, 20), (19, 20)), []),
        (None, {"stretch_high": 0.4}, NEUTRAL, [TOO_EASY]),
    ],
)
def test_flags_can_add_alerts_and_never_remove_one(of_job, flags, counts, expected):
    assert alerts(counts, None if of_job is None else job(**of_job), flags) == expected


RATES = st.sampled_from([0.0, 0.5, 0.8, 0.85, 0.9, 0.95, 1.0])
COUNTS = st.integers(0, 20).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(
    st.tuples(COUNTS, COUNTS, COUNTS),
    st.fixed_dictionaries(dict.fromkeys(Thresholds.__struct_fields__, RATES)),
    st.dictionaries(st.sampled_from(FLAG_KEYS), RATES),
)
def test_beside_a_job_the_alerts_are_the_union_of_both_verdicts(counts, thresholds, flags):
    both = set(alerts(counts, job(**thresholds))) | set(alerts(counts, job(**thresholds | flags)))
    found = alerts(counts, job(**thresholds), flags)
    laxer = any(
        flag > thresholds[key] if key == "stretch_high" else flag < thresholds[key]
        for key, flag in flags.items()
    )
    assert set(found) - {OVERRIDE} == both
    assert (OVERRIDE in found) is laxer
    assert found == sorted(found, key=ALERT_KINDS.index)


@pytest.mark.parametrize(
    ("unanswered", "expected"),
    [
        ({}, []),
        ({"easy": 0}, []),
        ({"medium": 1}, [INCOMPLETE]),
        ({"easy": 1, "medium": 2, "stretch": 3}, [INCOMPLETE]),
    ],
)
def test_unanswered_cases_make_a_run_incomplete(unanswered, expected):
    assert alerts(NEUTRAL, unanswered=unanswered) == expected


@pytest.mark.parametrize(
    ("counts", "options", "expected"),
    [
        (
            ((0, 1), (0, 0), (9, 20)),
            {},
            [
                AlertDetail(
                    alert="thin_stratum",
                    strata=("easy", "medium"),
                    counts={"easy": Count(0, 1), "medium": Count(0, 0)},
                    thresholds={},
                    text="easy holds 1 graded case and medium holds 0 graded cases; below 2, luck "
                    "cannot be told from coverage.",
                    next_step="Write more cases for it.",
                ),
                AlertDetail(
                    alert="missing_stratum",
                    strata=("medium",),
                    counts={"medium": Count(0, 0)},
                    thresholds={},
                    text="No graded case in medium.",
                    next_step="Write cases for it.",
                ),
                AlertDetail(
                    alert="easy_regression",
                    strata=("easy",),
                    counts={"easy": Count(0, 1)},
                    thresholds={"easy_floor": 1.0},
                    text="easy 0 of 1 passed, below its floor of 100 %: the smoke alarm.",
                    next_step="Debug this before anything else.",
                ),
            ],
        ),
        (
            ((99, 100), (19, 20), (16, 20)),
            {"of_job": job(easy_floor=0.5, stretch_high=0.795)},
            [
                AlertDetail(
                    alert="ceiling",
                    strata=STRATA,
                    counts={
                        "easy": Count(99, 100),
                        "medium": Count(19, 20),
                        "stretch": Count(16, 20),
                    },
                    thresholds={
                        "ceiling_easy": 0.99,
                        "ceiling_medium": 0.95,
                        "stretch_high": 0.795,
                    },
                    text="easy 99 of 100, medium 19 of 20 and stretch 16 of 20 passed, all at "
                    "their ceilings: this suite can no longer rank prompts.",
                    next_step="Mint harder stretch cases.",
                ),
                AlertDetail(
                    alert="stretch_too_easy",
                    strata=("stretch",),
                    counts={"stretch": Count(16, 20)},
                    thresholds={"stretch_high": 0.795},
                    text="stretch 16 of 20 passed, at or above its ceiling of 79.5 %: the "
                    "yardstick has slipped.",
                    next_step="Mint harder stretch cases; do not tweak the prompt.",
                ),
            ],
        ),
        (
            ((8, 8), (16, 20), (9, 20)),
            {"of_job": job(), "flags": {"medium_floor": 0.5, "stretch_high": 0.9}},
            [
                AlertDetail(
                    alert="medium_regression",
                    strata=("medium",),
                    counts={"medium": Count(16, 20)},
                    thresholds={"medium_floor": 0.85},
                    text="medium 16 of 20 passed, below its floor of 85 %: the contract with the "
                    "product is broken.",
                    next_step="Find the change that broke it, and mend the prompt.",
                ),
                AlertDetail(
                    alert="threshold_override",
                    strata=(),
                    counts={},
                    thresholds={"medium_floor": 0.85, "stretch_high": 0.8},
                    text="A laxer threshold than the job's was asked for: medium_floor 0.5 (the "
                    "job says 0.85) and stretch_high 0.9 (the job says 0.8).",
                    next_step="Nothing: the job's verdict stands; thresholds change in the job "
                    "file.",
                ),
            ],
        ),
        (
            NEUTRAL,
            {"unanswered": {"stretch": 2, "easy": 1}},
            [
                AlertDetail(
                    alert="incomplete",
                    strata=("easy", "stretch"),
                    counts={},
                    thresholds={},
                    text="No answer for 1 case of easy and 2 cases of stretch; nothing is said "
                    "about the prompt there.",
                    next_step="Fill again.",
                )
            ],
        ),
    ],
)
def test_an_alert_says_what_it_speaks_of_and_what_to_do_next(counts, options, expected):
    assert details(counts, **options) == expected


@pytest.mark.parametrize(
    ("counts", "options", "expected"),
    [
        (NEUTRAL, {}, (0, True)),
        (((8, 8), (16, 20), (9, 20)), {}, (2, False)),
        (((8, 8), (20, 20), (20, 20)), {}, (2, False)),
        (((1, 1), (18, 20), (9, 20)), {}, (2, False)),
        (((8, 8), (18, 20), (0, 0)), {}, (2, False)),
        (NEUTRAL, {"job": job(), "flags": {"easy_floor": 0.9}}, (2, False)),
        (NEUTRAL, {"flags": {"easy_floor": 0.9}}, (0, True)),
        (NEUTRAL, {"unanswered": {"stretch-19": "timeout"}}, (1, False)),
        (((8, 8), (16, 20), (9, 20)), {"unanswered": {"stretch-19": "timeout"}}, (1, False)),
        (((8, 8), (20, 20), (20, 20)), {"unanswered": {"stretch-19": "timeout"}}, (1, False)),
    ],
)
def test_exit_code_and_ok_follow_from_the_alerts(counts, options, expected):
    report = graded(counts, **options)
    assert (report.exit_code, report.ok) == expected


def test_an_unanswered_case_is_in_no_count_and_the_rest_is_judged():
    causes = {"easy-0": "timeout", "stretch-0": "HTTP 500", "stretch-5": "blocked"}
    report = graded(((8, 8), (16, 20), (9, 20)), unanswered=causes)
    assert {stratum: (of.passed, of.n) for stratum, of in report.evidence.items()} == {
        "easy": (7, 7),
        "medium": (16, 20),
        "stretch": (7, 18),
    }
    assert report.n == 45
    assert report.alerts == [MEDIUM, INCOMPLETE]
    assert [(entry.case_id, entry.cause) for entry in report.unanswered] == list(causes.items())


def test_overrides_are_recorded_whatever_they_do():
    report = graded(NEUTRAL, job=job(), flags={"stretch_high": 0.4, "easy_floor": 1.0})
    assert report.job.overrides == (
        Override(key="easy_floor", job=1.0, flag=1.0, laxer=False),
        Override(key="stretch_high", job=0.8, flag=0.4, laxer=False),
    )
    assert (report.job.source, report.job.thresholds) == ("job", Thresholds(stretch_high=0.4))


@pytest.mark.parametrize(
    ("counts", "states"),
    [
        (((1, 1), (18, 20), (20, 20)), ["refused", "ok", "alarm"]),
        (((7, 8), (1, 1), (0, 0)), ["alarm", "refused", "refused"]),
        (((8, 8), (16, 20), (16, 20)), ["ok", "alarm", "alarm"]),
        (((0, 1), (17, 20), (15, 20)), ["refused", "ok", "ok"]),
    ],
)
def test_a_gauge_shows_its_own_stratum_whatever_the_others_do(counts, states):
    assert [of.state for of in graded(counts).evidence.values()] == states
