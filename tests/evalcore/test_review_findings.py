"""What verdicts say of the stretch misses: counts, a share with its interval, and one warning."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.binomial import wilson
from evalcore.entry import VERDICTS
from evalcore.review.findings import findings_of


def verdicts(acceptable=0, miss=0, fault=0, unsure=0, wrong=0):
    return [
        *["acceptable"] * acceptable,
        *["real_miss"] * miss,
        *["bad_fixture"] * fault,
        *["unsure"] * unsure,
        *["wrong_reason"] * wrong,
    ]


# passed, n, verdicts, disputed, sentence
SENTENCES = {
    "nobody": (6, 20, {}, 0, "No stretch miss has a verdict yet."),
    "only unsure": (6, 20, {"unsure": 3}, 0, "No stretch miss has a verdict yet."),
    "only disputed": (6, 20, {}, 2, "No stretch miss has a verdict yet."),
    "no stretch cases": (0, 0, {}, 0, "No stretch miss has a verdict yet."),
    "five of fourteen": (
        6,
        20,
        {"acceptable": 5, "miss": 9},
        0,
        "5 of 14 misses judged acceptable: 5 of 14 reviewed stretch misses were acceptable "
        "wordings (16 to 61 %).",
    ),
    "five of fourteen, of more misses": (
        10,
        60,
        {"acceptable": 5, "miss": 6, "fault": 3},
        0,
        "5 of 50 misses judged acceptable: 5 of 14 reviewed stretch misses were acceptable "
        "wordings (16 to 61 %).",
    ),
    "one": (
        0,
        2,
        {"acceptable": 1},
        0,
        "1 of 2 misses judged acceptable: 1 of 1 reviewed stretch misses was an acceptable "
        "wording (20 to 100 %).",
    ),
    "none of them": (
        0,
        9,
        {"miss": 3},
        0,
        "0 of 9 misses judged acceptable: 0 of 3 reviewed stretch misses were acceptable "
        "wordings (0 to 56 %).",
    ),
    "some without a clear verdict": (
        0,
        9,
        {"acceptable": 1, "miss": 1, "unsure": 2},
        3,
        "1 of 9 misses judged acceptable: 1 of 2 reviewed stretch misses was an acceptable "
        "wording (9 to 90 %). 5 more without a clear verdict.",
    ),
}


@pytest.mark.parametrize(
    ("passed", "n", "said", "disputed", "sentence"), SENTENCES.values(), ids=SENTENCES
)
def test_the_sentence_counts_first_and_cuts_its_percents(passed, n, said, disputed, sentence):
    assert findings_of(passed, n, 0.8, verdicts(**said), disputed).sentence == sentence


def test_unsure_and_disputed_misses_are_counted_apart():
    found = findings_of(6, 20, 0.8, verdicts(2, 3, 1, 4, 1), 2)
    assert (found.acceptable, found.reviewed, found.undecided, found.misses) == (2, 7, 6, 14)
    alone = findings_of(6, 20, 0.8, verdicts(2, 3, 1, 0, 1))
    assert (found.share, found.headroom_overstated) == (alone.share, alone.headroom_overstated)


# passed, n, ceiling, verdicts, overstated
OVERSTATED = {
    "no verdict": (19, 20, 0.8, {}, False),
    "no verdict that counts": (19, 20, 0.8, {"unsure": 1}, False),
    "no stretch cases": (0, 0, 0.8, {}, False),
    "no misses, and below the ceiling": (0, 0, 0.0, {"acceptable": 1}, False),
    "all acceptable reach it: 6 + 1 x 14 of 20": (6, 20, 0.8, {"acceptable": 1}, True),
    "few may be": (6, 20, 0.8, {"miss": 14}, False),
    "exactly at the border: 8 + 1 x 12 of 20 of 100 %": (8, 20, 1.0, {"acceptable": 12}, True),
    "a hair below: one real miss": (8, 20, 1.0, {"acceptable": 11, "miss": 1}, False),
    "a ceiling of nothing": (0, 20, 0.0, {"miss": 20}, True),
    "the rate itself is at the ceiling": (16, 20, 0.8, {"miss": 4}, True),
    "the rate alone would be, and nobody has judged": (16, 20, 0.8, {}, False),
}


@pytest.mark.parametrize(
    ("passed", "n", "ceiling", "said", "expected"), OVERSTATED.values(), ids=OVERSTATED
)
def test_headroom_is_overstated_where_the_upper_bound_reaches_the_ceiling(
    passed, n, ceiling, said, expected
):
    assert findings_of(passed, n, ceiling, verdicts(**said)).headroom_overstated is expected


@pytest.mark.parametrize("n", [1, 3, 7, 20, 49, 1_000])
@pytest.mark.parametrize("said", [{"miss": 1}, {"acceptable": 5, "miss": 9}, {"fault": 40}])
def test_the_border_is_met_to_the_last_digit(n, said):
    # Without a pass the most that may be as good as passed is the upper bound of n itself.
    share = findings_of(0, n, 0.8, verdicts(**said)).share
    assert share is not None
    upper = share[1]
    for ceiling, expected in (
        (math.nextafter(upper, 0), True),
        (upper, True),
        (math.nextafter(upper, 1), False),
    ):
        assert findings_of(0, n, ceiling, verdicts(**said)).headroom_overstated is expected


@given(
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(0, 100),
    st.lists(st.sampled_from(VERDICTS), max_size=30),
)
def test_the_warning_is_the_formula_in_exact_arithmetic(passed, misses, ceiling, said):
    n = passed + misses
    found = findings_of(passed, n, ceiling / 100, said)
    sure = [verdict for verdict in said if verdict != "unsure"]
    bounds = wilson(sure.count("acceptable"), len(sure))
    if bounds is None or n == 0:
        assert not found.headroom_overstated
        return
    upper = Fraction(repr(bounds[1]))
    expected = (passed + upper * misses) / n >= Fraction(ceiling, 100)
    assert found.headroom_overstated is expected
    if expected:
        assert f"{passed} of {n} passed the string checks" in found.overstated_words
        assert f"the ceiling is {ceiling} %" in found.overstated_words


def test_the_warning_in_words():
    found = findings_of(9, 20, 0.8, verdicts(acceptable=5, miss=2))
    assert found.headroom_overstated
    assert found.overstated_words == (
        "9 of 20 passed the string checks, and if up to 91 % of the 11 misses are wordings that a "
        "person accepts, as the verdicts so far allow, up to 19 of 20 are as good as passed; the "
        "ceiling is 80 %. Accept the wordings in the suite, and mint harder cases."
    )
