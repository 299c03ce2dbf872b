"""What a suite's author is told: each notice once, its cases by name, and no grade changed."""

import json
from collections.abc import Mapping
from io import BytesIO

import pytest

from evalcore.case import STRATA
from evalcore.job import Job, Thresholds
from evalcore.notices import Notice
from evalcore.pipeline import grade_suite
from evalcore.wording import notice_lines


def suite(*rows: Mapping[str, object]) -> BytesIO:
    known = {"stratum": "easy", "prompt": "p", "completion": "yes", "must_include": ["yes"]}
    lines = [json.dumps({"id": f"c{at}"} | known | dict(row)) for at, row in enumerate(rows)]
    return BytesIO("\n".join(lines).encode())


def notices(*rows: Mapping[str, object], **options) -> dict[str, Notice]:
    """Returns the notices by kind, those of small strata left out."""
    found = grade_suite(suite(*rows), **options).notices
    return {notice.kind: notice for notice in found if notice.kind != "small_stratum"}


def sized(easy: int, medium: int, stretch: int, **options) -> list[tuple[str, str, str, int]]:
    """Returns the notices of a suite with so many cases in each stratum."""
    rows = [
        {"id": f"{stratum}-{at}", "stratum": stratum}
        for stratum, n in zip(STRATA, (easy, medium, stretch), strict=True)
        for at in range(n)
    ]
    found = grade_suite(suite(*rows), **options).notices
    return [(notice.kind, notice.level, notice.text, notice.count) for notice in found]


ODDITIES: list[tuple[str, dict[str, object]]] = [
    ("unknown_fields", {"expected": "yes", "tag": "x"}),
    ("not_recorded", {"completion": None}),
    ("no_checks", {"must_include": None}),
    ("no_checks", {"must_include": [], "must_include_any": [], "must_not_include": []}),
    ("cannot_pass", {"must_not_include": ["Y"]}),
    ("cannot_pass", {"max_chars": 2}),
    ("echo_passes", {"prompt": "yes or no?"}),
    ("short_needle", {"completion": "eyes"}),
    ("short_needle", {"must_include_any": [["es", "n"]]}),
    ("short_needle", {"completion": "yes, not", "must_not_include": ["no"]}),
]


@pytest.mark.parametrize(("kind", "row"), ODDITIES)
def test_an_odd_case_is_named_under_its_stratum(kind, row):
    notice = notices({}, row | {"id": "odd", "stratum": "stretch"})[kind]
    assert (notice.level, notice.count, notice.cases) == (
        "notice",
        1,
        {"easy": [], "medium": [], "stretch": ["odd"]},
    )


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"tags": ["a"], "family": "f", "note": "n", "max_chars": 240},
        {"completion": ""},
        {"must_include": None, "must_include_any": [["yes"]]},
        {"must_include": None, "must_not_include": ["no"]},
        {"prompt": "Say y, e, s.", "must_not_include": ["no"]},
        {"prompt": "yes" * 500},
        {"prompt": "yes or no?", "must_not_include": ["no"]},
        {"prompt": "yes", "must_include": None, "must_not_include": ["no"]},
        {"completion": "(yes)"},
        {"max_chars": 3},
    ],
)
def test_an_ordinary_case_is_not_remarked_upon(row):
    assert notices(row) == {}


def test_a_notice_says_what_it_is_about_in_one_sentence():
    found = notices(
        {"expected": "x"},
        {"expected": "x", "also": 1},
        {"completion": None},
        {"must_include": None},
        {"must_not_include": ["ye"]},
        {"prompt": "yes"},
        {"completion": "eyes"},
        {"id": "a"},
        {"id": "A"},
    )
    assert {kind: (notice.text, notice.details) for kind, notice in found.items()} == {
        "unknown_fields": (
            "2 cases: fields that the contract does not know; they stay in the file, ungraded",
            ["c0: expected", "c1: expected, also"],
        ),
        "similar_ids": (
            "2 cases: ids that a reader cannot tell apart; they are different cases all the same",
            ['"a" (line 8), "A" (line 9)'],
        ),
        "not_recorded": (
            "1 case: no recorded completion; graded as empty, which is no headroom",
            [],
        ),
        "no_checks": ("1 case: no check but emptiness and length; nearly any answer passes", []),
        "cannot_pass": (
            "1 case: no completion can pass; look at the checks",
            ['c4: forbidden "ye" is in required "yes"'],
        ),
        "echo_passes": (
            "1 case: echoing the prompt would pass; ask for something that the prompt does not say",
            [],
        ),
        "short_needle": (
            "2 cases: a needle of up to 3 characters stands inside other words",
            ['c4: "ye"', 'c6: "yes"'],
        ),
    }
    assert list(found) == [
        "unknown_fields",
        "similar_ids",
        "not_recorded",
        "no_checks",
        "cannot_pass",
        "echo_passes",
        "short_needle",
    ]


@pytest.mark.parametrize(
    ("ids", "groups"),
    [
        (["a", "a ", " a", "A"], ['"a" (line 1), "a " (line 2), " a" (line 3), "A" (line 4)']),
        (["é", "e\u0301"], ['"é" (line 1), "e\u0301" (line 2)']),
        (["STRASSE", "straße"], ['"STRASSE" (line 1), "straße" (line 2)']),
        (["ΟΔΟΣ", "οδος"], ['"ΟΔΟΣ" (line 1), "οδος" (line 2)']),
        (["a", "b", "B", "A"], ['"a" (line 1), "A" (line 4)', '"b" (line 2), "B" (line 3)']),
        (["a", "b", "1", "01", "a-1", "a 1", "a_1", "10²", "102", "а"], None),
    ],
)
def test_ids_that_look_alike_are_named_together(ids, groups):
    found = notices(*({"id": case_id} for case_id in ids)).get("similar_ids")
    assert (found and found.details) == groups


