"""The history: what goes in comes back equal, on both databases."""

import hashlib
import json
import random
import time
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from io import BytesIO
from itertools import pairwise
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import make_url

from evalcore.case import STRATA
from evalcore.errors import HistoryError, NotInHistoryError, UsageError
from evalcore.flips import Noise
from evalcore.grading import grade_case
from evalcore.job import Job, Thresholds, parse_job
from evalcore.matching import MATCHING, Haystack
from evalcore.pipeline import grade_suite
from evalcore.recording import Label, Recording
from evalcore.report import JobStamp
from evalcore.run import Exclusion, Explanation, Run, RunCase, Sums
from evalcore.stamp import Stamp
from evalcore.store import History, KeptCase, Saved
from evalcore.suite import SuiteReader
from tests.evalcore.keeping import counts, graded, keep, many, row, stamp, suite

ON_EACH = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
WHEN = datetime(2026, 8, 4, 9, 12, 30, 123456, UTC)
ODD_IDS = [
    "a\0b", "/", "?", "#", "%00", "a/b?c#d%2F", "\N{PILE OF POO}", "'; DROP TABLE runs; --",
    "ß", "SS", "e\u0301", "\u00e9", " padded ", "\u202egnp.exe", "\\", '"', "1", "01", "None",
    "x" * (1 << 20), "y" * (1 << 20),
]  # fmt: skip


def cases_of(data: bytes):
    return [case for block in SuiteReader(BytesIO(data)).blocks() for case in block]


def expected_case(case) -> KeptCase:
    """Returns what the history should give back of an answered case."""
    grade = grade_case(case, Haystack(case.completion or ""))
    return KeptCase(
        case=case,
        outcome="passed" if grade.passed else "failed",
        explanation=Explanation(reasons=grade.reasons, marks=grade.marks),
    )


def desk(name: str = "desk", **thresholds: float) -> Job:
    lines = [f"{key} = {value}" for key, value in thresholds.items()]
    text = "\n".join(["[job]", f'name = "{name}"', "[thresholds]", *lines])
    return parse_job(text.encode(), "evalcore.toml")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shared(request, tmp_path_factory):
    """A history that many tests share, each of which asks about its own runs alone."""
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path_factory.mktemp('shared')}/history.db"
    else:
        address = request.getfixturevalue("postgres_server").create_database()
    opened = History(make_url(address))
    yield opened
    opened.close()


# -- a run ---------------------------------------------------------------------


def test_a_run_comes_back_with_all_its_fields(history):
    data = suite(
        [
            row("a"),
            row("b", passes=False),
            row("c", "medium"),
            row("d", "stretch"),
            row("e", "stretch"),
        ]
    )
    recording, report = graded(data, {"e": "timeout"}, desk(easy_floor=0.9))
    before = datetime.now(UTC)
    saved = history.save(
        recording,
        report,
        Stamp(
            config="v1 \N{WHITE SMILING FACE}",
            suite="order desk",
            source="live",
            model="m",
            note="two\nlines",
            at=WHEN,
        ),
    )
    run = history.run(saved.run_id)
    reader = SuiteReader(BytesIO(data))
    assert len([case for block in reader.blocks() for case in block]) == 5
    assert run == Run(
        id=saved.run_id,
        at=WHEN,
        suite="order desk",
        suite_sha256=hashlib.sha256(data).hexdigest(),
        instrument_hash=reader.instrument_hash,
        matching=MATCHING,
        job=report.job,
        config="v1 \N{WHITE SMILING FACE}",
        model="m",
        note="two\nlines",
        source="live",
        repeat=0,
        alerts=tuple(report.alerts),
        strata={
            "easy": Sums(passed=1, n=2, instrument_hash=run.strata["easy"].instrument_hash),
            "medium": Sums(passed=1, n=1, instrument_hash=run.strata["medium"].instrument_hash),
            "stretch": Sums(
                passed=1, n=1, unanswered=1, instrument_hash=run.strata["stretch"].instrument_hash
            ),
        },
    )
    assert (run.complete, run.yardstick, run.job.thresholds.easy_floor) == (False, "desk", 0.9)
    assert run.alerts[-1] == "incomplete"
    assert history.runs() == [run]
    with history._database.reading() as connection:
        [(kept_at, complete)] = connection.execute(
            sa.text("SELECT saved_at, complete FROM runs")
        ).all()
    if isinstance(kept_at, str):
        kept_at = datetime.fromisoformat(kept_at).replace(tzinfo=UTC)
    assert before <= kept_at <= datetime.now(UTC)
    assert not complete


