"""What entries on one case text amount to, as tables of who said what in which order."""

import random
from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.decision import Change
from evalcore.entry import VERDICTS, Entry
from evalcore.standing import in_force, repeated, standing_of, subject_of, taken_back
from tests.evalcore.sample_entries import PROMOTE, RETIRE, START, an_entry, settled, undo

MISS, FINE, FAULT, UNSURE = "real_miss", "acceptable", "bad_fixture", "unsure"


def said(number, who, verdict, **fields):
    return an_entry(number, who, verdict=verdict, **fields)


def summed(entries):
    """Returns the verdict that counts, whether people disagree, each one's own, and who settled."""
    standing = standing_of(entries)
    own = {who: entry.verdict for who, entry in standing.verdicts.items()}
    settler = standing.settlement.who if standing.settlement else None
    return standing.verdict, standing.disagreement, own, settler


TWO = (said(1, "ann", MISS), said(2, "bob", FINE))
SETTLED = (*TWO, settled(3, FINE))

TABLE = {
    "nobody": ([], (None, False, {}, None)),
    "one": ([said(1, "ann", MISS)], (MISS, False, {"ann": MISS}, None)),
    "one, unsure": ([said(1, "ann", UNSURE)], (UNSURE, False, {"ann": UNSURE}, None)),
    "one, then otherwise": (
        [said(1, "ann", MISS), said(2, "ann", FINE)],
        (FINE, False, {"ann": FINE}, None),
    ),
    "one, then unsure": (
        [said(1, "ann", MISS), said(2, "ann", UNSURE)],
        (UNSURE, False, {"ann": UNSURE}, None),
    ),
    "two who agree": (
        [said(1, "ann", FINE), said(2, "bob", FINE)],
        (FINE, False, {"ann": FINE, "bob": FINE}, None),
    ),
    "two who disagree": (TWO, (None, True, {"ann": MISS, "bob": FINE}, None)),
    "two, one of them unsure": (
        [said(1, "ann", UNSURE), said(2, "bob", FINE)],
        (FINE, False, {"ann": UNSURE, "bob": FINE}, None),
    ),
    "two unsure": (
        [said(1, "ann", UNSURE), said(2, "bob", UNSURE)],
        (UNSURE, False, {"ann": UNSURE, "bob": UNSURE}, None),
    ),
    "two until one follows the other": (
        [*TWO, said(3, "ann", FINE)],
        (FINE, False, {"ann": FINE, "bob": FINE}, None),
    ),
    "three, two of them alike": (
        [*TWO, said(3, "dan", FINE)],
        (None, True, {"ann": MISS, "bob": FINE, "dan": FINE}, None),
    ),
    "three of three minds": (
        [*TWO, said(3, "dan", FAULT)],
        (None, True, {"ann": MISS, "bob": FINE, "dan": FAULT}, None),
    ),
    "three, one of them unsure": (
        [said(1, "ann", FAULT), said(2, "bob", UNSURE), said(3, "dan", FAULT)],
        (FAULT, False, {"ann": FAULT, "bob": UNSURE, "dan": FAULT}, None),
    ),
    "taken back": ([said(1, "ann", MISS), undo(2, 1)], (None, False, {}, None)),
    "taken back to the verdict before": (
        [said(1, "ann", MISS), said(2, "ann", FINE), undo(3, 2)],
        (MISS, False, {"ann": MISS}, None),
    ),
    "the verdict before taken back": (
        [said(1, "ann", MISS), said(2, "ann", FINE), undo(3, 1)],
        (FINE, False, {"ann": FINE}, None),
    ),
    "both taken back": (
        [said(1, "ann", MISS), said(2, "ann", FINE), undo(3, 2), undo(4, 1)],
        (None, False, {}, None),
    ),
    "taken back and said again": (
        [said(1, "ann", MISS), undo(2, 1), said(3, "ann", MISS)],
        (MISS, False, {"ann": MISS}, None),
    ),
    "a disagreement taken back": ([*TWO, undo(3, 1)], (FINE, False, {"bob": FINE}, None)),
    "taken back, and the entry is not here": ([undo(2, 1)], (None, False, {}, None)),
    "taken back, and the clock of that machine was slow": (
        [undo(0, 1), said(1, "ann", MISS)],
        (None, False, {}, None),
    ),
    "taken back by another": (
        [said(1, "ann", MISS), undo(2, 1, "bob")],
        (MISS, False, {"ann": MISS}, None),
    ),
    "taken back by another and then by its own person": (
        [said(1, "ann", MISS), undo(2, 1, "bob"), undo(3, 1)],
        (None, False, {}, None),
    ),
    "taken back on another text": (
        [said(1, "ann", MISS), undo(2, 1, completion_hash="d" * 64)],
        (MISS, False, {"ann": MISS}, None),
    ),
    "an undo that is taken back": (
        [said(1, "ann", MISS), undo(2, 1), undo(3, 2)],
        (None, False, {}, None),
    ),
    "settled": (SETTLED, (FINE, False, {"ann": MISS, "bob": FINE}, "cy")),
    "settled as neither said": (
        [*TWO, settled(3, FAULT)],
        (FAULT, False, {"ann": MISS, "bob": FINE}, "cy"),
    ),
    "settled by one of the two": (
        [*TWO, settled(3, MISS, "ann")],
        (MISS, False, {"ann": MISS, "bob": FINE}, "ann"),
    ),
    "reopened by a third": (
        [*SETTLED, said(4, "dan", MISS)],
        (None, True, {"ann": MISS, "bob": FINE, "dan": MISS}, None),
    ),
    "reopened by one who said it before": (
        [*SETTLED, said(4, "ann", MISS)],
        (None, True, {"ann": MISS, "bob": FINE}, None),
    ),
    "not reopened by one who agrees": (
        [*SETTLED, said(4, "dan", FINE)],
        (FINE, False, {"ann": MISS, "bob": FINE, "dan": FINE}, "cy"),
    ),
    "not reopened by one who gives in": (
        [*SETTLED, said(4, "ann", FINE)],
        (FINE, False, {"ann": FINE, "bob": FINE}, "cy"),
    ),
    "not reopened by one who is unsure": (
        [*SETTLED, said(4, "dan", UNSURE)],
        (FINE, False, {"ann": MISS, "bob": FINE, "dan": UNSURE}, "cy"),
    ),
    "reopened, and that taken back": (
        [*SETTLED, said(4, "dan", MISS), undo(5, 4, "dan")],
        (FINE, False, {"ann": MISS, "bob": FINE}, "cy"),
    ),
    "reopened and settled again": (
        [*SETTLED, said(4, "dan", MISS), settled(5, MISS, "eve")],
        (MISS, False, {"ann": MISS, "bob": FINE, "dan": MISS}, "eve"),
    ),
    "settled, and that taken back by anybody": (
        [*SETTLED, undo(4, 3, "bob")],
        (None, True, {"ann": MISS, "bob": FINE}, None),
    ),
    "settled, and a verdict before it taken back": (
        [*SETTLED, undo(4, 1)],
        (FINE, False, {"bob": FINE}, "cy"),
    ),
    "decisions are no verdicts": (
        [an_entry(1, "ann", change=PROMOTE), an_entry(2, "bob", change=RETIRE)],
        (None, False, {}, None),
    ),
    "a decision does not reopen": (
        [*SETTLED, an_entry(4, "dan", change=RETIRE)],
        (FINE, False, {"ann": MISS, "bob": FINE}, "cy"),
    ),
    "a verdict made before the settlement and brought in later": (
        [*TWO, settled(5, FINE), said(4, "dan", MISS)],
        (FINE, False, {"ann": MISS, "bob": FINE, "dan": MISS}, "cy"),
    ),
}


