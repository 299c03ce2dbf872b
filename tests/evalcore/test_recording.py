"""What grading leaves for the history: every case in its order, and the counts of each stratum."""

import tracemalloc
from io import BytesIO

import pytest

from evalcore import recording as module
from evalcore.case import STRATA
from evalcore.identity import case_of, completion_hash, fixture_json
from evalcore.pipeline import grade_suite
from evalcore.recording import Label, RecordedCase, Recording
from evalcore.run import Explanation, Sums
from evalcore.suite import SuiteReader
from tests.evalcore.keeping import graded, many, row, suite


def cases_of(recording: Recording) -> list[RecordedCase]:
    return [case for batch in recording.batches() for case in batch]


def test_each_case_is_recorded_with_its_texts_and_only_what_there_is_to_say():
    data = suite(
        [
            row("a"),
            row("b", "medium", passes=False, tags=["t"], family="f", note="n"),
            row("c", "stretch", completion=None),
            row("d", "stretch"),
        ]
    )
    recording, _ = graded(data, {"d": "timeout"})
    # Unanswered cases come before the others of their block.
    a, b, c, d = sorted(cases_of(recording), key=lambda case: case.line)
    assert [(one.case_id, one.stratum, one.line, one.outcome) for one in (a, b, c, d)] == [
        ("a", "easy", 1, "passed"),
        ("b", "medium", 2, "failed"),
        ("c", "stretch", 3, "failed"),
        ("d", "stretch", 4, "unanswered"),
    ]
    assert (a.completion, a.label, a.explanation) == ("here it is", None, None)
    assert b.label == Label(tags=("t",), family="f", note="n")
    assert b.explanation is not None
    assert [reason.text for reason in b.explanation.reasons] == ["missing:it is"]
    assert c.completion is None
    assert d.explanation == Explanation(cause="timeout")
    [read] = [case for block in SuiteReader(BytesIO(suite([row("a")]))).blocks() for case in block]
    assert bytes(a.fixture) == fixture_json(read)
    assert case_of(bytes(a.fixture), "a", "here it is") == case_of(
        fixture_json(read), "a", "here it is"
    )


def test_sums_count_each_stratum_by_itself():
    recording, report = graded(many(30), {"case-0": "x", "case-4": "y"})
    sums = recording.sums()
    assert {s: (of.passed, of.n, of.unanswered) for s, of in sums.items()} == {
        "easy": (7, 9, 1), "medium": (7, 9, 1), "stretch": (8, 10, 0),
    }  # fmt: skip
    assert {s: rate.n for s, rate in report.rates.items()} == {s: of.n for s, of in sums.items()}
    assert recording.sums() == sums


def test_the_hash_of_a_stratum_is_that_of_a_suite_of_it_alone():
    rows = [row(f"{stratum}-{k}", stratum) for k in range(3) for stratum in STRATA]
    sums = graded(suite(rows))[0].sums()
    for stratum in STRATA:
        alone = suite(row_ for row_ in reversed(rows) if row_["stratum"] == stratum)
        assert sums[stratum].instrument_hash == graded(alone)[1].suite.instrument_hash
        assert graded(alone)[0].sums()[stratum] == sums[stratum]


def test_an_unanswered_case_belongs_to_the_instrument_all_the_same():
    whole, partial = (graded(many(9), missing)[0].sums() for missing in ({}, {"case-3": "x"}))
    assert [of.instrument_hash for of in whole.values()] == [
        of.instrument_hash for of in partial.values()
    ]


def test_nothing_recorded_is_no_case_and_zero_sums():
    recording = Recording()
    assert cases_of(recording) == []
    empty = Sums(passed=0, n=0, instrument_hash="0" * 64)
    assert recording.sums() == {"easy": empty, "medium": empty, "stretch": empty}


@pytest.mark.parametrize(
    ("n", "sizes"),
    [(1, [1]), (999, [999]), (1000, [1000]), (1001, [1000, 1]), (2500, [1000, 1000, 500])],
)
def test_cases_come_in_batches(n, sizes):
    recording, _ = graded(many(n))
    assert list(map(len, recording.batches())) == sizes
    assert [case.case_id for case in cases_of(recording)] == [f"case-{k}" for k in range(n)]


def test_a_batch_of_long_texts_is_shorter(monkeypatch):
    monkeypatch.setattr(module, "BATCH_BYTES", 10_000)
    recording, _ = graded(suite(row(f"{k}", completion="x" * 4000) for k in range(7)))
    assert list(map(len, recording.batches())) == [3, 3, 1]


def test_long_suites_are_recorded_in_little_memory():
    data = suite(row(f"{k}", completion=f"{k}" + "x" * 10_000) for k in range(4000))
    recording = Recording()
    tracemalloc.start()
    grade_suite(BytesIO(data), recording=recording)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(data) > 38 << 20
    assert peak < 30 << 20
    assert sum(len(batch) for batch in recording.batches()) == 4000


def test_completions_differ_where_their_hashes_do():
    recording, _ = graded(suite([row("a", completion="é"), row("b", completion="e\u0301")]))
    one, other = (case.completion for case in cases_of(recording))
    assert one is not None
    assert other is not None
    assert one != other
    assert completion_hash(one) != completion_hash(other)