def test_the_hash_of_a_stratum_speaks_of_its_cases_only(shared):
    one = keep(shared, suite([row("a"), row("b", "medium")]))
    other = keep(shared, suite([row("a"), row("b", "medium", prompt="Else.")]))
    first, second = (shared.run(saved.run_id).strata for saved in (one, other))
    assert first["easy"] == second["easy"]
    assert first["medium"] != second["medium"]
    assert first["stretch"].instrument_hash == "0" * 64


def test_the_job_stamp_comes_back_with_thresholds_and_overrides(shared):
    recording = Recording()
    report = grade_suite(
        BytesIO(many(4)),
        job=desk("düsk", easy_floor=0.1, stretch_high=0.7),
        flags={"easy_floor": 0.3, "stretch_high": 0.9},
        recording=recording,
    )
    saved = shared.save(recording, report, stamp())
    assert len(report.job.overrides) == 2
    assert shared.run(saved.run_id).job == report.job
    assert isinstance(shared.run(saved.run_id).job, JobStamp)


def test_the_report_comes_back_byte_for_byte(shared):
    data = suite([row(id_, passes=False, note=id_) for id_ in ODD_IDS if len(id_) < 100])
    recording, report = graded(data, {"/": "\0 broke"})
    saved = shared.save(recording, report, stamp())
    assert shared.report(saved.run_id) == report.to_bytes()


def test_runs_are_listed_by_the_time_of_their_completions(history):
    times = [WHEN + timedelta(days=days) for days in (3, 1, 2)]
    ids = [keep(history, many(3, mark=str(n)), at=at).run_id for n, at in enumerate((*times, WHEN))]
    same = keep(history, many(3, mark="same"), at=WHEN).run_id
    assert [run.id for run in history.runs()] == [ids[3], same, ids[1], ids[2], ids[0]]


@pytest.mark.parametrize("hours", [-12, 0, 5.5, 14])
def test_times_of_any_zone_come_back_in_utc(shared, hours):
    local = WHEN.astimezone(timezone(timedelta(hours=hours)))
    at = shared.run(keep(shared, many(3), at=local, again=True).run_id).at
    assert (at, at.tzinfo) == (WHEN, UTC)


def test_a_run_without_a_time_is_of_now(shared):
    before = datetime.now(UTC)
    at = shared.run(keep(shared, many(3), again=True).run_id).at
    assert before <= at <= datetime.now(UTC)
    assert at.tzinfo is UTC


# -- cases ---------------------------------------------------------------------

pieces = st.sampled_from(
    ["it is", "It is", "it\u00adis", "it\u00a0is", "it’s", "it's", "42", "4\u200b2", "x", "\0",
     "\n", " ", "é", "e\u0301", "\N{PILE OF POO}", "", "\u202e"]
)  # fmt: skip
texts = st.lists(pieces, max_size=6).map("".join) | st.text(max_size=10)
needles = st.sampled_from(["it is", "it's", "42", "é", "x", "\N{PILE OF POO}"])
ids = st.text(min_size=1, max_size=8).filter(lambda text: text.isprintable() and text.strip())


@st.composite
def suites(draw: st.DrawFn):
    names = draw(st.lists(ids | st.sampled_from(ODD_IDS[:-2]), min_size=1, max_size=6, unique=True))
    return suite(
        {
            "id": name,
            "stratum": draw(st.sampled_from(STRATA)),
            "prompt": draw(texts),
            "completion": draw(st.none() | texts),
            "must_include": draw(st.lists(needles, max_size=2)),
            "must_include_any": draw(st.lists(st.lists(needles, min_size=1), max_size=2)),
            "must_not_include": draw(st.lists(needles, max_size=2)),
            "max_chars": draw(st.sampled_from([None, 1, 10, 1200, 1 << 40])),
            "tags": draw(st.lists(texts, max_size=2)),
            "family": draw(st.none() | texts),
            "note": draw(st.none() | texts),
        }
        for name in names
    )