@pytest.mark.parametrize(("entries", "expected"), TABLE.values(), ids=TABLE)
def test_entries_amount_to_what_the_table_says(entries, expected):
    assert summed(entries) == expected


@pytest.mark.parametrize(("entries", "expected"), TABLE.values(), ids=TABLE)
def test_times_count_and_not_the_order_in_which_entries_come(entries, expected):
    for seed in range(6):
        shuffled = list(entries)
        random.Random(seed).shuffle(shuffled)
        assert summed(shuffled) == expected


def test_entries_of_one_moment_amount_to_the_same_in_any_order():
    one, other = (said(n, "ann", v, at=START) for n, v in ((1, MISS), (2, FINE)))
    assert summed([one, other]) == summed([other, one]) == (FINE, False, {"ann": FINE}, None)


def test_only_what_nobody_took_back_is_in_force_oldest_first():
    entries = [*SETTLED, undo(4, 2, "bob"), an_entry(5, change=RETIRE), an_entry(0, change=PROMOTE)]
    assert [int(entry.key, 16) for entry in in_force(entries)] == [0, 1, 3, 5]


TAKEN_BACK = {
    "a verdict by its own person": ([an_entry(1), undo(2, 1)], {1}),
    "a verdict by another": ([an_entry(1), undo(2, 1, "bob")], set()),
    "a settlement by another": ([settled(1, FINE), undo(2, 1, "bob")], {1}),
    "a decision by another": ([an_entry(1, change=RETIRE), undo(2, 1, "bob")], {1}),
    "an undo": ([an_entry(1), undo(2, 1), undo(3, 2)], {1}),
    "nothing that is here": ([undo(2, 1)], set()),
    "later than it comes": ([undo(2, 1), an_entry(1)], {1}),
    "of another case": ([an_entry(1, change=RETIRE), undo(2, 1, case_id="s2")], set()),
    "of other checks": ([an_entry(1, change=RETIRE), undo(2, 1, fixture_hash="d" * 64)], set()),
    "of another answer": ([an_entry(1), undo(2, 1, completion_hash=None)], set()),
}


