import json
import math
import subprocess
import sys
import timeit
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from evalcore.binomial import lower_tail, upper_tail, wilson
from evalcore.evidence import (
    Families,
    SizeNotice,
    Threshold,
    can_ever_support,
    evidence_of,
    headroom,
    is_at_or_above,
    is_below,
    is_tripped,
    one_miss_breaks_up_to,
    size_notice,
    smallest_n_to_support,
)
from evalcore.job import Thresholds
from evalcore.percent import percent
from evalcore.phrases import label_words, size_words, to_alarm_words

W = Fraction("0.80")
F = Fraction("0.85")


def high(value: float) -> Threshold:
    return Threshold(key="stretch_high", value=value, side="high")


def low(value: float) -> Threshold:
    return Threshold(key="medium_floor", value=value, side="low")


def stretch(passed, n, value=0.80):
    return evidence_of("stretch", passed, n, Thresholds(stretch_high=value))


def medium(passed, n, value=0.85):
    return evidence_of("medium", passed, n, Thresholds(medium_floor=value))


def easy(passed, n, value=1.0):
    return evidence_of("easy", passed, n, Thresholds(easy_floor=value))


def bounds(passed, n):
    found = wilson(passed, n)
    assert found is not None
    return found


OF = {"stretch": stretch, "medium": medium, "easy": easy}
THRESHOLDS = st.sampled_from([0.05, 0.1, 0.29, 0.5, 0.55, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99]) | (
    st.integers(1, 999).map(lambda mills: mills / 1000)
)
COUNTS = st.integers(1, 120).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("passed", "n", "expected"),
    [
        (2, 2, (0.342380, 1)),
        (5, 5, (0.565518, 1)),
        (8, 10, (0.490162, 0.943318)),
        (17, 20, (0.639581, 0.947631)),
        (40, 50, (0.669629, 0.887562)),
        (0, 50, (0, 0.071348)),
        (0, 1, (0, 0.793451)),
    ],
)
def test_wilson(passed, n, expected):
    assert wilson(passed, n) == pytest.approx(expected, abs=5e-7)


def test_wilson_touches_the_ends_exactly_and_nothing_else():
    assert (bounds(50, 50)[1], bounds(0, 50)[0], wilson(0, 0)) == (1.0, 0.0, None)
    assert 0 < bounds(1, 10**6)[0] < bounds(10**6 - 1, 10**6)[1] < 1


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_scipy(counts):
    expected = binomtest(*counts, p=0.5).proportion_ci(0.95, method="wilson")
    assert wilson(*counts) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("tail", "rate", "k", "n", "p"),
    [
        (upper_tail, W, 4, 5, 0.73728),
        (upper_tail, W, 8, 10, 0.677800),
        (upper_tail, W, 14, 14, 0.043980),
        (upper_tail, W, 19, 20, 0.069175),
        (upper_tail, W, 45, 50, 0.048027),
        (lower_tail, F, 8, 10, 0.455700),
        (lower_tail, F, 16, 20, 0.352275),
        (lower_tail, F, 13, 20, 0.021935),
    ],
)
def test_worked_tails(tail, rate, k, n, p):
    assert tail(k, n, rate) == pytest.approx(p, abs=5e-7)


@pytest.mark.parametrize(
    ("k", "n", "rate", "upper", "lower"),
    [
        (0, 0, W, 1.0, 1.0),
        (-1, 5, W, 1.0, 0.0),
        (6, 5, W, 0.0, 1.0),
        (0, 5, Fraction(0), 1.0, 1.0),
        (1, 5, Fraction(0), 0.0, 1.0),
        (5, 5, Fraction(1), 1.0, 1.0),
        (4, 5, Fraction(1), 1.0, 0.0),
        (10**6, 10**6, Fraction(1, 2), 0.0, 1.0),
    ],
)
def test_tails_at_the_ends(k, n, rate, upper, lower):
    assert (upper_tail(k, n, rate), lower_tail(k, n, rate)) == (upper, lower)