@given(suites(), st.data())
@ON_EACH
def test_every_case_comes_back_equal_with_its_texts_reasons_and_marks(shared, data, draw):
    cases = cases_of(data)
    chosen = draw.draw(st.sets(st.sampled_from([case.id for case in cases])))
    causes = {name: draw.draw(texts | st.just("timeout")) for name in chosen}
    run_id = keep(shared, data, unanswered=causes, again=True).run_id
    expected = [
        KeptCase(case=case, outcome="unanswered", explanation=Explanation(cause=causes[case.id]))
        if case.id in causes
        else expected_case(case)
        for case in cases
    ]
    assert [shared.case(run_id, case.id) for case in cases] == expected
    assert [
        (case.case_id, case.stratum, case.outcome, case.line) for case in shared.cases(run_id)
    ] == [(kept.case.id, kept.case.stratum, kept.outcome, kept.case.line) for kept in expected]
    run = shared.run(run_id)
    counted = Counter((kept.case.stratum, kept.outcome) for kept in expected)
    assert {
        stratum: (sums.passed, sums.n, sums.unanswered) for stratum, sums in run.strata.items()
    } == {
        stratum: (
            counted[stratum, "passed"],
            counted[stratum, "passed"] + counted[stratum, "failed"],
            counted[stratum, "unanswered"],
        )
        for stratum in STRATA
    }
    assert run.complete == (not causes)


def test_ids_are_kept_letter_for_letter_however_odd_or_long(shared):
    run_id = keep(shared, suite(row(name) for name in ODD_IDS)).run_id
    assert [case.case_id for case in shared.cases(run_id)] == ODD_IDS
    assert [shared.case(run_id, name).case.id for name in ODD_IDS] == ODD_IDS


def test_an_empty_completion_is_not_a_missing_one(shared):
    run_id = keep(shared, suite([row("a", completion=""), row("b", completion=None)])).run_id
    assert [shared.case(run_id, name).case.completion for name in "ab"] == ["", None]
    empty, missing = shared.cases(run_id)
    assert (shared.texts([empty.completion]), missing.completion) == (
        {empty.completion: b""},
        None,
    )


def test_a_near_miss_comes_back_with_its_place(shared):
    data = suite([row("a", completion="here it\u00a0is", must_include=["it is"])])
    [case] = cases_of(data)
    run_id = keep(shared, data).run_id
    kept = shared.case(run_id, "a")
    assert kept == expected_case(case)
    assert [mark.kind for mark in kept.explanation.marks] == ["near_miss"]


def test_a_text_of_a_megabyte_comes_back(shared):
    long = "A\N{PILE OF POO}\0" * (1 << 18)
    data = suite([row("a", prompt=long, completion=long, note=long)])
    run_id = keep(shared, data).run_id
    [case] = cases_of(data)
    assert shared.case(run_id, "a") == expected_case(case)


def test_more_cases_than_one_batch_holds_come_back_in_file_order(history):
    data = many(2500)
    run_id = keep(history, data).run_id
    assert [case.case_id for case in history.cases(run_id)] == [f"case-{k}" for k in range(2500)]
    assert sum(sums.n for sums in history.run(run_id).strata.values()) == 2500


def test_what_people_wrote_beside_the_checks_is_of_its_run(shared):
    one, other = (
        keep(shared, suite([row("a", note=note, tags=[note])])).run_id for note in ("x", "y")
    )
    assert [shared.case(run, "a").case.note for run in (one, other)] == ["x", "y"]
    first, second = shared.cases(one), shared.cases(other)
    assert first == second  # a note is no check
    assert Label() == Label(tags=(), family=None, note=None)


# -- each text once ------------------------------------------------------------


