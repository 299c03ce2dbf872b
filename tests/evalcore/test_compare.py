import json
import timeit
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.alerts import Count
from evalcore.case import STRATA, Case
from evalcore.compare.comparison import (
    Change,
    Comparison,
    Corners,
    Flips,
    NoAnswer,
    Regraded,
    Split,
)
from evalcore.compare.runs import compare
from evalcore.compare.words import compare_lines, flips_words, signed
from evalcore.flips import Noise
from evalcore.grading import grade_case
from evalcore.identity import fixture_json
from evalcore.job import Thresholds
from evalcore.matching import MATCHING
from evalcore.report import JobStamp
from evalcore.run import Run, RunCase
from evalcore.suite import SuiteReader

IFEVAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "ifeval"


class Answered(NamedTuple):
    """Is a case with its answer; `answered` is False where the run got none."""

    case: Case
    answered: bool = True


class History:
    """Numbers texts as a history does, and remembers which were asked for."""

    def __init__(self):
        self.numbers: dict[bytes, int] = {}
        self.asked: list[frozenset[int]] = []

    def number(self, text: bytes) -> int:
        return self.numbers.setdefault(text, len(self.numbers) + 1)

    def texts(self, numbers):
        self.asked.append(frozenset(numbers))
        return {number: text for text, number in self.numbers.items() if number in numbers}

    def record(self, entry: Answered) -> RunCase:
        case = entry.case
        passed = grade_case(case).passed
        completion = case.completion
        return RunCase(
            case_id=case.id,
            stratum=case.stratum,
            outcome=("passed" if passed else "failed") if entry.answered else "unanswered",
            fixture=self.number(fixture_json(case)),
            completion=None if completion is None else self.number(completion.encode()),
        )

    def compare(self, before, after, noise=None, matching=(MATCHING, MATCHING)) -> Comparison:
        return compare(
            run(1, matching[0]),
            run(2, matching[1]),
            [self.record(entry) for entry in before],
            [self.record(entry) for entry in after],
            self.texts,
            noise or {},
        )


def run(number: int, matching: str = MATCHING) -> Run:
    return Run(
        id=number,
        at=datetime(2026, 10, number, 14, 30, tzinfo=UTC),
        suite="orders.jsonl",
        suite_sha256="0" * 64,
        instrument_hash="1" * 64,
        matching=matching,
        job=JobStamp(
            name=None,
            sha256=None,
            source="defaults",
            thresholds=Thresholds(),
            proposed=(),
            overrides=(),
        ),
        config=f"v{number}",
        source="example",
        strata={},
    )


def case(case_id, needle, completion, stratum="stretch", prompt="?") -> Case:
    return Case(
        id=case_id,
        stratum=stratum,
        prompt=prompt,
        completion=completion,
        must_include=(needle,),
    )


def entry(case_id, needle, completion, stratum="stretch", prompt="?") -> Answered:
    return Answered(case(case_id, needle, completion, stratum, prompt))


def unanswered(case_id, needle, stratum="stretch") -> Answered:
    return Answered(case(case_id, needle, None, stratum), answered=False)


def stretch(before, after, noise=None):
    noises = {"stretch": noise} if noise else {}
    return History().compare(before, after, noises).strata["stretch"]


def flipping(fell=0, rose=0, passing=0, failing=0):
    """Returns two runs on the same fixtures with that many cases of each kind."""
    kinds = [("yes", "no")] * fell + [("no", "yes")] * rose
    kinds += [("yes", "yes")] * passing + [("no", "no")] * failing

    def answers(side):
        return [entry(f"case {number}", "yes", kind[side]) for number, kind in enumerate(kinds)]

    return answers(0), answers(1)


# -- named lists and flips ---------------------------------------------------------------------


def all_kinds():
    """Returns two runs with a case of each kind of change."""
    before = [
        entry("fell", "yes", "yes"),
        entry("rose", "yes", "no"),
        entry("fails", "yes", "no"),
        entry("passes", "yes", "yes"),
        entry("dropped", "yes", "yes"),
        entry("edited", "yes", "yes"),
        entry("reworded", "yes", "yes"),
        entry("promoted", "yes", "yes", "medium"),
        entry("demoted", "yes", "yes"),
        unanswered("silent", "yes"),
        entry("lost", "yes", "yes"),
    ]
    after = [
        entry("minted", "yes", "no"),
        entry("fell", "yes", "no"),
        entry("rose", "yes", "yes"),
        entry("fails", "yes", "never"),
        entry("passes", "yes", "yes yes"),
        entry("edited", "certainly", "yes"),
        entry("reworded", "yes", "yes", prompt="Really?"),
        entry("promoted", "certainly", "yes"),
        entry("demoted", "yes", "yes", "easy"),
        entry("silent", "yes", "yes"),
        unanswered("lost", "yes"),
    ]
    return before, after


