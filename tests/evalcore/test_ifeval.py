"""Real prompts and real completions of six models; the data lies beside the project."""

import json
from pathlib import Path

import pytest

from evalcore.pipeline import grade_suite

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "ifeval"

# Passed of 57 easy, 83 medium and 36 stretch cases, by plain case-folded contains.
PASSED = {
    "2024-02-29_claude-3-opus-20240229": (50, 71, 30),
    "2024-03-07_claude-3-haiku-20240307": (45, 68, 24),
    "2024-06-20_claude-3-5-sonnet-20240620": (50, 75, 29),
    "2024-07-18_gpt-4o-mini-2024-07-18": (49, 74, 32),
    "2024-08-06_gpt-4o-2024-08-06": (54, 76, 29),
    "2024-10-07_Qwen__Qwen2.5-14B-Instruct-GPTQ-Int4": (53, 77, 28),
}

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="no folder ../shared/data/ifeval beside the project"
)


@pytest.fixture(params=sorted(PASSED))
def path(request):
    return FOLDER / f"{request.param}.jsonl"


def test_every_file_of_the_folder_is_graded():
    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == sorted(PASSED)


def test_counts_are_those_of_plain_case_folded_contains(path):
    with path.open("rb") as stream:
        report = grade_suite(stream)
    counts = tuple((of.passed, of.n) for of in report.evidence.values())
    assert counts == tuple(zip(PASSED[path.stem], (57, 83, 36), strict=True))
    assert report.n == 176


def test_a_plain_grader_fails_the_same_cases_but_for_what_typography_hides(path):
    rows = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    with path.open("rb") as stream:
        report = grade_suite(stream)
    failed = {failure.case_id for failure in report.failures}
    hidden = {mark.case_id for mark in report.marks if mark.kind == "forbidden"}
    plainly = {row["id"] for row in rows if plainly_fails(row)}
    assert plainly <= failed <= plainly | hidden


def plainly_fails(row) -> bool:
    text = (row.get("completion") or "").casefold()
    return (
        not text.strip()
        or len(row["completion"]) > row.get("max_chars", 1200)
        or any(needle.casefold() not in text for needle in row.get("must_include") or ())
        or any(needle.casefold() in text for needle in row.get("must_not_include") or ())
    )


def test_the_six_files_hold_the_same_instrument():
    instruments = set()
    for name in PASSED:
        with (FOLDER / f"{name}.jsonl").open("rb") as stream:
            instruments.add(grade_suite(stream).suite.instrument_hash)
    assert len(instruments) == 1