def test_each_text_is_kept_once_whatever_it_is(history):
    rows = [row("a"), row("b"), row("Say it.", completion="a")]
    keep(history, suite(rows))
    # three ids of which one is a completion too, one fixture, "here it is"
    assert counts(history)["texts"] == 5
    keep(history, suite(rows), "v2")
    keep(history, suite(reversed(rows)), "v3")
    assert counts(history) == {
        "texts": 5, "runs": 3, "strata": 9, "reports": 3, "grades": 9, "exclusions": 0,
        "journal": 0,
    }  # fmt: skip


def test_texts_are_kept_by_the_hash_of_their_bytes(history):
    keep(history, suite([row("a\0"), row("é", note="n", completion=None)]))
    with history._database.reading() as connection:
        kept = connection.execute(sa.text("SELECT hash, body FROM texts")).all()
    bodies = {bytes(body): bytes(digest) for digest, body in kept}
    assert {b"a\0", "é".encode(), b"here it is", b'{"note":"n"}'} < bodies.keys()
    assert bodies == {body: hashlib.sha256(body).digest() for body in bodies}


def test_equal_numbers_of_texts_mean_equal_texts(shared):
    run_id = keep(
        shared, suite([row("a"), row("b"), row("c", passes=False), row("d", prompt="Else.")])
    ).run_id
    a, b, c, d = shared.cases(run_id)
    assert (a.fixture, a.completion) == (b.fixture, b.completion)
    assert (a.fixture, d.completion) == (c.fixture, a.completion)
    assert a.fixture != d.fixture
    assert a.completion != c.completion
    bodies = shared.texts({a.completion, c.completion})
    assert bodies == {a.completion: b"here it is", c.completion: b"nothing"}


# -- the same run --------------------------------------------------------------


def test_saving_the_same_bytes_under_the_same_config_gives_the_same_run(history):
    first = keep(history, many(5), at=WHEN)
    kept = history.run(first.run_id), counts(history)
    assert keep(history, many(5), note="once more", source="import") == Saved(first.run_id, False)
    assert (history.run(first.run_id), counts(history)) == kept
    assert first.new


def test_asked_for_repeats_count_up(history):
    saved = [keep(history, many(5), again=again) for again in (False, True, True, False, True)]
    assert [history.run(one.run_id).repeat for one in saved] == [0, 1, 2, 0, 3]
    assert [one.new for one in saved] == [True, True, True, False, True]
    assert saved[3].run_id == saved[0].run_id


def test_a_repeat_of_what_is_not_there_is_the_first_run(history):
    saved = keep(history, many(5), again=True)
    assert (saved.new, history.run(saved.run_id).repeat) == (True, 0)


@pytest.mark.parametrize(
    ("other", "new"),
    [
        ({}, False),
        ({"config": "v1 "}, True),
        ({"config": "V1"}, True),
        ({"job": desk("other")}, True),
        ({"job": desk(easy_floor=0.5)}, False),
        ({"job": None}, True),
        ({"suite": "another name"}, False),
        ({"data": many(5, mark="key") + b"\n"}, True),
    ],
)
def test_bytes_config_and_job_name_make_a_run(shared, other, new):
    base: dict[str, Any] = {"data": many(5, mark="key"), "config": "v1", "job": desk()}
    first = keep(shared, **base)
    second = keep(shared, **base | other)
    assert second.new is new
    assert (second.run_id != first.run_id) is new


def test_an_example_is_never_taken_for_the_teams_own_run(history):
    example = keep(history, many(5), source="example")
    own = keep(history, many(5), source="import")
    assert own.new
    history.remove_examples()
    assert [run.id for run in history.runs()] == [own.run_id]
    assert keep(history, many(5), source="example").new
    assert example.run_id != own.run_id


# -- exclusion -----------------------------------------------------------------


def test_a_run_is_excluded_and_included_and_every_word_of_it_is_kept(history):
    run_id = keep(history, many(3)).run_id
    other = keep(history, many(3), "v2").run_id
    before = datetime.now(UTC)
    history.exclude(run_id, who="ann", why="wrong model\nasked")
    exclusion = history.run(run_id).exclusion
    assert exclusion is not None
    assert before <= exclusion.at <= datetime.now(UTC)
    assert exclusion == Exclusion(at=exclusion.at, who="ann", why="wrong model\nasked")
    history.include(run_id, who="bob", why="it was right")
    assert history.run(run_id).exclusion is None
    history.exclude(run_id, who="cid", why="no")
    excluded = {run.id: run.exclusion and run.exclusion.who for run in history.runs()}
    assert excluded == {run_id: "cid", other: None}
    with history._database.reading() as connection:
        log = connection.execute(
            sa.text("SELECT run_id, excluded, who, why FROM exclusions ORDER BY id")
        ).all()
    assert [(number, bool(out), who, why) for number, out, who, why in log] == [
        (run_id, True, "ann", "wrong model\nasked"),
        (run_id, False, "bob", "it was right"),
        (run_id, True, "cid", "no"),
    ]


