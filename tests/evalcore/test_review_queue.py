"""The cases of a run that people review: what filters leave, what was judged, what is kept."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.decision import Change
from evalcore.entry import VERDICTS, CaseText
from evalcore.errors import NotInHistoryError
from evalcore.identity import completion_hash, fixture_hash
from evalcore.journal import Numbered
from evalcore.pipeline import decided_on
from evalcore.review.judged import HeldCase
from evalcore.review.ledger import Ledger
from evalcore.review.queue import FACETS, GROUPS, NEAR, Queue, ReviewCase, Reviewed
from tests.evalcore.keeping import keep, row, suite
from tests.evalcore.sample_entries import PROMOTE, RETIRE, an_entry, settled, undo

REASONS = ("missing", "forbidden", "over_budget")
TAGS = ("json", "tone", "été")


def a_case(case_id: str = "s1", stratum="stretch", outcome="failed", **fields: Any) -> ReviewCase:
    usual = ReviewCase(
        case_id=case_id,
        stratum=stratum,
        outcome=outcome,
        reasons=(),
        near_miss=False,
        tags=(),
        fixture=bytes(32),
        completion=bytes(32),
    )
    return msgspec.structs.replace(usual, **fields)


def nobody() -> Reviewed:
    return Reviewed({}, set(), {})


# -- what filters leave --------------------------------------------------------


def options_of(place: int, case: ReviewCase, reviewed: Reviewed) -> dict[str, set[str]]:
    """Says plainly which options of each facet a case is under."""
    states = {"mine"} if place in reviewed.mine else {"unreviewed"}
    if place in reviewed.disputed:
        states.add("disagreement")
    return {
        "group": {case.stratum if case.outcome == "failed" else "passes"},
        "reason": set(case.reasons),
        "near": {NEAR} if case.near_miss else set(),
        "tag": set(case.tags),
        "state": states,
        "verdict": {reviewed.mine[place]} if place in reviewed.mine else set(),
    }


def naive(cases, wanted, reviewed, found):
    """Selects case by case and facet by facet."""
    every = [options_of(place, case, reviewed) for place, case in enumerate(cases)]

    def left(without=()):
        return [
            place
            for place, own in enumerate(every)
            if (found is None or place in found)
            and all(
                own[facet] & set(chosen)
                for facet, chosen in wanted.items()
                if chosen and facet not in without
            )
        ]

    counts = {
        facet: {
            option: sum(option in every[place][facet] for place in left({facet}))
            for option in {option for own in every for option in own[facet]}
        }
        for facet in FACETS
    }
    among = left({"state", "verdict"})
    return left(), counts, sum(place in reviewed.mine for place in among), len(among)


a_review_case = st.builds(
    a_case,
    stratum=st.sampled_from(["easy", "medium", "stretch"]),
    reasons=st.lists(st.sampled_from(REASONS), unique=True, max_size=2).map(tuple),
    near_miss=st.booleans(),
    tags=st.lists(st.sampled_from(TAGS), unique=True, max_size=2).map(tuple),
)


@st.composite
def asked(draw):
    cases = [
        msgspec.structs.replace(
            case,
            case_id=f"c{place}",
            outcome=draw(st.sampled_from(["failed", "passed"]))
            if case.stratum == "stretch"
            else "failed",
        )
        for place, case in enumerate(draw(st.lists(a_review_case, max_size=12)))
    ]
    places = st.integers(0, len(cases) - 1) if cases else st.nothing()
    reviewed = Reviewed(
        draw(st.dictionaries(places, st.sampled_from(VERDICTS))), draw(st.sets(places)), {}
    )
    options = {
        "group": GROUPS,
        "reason": (*REASONS, "no such reason"),
        "near": (NEAR,),
        "tag": (*TAGS, "no such tag"),
        "state": ("unreviewed", "mine", "disagreement"),
        "verdict": VERDICTS,
    }
    wanted = {
        facet: draw(st.lists(st.sampled_from(some), unique=True, max_size=3))
        for facet, some in options.items()
        if draw(st.booleans())
    }
    found = draw(st.none() | st.frozensets(places))
    return cases, wanted, reviewed, found


@given(asked())
def test_filters_leave_what_a_plain_search_leaves(given_):
    cases, wanted, reviewed, found = given_
    got = Queue(cases).select(wanted, reviewed, found)
    places, counts, judged, total = naive(cases, wanted, reviewed, found)
    assert (got.places, got.reviewed, got.total) == (places, judged, total)
    for facet in FACETS:
        some = {option: count for option, count in got.counts[facet].items() if count}
        assert some == {option: count for option, count in counts[facet].items() if count}, facet


def test_the_counts_of_a_facet_do_not_depend_on_what_is_chosen_in_it():
    cases = [
        a_case("a", reasons=("missing",)),
        a_case("b", reasons=("missing", "forbidden"), tags=("json",)),
        a_case("c", "medium", reasons=("forbidden",)),
        a_case("d", outcome="passed", tags=("json",)),
    ]
    queue = Queue(cases)
    chosen = queue.select({"group": ["stretch"], "reason": ["forbidden"]}, nobody())
    assert chosen.places == [1]
    assert chosen.counts["group"] == {"stretch": 1, "medium": 1, "easy": 0, "passes": 0}
    assert chosen.counts["reason"] == {"missing": 2, "forbidden": 1}
    assert chosen.counts["tag"] == {"json": 1}
    assert chosen.counts["state"] == {"unreviewed": 1, "mine": 0, "disagreement": 0}


def test_progress_does_not_shrink_as_reviewed_cases_leave_the_list():
    queue = Queue([a_case(f"c{place}") for place in range(5)])
    reviewed = Reviewed({0: "real_miss", 3: "unsure"}, set(), {})
    for state, places in (("unreviewed", [1, 2, 4]), ("mine", [0, 3])):
        got = queue.select({"group": ["stretch"], "state": [state]}, reviewed)
        assert (got.places, got.reviewed, got.total) == (places, 2, 5)


def test_options_stand_in_the_order_of_the_suite_and_tags_in_that_of_words():
    queue = Queue(
        [
            a_case("a", reasons=("over_budget",), tags=("z", "b")),
            a_case("b", reasons=("missing",), tags=("a",)),
        ]
    )
    assert queue.options("group") == list(GROUPS)
    assert queue.options("reason") == ["over_budget", "missing"]
    assert queue.options("tag") == ["a", "b", "z"]
    assert (queue.place("b"), queue.place("c")) == (1, None)
    assert queue.places(["b", "c", "b"]) == {1}


# -- what was judged -----------------------------------------------------------


def reviewed_of(case: ReviewCase, *entries, who="ann") -> Reviewed:
    ledger = Ledger(lambda _: [Numbered(n, entry) for n, entry in enumerate(entries, start=1)])
    ledger.refresh()
    return Queue([a_case("before"), case]).reviewed(ledger, who)


CASE = a_case(fixture=b"\xbb" * 32, completion=b"\xcc" * 32)

REVIEWED = {
    "by oneself": ([an_entry(1)], ({1: "real_miss"}, set(), {1: "real_miss"})),
    "by another": ([an_entry(1, "bob")], ({}, set(), {1: "real_miss"})),
    "by two who disagree": (
        [an_entry(1), an_entry(2, "bob", verdict="acceptable")],
        ({1: "real_miss"}, {1}, {}),
    ),
    "settled": (
        [an_entry(1), an_entry(2, "bob", verdict="acceptable"), settled(3, "acceptable")],
        ({1: "real_miss"}, set(), {1: "acceptable"}),
    ),
    "taken back": ([an_entry(1), undo(2, 1)], ({}, set(), {})),
    "decided only": ([an_entry(1, change=RETIRE)], ({}, set(), {})),
    "of another completion": ([an_entry(1, completion_hash="d" * 64)], ({}, set(), {})),
    "of no completion": ([an_entry(1, completion_hash=None)], ({}, set(), {})),
    "of other checks": ([an_entry(1, fixture_hash="d" * 64)], ({}, set(), {})),
    "of another case": ([an_entry(1, case_id="s2")], ({}, set(), {})),
    "in another run": ([an_entry(1, run=7)], ({1: "real_miss"}, set(), {1: "real_miss"})),
}


@pytest.mark.parametrize(("entries", "expected"), REVIEWED.values(), ids=REVIEWED)
def test_a_verdict_holds_where_checks_and_completion_are_equal(entries, expected):
    assert reviewed_of(CASE, *entries) == expected


# -- what the history gives ----------------------------------------------------


def stretch(case_id: str, completion: str | None = "nothing", **more: Any) -> dict[str, Any]:
    return row(case_id, "stretch", completion=completion, **more)


def test_reviewable_are_all_misses_and_the_stretch_cases_that_passed(history):
    rows = [
        row("easy passed"),
        row("easy failed", passes=False),
        row("medium failed", "medium", passes=False, tags=["b", "a"], note="n"),
        stretch("stretch passed", "it is"),
        stretch("near", "IT IS!", must_include=["it is."], must_not_include=["is", "x"]),
        stretch("no answer"),
        stretch("not recorded", None),
        stretch("long", "it is" * 400),
        stretch("\u202e\0 odd <b>"),
    ]
    run_id = keep(history, suite(rows), unanswered={"no answer": "timeout"}).run_id
    found = history.reviewable(run_id)
    assert [(case.case_id, case.group, case.reasons, case.tags) for case in found] == [
        ("easy failed", "easy", ("missing",), ()),
        ("medium failed", "medium", ("missing",), ("b", "a")),
        ("stretch passed", "passes", (), ()),
        ("near", "stretch", ("missing", "forbidden"), ()),
        ("not recorded", "stretch", ("empty_completion", "missing"), ()),
        ("long", "stretch", ("over_budget",), ()),
        ("\u202e\0 odd <b>", "stretch", ("missing",), ()),
    ]
    for case in found:
        kept = history.case(run_id, case.case_id)
        completion = kept.case.completion
        assert case.text == CaseText(
            case.case_id,
            fixture_hash(kept.case),
            None if completion is None else completion_hash(completion),
        )
        assert case.near_miss == any(m.kind == "near_miss" for m in kept.explanation.marks)


def test_a_run_that_is_not_there_has_no_queue(history):
    keep(history, suite([row("a")]))
    for ask in (history.reviewable, lambda n: list(history.cases_with(n, "x"))):
        with pytest.raises(NotInHistoryError, match="there is no run 9"):
            ask(9)
    with pytest.raises(NotInHistoryError, match="there is no run 9"):
        history.fixtures(9, ["a"])


SEARCHED = [
    row("by-id-Zebra", prompt="p"),
    row("2", prompt="A zebra crossing"),
    row("3", "stretch", completion="two ZEBRAS", must_include=["it"]),
    row("4", must_include=["zebra"]),
    row("5", must_include=[], must_include_any=[["horse", "zebra"]]),
    row("6", must_not_include=["zebra"]),
    row("7", note="see zebra"),
    row("8", tags=["zebra"], family="zebra"),
    row("9", prompt="It’s “quoted” – 5 %", note="100% $x_1$"),
    row("a\0b", prompt="nul"),
]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("zebra", ["by-id-Zebra", "2", "3", "4", "5", "6", "7"]),
        ("ZEBRA CROSSING", ["2"]),
        ('it\'s "quoted"', ["9"]),
        ("%", ["9"]),
        ("_1$", ["9"]),
        ("a\0b", ["a\0b"]),
        ("nowhere at all", []),
    ],
)
def test_a_phrase_is_looked_for_in_all_that_people_read_whatever_its_case(
    history, phrase, expected
):
    run_id = keep(history, suite(SEARCHED)).run_id
    keep(history, suite([row("of another run", prompt="zebra crossing 5 % _1$ a\0b it's")]))
    assert list(history.cases_with(run_id, phrase)) == expected


def test_a_phrase_is_found_in_more_cases_than_one_question_asks_for(history):
    rows = [row(f"c{n}", prompt=f"{'find me' if n % 2 else 'no'} {n}") for n in range(1_300)]
    run_id = keep(history, suite(rows)).run_id
    assert list(history.cases_with(run_id, "Find Me")) == [f"c{n}" for n in range(1, 1_300, 2)]


def test_checks_are_looked_up_by_the_ids_of_cases(history):
    rows = [row("a"), stretch("b"), row("a\0\u202e", "medium"), row("no answer")]
    run_id = keep(history, suite(rows), unanswered={"no answer": "timeout"}).run_id
    other = keep(history, suite([row("a", prompt="Other."), row("elsewhere")])).run_id
    asked_for = ["a", "b", "a\0\u202e", "no answer", "elsewhere", "nowhere", "a"]
    assert history.fixtures(run_id, asked_for) == {
        "a": held_in(history, run_id, "a", "easy", "passed"),
        "b": held_in(history, run_id, "b", "stretch", "failed"),
        "a\0\u202e": held_in(history, run_id, "a\0\u202e", "medium", "passed"),
        "no answer": held_in(history, run_id, "no answer", "easy", "unanswered"),
    }
    assert history.fixtures(other, ["a"]) != history.fixtures(run_id, ["a"])
    assert history.fixtures(run_id, []) == {}


def test_checks_of_many_cases_are_looked_up_at_once(history):
    run_id = keep(history, suite([row(f"c{n}", prompt=f"p{n}") for n in range(1_200)])).run_id
    ids = [f"c{n}" for n in range(0, 1_400, 2)]
    found = history.fixtures(run_id, ids)
    assert sorted(found) == sorted(f"c{n}" for n in range(0, 1_200, 2))
    assert len({held.text.fixture_hash for held in found.values()}) == 600


def held_in(history, run_id, case_id, stratum, outcome):
    case = history.case(run_id, case_id).case
    answered = None if case.completion is None else completion_hash(case.completion)
    return HeldCase(CaseText(case_id, fixture_hash(case), answered), stratum, outcome)


def test_answers_are_of_the_runs_that_hold_the_case(history):
    first = keep(history, suite([stretch("s", "one")]), "v1").run_id
    keep(history, suite([stretch("t", "other")]), "v2")
    third = keep(history, suite([stretch("s", "here it is", note="n")]), "v3").run_id
    last = keep(history, suite([stretch("s", None)]), "v4", unanswered={"s": "timeout"}).run_id
    found = history.answers("s", [1, 2, 3, 4, 99])
    assert {run_id: (kept.case.completion, kept.outcome) for run_id, kept in found.items()} == {
        first: ("one", "failed"),
        third: ("here it is", "passed"),
        last: (None, "unanswered"),
    }
    assert found == {run_id: history.case(run_id, "s") for run_id in (first, third, last)}
    assert history.answers("s", []) == history.answers("nowhere", [1]) == {}


def test_a_verdict_is_carried_to_a_run_with_the_same_text_and_to_no_other(history):
    one = history.run(keep(history, suite([stretch("s"), stretch("t")]), "v1").run_id)
    same = keep(history, suite([stretch("t"), stretch("s"), row("new")]), "v2").run_id
    answered = keep(history, suite([stretch("s", "nothing!"), stretch("t")]), "v3").run_id
    checks = keep(history, suite([stretch("s", max_chars=99), stretch("t")]), "v4").run_id
    text = Queue(history.reviewable(one.id)).cases[0].text
    assert text.case_id == "s"
    history.journal.judge(one, text, who="ann", verdict="acceptable", note="")
    ledger = Ledger(history.journal.entries)
    ledger.refresh()
    carried = {}
    for run_id in (one.id, same, answered, checks):
        queue = Queue(history.reviewable(run_id))
        mine = queue.reviewed(ledger, "ann").mine
        carried[run_id] = {queue.cases[place].case_id: said for place, said in mine.items()}
    said = {"s": "acceptable"}
    assert carried == {one.id: said, same: said, answered: {}, checks: {}}


# -- what was decided on a run -------------------------------------------------

MINT = Change(kind="mint", fields={"id": "new", "stratum": "stretch", "prompt": "p"})
TO_STRETCH = Change(kind="fix_check", fields={"stratum": "stretch"})
TO_EASY = Change(kind="fix_check", fields={"stratum": "easy"})
KEEP = Change(kind="keep")


@pytest.fixture
def twelve(history):
    """A run of ten stretch cases (one without an answer), one medium and one easy."""
    rows = [stretch(f"s{n}") for n in range(10)] + [row("m", "medium"), row("e")]
    return history.run(keep(history, suite(rows), unanswered={"s9": "timeout"}).run_id)


def decision(history, of, number, case_id, change, **fields):
    held = history.fixtures(of.id, [case_id]).get(case_id)
    fixture = held.text.fixture_hash if held else ""
    usual = {"case_id": case_id, "fixture_hash": fixture, "suite_sha256": of.suite_sha256}
    return an_entry(number, change=change, **usual | fields)


LEFT = {
    "nothing": ([], 10),
    "kept": ([("s0", KEEP)], 10),
    "promoted": ([("s0", PROMOTE), ("s1", PROMOTE)], 8),
    "retired": ([("s0", RETIRE)], 9),
    "retired without an answer": ([("s9", RETIRE)], 9),
    "retired elsewhere": ([("m", RETIRE), ("e", RETIRE)], 10),
    "moved away by its row": ([("s0", TO_EASY)], 9),
    "moved here by its row": ([("m", TO_STRETCH)], 11),
    "promoted from easy": ([("e", PROMOTE)], 10),
    "minted": ([("new", MINT)], 11),
    "minted for those that go": ([("s0", PROMOTE), ("s1", RETIRE), ("new", MINT)], 9),
}


@pytest.mark.parametrize(("decided", "left"), LEFT.values(), ids=LEFT)
def test_decisions_leave_so_many_stretch_cases(history, twelve, decided, left):
    entries = [
        decision(history, twelve, number, case_id, change)
        for number, (case_id, change) in enumerate(decided)
    ]
    found = decided_on(history, twelve, entries)
    assert (found.entries, found.stretch_left) == (entries, left)


def test_decisions_on_what_the_run_does_not_hold_are_not_its_own(history, twelve):
    foreign = [
        decision(history, twelve, 1, "s0", RETIRE, fixture_hash="f" * 64),
        decision(history, twelve, 3, "nowhere", RETIRE, fixture_hash="f" * 64),
        decision(history, twelve, 4, "new", MINT, suite_sha256="f" * 64),
        decision(history, twelve, 5, "s1", MINT, fixture_hash=""),
    ]
    own = decision(history, twelve, 6, "s1", RETIRE, suite_sha256="f" * 64, run=99)
    found = decided_on(history, twelve, iter([*foreign, own]))
    assert (found.entries, found.stretch_left) == ([own], 9)


def test_a_minted_case_is_no_decision_any_more_once_the_suite_has_it(history):
    rows = [stretch("s")]
    old = history.run(keep(history, suite(rows)).run_id)
    new = history.run(keep(history, suite([*rows, stretch("new")]), "v2").run_id)
    mint = decision(history, old, 1, "new", MINT)
    assert decided_on(history, old, [mint]).entries == [mint]
    assert decided_on(history, new, [mint]).entries == []


def test_a_minted_case_is_decided_on_in_every_run_of_its_job_and_in_no_other(history):
    first, filled, elsewhere = (
        history.run(keep(history, suite([stretch("s", answer)]), suite=name).run_id)
        for answer, name in (("one", "desk"), ("two", "desk"), ("one!", "shop"))
    )
    mint = decision(history, first, 1, "new", MINT)
    theirs = decision(history, elsewhere, 2, "new", MINT, who="bob")
    both = [theirs, mint]
    assert decided_on(history, first, both) == decided_on(history, filled, both) == ([mint], 2)
    assert decided_on(history, elsewhere, both) == ([theirs], 2)


def test_of_two_mints_of_one_id_on_suites_of_one_job_the_newest_holds(history):
    first, second = (
        history.run(keep(history, suite([stretch("s", answer)])).run_id)
        for answer in ("one", "two")
    )
    old, new = (decision(history, of, n, "new", MINT) for n, of in enumerate((first, second)))
    for run in (first, second):
        assert decided_on(history, run, [new, old]) == ([new], 2)
    assert decided_on(history, second, [old]) == ([old], 2)