def test_every_case_stands_in_the_list_that_says_what_became_of_it():
    before, after = all_kinds()
    found = stretch(before, after)
    assert (found.passed_to_failed, found.failed_to_passed) == (("fell",), ("rose",))
    assert found.still_failing == ("fails",)
    assert found.removed == (change("dropped", "stretch", None, "passed", None),)
    assert found.added == (change("minted", None, "stretch", None, "failed"),)
    assert found.edited == (
        change("edited", "stretch", "stretch", "passed", "failed", "must_include"),
        change("reworded", "stretch", "stretch", "passed", "passed", "prompt"),
    )
    assert found.moved_in == (
        change("promoted", "medium", "stretch", "passed", "failed", "must_include"),
    )
    assert found.moved_out == (change("demoted", "stretch", "easy", "passed", "passed"),)
    assert found.unanswered == (
        NoAnswer(case_id="silent", runs=("baseline",)),
        NoAnswer(case_id="lost", runs=("run",)),
    )
    assert found.flips == Flips(passed_to_failed=1, failed_to_passed=1, n=4, of=10, p=None)
    assert (found.baseline, found.run) == (Count(7, 9), Count(4, 9))
    assert found.split == Split(
        answers=0, fixtures=-3, edited=-1, moved_in=0, moved_out=-1, added=0, removed=-1,
        unanswered=0,
    )  # fmt: skip


def test_lists_are_in_the_order_of_the_runs_file_and_then_of_the_baselines():
    before, after = flipping(fell=3)
    more = [unanswered(name, "yes") for name in ("z", "y")]
    found = stretch([*more, *before], [*reversed(after), unanswered("x", "yes")])
    assert found.passed_to_failed == ("case 2", "case 1", "case 0")
    assert [case.case_id for case in found.unanswered] == ["x", "z", "y"]


def change(case_id, from_stratum, to_stratum, before, after, *changed):
    return Change(
        case_id=case_id,
        from_stratum=from_stratum,
        to_stratum=to_stratum,
        before=before,
        after=after,
        changed=changed,
    )


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [
        (1, 0, 0.5),
        (3, 0, 0.125),
        (5, 0, 0.03125),
        (5, 1, 0.125),
        (8, 2, 0.065430),
        (3, 3, 0.843750),
        (0, 0, 1),
    ],
)
def test_the_worked_flips_come_from_lists_of_real_grades(b, c, p):
    found = stretch(*flipping(fell=b, rose=c, passing=2, failing=3))
    assert found.passed_to_failed == tuple(f"case {number}" for number in range(b))
    assert found.failed_to_passed == tuple(f"case {number}" for number in range(b, b + c))
    assert found.flips.p == pytest.approx(p, abs=5e-7)
    assert (found.flips.n, found.flips.of) == (b + c + 5, b + c + 5)


@pytest.mark.parametrize(
    ("common", "alone", "p"),
    [(5, 5, 0.5), (5, 6, None), (1, 0, 0.5), (1, 1, 0.5), (1, 2, None), (0, 3, None), (0, 0, None)],
)
def test_under_half_in_common_there_is_no_p(common, alone, p):
    before, after = flipping(fell=min(common, 1), passing=max(0, common - 1))
    more = [entry(f"new {number}", "yes", "yes") for number in range(alone)]
    assert stretch(before, after + more).flips.p == p
    assert stretch(before + more, after).flips.p == p


def test_a_case_without_an_answer_is_never_a_pass_and_never_counted():
    before = [entry("a", "yes", "yes"), unanswered("b", "yes"), unanswered("c", "yes")]
    after = [unanswered("a", "yes"), entry("b", "yes", "yes"), unanswered("c", "yes")]
    found = stretch(before, after)
    assert (found.baseline, found.run) == (Count(1, 1), Count(1, 1))
    assert found.flips == Flips(passed_to_failed=0, failed_to_passed=0, n=0, of=3, p=None)
    assert found.split.unanswered == 0
    assert found.sentences.unanswered == (
        "cases without an answer: 2 in the baseline, 2 in the run; "
        "neither pass nor miss, and in no flip"
    )