def test_at_most_fifty_cases_are_named_and_all_are_counted():
    rows = [
        {"id": f"{stratum}-{at}", "stratum": stratum, "completion": None, f"x{at}": 1}
        for at in range(30)
        for stratum in STRATA
    ]
    found = notices(*rows)
    for kind in ("not_recorded", "unknown_fields"):
        notice = found[kind]
        assert (notice.count, sum(map(len, notice.cases.values()))) == (90, 50)
        assert notice.cases["easy"] == [f"easy-{at}" for at in range(17)]
    assert len(found["unknown_fields"].details) == 50
    assert list(notice_lines(found["not_recorded"]))[-1] == "  and 40 more"


def test_a_notice_in_lines_for_people_names_its_cases_and_spells_out_the_unseen():
    (notice,) = notices({"id": "a\x1b"}, {"id": "b\u202e\n", "ex\x9btra": 1}).values()
    assert list(notice_lines(notice)) == [
        "notice unknown_fields: 1 case: fields that the contract does not know; they stay in the "
        "file, ungraded",
        r"  b\u202e\n: ex\x9btra",
        r"  easy: b\u202e\n",
    ]


def test_no_case_without_an_answer_is_remarked_upon():
    row = {"id": "odd", "completion": None, "prompt": "yes"}
    assert notices({}, row, unanswered={"odd": "timeout"}) == {}


def test_notices_change_no_grade():
    rows = [row for _, row in ODDITIES]
    report = grade_suite(suite({}, *rows))
    plain = [{key: row[key] for key in row if key != "expected"} for row in rows]
    without = grade_suite(suite({}, *plain))
    assert list(report.failures) == list(without.failures)
    assert report.alerts == without.alerts == ["thin_stratum", "missing_stratum", "easy_regression"]


# -- sizes ---------------------------------------------------------------------

FEW_EASY = "easy cases: a floor of 100 % means no miss at any size; 5 to 20 easy cases are proposed"
FEW_MEDIUM = "medium cases: below 7 medium cases a floor of 85 % means no miss"
FEW_STRETCH = "stretch cases: needs 14 all-pass cases before it can support a rate above 80 %"


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((5, 7, 14), []),
        ((20, 20, 30), []),
        ((4, 7, 14), [("small_stratum", "notice", f"4 {FEW_EASY}", 4)]),
        ((5, 6, 14), [("small_stratum", "notice", f"6 {FEW_MEDIUM}", 6)]),
        ((5, 7, 13), [("small_stratum", "notice", f"13 {FEW_STRETCH}", 13)]),
        (
            (0, 7, 1),
            [
                ("small_stratum", "notice", f"0 {FEW_EASY}", 0),
                ("small_stratum", "notice", f"1 {FEW_STRETCH}".replace("cases", "case", 1), 1),
            ],
        ),
        (
            (21, 7, 14),
            [
                (
                    "easy_too_large",
                    "notice",
                    "21 easy cases, more than the 5 to 20 that serve; mint harder ones instead",
                    21,
                )
            ],
        ),
        (
            (100, 7, 14),
            [
                (
                    "easy_too_large",
                    "warning",
                    "at 100 easy cases the ceiling of 99 % hides a miss; keep 5 to 20",
                    100,
                )
            ],
        ),
        (
            (99, 7, 14),
            [
                (
                    "easy_too_large",
                    "notice",
                    "99 easy cases, more than the 5 to 20 that serve; mint harder ones instead",
                    99,
                )
            ],
        ),
    ],
)
def test_sizes_that_can_show_little_are_told(sizes, expected):
    assert sized(*sizes) == expected


@pytest.mark.parametrize(
    ("thresholds", "expected"),
    [
        ({"ceiling_easy": 0.8}, "at 5 easy cases the ceiling of 80 % hides a miss; keep 5 to 20"),
        ({"ceiling_easy": 0.81}, None),
        (
            {"medium_floor": 0.9},
            "7 medium cases: below 10 medium cases a floor of 90 % means no miss",
        ),
        (
            {"stretch_high": 0.9},
            "14 stretch cases: needs 29 all-pass cases before it can support a rate above 90 %",
        ),
        ({"stretch_high": 0.5}, None),
    ],
)
def test_sizes_are_judged_by_the_thresholds_in_force(thresholds, expected):
    job = Job(name="j", sha256="0" * 64, thresholds=Thresholds(**thresholds))
    found = [text for _, _, text, _ in sized(5, 7, 14, job=job)]
    assert found == ([] if expected is None else [expected])


def test_flags_without_a_job_are_told_and_beside_one_they_are_not():
    flags = {"stretch_high": 0.8}
    job = Job(name="j", sha256="0" * 64)
    assert sized(5, 7, 14, flags=flags) == [
        (
            "flags_without_job",
            "notice",
            "threshold flags without a job: keep thresholds in a job file under version control",
            0,
        )
    ]
    assert sized(5, 7, 14, flags=flags, job=job) == []