@pytest.mark.parametrize(
    ("who", "why", "message"),
    [
        ("ann", "", "why: blank; say why this run shall not count"),
        ("ann", " \n", "why: blank; say why this run shall not count"),
        ("ann", "a\0b", "why: more than 20,000 characters, or some that no text holds"),
        ("ann", "\udcff", "why: more than 20,000 characters, or some that no text holds"),
        ("ann", "x" * 20_001, "why: more than 20,000 characters"),
        ("", "w", "who: blank; say it in a few words"),
        ("\x1b[2J", "w", 'that cannot be seen (found "\\x1b[2J")'),
        ("a" * 201, "w", "who: more than 200 characters"),
    ],
)
def test_an_exclusion_without_who_or_why_is_refused(shared, who, why, message):
    run_id = keep(shared, many(3)).run_id
    with pytest.raises(UsageError) as caught:
        shared.exclude(run_id, who=who, why=why)
    assert message in str(caught.value)
    assert shared.run(run_id).exclusion is None
    assert counts(shared)["exclusions"] == 0


# -- examples ------------------------------------------------------------------


def test_removing_examples_leaves_what_others_use_and_nothing_else(history):
    mine = suite([row("shared"), row("mine", prompt="Mine.", note="n")])
    keep(history, mine)
    before, texts_before = counts(history), all_texts(history)
    examples = [
        keep(history, suite([row("shared"), row("theirs", prompt=p, note=p)]), source="example")
        for p in ("One.", "Two.")
    ]
    history.exclude(examples[0].run_id, who="ann", why="w")
    history.remove_examples()
    assert (counts(history), all_texts(history)) == (before, texts_before)
    history.remove_examples()
    assert counts(history) == before


def test_removing_many_examples_takes_their_texts_along(history):
    for mark in "ab":
        keep(history, many(1200, mark=mark), source="example")
    history.remove_examples()
    assert set(counts(history).values()) == {0}


def test_removing_examples_takes_no_longer_for_each_run_of_the_teams_own(history):
    rest = graded(many(1000))
    for number in range(20):
        history.save(*rest, stamp(f"v{number}"))
    keep(history, many(1000, mark="example"), source="example")
    start = time.monotonic()
    history.remove_examples()
    assert time.monotonic() - start < 2
    assert (counts(history)["runs"], counts(history)["grades"]) == (20, 20_000)


def test_the_number_of_a_removed_run_is_never_given_again(history):
    first = keep(history, many(3), source="example").run_id
    history.remove_examples()
    second = keep(history, many(3), source="example").run_id
    assert second > first
    with pytest.raises(HistoryError, match=f"there is no run {first} in the history"):
        history.run(first)


def all_texts(history: History) -> set[bytes]:
    with history._database.reading() as connection:
        return set(map(bytes, connection.execute(sa.text("SELECT body FROM texts")).scalars()))


# -- questions over runs -------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_questions_over_runs_are_answered_as_plain_python_answers_them(shared, seed):
    draw = random.Random(seed)
    run_ids = [
        keep(shared, *some_suite(draw), again=True).run_id for _ in range(draw.randint(2, 5))
    ]
    cases = {run_id: shared.cases(run_id) for run_id in run_ids}
    chosen = [run_id for run_id in run_ids if draw.random() < 0.7] or run_ids[:1]
    for stratum in STRATA:
        assert shared.outcomes(chosen, stratum) == {
            run_id: {c.case_id: c.outcome for c in cases[run_id] if c.stratum == stratum}
            for run_id in chosen
        }
    for name in "abcdefgz":
        assert shared.case_outcomes(name, chosen) == {
            run_id: c.outcome for run_id in chosen for c in cases[run_id] if c.case_id == name
        }
    pairs = list(pairwise(run_ids))
    assert shared.noise(pairs) == plain_noise(cases, pairs)
    assert shared.common_sums(chosen) == plain_common_sums({id_: cases[id_] for id_ in chosen})