# -- the answers or the yardstick --------------------------------------------------------------

REPLY = "Your order ships on 2026-11-03. A refund takes five working days."


def order_desk():
    """Returns two runs: one better answer, and four cases whose checks became stricter."""
    dates = [case(f"date {number}", "2026-11-03", REPLY) for number in range(9)]
    prices = [case(f"price {number}", "EUR 40", REPLY) for number in range(11)]
    stricter = [msgspec.structs.replace(each, must_not_include=("refund",)) for each in dates[:4]]
    better = msgspec.structs.replace(prices[0], completion=f"{REPLY} It costs EUR 40.")
    before = [Answered(each) for each in (*dates, *prices)]
    after = [Answered(each) for each in (*stricter, *dates[4:], better, *prices[1:])]
    return before, after


def test_a_reader_sees_what_moved_the_answers_or_the_fixtures():
    found = stretch(*order_desk())
    assert found.sentences.headline == (
        "stretch fell from 9 of 20 to 6 of 20: answers +1, new fixtures −4"
    )
    assert found.sentences.fixtures == "new fixtures −4: 4 cases edited −4"
    assert found.sentences.order == ""
    assert found.corners == Corners(
        old_answers_old_fixtures=Count(9, 20),
        new_answers_old_fixtures=Count(10, 20),
        old_answers_new_fixtures=Count(5, 20),
        new_answers_new_fixtures=Count(6, 20),
    )
    assert found.split == found.split_fixtures_first


def test_only_texts_that_recorded_outcomes_leave_open_are_asked_for_and_once():
    history = History()
    before, after = order_desk()
    history.compare(before, after)
    fixtures = {history.number(fixture_json(entry.case)) for entry in (*before[:4], *after[:4])}
    assert history.asked == [fixtures]


def test_no_text_is_asked_for_where_no_fixture_differs():
    history = History()
    history.compare(*flipping(fell=3, rose=2, passing=4, failing=1))
    assert history.asked == []


def test_where_both_texts_differ_the_order_of_the_split_matters_and_is_told():
    found = stretch([entry("a", "yes", "yes")], [entry("a", "no", "no")])
    assert found.sentences.headline == "stretch stayed at 1 of 1: answers −1, new fixtures +1"
    assert (found.split.answers, found.split.edited) == (-1, 1)
    assert (found.split_fixtures_first.answers, found.split_fixtures_first.edited) == (1, -1)
    assert found.sentences.order == (
        "the order matters: with the new fixtures first and the new answers second it is "
        "answers +1, new fixtures −1"
    )


A, B = entry("a", "yes", "yes"), entry("b", "yes", "no")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [], "stretch has no cases in either run"),
        ([unanswered("a", "yes")], [], "stretch has no graded cases in either run"),
        ([A, B], [A, B], "stretch stayed at 1 of 2: same answers, same fixtures"),
        ([A, B], [A, entry("b", "yes", "nay")],
         "stretch stayed at 1 of 2: answers 0, same fixtures"),
        ([A, B], [A, entry("b", "yes", "yes")],
         "stretch rose from 1 of 2 to 2 of 2: answers +1, same fixtures"),
        ([A, B], [A], "stretch went from 1 of 2 to 1 of 1: same answers, new fixtures 0"),
        ([A], [], "stretch went from 1 of 1 to no graded cases: "
         "no case answered in both, new fixtures −1"),
        ([A, B], [unanswered("a", "yes"), B],
         "stretch went from 1 of 2 to 0 of 1: same answers, same fixtures, unanswered cases −1"),
        ([A], [entry("c", "yes", "no")],
         "stretch fell from 1 of 1 to 0 of 1: no case answered in both, new fixtures −1"),
    ],
)  # fmt: skip
def test_the_headline_gives_counts_first_and_then_the_cause(before, after, expected):
    assert stretch(before, after).sentences.headline == expected


@pytest.mark.parametrize(("passes", "expected"), [(0, "0"), (1, "+1"), (-4, "−4"), (12, "+12")])
def test_a_difference_is_written_with_its_sign(passes, expected):
    assert signed(passes) == expected


