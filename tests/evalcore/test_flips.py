"""Flips between runs: mid-p, the noise floor, and which runs repeat each other."""

from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from evalcore.flips import Noise, mid_p, noise_p, repeat_pairs
from tests.evalcore.sample_runs import EXCLUDED, a_run, job


def run(number, config="prompt 1", **fields):
    return a_run(number, config, **fields)


def ids(pairs):
    return [(one.id, other.id) for one, other in pairs]


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [
        (0, 0, 1),
        (1, 0, 0.5),
        (3, 0, 0.125),
        (5, 0, 0.03125),
        (5, 1, 0.125),
        (8, 2, 0.065430),
        (3, 3, 0.843750),
    ],
)
def test_mid_p_of_the_worked_numbers(b, c, p):
    assert round(mid_p(b, c), 6) == p
    assert round(mid_p(c, b), 6) == p


@given(st.integers(0, 400), st.integers(0, 400))
def test_mid_p_is_what_the_definition_gives_in_whole_numbers(b, c):
    m, fewer = b + c, min(b, c)
    ways = [comb(m, k) for k in range(fewer + 1)]
    if m == 0:
        exact = 1.0
    elif b == c:
        exact = 1 - ways[-1] / 2**m / 2
    else:
        exact = (2 * sum(ways) - ways[-1]) / 2**m
    assert mid_p(b, c) == pytest.approx(exact, rel=1e-9)
    assert 0 < mid_p(b, c) <= 1


def test_mid_p_agrees_with_scipy_where_whole_numbers_grow_too_long():
    expected = 2 * binom.cdf(49_000, 100_000, 0.5) - binom.pmf(49_000, 100_000, 0.5)
    assert mid_p(51_000, 49_000) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("flips", "n", "noise", "p"),
    [
        (2, 10, Noise(flips=0, pairs=60), 0.018634),
        (3, 10, Noise(flips=3, pairs=60), 0.034271),
        (5, 20, Noise(flips=5, pairs=60), 0.064660),
        (0, 10, Noise(flips=3, pairs=60), 1),
        (0, 0, Noise(flips=3, pairs=60), 1),
    ],
)
def test_noise_p_of_the_worked_numbers(flips, n, noise, p):
    assert noise_p(flips, n, noise) == pytest.approx(p, abs=5e-7)


def test_noise_p_is_the_tail_of_the_hypergeometric_distribution():
    noise = Noise(flips=4, pairs=50)
    assert noise_p(6, 30, noise) == pytest.approx(hypergeom.sf(5, 80, 10, 30))


def test_without_repeats_nothing_is_said_about_noise():
    assert noise_p(5, 10, Noise(flips=0, pairs=0)) is None


@pytest.mark.parametrize(
    ("flips", "pairs", "words"),
    [
        (0, 0, "noise unknown: no repeats"),
        (0, 1, "our own repeats flipped none of 1 case"),
        (0, 60, "our own repeats flipped none of 60 cases"),
        (1, 60, "our own repeats flip 1 case in 60"),
        (3, 180, "our own repeats flip 1 case in 60"),
        (7, 180, "our own repeats flip 1 case in 25"),
        (2, 4, "our own repeats flip 1 case in 2"),
        (2, 3, "our own repeats flip 2 of 3 cases"),
        (5, 5, "our own repeats flip 5 of 5 cases"),
    ],
)
def test_noise_in_words_is_never_understated(flips, pairs, words):
    assert Noise(flips=flips, pairs=pairs).words == words


def test_runs_of_one_config_pair_up_without_overlap():
    runs = [run(1), run(2), run(3, "prompt 2"), run(4), run(5), run(6, "prompt 2"), run(7)]
    assert ids(repeat_pairs(runs, 10)) == [(1, 2), (4, 5), (3, 6)]


def test_pairs_follow_time_and_then_the_number():
    runs = [run(9, day=1), run(3, day=2), run(4, day=1), run(1, day=2)]
    assert ids(repeat_pairs(runs, 10)) == [(4, 9), (1, 3)]
    shuffled = Random(1).sample(runs, len(runs))
    assert repeat_pairs(shuffled, 10) == repeat_pairs(runs, 10)


@pytest.mark.parametrize(
    ("limit", "pairs"),
    [(0, []), (1, [(5, 6)]), (2, [(3, 4), (5, 6)]), (9, [(1, 2), (3, 4), (5, 6)])],
)
def test_only_the_newest_pairs_are_kept(limit, pairs):
    assert ids(repeat_pairs(map(run, range(1, 8)), limit)) == pairs


@pytest.mark.parametrize(
    "other",
    [
        run(2, "prompt 2"),
        run(2, others="b"),
        run(2, matching="2"),
        run(2, job=job("another job")),
        run(2, unanswered=1),
        run(2, exclusion=EXCLUDED),
    ],
    ids=["config", "cases", "matching", "yardstick", "unfinished", "excluded"],
)
def test_runs_that_differ_in_more_than_luck_are_no_repeats(other):
    assert repeat_pairs([run(1), other], 10) == []


def test_an_unfinished_run_stands_between_two_repeats_without_parting_them():
    assert ids(repeat_pairs([run(1), run(2, unanswered=3), run(3)], 10)) == [(1, 3)]


def test_a_copy_of_the_same_bytes_and_another_model_are_no_repeats():
    first = a_run(1, "p")
    copy = a_run(2, "p", suite_sha256=first.suite_sha256)
    other_model = a_run(3, "p", model="m2")
    assert repeat_pairs([first, copy, other_model], 9) == []
    second = a_run(4, "p")
    assert repeat_pairs([first, copy, other_model, second], 9) == [(first, second)]
