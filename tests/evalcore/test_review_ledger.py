"""The journal as memory holds it: what it knows after each entry, and while others read it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from threading import Barrier, Event

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.decision import Change
from evalcore.entry import VERDICTS, CaseText, Entry
from evalcore.journal import Numbered
from evalcore.review.ledger import Ledger
from evalcore.standing import in_force, standing_of, taken_back
from tests.evalcore.sample_entries import (
    PROMOTE,
    RETIRE,
    START,
    an_entry,
    settled,
    some_entries,
    undo,
)

TEXT = an_entry(0).text
OTHER = an_entry(0, completion_hash="d" * 64)


class Source:
    """Is a journal that is read beyond a number, and remembers how often and from where."""

    def __init__(self, *entries: Entry) -> None:
        self.entries = list(entries)
        self.asked: list[int] = []
        self.given = 0

    def __call__(self, after: int) -> list[Numbered]:
        self.asked.append(after)
        new = [
            Numbered(number, entry)
            for number, entry in enumerate(self.entries, start=1)
            if number > after
        ]
        self.given += len(new)
        return new


def ledger_of(*entries: Entry) -> Ledger:
    ledger = Ledger(Source(*entries))
    ledger.refresh()
    return ledger


def keys(entries) -> list[int]:
    return [int(entry.key, 16) for entry in entries]


def known(ledger: Ledger, entries: list[Entry]) -> dict[str, object]:
    """Returns all that a ledger says of the cases and people of some entries."""
    return {
        "judged": dict(ledger.judged()),
        "decisions": ledger.decisions(),
        "of case": {entry.case_id: ledger.of_case(entry.case_id) for entry in entries},
        "newest": {entry.who: list(ledger.newest_verdicts_of(entry.who)) for entry in entries},
        "taken back": {entry.key for entry in entries if ledger.is_taken_back(entry)},
    }


def test_nothing_is_known_before_it_is_read():
    ledger = Ledger(Source(an_entry(1)))
    assert known(ledger, [an_entry(1)]) == {
        "judged": {},
        "decisions": [],
        "of case": {"s1": ()},
        "newest": {"ann": []},
        "taken back": set(),
    }
    assert ledger.standing(TEXT).verdicts == {}


def test_only_what_is_new_is_read():
    source = Source(an_entry(1), an_entry(2, "bob"))
    ledger = Ledger(source)
    ledger.refresh()
    ledger.refresh()
    source.entries.append(an_entry(3, "cy"))
    ledger.refresh()
    assert (source.asked, source.given) == ([0, 2, 2], 3)
    assert keys(ledger.of_case("s1")) == [1, 2, 3]


def test_a_journal_that_cannot_be_read_through_is_read_on_from_where_it_broke():
    entries = [Numbered(number, an_entry(number, f"p{number}")) for number in (1, 2, 3)]
    broken = True

    def read(after):
        for number, entry in entries[after:]:
            if broken and number == 3:
                raise OSError("gone")
            yield Numbered(number, entry)

    ledger = Ledger(read)
    with pytest.raises(OSError, match="gone"):
        ledger.refresh()
    broken = False
    ledger.refresh()
    assert keys(ledger.of_case("s1")) == [1, 2, 3]


def test_an_undo_leaves_the_verdict_before_and_then_none():
    source = Source(an_entry(1), an_entry(2, verdict="acceptable"))
    ledger = Ledger(source)
    seen = []
    for number, undone in ((3, 2), (4, 1)):
        ledger.refresh()
        seen.append({who: entry.verdict for who, entry in ledger.standing(TEXT).verdicts.items()})
        source.entries.append(undo(number, undone))
    ledger.refresh()
    assert seen == [{"ann": "acceptable"}, {"ann": "real_miss"}]
    assert (ledger.standing(TEXT).verdicts, ledger.judged()) == ({}, [])
    assert [ledger.is_taken_back(entry) for entry in source.entries] == [True, True, False, False]
    assert keys(ledger.of_case("s1")) == [1, 2, 3, 4]


def test_an_undo_that_comes_before_what_it_undoes_holds_too():
    ledger = ledger_of(undo(5, 1), an_entry(1))
    assert ledger.judged() == []
    assert list(ledger.newest_verdicts_of("ann")) == []


def test_of_a_person_come_the_verdicts_in_force_newest_first():
    ledger = ledger_of(
        an_entry(1),
        an_entry(2, verdict="unsure", case_id="s2"),
        an_entry(3, "bob"),
        settled(4, "acceptable", "ann"),
        an_entry(5, change=RETIRE),
        an_entry(6, case_id="s3"),
        undo(7, 6, case_id="s3"),
        an_entry(0, case_id="from elsewhere and older"),
    )
    assert keys(ledger.newest_verdicts_of("ann")) == [2, 1, 0]
    assert keys(ledger.newest_verdicts_of("nobody")) == []


def test_a_case_has_its_entries_by_time_whatever_its_text_was():
    ledger = ledger_of(an_entry(3), an_entry(1, completion_hash="d" * 64), an_entry(2, "bob"))
    assert keys(ledger.of_case("s1")) == [1, 2, 3]
    assert ledger.of_case("s2") == ()


def test_a_standing_is_of_one_text_only():
    ledger = ledger_of(an_entry(1), msgspec.structs.replace(OTHER, verdict="unsure"))
    assert ledger.standing(TEXT).verdict == "real_miss"
    assert ledger.standing(OTHER.text).verdict == "unsure"
    assert ledger.standing(CaseText("s1", "e" * 64, "c" * 64)).verdict is None
    assert [text for text, _ in ledger.judged()] == [TEXT, OTHER.text]


FIX = Change(kind="fix_check", fields={"max_chars": 9})
MINT = Change(kind="mint", fields={"id": "n"})

DECISIONS = {
    "none": ([an_entry(1)], []),
    "one": ([an_entry(1, change=PROMOTE)], [1]),
    "the newest on a case": ([an_entry(1, change=PROMOTE), an_entry(2, "bob", change=RETIRE)], [2]),
    "the newest by time": ([an_entry(2, "bob", change=RETIRE), an_entry(1, change=PROMOTE)], [2]),
    "whatever the completion was": (
        [
            an_entry(1, change=PROMOTE),
            an_entry(2, change=FIX, completion_hash="d" * 64),
            an_entry(3, change=RETIRE, completion_hash=None),
        ],
        [3],
    ),
    "one for each checks": (
        [an_entry(1, change=PROMOTE), an_entry(2, change=RETIRE, fixture_hash="d" * 64)],
        [1, 2],
    ),
    "one for each case, oldest first": (
        [an_entry(2, change=PROMOTE), an_entry(1, change=RETIRE, case_id="s0")],
        [1, 2],
    ),
    "taken back": ([an_entry(1, change=PROMOTE), undo(2, 1)], []),
    "taken back to the one before": (
        [an_entry(1, change=PROMOTE), an_entry(2, change=RETIRE), undo(3, 2, "bob")],
        [1],
    ),
    "minted for two suites": (
        [
            an_entry(1, change=MINT, case_id="n", fixture_hash=""),
            an_entry(2, "bob", change=MINT, case_id="n", fixture_hash="", suite_sha256="d" * 64),
        ],
        [1, 2],
    ),
    "minted twice for one suite": (
        [
            an_entry(1, change=MINT, case_id="n", fixture_hash=""),
            an_entry(2, "bob", change=MINT, case_id="n", fixture_hash=""),
        ],
        [2],
    ),
    "minted for two suites and taken back for one": (
        [
            an_entry(1, change=MINT, case_id="n", fixture_hash=""),
            an_entry(2, change=MINT, case_id="n", fixture_hash="", suite_sha256="d" * 64),
            undo(3, 1, "bob", case_id="n", fixture_hash="", suite_sha256="d" * 64),
        ],
        [2],
    ),
    "taken back on another text": (
        [an_entry(1, change=PROMOTE), undo(2, 1, fixture_hash="d" * 64)],
        [1],
    ),
    "minted": (
        [an_entry(1, change=MINT, case_id="n", fixture_hash="")],
        [1],
    ),
}


@pytest.mark.parametrize(("entries", "expected"), DECISIONS.values(), ids=DECISIONS)
def test_decisions_in_force_are_one_for_each_case_and_checks(entries, expected):
    assert keys(ledger_of(*entries).decisions()) == expected


def test_the_decision_on_a_case_is_that_on_its_checks():
    ledger = ledger_of(
        an_entry(1, change=PROMOTE), an_entry(2, change=RETIRE, fixture_hash="d" * 64)
    )
    found = [
        ledger.decision(CaseText("s1", fixture * 64, completion))
        for fixture, completion in (("b", None), ("b", "f" * 64), ("d", None), ("e", None))
    ]
    assert [entry and int(entry.key, 16) for entry in found] == [1, 1, 2, None]


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"),
            st.sampled_from(["s1", "s2"]),
            st.sampled_from([*VERDICTS, "promote", "retire", "undo", "settle"]),
            st.integers(0, 5),
        ),
        max_size=24,
    ),
    st.randoms(use_true_random=False),
)
def test_a_ledger_says_what_all_entries_together_say(said, order):
    entries: list[Entry] = []
    for number, (who, case_id, what, late) in enumerate(said):
        at = START + timedelta(minutes=number - late)
        if what == "undo":
            entries.append(undo(number, max(number - late, 0), who, case_id=case_id, at=at))
        elif what in ("promote", "retire"):
            change = {"promote": PROMOTE, "retire": RETIRE}[what]
            entries.append(an_entry(number, who, change=change, case_id=case_id, at=at))
        else:
            verdict, settles = ("unsure", True) if what == "settle" else (what, False)
            entries.append(
                an_entry(number, who, verdict=verdict, settles=settles, case_id=case_id, at=at)
            )
    source = Source()
    ledger = Ledger(source)
    for entry in entries:
        source.entries.append(entry)
        if order.random() < 0.5:
            ledger.refresh()
    ledger.refresh()
    by_text = {entry.text: [e for e in entries if e.text == entry.text] for entry in entries}
    standings = {text: standing_of(some) for text, some in by_text.items()}
    assert dict(ledger.judged()) == {
        text: standing
        for text, standing in standings.items()
        if standing.verdicts or standing.settlement
    }
    gone = {key for some in by_text.values() for key in taken_back(some)}
    assert {entry.key for entry in entries if ledger.is_taken_back(entry)} == gone
    for case_id in ("s1", "s2"):
        mine = [entry for entry in entries if entry.case_id == case_id]
        assert list(ledger.of_case(case_id)) == sorted(mine, key=lambda e: (e.at, e.key))
        decided = [entry for entry in in_force(mine) if entry.change]
        text = CaseText(case_id, "b" * 64, None)
        assert ledger.decision(text) == (decided[-1] if decided else None)


def test_two_threads_that_refresh_at_once_know_each_entry_once():
    entries = some_entries(400)
    source = Source()
    ledger = Ledger(source)
    alone = ledger_of(*entries)

    def look(seed: int) -> int:
        for _ in range(30):
            ledger.refresh()
            ledger.judged()
            ledger.decisions()
            list(ledger.newest_verdicts_of("ann"))
            ledger.of_case(entries[Random(seed).randrange(16)].case_id)
        return source.given

    with ThreadPoolExecutor(4) as people:
        looking = [people.submit(look, seed) for seed in range(3)]
        for entry in entries:
            source.entries.append(entry)
        for one in looking:
            one.result()
    ledger.refresh()
    assert known(ledger, entries) == known(alone, entries)


def test_whoever_looks_up_does_not_wait_for_one_who_reads():
    source = Source(an_entry(1))
    reading, looked_up = Event(), Event()

    def read(after: int) -> list[Numbered]:
        reading.set()
        assert looked_up.wait(30)
        return source(after)

    ledger = Ledger(read)
    with ThreadPoolExecutor(1) as people:
        reader = people.submit(ledger.refresh)
        assert reading.wait(30)
        assert (ledger.judged(), ledger.decisions()) == ([], [])
        looked_up.set()
        reader.result()
    assert keys(ledger.of_case("s1")) == [1]


def test_what_two_have_read_at_once_is_known_once():
    source = Source(an_entry(1), an_entry(2))
    both = Barrier(2)

    def read(after: int) -> list[Numbered]:
        found = source(after)
        both.wait(30)
        return found

    ledger = Ledger(read)
    with ThreadPoolExecutor(2) as people:
        for one in [people.submit(ledger.refresh) for _ in range(2)]:
            one.result()
    assert source.asked == [0, 0]
    assert keys(ledger.of_case("s1")) == [1, 2]


def test_a_verdict_is_not_taken_back_by_another_person_or_on_another_text():
    entries = [
        an_entry(1),
        undo(2, 1, "bob"),
        undo(3, 1, completion_hash="d" * 64),
        settled(4, "acceptable"),
        undo(5, 4, "bob"),
    ]
    ledger = ledger_of(*entries)
    assert [ledger.is_taken_back(entry) for entry in entries] == [False, False, False, True, False]
    assert keys(ledger.newest_verdicts_of("ann")) == [1]
    assert ledger.standing(TEXT).verdict == "real_miss"


def test_a_ledger_of_a_real_journal_follows_it(history):
    journal = history.journal
    journal.add(some_entries(60))
    ledger = Ledger(journal.entries)
    ledger.refresh()
    more = some_entries(90)[60:]
    journal.add(more)
    ledger.refresh()
    every = [entry for _, entry in journal.entries()]
    assert len(every) == 90
    assert known(ledger, every) == known(ledger_of(*every), every)