# -- properties against an independent count ---------------------------------------------------

WORDS = st.sampled_from(["yes", "no"])
ENTRIES = st.builds(
    lambda case_id, needle, completion, stratum, answered: Answered(
        case(case_id, needle, completion, stratum), answered
    ),
    st.sampled_from("abcdef"),
    WORDS,
    st.sampled_from(["yes", "no", "yes no", "", None]),
    st.sampled_from(STRATA),
    st.sampled_from([True, True, True, False]),
)
RUNS = st.lists(ENTRIES, unique_by=lambda entry: entry.case.id)


def plainly(answer: Answered, asked: Answered) -> int:
    """Grades an answer by a fixture with nothing but `in`."""
    return int(asked.case.must_include[0] in (answer.case.completion or ""))


def naive_split(before, after, stratum):
    """Follows the definition word for word: answers by the old fixtures, then the suite."""
    old = {entry.case.id: entry for entry in before}
    new = {entry.case.id: entry for entry in after}
    in_old = {key for key in old if old[key].case.stratum == stratum}
    in_new = {key for key in new if new[key].case.stratum == stratum}
    both = {key for key in old.keys() & new.keys() if old[key].answered and new[key].answered}
    other = {key for key in both if fixture_json(old[key].case) != fixture_json(new[key].case)}
    silent = (old.keys() & new.keys()) - both
    parts = {
        "answers": sum(
            plainly(new[key], old[key]) - plainly(old[key], old[key]) for key in both & in_old
        ),
        "edited": sum(
            plainly(new[key], new[key]) - plainly(new[key], old[key])
            for key in other & in_old & in_new
        ),
        "moved_in": sum(plainly(new[key], new[key]) for key in (both & in_new) - in_old),
        "moved_out": -sum(plainly(new[key], old[key]) for key in (both & in_old) - in_new),
        "added": sum(passed(new[key]) for key in in_new - old.keys()),
        "removed": -sum(passed(old[key]) for key in in_old - new.keys()),
        "unanswered": sum(passed(new[key]) for key in silent & in_new)
        - sum(passed(old[key]) for key in silent & in_old),
    }
    suite = ("edited", "moved_in", "moved_out", "added", "removed")
    return Split(**parts, fixtures=sum(parts[part] for part in suite))


def naive_corner(answers, fixtures, stratum):
    given_answers = {entry.case.id: entry for entry in answers if entry.answered}
    asked = [entry for entry in fixtures if entry.case.stratum == stratum]
    grades = [
        plainly(given_answers[entry.case.id], entry)
        for entry in asked
        if entry.case.id in given_answers
    ]
    return Count(sum(grades), len(grades))


def passed(entry: Answered) -> int:
    return plainly(entry, entry) if entry.answered else 0


@given(RUNS, RUNS)
def test_the_split_is_that_of_the_definition_and_always_adds_up(before, after):
    comparison = History().compare(before, after)
    for stratum, found in comparison.strata.items():
        assert found.split == naive_split(before, after, stratum)
        for split in (found.split, found.split_fixtures_first):
            change = found.run.passed - found.baseline.passed
            assert split.answers + split.fixtures + split.unanswered == change


@given(RUNS, RUNS)
def test_fixtures_first_is_the_split_of_the_swapped_runs_turned_round(before, after):
    there = History().compare(before, after).strata
    back = History().compare(after, before).strata
    for stratum in STRATA:
        assert there[stratum].split_fixtures_first.answers == -back[stratum].split.answers
        assert there[stratum].split_fixtures_first.edited == -back[stratum].split.edited
        assert there[stratum].split_fixtures_first.fixtures == -back[stratum].split.fixtures


@given(RUNS, RUNS)
def test_the_corners_are_those_of_a_plain_count(before, after):
    for stratum, found in History().compare(before, after).strata.items():
        assert found.corners == Corners(
            old_answers_old_fixtures=naive_corner(before, before, stratum),
            new_answers_old_fixtures=naive_corner(after, before, stratum),
            old_answers_new_fixtures=naive_corner(before, after, stratum),
            new_answers_new_fixtures=naive_corner(after, after, stratum),
        )
        assert found.corners.old_answers_old_fixtures == found.baseline
        assert found.corners.new_answers_new_fixtures == found.run