def some_suite(draw: random.Random):
    names = [name for name in "abcdefg" if draw.random() < 0.9]
    rows = [
        row(
            name,
            STRATA[("abcdefg".index(name) + (draw.random() < 0.1)) % 3],
            passes=draw.random() < 0.6,
            prompt="Say it." if draw.random() < 0.85 else "Say it!",
        )
        for name in names
    ]
    draw.shuffle(rows)
    return suite(rows or [row("g")]), f"v{draw.random()}"


def plain_noise(cases: dict[int, list[RunCase]], pairs) -> dict[str, Noise]:
    flips, compared = Counter[str](), Counter[str]()
    for first, second in pairs:
        later = {(c.case_id, c.fixture): c.outcome for c in cases[second]}
        for c in cases[first]:
            outcome = later.get((c.case_id, c.fixture))
            if "unanswered" not in (c.outcome, outcome) and outcome is not None:
                compared[c.stratum] += 1
                flips[c.stratum] += c.outcome != outcome
    return {s: Noise(flips=flips[s], pairs=compared[s]) for s in STRATA}


def plain_common_sums(cases: dict[int, list[RunCase]]):
    answered = {
        run_id: {(c.case_id, c.fixture): c for c in some if c.outcome != "unanswered"}
        for run_id, some in cases.items()
    }
    common = set.intersection(*(set(some) for some in answered.values()))
    return {
        run_id: {
            s: (
                sum(some[key].outcome == "passed" for key in common if some[key].stratum == s),
                sum(some[key].stratum == s for key in common),
            )
            for s in STRATA
        }
        for run_id, some in answered.items()
    }


def test_unanswered_cases_are_left_out_of_noise_and_common_sums(shared):
    rows = [row(name) for name in "abcd"]
    one = keep(shared, suite(rows), "v1", unanswered={"a": "timeout"}).run_id
    other = keep(
        shared, suite([*rows[:3], row("d", passes=False)]), "v2", unanswered={"b": "timeout"}
    ).run_id
    assert shared.noise([(one, other)])["easy"] == Noise(flips=1, pairs=2)
    assert shared.common_sums([one, other]) == {
        one: {"easy": (2, 2), "medium": (0, 0), "stretch": (0, 0)},
        other: {"easy": (1, 2), "medium": (0, 0), "stretch": (0, 0)},
    }


def test_questions_over_no_run_have_no_answer(history):
    keep(history, many(3))
    none = Noise(flips=0, pairs=0)
    assert history.outcomes([], "easy") == {}
    assert history.case_outcomes("case-0", []) == {}
    assert history.common_sums([]) == {}
    assert history.noise([]) == {"easy": none, "medium": none, "stretch": none}
    assert history.texts([]) == {}


# -- what is not there ---------------------------------------------------------


@pytest.mark.parametrize("run_id", [0, -1, 10**6, 2**63, 10**30, -(10**30)])
def test_an_unknown_run_is_named_and_changes_nothing(shared, run_id):
    keep(shared, many(3))
    before = counts(shared)
    for ask in (
        shared.run,
        shared.report,
        shared.cases,
        lambda number: shared.case(number, "case-0"),
        lambda number: shared.exclude(number, who="ann", why="w"),
        lambda number: shared.include(number, who="ann"),
    ):
        with pytest.raises(HistoryError) as caught:
            ask(run_id)
        assert str(caught.value) == (
            f"there is no run {run_id} in the history {shared.name}; "
            "`evalcore history` lists those that are"
        )
    assert counts(shared) == before


@pytest.mark.parametrize("name", ["", "nope", "\0", "\ud800", "x" * 10_000, "\x1b[2J"])
def test_an_unknown_case_is_named_and_cut_short(shared, name):
    run_id = keep(shared, many(3)).run_id
    with pytest.raises(HistoryError) as caught:
        shared.case(run_id, name)
    assert str(caught.value).startswith(f'run {run_id} has no case "')
    assert len(str(caught.value)) < 150
    assert str(caught.value).isprintable()
    assert shared.case_outcomes(name, [run_id]) == {}