def scipy_tails(k, n, rate):
    """Asks for the rarer outcome, whose chance a float holds without loss."""
    if rate <= Fraction(1, 2):
        return binom.sf(k - 1, n, float(rate)), binom.cdf(k, n, float(rate))
    return binom.cdf(n - k, n, float(1 - rate)), binom.sf(n - k - 1, n, float(1 - rate))


def near_the_mean(n, rate):
    spread = math.sqrt(n * rate * (1 - rate))
    steps = (-30, -10, -5, -3, -1, 0, 1, 3, 5, 10, 30)
    return {min(n, max(0, round(n * rate + step * spread))) for step in steps}


@pytest.mark.parametrize("n", [1, 2, 3, 14, 15, 16, 17, 50, 300, 5000, 10**5, 10**6])
@pytest.mark.parametrize(
    "text",
    ["1e-12", "0.001", "0.05", "0.5", "0.55", "0.8", "0.85", "0.95", "0.999", "0.999999999999"],
)
def test_tails_are_those_of_scipy(n, text):
    rate = Fraction(text)
    for k in {0, 1, 2, n // 2, n - 2, n - 1, n} | near_the_mean(n, rate):
        found = upper_tail(k, n, rate), lower_tail(k, n, rate)
        assert found == pytest.approx(scipy_tails(k, n, rate), rel=1e-9, abs=1e-290), k


@given(COUNTS, THRESHOLDS)
def test_tails_are_the_exact_sums(counts, value):
    k, n = counts
    rate = Fraction(repr(value))
    terms = [math.comb(n, x) * rate**x * (1 - rate) ** (n - x) for x in range(n + 1)]
    exact = float(sum(terms[k:])), float(sum(terms[: k + 1]))
    assert (upper_tail(k, n, rate), lower_tail(k, n, rate)) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("passed", [0, 1, 500_000, 799_999, 800_000, 850_000, 999_999, 10**6])
@pytest.mark.parametrize("stratum", ["easy", "medium", "stretch"])
def test_a_million_cases_take_a_moment(stratum, passed):
    thresholds = Thresholds(easy_floor=0.85)
    timer = timeit.Timer(lambda: evidence_of(stratum, passed, 10**6, thresholds))
    assert min(timer.repeat(5, number=1)) < 0.05


@pytest.mark.parametrize(
    ("passed", "n", "limit", "below"),
    [
        (17, 20, 0.85, False),
        (16, 20, 0.85, True),
        (16, 20, 0.80, False),
        (55, 100, 0.55, False),
        (54, 100, 0.55, True),
        (29, 100, 0.29, False),
        (3, 10, 0.3, False),
        (1, 3, 0.3333333333333333, False),
        (999_999, 10**6, 1.0, True),
        (0, 5, 0.0, False),
        (0, 5, 5e-324, True),
    ],
)
def test_exact_comparison(passed, n, limit, below):
    assert is_below(passed, n, limit) is below
    assert is_at_or_above(passed, n, limit) is not below


def test_no_cases_are_on_neither_side():
    assert (is_below(0, 0, 1.0), is_at_or_above(0, 0, 0.0)) == (False, False)


@pytest.mark.parametrize(
    ("passed", "n", "threshold", "left"),
    [
        (7, 10, high(0.80), 1),
        (8, 10, high(0.80), None),
        (0, 10, high(0.80), 8),
        (54, 100, high(0.55), 1),
        (9, 10, high(1.0), 1),
        (0, 10, high(0.0), None),
        (17, 20, low(0.85), 1),
        (16, 20, low(0.85), None),
        (20, 20, low(0.85), 4),
        (100, 100, low(0.55), 46),
        (8, 8, low(1.0), 1),
        (8, 8, low(0.0), None),
        (1, 1, low(0.01), 1),
        (0, 0, low(0.85), None),
        (0, 0, high(0.80), None),
    ],
)
def test_headroom(passed, n, threshold, left):
    assert headroom(passed, n, threshold) == left


@given(COUNTS, THRESHOLDS, st.sampled_from([high, low]))
def test_headroom_is_the_number_of_steps_to_the_alarm(counts, value, side):
    passed, n = counts
    threshold = side(value)
    step = 1 if threshold.side == "high" else -1
    outcomes = range(passed, n + 1) if step == 1 else range(passed, -1, -1)
    steps = next(i for i, k in enumerate(outcomes) if is_tripped(k, n, threshold))
    assert headroom(passed, n, threshold) == (steps or None)


@pytest.mark.parametrize(
    ("value", "smallest"),
    [
        (0.5, 5),
        (0.7, 9),
        (0.8, 14),
        (0.9, 29),
        (0.05, 1),
        (0.22360679774997902, 2),
        (0.0, 1),
        (0.999999, 2_995_731),
        (0.9999999999999999, None),
        (1.0, None),
    ],
)
def test_smallest_n_to_support_a_high_rate(value, smallest):
    assert smallest_n_to_support(high(value)) == smallest


@pytest.mark.parametrize(
    ("value", "smallest"), [(0.85, 2), (0.95, 1), (0.5, 5), (1.0, 1), (0.0, None)]
)
def test_smallest_n_to_support_a_low_rate(value, smallest):
    assert smallest_n_to_support(low(value)) == smallest


def test_the_wilson_bound_alone_needs_sixteen():
    assert min(n for n in range(1, 100) if bounds(n, n)[0] > 0.8) == 16


@given(THRESHOLDS, st.sampled_from([high, low]), st.integers(0, 400))
def test_can_ever_support_is_the_closed_form(value, side, n):
    rate = Fraction(repr(value)) if side is high else 1 - Fraction(repr(value))
    supports = rate**n <= Fraction("0.05")
    assert can_ever_support(n, side(value)) is supports
    smallest = smallest_n_to_support(side(value))
    assert (smallest is not None and n >= smallest) is supports


@pytest.mark.parametrize("n", [2, 5, 10**6])
@pytest.mark.parametrize("value", [0.9999999999999999, 1e-300, 5e-324, 0.49999999999999994])
@pytest.mark.parametrize("stratum", ["easy", "medium", "stretch"])
def test_thresholds_at_the_end_of_what_a_float_holds(stratum, value, n):
    for passed in (0, 1, n - 1, n):
        found = OF[stratum](passed, n, value)
        smallest = found.size.smallest_n_to_support
        assert found.can_ever_support is (smallest is not None and n >= smallest)
        assert 0 <= found.p <= 1


@pytest.mark.parametrize(
    ("threshold", "largest"),
    [
        (low(0.85), 6),
        (low(0.95), 19),
        (low(0.99), 99),
        (low(0.5), 1),
        (low(0.0), 0),
        (low(1.0), None),
        (high(0.80), None),
    ],
)
def test_one_miss_breaks_up_to(threshold, largest):
    assert one_miss_breaks_up_to(threshold) == largest


@given(THRESHOLDS)
def test_one_miss_breaks_up_to_exactly_there(value):
    largest = one_miss_breaks_up_to(low(value))
    assert largest is not None
    breaks = [is_below(n - 1, n, value) for n in range(1, largest + 3)]
    assert breaks == [True] * largest + [False] * 2


@pytest.mark.parametrize(
    ("stratum", "passed", "n", "value", "expected"),
    [
        ("stretch", 4, 5, 0.80, ("alarm", "could_be_luck", False, None)),
        ("stretch", 5, 5, 0.80, ("alarm", "could_be_luck", False, None)),
        ("stretch", 14, 14, 0.80, ("alarm", "supported", True, None)),
        ("stretch", 19, 20, 0.80, ("alarm", "could_be_luck", True, None)),
        ("stretch", 45, 50, 0.80, ("alarm", "supported", True, None)),
        ("stretch", 7, 10, 0.80, ("ok", "close", False, 1)),
        ("stretch", 3, 10, 0.80, ("ok", "clear", False, 5)),
        ("stretch", 0, 2, 0.80, ("ok", "clear", False, 2)),
        ("stretch", 1, 1, 0.80, ("refused", "could_be_luck", False, None)),
        ("stretch", 1, 1, 0.05, ("refused", "supported", True, None)),
        ("stretch", 0, 0, 0.80, ("refused", "no_cases", False, None)),
        ("stretch", 5, 5, 1.0, ("alarm", "could_be_luck", False, None)),
        ("stretch", 4, 5, 1.0, ("ok", "clear", False, 1)),
        ("stretch", 0, 5, 0.0, ("alarm", "fact", True, None)),
        ("medium", 8, 10, 0.85, ("alarm", "could_be_luck", True, None)),
        ("medium", 16, 20, 0.85, ("alarm", "could_be_luck", True, None)),
        ("medium", 13, 20, 0.85, ("alarm", "supported", True, None)),
        ("medium", 17, 20, 0.85, ("ok", "close", True, 1)),
        ("medium", 20, 20, 0.85, ("ok", "clear", True, 4)),
        ("medium", 1, 4, 0.5, ("alarm", "could_be_luck", False, None)),
        ("medium", 0, 1, 0.85, ("refused", "could_be_luck", False, None)),
        ("medium", 0, 1, 0.95, ("refused", "supported", True, None)),
        ("medium", 0, 5, 0.0, ("ok", "clear", False, None)),
        ("medium", 5, 5, 0.0, ("ok", "clear", False, None)),
        ("easy", 8, 8, 1.0, ("ok", "fact", True, 1)),
        ("easy", 7, 8, 1.0, ("alarm", "fact", True, None)),
        ("easy", 1, 1, 1.0, ("refused", "fact", True, None)),
        ("easy", 0, 0, 1.0, ("refused", "no_cases", False, None)),
    ],
)
def test_state_label_and_headroom(stratum, passed, n, value, expected):
    found = OF[stratum](passed, n, value)
    assert (found.state, found.label, found.can_ever_support, found.to_alarm) == expected


@pytest.mark.parametrize(
    ("found", "p"),
    [
        (stretch(8, 10), 0.6777995264),
        (medium(13, 20), 0.0219351008568),
        (medium(0, 1, 0.95), 0.05),
        (medium(3, 5, 0.0), 1.0),
        (stretch(3, 5, 1.0), 1.0),
        (stretch(3, 5, 0.0), None),
        (easy(3, 5), None),
        (stretch(0, 0), None),
    ],
)
def test_p_is_the_chance_of_the_counts_or_further_into_the_alarm(found, p):
    assert found.p == p


@given(COUNTS, THRESHOLDS, st.sampled_from(["stretch", "medium", "easy"]))
def test_label_is_that_of_the_exact_test(counts, value, stratum):
    passed, n = counts
    found = OF[stratum](passed, n, value)
    upper, lower = scipy_tails(passed, n, Fraction(repr(value)))
    into, out_of = (upper, lower) if stratum == "stretch" else (lower, upper)
    if is_tripped(passed, n, found.threshold):
        expected = "supported" if into <= 0.05 + 1e-12 else "could_be_luck"
    else:
        expected = "clear" if out_of <= 0.05 + 1e-12 else "close"
    assert (found.label, found.p) == (expected, pytest.approx(into, rel=1e-9))
    assert found.can_ever_support or found.label != "supported"


def test_json_of_a_stratum():
    found = evidence_of("medium", 17, 20, Thresholds(), Families(count=3, cases=12))
    assert json.dumps(msgspec.to_builtins(found)) == json.dumps(
        {
            "passed": 17,
            "n": 20,
            "state": "ok",
            "threshold": {"key": "medium_floor", "value": 0.85, "side": "low"},
            "interval": {
                "low": 0.6395811352592431,
                "high": 0.9476312541037833,
                "confidence": 0.95,
            },
            "label": "close",
            "p": 0.595103721993,
            "can_ever_support": True,
            "to_alarm": 1,
            "size": {
                "smallest_n_to_support": 2,
                "one_miss_breaks_up_to": 6,
                "guidance": None,
            },
            "families": {"count": 3, "cases": 12},
            "sentence": "17 of 20 passed; for similar cases anything from about 63 % to 94 % "
            "is plausible.",
        }
    )


def test_json_of_no_cases():
    assert msgspec.to_builtins(stretch(0, 0)) == {
        "passed": 0,
        "n": 0,
        "state": "refused",
        "threshold": {"key": "stretch_high", "value": 0.8, "side": "high"},
        "interval": None,
        "label": "no_cases",
        "p": None,
        "can_ever_support": False,
        "to_alarm": None,
        "size": {
            "smallest_n_to_support": 14,
            "one_miss_breaks_up_to": None,
            "guidance": (14, 30),
        },
        "families": {"count": 0, "cases": 0},
        "sentence": "no cases",
    }


@pytest.mark.parametrize(("passed", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_what_is_no_count(passed, n):
    with pytest.raises(ValueError, match=f"^{passed} of {n} passed is no count$"):
        stretch(passed, n)


@given(COUNTS, st.sampled_from([0.0, 1.0]), st.sampled_from(["stretch", "medium", "easy"]))
def test_thresholds_of_zero_and_one_give_words_for_every_count(counts, value, stratum):
    passed, n = counts
    found = OF[stratum](passed, n, value)
    words = label_words(found), to_alarm_words(found), size_words(found), found.sentence
    assert all(words)


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (Fraction(199, 200), "99 %"),
        (Fraction(29, 100), "29 %"),
        (Fraction(1, 1), "100 %"),
        (Fraction(0), "0 %"),
        (0.943318, "94 %"),
        (0.9999999999999999, "99 %"),
    ],
)
def test_percent_is_cut(rate, text):
    assert percent(rate) == text


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            stretch(8, 10),
            "8 of 10 passed; for similar cases anything from about 49 % to 94 % is plausible.",
        ),
        (
            medium(199, 200),
            "199 of 200 passed; for similar cases anything from about 97 % to 99 % is plausible.",
        ),
        (easy(0, 0), "no cases"),
    ],
)
def test_sentence(found, sentence):
    assert found.sentence == sentence


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (stretch(0, 0), "no cases"),
        (stretch(1, 1), "too few cases to tell: it takes 2"),
        (stretch(5, 5), "could be luck: too few cases to ever settle it"),
        (stretch(7, 10), "close: too few cases to ever settle it"),
        (stretch(3, 10), "clear: below 80 % by more than luck"),
        (stretch(19, 20), "could be luck: a true rate below 80 % can give this"),
        (stretch(15, 20), "close: within luck of 80 %"),
        (
            stretch(14, 14),
            "supported: luck alone rarely gives so many passes at a rate of 80 %",
        ),
        (stretch(5, 5, 1.0), "could be luck: no number of cases can show a rate above 100 %"),
        (stretch(0, 5, 0.0), "a fact: any result reaches 0 %"),
        (medium(16, 20), "could be luck: a true rate of at least 85 % can give this"),
        (
            medium(13, 20),
            "supported: luck alone rarely gives so many misses at a rate of 85 %",
        ),
        (medium(20, 20), "clear: above 85 % by more than luck"),
        (medium(17, 20), "close: within luck of 85 %"),
        (medium(19, 20, 0.975), "could be luck: a true rate of at least 97.5 % can give this"),
        (medium(0, 5, 0.0), "clear: nothing falls below a floor of 0 %"),
        (easy(8, 8), "no miss; at a floor of 100 % one would be a fact"),
        (easy(7, 8), "1 miss: a fact, not luck, at a floor of 100 %"),
        (easy(6, 8), "2 misses: a fact, not luck, at a floor of 100 %"),
    ],
)
def test_label_words(found, words):
    assert label_words(found) == words


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (stretch(0, 0), "no cases"),
        (stretch(0, 1), "no alarm below 2 cases"),
        (stretch(7, 10), "1 more pass trips the alarm"),
        (stretch(5, 10), "3 more passes trip the alarm"),
        (stretch(8, 10), "already tripped"),
        (medium(17, 20), "1 more miss trips the alarm"),
        (medium(20, 20), "4 more misses trip the alarm"),
        (medium(16, 20), "already tripped"),
        (medium(5, 5, 0.0), "nothing falls below a floor of 0 %"),
        (easy(8, 8), "1 more miss trips the alarm"),
    ],
)
def test_to_alarm_words(found, words):
    assert to_alarm_words(found) == words


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (stretch(0, 0), "needs 14 all-pass cases before it can support a rate above 80 %"),
        (stretch(13, 13), "needs 14 all-pass cases before it can support a rate above 80 %"),
        (stretch(0, 0, 0.05), "needs 1 all-pass case before it can support a rate above 5 %"),
        (stretch(9, 14), "enough cases to support a rate above 80 %"),
        (stretch(5, 5, 1.0), "no number of cases can support a rate above 100 %"),
        (medium(6, 6), "below 7 medium cases a floor of 85 % means no miss"),
        (medium(7, 7), "at 7 medium cases a floor of 85 % allows 1 miss"),
        (medium(20, 20), "at 20 medium cases a floor of 85 % allows 3 misses"),
        (medium(5, 5, 0.0), "nothing falls below a floor of 0 %"),
        (
            easy(4, 4),
            "a floor of 100 % means no miss at any size; 5 to 20 easy cases are proposed",
        ),
        (easy(5, 5), "a floor of 100 % means no miss at any size"),
        (easy(10, 10, 0.95), "below 20 easy cases a floor of 95 % means no miss"),
    ],
)
def test_size_words(found, words):
    assert size_words(found) == words