@given(RUNS, RUNS)
def test_swapping_the_runs_swaps_the_flips_and_nothing_else_of_them(before, after):
    there = History().compare(before, after).strata
    back = History().compare(after, before).strata
    for stratum in STRATA:
        one, two = there[stratum], back[stratum]
        assert one.flips == msgspec.structs.replace(
            two.flips,
            passed_to_failed=two.flips.failed_to_passed,
            failed_to_passed=two.flips.passed_to_failed,
        )
        assert set(one.passed_to_failed) == set(two.failed_to_passed)
        assert {entry.case_id for entry in one.added} == {entry.case_id for entry in two.removed}


@given(RUNS, RUNS)
def test_only_ids_of_both_runs_are_counted_as_flips(before, after):
    both = {entry.case.id for entry in before} & {entry.case.id for entry in after}
    for found in History().compare(before, after).strata.values():
        flipped = {*found.passed_to_failed, *found.failed_to_passed, *found.still_failing}
        assert flipped <= both
        assert not flipped & {entry.case_id for entry in found.unanswered}
        assert len(flipped) <= found.flips.n


@given(RUNS, RUNS)
def test_grading_again_changes_nothing_where_the_folds_are_the_same(before, after):
    known = History().compare(before, after)
    again = History().compare(before, after, matching=("matching/0", "matching/0"))
    for stratum in STRATA:
        one, two = known.strata[stratum], again.strata[stratum]
        assert not any(found.cases for found in two.regraded)
        assert one == msgspec.structs.replace(
            two,
            regraded=(),
            sentences=msgspec.structs.replace(two.sentences, regraded=()),
        )


# -- other folds, noise, words -----------------------------------------------------------------


def test_a_run_of_other_folds_is_graded_again_and_the_difference_told():
    history = History()
    cases = [history.record(entry) for entry in flipping(passing=2, failing=1)[0]]
    recorded = [msgspec.structs.replace(case, outcome="failed") for case in cases]
    comparison = compare(run(1, "matching/0"), run(2), recorded, cases, history.texts, {})
    found = comparison.strata["stretch"]
    assert found.sentences.headline == "stretch stayed at 2 of 3: same answers, same fixtures"
    assert found.failed_to_passed == ()
    assert found.regraded == (
        Regraded(
            side="baseline",
            matching="matching/0",
            recorded=Count(0, 3),
            today=Count(2, 3),
            cases=("case 0", "case 1"),
        ),
    )
    assert found.sentences.regraded == (
        "the baseline was graded under matching/0; under matching/1 2 of its stretch grades "
        "changed, 0 of 3 then and 2 of 3 now",
    )
    assert comparison.strata["easy"].regraded == ()


def test_grading_again_is_told_also_where_it_changed_nothing():
    found = History().compare([A], [B], matching=(MATCHING, "matching/0")).strata["stretch"]
    assert found.sentences.regraded == (
        "the run was graded under matching/0; under matching/1 every stretch grade is the same",
    )


@pytest.mark.parametrize(
    ("flips", "n", "noise", "p", "expected"),
    [
        (2, 10, (0, 60), 0.018634, "our own repeats flipped none of 60 cases; here 2 of 10 "
         "changed: more than our noise explains (p 0.019)"),
        (3, 10, (3, 60), 0.034271, "our own repeats flip 1 case in 20; here 3 of 10 changed: "
         "more than our noise explains (p 0.034)"),
        (5, 20, (5, 60), 0.064660, "our own repeats flip 1 case in 12; here 5 of 20 changed: "
         "within our own noise (p 0.065)"),
        (0, 20, (1, 60), 1, "our own repeats flip 1 case in 60; here none of 20 changed"),
    ],
)  # fmt: skip
def test_flips_are_held_against_those_of_our_own_repeats(flips, n, noise, p, expected):
    noise = Noise(flips=noise[0], pairs=noise[1])
    before, after = flipping(fell=flips, passing=n - flips)
    found = stretch(before, after, noise)
    assert (found.noise, found.noise_p) == (noise, pytest.approx(p, abs=5e-7))
    assert found.sentences.noise == expected


@pytest.mark.parametrize("noise", [None, Noise(flips=0, pairs=0)])
def test_without_repeats_the_noise_is_unknown_and_never_nothing(noise):
    before, after = flipping(fell=1, passing=3)
    found = stretch(before, after, noise)
    assert (found.noise, found.noise_p) == (None, None)
    assert found.sentences.noise == "noise unknown: no repeats"