@pytest.mark.parametrize(("entries", "expected"), TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_who_takes_back_what_is_told_by_the_table(entries, expected):
    assert {int(key, 16) for key in taken_back(entries)} == expected
    undone = {e.key for e in entries if e.takes_back is None} - {e.key for e in in_force(entries)}
    assert undone == taken_back(entries)


MINT = Change(kind="mint", fields={"id": "s1"})


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (an_entry(1, change=RETIRE), ("s1", "b" * 64, "")),
        (an_entry(1, change=RETIRE, suite_sha256="d" * 64), ("s1", "b" * 64, "")),
        (an_entry(1, change=MINT, fixture_hash=""), ("s1", "", "a" * 64)),
    ],
)
def test_a_decision_is_on_a_case_and_its_checks_or_on_a_new_case_of_a_suite(decision, expected):
    assert subject_of(decision) == expected


# A first press, what came after it, and whether a second press says anything new.
PRESSES = {
    "a verdict": (said(1, "ann", MISS), [], False),
    "in other words": (said(1, "ann", MISS, note="no"), [], True),
    "by somebody else": (said(1, "bob", MISS), [], True),
    "another verdict": (said(1, "ann", FINE), [], True),
    "after another": (said(1, "ann", MISS), [said(2, "ann", FINE)], True),
    "after another that was taken back": (
        said(1, "ann", MISS),
        [said(2, "ann", FINE), undo(3, 2)],
        False,
    ),
    "after it was taken back": (said(1, "ann", MISS), [undo(2, 1)], True),
    "after a colleague's": (said(1, "ann", MISS), [said(2, "bob", FINE)], False),
    "after a decision": (said(1, "ann", MISS), [an_entry(2, change=RETIRE)], False),
    "after it was settled otherwise": (
        said(1, "ann", MISS),
        [said(2, "bob", FINE), settled(3, FINE)],
        True,
    ),
    "after it was settled so": (
        said(1, "ann", MISS),
        [said(2, "bob", FINE), settled(3, MISS)],
        False,
    ),
    "after it was settled and reopened": (
        said(1, "ann", MISS),
        [said(2, "bob", FINE), settled(3, FINE), said(4, "ann", MISS)],
        False,
    ),
}


@pytest.mark.parametrize(("first", "after", "new"), PRESSES.values(), ids=PRESSES)
def test_a_verdict_said_again_is_new_only_where_it_changes_something(first, after, new):
    again = said(9, "ann", MISS)
    found = repeated(again, [first, *after])
    assert (found is None) is new
    if not new:
        assert found in (first, *after)
        assert summed([first, *after]) == summed([first, *after, again])


@pytest.mark.parametrize(
    ("after", "new"),
    [
        ([], False),
        ([said(4, "dan", FINE)], False),
        ([said(4, "dan", MISS)], True),
        ([undo(4, 3)], True),
        ([said(4, "dan", MISS), settled(5, MISS)], True),
    ],
)
def test_a_settlement_said_again_is_new_only_where_it_does_not_stand(after, new):
    assert (repeated(settled(9, FINE), [*SETTLED, *after]) is None) is new


@pytest.mark.parametrize(
    ("after", "new"),
    [
        ([], False),
        ([said(2, "ann", MISS)], False),
        ([an_entry(2, "bob", change=RETIRE)], True),
        ([an_entry(2, "bob", change=RETIRE), undo(3, 2, "bob")], False),
        ([an_entry(2, "ann", change=RETIRE)], True),
        ([undo(2, 1)], True),
    ],
)
def test_a_decision_said_again_is_new_only_where_it_does_not_hold(after, new):
    entries = [an_entry(1, change=PROMOTE), *after]
    assert (repeated(an_entry(9, change=PROMOTE), entries) is None) is new


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(VERDICTS), st.booleans())))
def test_whatever_people_press_nothing_that_is_called_said_would_change_anything(presses):
    entries: list[Entry] = []
    for number, (who, verdict, takes_back) in enumerate(presses):
        own = [entry for entry in in_force(entries) if entry.who == who]
        if takes_back and own:
            entries.append(undo(number, int(own[-1].key, 16), who))
            continue
        press = said(number, who, verdict)
        if repeated(press, entries):
            later = msgspec.structs.replace(press, at=press.at + timedelta(days=1))
            assert summed([*entries, later]) == summed(entries)
        else:
            entries.append(press)
    of = standing_of(entries)
    assert (of.verdict is None) == (of.disagreement or not of.verdicts)