@given(COUNTS, THRESHOLDS)
def test_the_misses_that_a_floor_allows_do_not_trip_it(counts, value):
    _, n = counts
    words = size_words(medium(n, n, value))
    allowed = int(words.split(" allows ")[1].split()[0]) if " allows " in words else 0
    assert not is_below(n - allowed, n, value)
    assert is_below(n - allowed - 1, n, value)


@pytest.mark.parametrize(
    ("stratum", "n", "ceiling", "expected"),
    [
        ("easy", 20, 0.99, None),
        (
            "easy",
            21,
            0.99,
            SizeNotice(
                level="notice",
                text="21 easy cases, more than the 5 to 20 that serve; mint harder ones instead",
            ),
        ),
        (
            "easy",
            100,
            0.99,
            SizeNotice(
                level="warning",
                text="at 100 easy cases the ceiling of 99 % hides a miss; keep 5 to 20",
            ),
        ),
        (
            "easy",
            8,
            0.875,
            SizeNotice(
                level="warning",
                text="at 8 easy cases the ceiling of 87.5 % hides a miss; keep 5 to 20",
            ),
        ),
        ("easy", 7, 0.875, None),
        ("easy", 0, 0.0, None),
        ("medium", 1000, 0.99, None),
        ("stretch", 1000, 0.99, None),
    ],
)
def test_size_notice(stratum, n, ceiling, expected):
    assert size_notice(stratum, n, Thresholds(ceiling_easy=ceiling)) == expected


@pytest.mark.parametrize(("n", "level"), [(99, "notice"), (100, "warning")])
def test_the_warning_begins_where_the_ceiling_hides_a_miss(n, level):
    notice = size_notice("easy", n, Thresholds())
    assert notice is not None
    assert notice.level == level
    assert is_at_or_above(n - 1, n, Thresholds().ceiling_easy) is (level == "warning")


def test_importing_brings_no_heavy_library():
    code = "import sys, evalcore.evidence; print({'numpy', 'pandas', 'scipy'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
