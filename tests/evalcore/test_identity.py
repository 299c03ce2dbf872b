import hashlib
from typing import Any

import pytest

from evalcore.case import Case
from evalcore.identity import InstrumentHash, completion_hash, fixture_hash


def case(**more: Any) -> Case:
    return Case(**{"id": "a", "stratum": "easy", "prompt": "p", **more})


def instrument(*cases: Case) -> str:
    total = InstrumentHash()
    total.add(cases)
    return total.hexdigest()


def test_the_fixture_is_canonical_json_of_prompt_stratum_and_checks():
    canonical = (
        '{"max_chars":1200,"must_include":["é","\\""],"must_include_any":[["x","y"]],'
        '"must_not_include":[],"prompt":"p/\\n","stratum":"easy"}'
    )
    made = case(prompt="p/\n", must_include=("é", '"'), must_include_any=(("x", "y"),))
    assert fixture_hash(made) == hashlib.sha256(canonical.encode()).hexdigest()


@pytest.mark.parametrize(
    "more",
    [
        {"completion": "c"}, {"tags": ("t",)}, {"family": "f"}, {"note": "n"}, {"line": 7},
        {"unknown": ("u",)}, {"id": "b"},
    ],
)  # fmt: skip
def test_what_a_fixture_does_not_hold(more: dict[str, Any]):
    assert fixture_hash(case(**more)) == fixture_hash(case())


@pytest.mark.parametrize(
    "more",
    [
        {"prompt": "q"}, {"stratum": "medium"}, {"must_include": ("x",)}, {"max_chars": 7},
        {"must_include_any": (("x",),)}, {"must_not_include": ("x",)},
    ],
)  # fmt: skip
def test_what_a_fixture_holds(more: dict[str, Any]):
    assert fixture_hash(case(**more)) != fixture_hash(case())
    assert instrument(case(**more)) != instrument(case())


def test_the_instrument_is_a_sum_over_its_cases():
    pairs = [f'["{name}","{fixture_hash(case(id=name))}"]' for name in ("a", "b", 'q"')]
    pairs[2] = pairs[2].replace('q""', 'q\\""')
    total = sum(int(hashlib.sha256(pair.encode()).hexdigest(), 16) for pair in pairs)
    cases = [case(id=name) for name in ("a", "b", 'q"')]
    assert instrument(*cases) == f"{total % 2**256:064x}"
    assert instrument(*reversed(cases)) == instrument(*cases)
    assert instrument() == "0" * 64


def test_the_instrument_sees_ids():
    assert instrument(case(id="a")) != instrument(case(id="b"))
    assert instrument(case(), case(id="b", prompt="q")) != instrument(
        case(prompt="q"), case(id="b")
    )


def test_completion_hash():
    assert completion_hash("é") == hashlib.sha256("é".encode()).hexdigest()
