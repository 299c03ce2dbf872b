from collections.abc import Callable
from typing import Any

import pytest

from evalcore import inspection
from evalcore.case import Case
from evalcore.grading import grade_case
from evalcore.inspection import Findings
from evalcore.matching import Haystack
from evalcore.notices import MAX_NAMED, NoticeBook
from evalcore.suite import IdPlace


def case(**more: Any) -> Case:
    return Case(**{"id": "a", "stratum": "easy", "prompt": "p", "completion": "c", **more})


def details(look: Callable[..., Findings], **more: Any) -> list[str]:
    one = case(**more)
    folded = [[Haystack(one.completion or "")]] if look is inspection.short_needle else []
    return [detail for _, detail in look([one], *folded)]


def inspected(cases: list[Case]) -> NoticeBook:
    book = NoticeBook()
    haystacks = [Haystack(one.completion or "") for one in cases]
    book.inspect(cases, haystacks, list(map(grade_case, cases, haystacks)))
    return book


def test_unknown_fields():
    assert details(inspection.unknown_fields) == []
    assert details(inspection.unknown_fields, unknown=("owner", "x\n")) == ["a: owner, x\\n"]


def test_not_recorded():
    assert details(inspection.not_recorded, completion="") == []
    assert details(inspection.not_recorded, completion=None) == [""]


@pytest.mark.parametrize(
    "checks",
    [{"must_include": ("x",)}, {"must_include_any": (("x",),)}, {"must_not_include": ("x",)}],
)
def test_no_checks(checks: dict[str, Any]):
    assert details(inspection.no_checks, **checks) == []
    assert details(inspection.no_checks) == [""]


@pytest.mark.parametrize(
    ("checks", "detail"),
    [
        ({"must_include": ("refund",), "must_not_include": ("fund",)},
         'a: forbidden "fund" is in required "refund"'),
        ({"must_include": ("ok", "Weekday"), "must_not_include": ("x", "weekday")},
         'a: forbidden "weekday" is in required "Weekday"'),
        ({"must_include": ("don’t go",), "must_not_include": ("don't",)},
         'a: forbidden "don\'t" is in required "don’t go"'),
        ({"must_include": ("a—b",), "must_not_include": ("—",)},
         'a: forbidden "—" is in required "a—b"'),
        ({"must_include": ("a-b",), "must_not_include": ("—",)}, None),
        ({"must_include": ("a needle longer than ten",), "max_chars": 10},
         'a: required "a needle longer than ten" does not fit into 10 characters'),
        ({"must_include": ("strasse",), "max_chars": 5}, None),
        ({"must_include": ("strasse",), "max_chars": 4},
         'a: required "strasse" does not fit into 4 characters'),
        ({"must_include_any": (("refund", "money"),), "must_not_include": ("fund",)}, None),
        ({"must_include_any": (("refund", "funds"),), "must_not_include": ("fund",)},
         'a: forbidden "fund" is in required "refund"'),
        ({"must_include_any": (("refund", "much too long"),), "must_not_include": ("fund",),
          "max_chars": 9}, 'a: forbidden "fund" is in required "refund"'),
        ({"must_not_include": ("x",)}, None),
        ({"must_include": ("a", "b"), "must_not_include": ("a b",)}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_cannot_pass(checks: dict[str, Any], detail: str | None):
    assert details(inspection.cannot_pass, **checks) == ([] if detail is None else [detail])


@pytest.mark.parametrize(
    ("more", "passes"),
    [
        ({"must_include": ("order",)}, True),
        ({"must_include": ("ORDER", "status")}, True),
        ({"must_include": ("order", "shipped")}, False),
        ({"must_include_any": (("sent", "status"),)}, True),
        ({"must_include_any": (("sent", "shipped"),)}, False),
        ({"must_include": ("order",), "must_not_include": ("say",)}, False),
        ({"must_include": ("order",), "max_chars": 5}, False),
        ({"must_not_include": ("x",)}, False),  # has a notice of its own kind, or none
    ],
)
def test_echo_passes(more: dict[str, Any], passes: bool):
    found = details(inspection.echo_passes, prompt="Say the order status", **more)
    assert found == ([""] if passes else [])


@pytest.mark.parametrize(
    ("completion", "needle", "inside"),
    [
        ("Order 1842 packed", "18", True),
        ("Code A12", "A1", True),
        ("Order 18 of 1842", "18", True),
        ("18", "18", False),
        ("18.", "18", False),
        ("no such thing", "18", False),
        ("ingredient", "die", True),
        ("ingredients", "dien", False),  # four letters
        ("x_y_z", "y", True),
        ("5% off", "5%", False),
        ("15% off", "5%", True),
        ("15%off", "%", False),
        ("東京都から", "京", False),
        ("네이버는", "이버", False),
        ("ÉCOLE", "éco", True),
    ],
)
def test_short_needle(completion: str, needle: str, inside: bool):
    for checks in ({"must_include": (needle,)}, {"must_not_include": (needle,)},
                   {"must_include_any": (("long enough", needle),)}):  # fmt: skip
        found = details(inspection.short_needle, completion=completion, **checks)
        assert found == ([f'a: "{needle}"'] if inside else [])


def test_notices_stand_in_their_order_and_name_their_cases():
    cases = [
        case(id="b", unknown=("owner",), must_include=("c",)),
        case(id="a", stratum="stretch", completion=None, must_not_include=("x",)),
        case(id="c", stratum="medium", completion=None),
    ]
    book = inspected(cases)
    book.add_similar_ids([(IdPlace("A", "easy", 1), IdPlace("a", "easy", 2))])
    assert [
        (notice.kind, notice.count, notice.cases, notice.details) for notice in book.notices()
    ] == [
        ("unknown_fields", 1, {"easy": ["b"], "medium": [], "stretch": []}, ["b: owner"]),
        ("similar_ids", 2, {"easy": ["A", "a"], "medium": [], "stretch": []},
         ['"A" (line 1), "a" (line 2)']),
        ("not_recorded", 2, {"easy": [], "medium": ["c"], "stretch": ["a"]}, []),
        ("no_checks", 1, {"easy": [], "medium": ["c"], "stretch": []}, []),
    ]  # fmt: skip


def test_a_notice_names_some_cases_and_counts_all():
    cases = [case(id=str(number)) for number in range(MAX_NAMED + 20)]
    (notice,) = inspected(cases).notices()
    assert notice.count == MAX_NAMED + 20
    assert notice.text.startswith(f"{MAX_NAMED + 20} cases: no check but")
    assert notice.cases["easy"] == [str(number) for number in range(MAX_NAMED)]