def test_with_too_little_in_common_the_noise_is_told_and_not_compared():
    found = stretch([A], [A, *flipping(passing=2)[0]], Noise(flips=1, pairs=60))
    assert found.noise_p is None
    assert found.sentences.noise == "our own repeats flip 1 case in 60"


@pytest.mark.parametrize(
    ("b", "c", "p", "chance", "in_figures"),
    [
        (1, 0, 0.5, "about 1 time in 2", "mid-p 0.5"),
        (3, 0, 0.125, "about 1 time in 8", "mid-p 0.125"),
        (8, 2, 0.06543, "about 1 time in 15", "mid-p 0.065"),
        (3, 3, 0.84375, "about 8 times in 10", "mid-p 0.844"),
        (2, 1, 0.375, "about 4 times in 10", "mid-p 0.375"),
        (9, 0, 0.001, "about 1 time in 1000", "mid-p 0.001"),
        (99, 0, 1e-30, "less than 1 time in 1000", "mid-p below 0.001"),
        (99, 99, 0.97, "nearly every time", "mid-p 0.97"),
    ],
)
def test_a_chance_is_told_as_people_count(b, c, p, chance, in_figures):
    words = flips_words(Flips(passed_to_failed=b, failed_to_passed=c, n=200, of=200, p=p))
    assert words == (
        f"of 200 cases compared like for like {b} went from passed to failed and {c or 'none'} "
        f"the other way; {chance} chance alone, a coin toss for each, gives a split this uneven "
        f"or more, just as uneven ones counted half ({in_figures})"
    )


@pytest.mark.parametrize(
    ("n", "of", "p", "expected"),
    [
        (0, 0, None, ""),
        (0, 2, None, "no case can be compared like for like"),
        (1, 3, None, "1 of 3 cases can be compared like for like, under half: "
         "there are only the lists to go by"),
        (20, 20, 1.0, "of 20 cases compared like for like none changed sides"),
        (1, 1, 1.0, "of 1 case compared like for like none changed sides"),
    ],
)  # fmt: skip
def test_where_nothing_flipped_or_nothing_can_be_said_no_chance_is_named(n, of, p, expected):
    flips = Flips(passed_to_failed=0, failed_to_passed=0, n=n, of=of, p=p)
    assert flips_words(flips) == expected


def test_the_words_of_mid_p_are_true_of_all_coin_tosses():
    found = stretch(*flipping(fell=5, rose=1))
    gaps = [abs(6 - 2 * bin(tosses).count("1")) for tosses in range(2**6)]
    more = sum(gap > 4 for gap in gaps)
    as_uneven = sum(gap == 4 for gap in gaps)
    assert found.flips.p == pytest.approx((more + as_uneven / 2) / 2**6)


def test_lines_for_a_terminal_name_the_cases_first_and_then_say_what_moved():
    before, after = flipping(fell=52, rose=1)
    before.append(entry("odd\x1b[31m\u202e", "yes", "yes", "easy"))
    after.append(entry("odd\x1b[31m\u202e", "no", "yes", "medium"))
    lines = list(compare_lines(History().compare(before, after)))
    assert lines[:14] == [
        "baseline: run 1, 2026-10-01 14:30 UTC, orders.jsonl, v1, example",
        "compared: run 2, 2026-10-02 14:30 UTC, orders.jsonl, v2, example",
        "",
        "easy went from 1 of 1 to no graded cases: same answers, new fixtures −1",
        "  moved out: 1",
        "    odd\\x1b[31m\\u202e: easy → medium; must_include changed; passed → failed",
        "  new fixtures −1: 1 case moved out −1",
        "  no case can be compared like for like",
        "  noise unknown: no repeats",
        "",
        "medium went from no graded cases to 0 of 1: same answers, new fixtures 0",
        "  moved in: 1",
        "    odd\\x1b[31m\\u202e: easy → medium; must_include changed; passed → failed",
        "  new fixtures 0: 1 case moved in 0",
    ]
    at = lines.index("stretch fell from 52 of 53 to 1 of 53: answers −51, same fixtures")
    assert lines[at + 1 : at + 3] == ["  passed → failed: 52", "    case 0"]
    assert lines[at + 51 :] == [
        "    case 49",
        "    and 2 more",
        "  failed → passed: 1",
        "    case 52",
        "  of 53 cases compared like for like 52 went from passed to failed and 1 the other way; "
        "less than 1 time in 1000 chance alone, a coin toss for each, gives a split this uneven "
        "or more, just as uneven ones counted half (mid-p below 0.001)",
        "  noise unknown: no repeats",
    ]