# -- stamps --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("config", "", "config: blank; say it in a few words"),
        ("config", " \t", "config: blank; say it in a few words"),
        ("config", "a\nb", 'config: more than 200 characters, or some that cannot be seen (found'),
        ("config", "\x1b[31m", 'cannot be seen (found "\\x1b[31m"); write it shorter and plainly'),
        ("config", "a\0b", 'cannot be seen (found "a\\x00b")'),
        ("config", "\udcff", "config: "),
        ("config", "\u202eabc", "config: "),
        ("config", "x" * 201, "config: more than 200 characters"),
        ("suite", "", "suite: blank; say it in a few words"),
        ("suite", "a\x7f", "suite: more than 200 characters"),
        ("model", "x" * 201, "model: more than 200 characters"),
        ("model", "\u200b", "model: more than 200 characters"),
        ("note", "a\0", "note: more than 20,000 characters, or some that no text holds"),
        ("note", "\udcff", "note: more than 20,000 characters, or some that no text holds"),
        ("note", "x" * 20_001, "note: more than 20,000 characters"),
        ("at", datetime(1, 1, 1, tzinfo=UTC), "at: not from 1970 to 2199 (found "),
        ("at", datetime(1969, 12, 31, tzinfo=UTC), "(found 1969-12-31); correct the date"),
        ("at", datetime(9999, 12, 31, tzinfo=UTC), "(found 9999-12-31); correct the date"),
        ("at", datetime(2026, 8, 4), "at: a time without a zone (found 2026-08-04 00:00:00)"),
    ],
)  # fmt: skip
def test_a_stamp_that_nobody_could_read_is_refused(field, value, message):
    with pytest.raises(UsageError) as caught:
        stamp(**{field: value})
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "more",
    [
        {"config": "x" * 200},
        {"model": ""},
        {"note": "x" * 20_000},
        {"note": "line\n\x1b\N{PILE OF POO}"},
        {"config": "Qwen/Qwen2.5 \N{EM DASH} \N{PILE OF POO}"},
        {"at": WHEN},
        {"at": datetime(1970, 1, 1, tzinfo=UTC)},
        {"at": datetime(2199, 12, 31, 23, 59, 59, 999999, UTC)},
    ],
)
def test_a_stamp_of_plain_words_is_kept_as_it_is(shared, more):
    run = shared.run(keep(shared, many(3), again=True, **more).run_id)
    assert {field: getattr(run, field) for field in more} == more


def test_no_record_of_the_history_is_lost_in_json(shared):
    run_id = keep(shared, suite([row("a\0/?#%", passes=False)])).run_id
    run, case = shared.run(run_id), shared.case(run_id, "a\0/?#%")
    assert msgspec.json.decode(msgspec.json.encode(run), type=Run) == run
    assert msgspec.json.decode(msgspec.json.encode(case), type=KeptCase) == case
    assert json.loads(msgspec.json.encode(run))["at"].endswith("Z")


def test_another_model_is_another_run_and_another_verdict_is_told(history):
    lax = Job(name="desk", sha256="a" * 64, thresholds=Thresholds(stretch_high=0.9))
    strict = Job(name="desk", sha256="b" * 64, thresholds=Thresholds(stretch_high=0.1))
    data = many(6)
    assert keep(history, data, job=lax) == Saved(1, new=True)
    assert keep(history, data, job=lax, model="m2").new
    again = keep(history, data, job=strict)
    assert again == Saved(1, new=False, judged_alike=False)
    assert history.run(1).job.thresholds.stretch_high == 0.9


def test_texts_of_a_run_that_was_removed_meanwhile_are_told_to_be_gone(history):
    run_id = keep(history, many(3), source="example").run_id
    numbers = [case.fixture for case in history.cases(run_id)]
    history.remove_examples()
    with pytest.raises(NotInHistoryError, match="its run was removed meanwhile; choose another"):
        history.texts(numbers)
