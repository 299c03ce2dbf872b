"""What a visitor can have open."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

from evalcore.pipeline import grade_suite
from pages.shared.suite import PAGE_CASES, Graded
from tests.pages.suites import case, counted, jsonl


def graded(suite: bytes) -> Graded:
    return Graded("suite.jsonl", grade_suite(BytesIO(suite)), None, lambda: BytesIO(suite))


def test_failed_cases_are_paged_by_stratum_in_file_order():
    suite = graded(counted(easy=(3, 3), medium=(1, 251), stretch=(0, PAGE_CASES)))
    assert [suite.failed.count(s) for s in ("easy", "medium", "stretch")] == [0, 3, 1]
    ids = [case.case_id for page in (1, 2, 3) for case in suite.failed.page("medium", page)]
    assert ids == [f"medium-{number}" for number in range(1, 251)]


def test_each_failed_case_has_its_own_marks():
    checks = {"must_include": ["don't"], "must_not_include": ["ease"]}
    suite = graded(
        jsonl(
            [
                case("none", "easy", completion="do not", **checks),
                case("both", "easy", completion="Please don’t", **checks),
                case("passes", "easy", completion="don't", **checks),
                case("unrecorded", "easy", **checks),
            ]
        )
    )
    kinds = {c.case_id: [mark.kind for mark in c.marks] for c in suite.failed.page("easy", 1)}
    assert kinds == {
        "none": [],
        "both": ["near_miss", "forbidden"],
        "unrecorded": ["not_recorded"],
    }


def test_downloads_at_the_same_time_get_the_same_whole_report():
    suite = graded(counted(easy=(0, 2_000)))
    expected = suite.report.to_bytes()
    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(lambda _: suite.report_bytes(), range(16)))
    assert set(reports) == {expected}
