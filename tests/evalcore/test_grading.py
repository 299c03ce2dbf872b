from typing import Any

import pytest

from evalcore.case import Case, Mark
from evalcore.grading import grade_case


def case(completion: str | None, **more: Any) -> Case:
    return Case(id="a", stratum="easy", prompt="p", completion=completion, **more)


def reasons(completion: str | None, **more: Any) -> list[str]:
    return [reason.text for reason in grade_case(case(completion, **more)).reasons]


def test_a_case_without_a_reason_passes():
    grade = grade_case(case("Alpha beta", must_include=("alpha",), must_not_include=("gamma",)))
    assert (grade.passed, grade.reasons, grade.marks) == (True, (), ())


@pytest.mark.parametrize(
    "completion", ["", " \n", "\u200b\ufeff", "\xa0\u3000", "\u2800\u3164", "\x00", None]
)
def test_nothing_visible_is_empty(completion: str | None):
    assert reasons(completion) == ["empty_completion"]


def test_reasons_stand_in_the_contracts_order_and_each_once():
    assert reasons(
        "bad Bad",
        must_not_include=("bad", "bad", "BAD"),
        must_include_any=(("x", "y"), ("bad", "z"), ("x", "y")),
        must_include=("two", "one", "two", "bad"),
        max_chars=3,
    ) == [
        "over_budget:7>3",
        "missing:two",
        "missing:one",
        "missing_any:x|y",
        "forbidden:bad",
        "forbidden:BAD",
    ]


def test_an_empty_completion_fails_its_checks_too():
    assert reasons(None, must_include=("x",), must_not_include=("y",)) == [
        "empty_completion",
        "missing:x",
    ]


@pytest.mark.parametrize(
    ("completion", "over"),
    [("x" * 1200, []), ("x" * 1201, ["over_budget:1201>1200"]), ("🙂" * 1200, [])],
)
def test_length_counts_code_points(completion: str, over: list[str]):
    assert reasons(completion) == over


def test_length_is_counted_as_recorded():
    assert reasons("e\u0301", max_chars=1) == ["over_budget:2>1"]


@pytest.mark.parametrize(
    ("completion", "needle", "found"),
    [
        ("Die Straße", "STRASSE", True),
        ("ΟΔΟΣ", "οδος", True),
        ("Localización", "loca", True),
        ("I don’t", "don't", False),
        ("10²", "102", False),
        ("pаypal", "paypal", False),
        ("a\u200bb", "ab", False),
    ],
)
def test_a_required_needle_is_looked_for_strictly(completion: str, needle: str, found: bool):
    assert reasons(completion, must_include=(needle,)) == ([] if found else [f"missing:{needle}"])
    assert reasons(completion, must_include_any=((needle,),)) == (
        [] if found else [f"missing_any:{needle}"]
    )


@pytest.mark.parametrize(
    ("completion", "needle", "found"),
    [
        ("as an\u200b AI", "as an ai", True),
        ("I’m", "I'm", True),
        ("well-known", "—", False),
        ("well—known", "well-known", True),
        ("ingredients", "die", True),
    ],
)
def test_a_forbidden_needle_is_looked_for_softly(completion: str, needle: str, found: bool):
    assert reasons(completion, must_not_include=(needle,)) == (
        [f"forbidden:{needle}"] if found else []
    )


def test_not_recorded_is_marked():
    assert grade_case(case(None, must_include=("x",))).marks == (Mark(kind="not_recorded"),)
    assert grade_case(case("")).marks == ()


def test_a_forbidden_hit_is_marked_with_its_place():
    text = "The long beginning of an answer: localización, and then some more of it."
    (mark,) = grade_case(case(text, must_not_include=("LOCA",))).marks
    assert mark == Mark(
        kind="forbidden",
        needle="LOCA",
        found="loca",
        start=33,
        end=37,
        context="beginning of an answer: [loca]lización, and then some ",
    )


def test_a_near_miss_is_marked_and_stays_a_miss():
    grade = grade_case(case("We don’t.", must_include=("don't", "gone")))
    assert [reason.text for reason in grade.reasons] == ["missing:don't", "missing:gone"]
    assert grade.marks == (
        Mark(
            kind="near_miss",
            needle="don't",
            differs="typographic apostrophe",
            found="don’t",
            start=3,
            end=8,
            context="We [don’t].",
        ),
    )


def test_each_accepted_wording_can_be_a_near_miss():
    grade = grade_case(case("a\xa0b **c d**", must_include_any=(("a b", "c d", "b **c"),)))
    assert grade.passed
    grade = grade_case(case("a\xa0b *c* d", must_include_any=(("a b", "c d", "e"),)))
    assert [(mark.needle, mark.differs) for mark in grade.marks] == [
        ("a b", "no-break space"),
        ("c d", "matches after removing Markdown"),
    ]