def test_lines_tell_of_each_case_what_changed():
    comparison = History().compare(*all_kinds())
    lines = list(compare_lines(comparison))
    at = lines.index("stretch fell from 7 of 9 to 4 of 9: answers 0, new fixtures −3")
    assert lines[at + 1 :] == [
        "  passed → failed: 1",
        "    fell",
        "  failed → passed: 1",
        "    rose",
        "  still failing: 1",
        "    fails",
        "  only in the baseline: 1",
        "    dropped: passed",
        "  only in the run: 1",
        "    minted: failed",
        "  prompt or checks changed: 2",
        "    edited: must_include changed; passed → failed",
        "    reworded: prompt changed; passed → passed",
        "  moved in: 1",
        "    promoted: medium → stretch; must_include changed; passed → failed",
        "  moved out: 1",
        "    demoted: stretch → easy; passed → passed",
        "  no answer: 2",
        "    silent: in the baseline",
        "    lost: in the run",
        "  new fixtures −3: 2 cases edited −1, 1 case moved in 0, 1 case moved out −1, "
        "1 case added 0, 1 case removed −1",
        "  4 of 10 cases can be compared like for like, under half: "
        "there are only the lists to go by",
        "  noise unknown: no repeats",
        "  cases without an answer: 1 in the baseline, 1 in the run; "
        "neither pass nor miss, and in no flip",
    ]


def test_a_comparison_can_be_written_as_json_and_read_back():
    before, after = order_desk()
    comparison = History().compare(before, after, {"stretch": Noise(flips=1, pairs=60)})
    written = msgspec.json.encode(comparison)
    assert msgspec.json.decode(written, type=Comparison) == comparison
    assert list(json.loads(written)) == ["schema", "strata", "baseline", "run"]


# -- real runs and speed -----------------------------------------------------------------------


@pytest.mark.skipif(not IFEVAL.is_dir(), reason="no folder ../shared/data/ifeval")
@pytest.mark.parametrize("names", list(combinations(range(6), 2)))
def test_flips_between_two_models_are_those_of_a_plain_count(names):
    paths = sorted(IFEVAL.glob("*.jsonl"))
    before, after = (read(paths[name]) for name in names)
    history = History()
    comparison = history.compare(before, after)
    assert history.asked == []
    for stratum, found in comparison.strata.items():
        passes = [
            (grade_case(one.case).passed, grade_case(two.case).passed)
            for one, two in zip(before, after, strict=True)
            if one.case.stratum == stratum
        ]
        b, c = passes.count((True, False)), passes.count((False, True))
        assert (found.flips.passed_to_failed, found.flips.failed_to_passed) == (b, c)
        assert len(found.still_failing) == passes.count((False, False))
        assert found.flips.n == found.flips.of == len(passes)
        assert (found.split.answers, found.split.fixtures) == (c - b, 0)


def read(path) -> list[Answered]:
    with path.open("rb") as stream:
        return [Answered(case) for case in SuiteReader(stream)]


@pytest.mark.parametrize("edited", [50, 1000])
def test_two_runs_of_a_thousand_cases_are_compared_in_a_moment(edited):
    filler = "The parcel leaves the depot in the morning and arrives within two days. " * 10
    history = History()
    before, after = (
        [
            history.record(
                entry(
                    f"case {number}",
                    f"word{number % 7}",
                    f"{filler} word{(number * side) % 5} answer {side} of {number}",
                    STRATA[number % 3],
                    prompt=f"asked {side if number < edited else 1}",
                )
            )
            for number in range(1000)
        ]
        for side in (1, 2)
    )
    numbered = {number: text for text, number in history.numbers.items()}

    def once():
        return compare(run(1), run(2), before, after, lambda _: numbered, {})

    assert min(timeit.repeat(once, number=1, repeat=3)) < 0.3
    assert sum(len(found.edited) for found in once().strata.values()) == edited
