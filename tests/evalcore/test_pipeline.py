"""One way from bytes to report, whatever the stream, its blocks and its options."""

import hashlib
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

from evalcore.errors import JobError, SuiteError, UsageError
from evalcore.job import Job, Thresholds, parse_job
from evalcore.pipeline import grade_suite
from evalcore.suite import SuiteReader

FIXTURES = Path(__file__).parents[2] / "fixtures"
ORDER_DESK = (FIXTURES / "order_desk.jsonl").read_bytes()


class Trickle(BytesIO):
    """Gives at most so many bytes at a time."""

    most = 100

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


def suite(*rows: Mapping[str, object]) -> bytes:
    known = {"stratum": "easy", "prompt": "p", "completion": "yes", "must_include": ["yes"]}
    lines = [json.dumps({"id": f"c{at}"} | known | dict(row)) for at, row in enumerate(rows)]
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize("most", [7, 100, 4096])
def test_the_size_of_the_pieces_that_a_stream_gives_makes_no_difference(most):
    stream = Trickle(b"\xef\xbb\xbf" + ORDER_DESK)
    stream.most = most
    whole = grade_suite(BytesIO(b"\xef\xbb\xbf" + ORDER_DESK))
    assert grade_suite(stream).to_bytes() == whole.to_bytes()


def test_an_unbuffered_file_will_do():
    with (FIXTURES / "order_desk.jsonl").open("rb", buffering=0) as stream:
        assert grade_suite(stream).to_bytes() == grade_suite(BytesIO(ORDER_DESK)).to_bytes()


@pytest.mark.parametrize("size", [65_400, 65_536, 131_000, 131_072, 200_000, 1_000_000])
def test_lines_across_blocks_are_whole(size):
    data = suite({"prompt": "x" * size}, {"note": "y" * 3}, {"prompt": "z" * size}, {})
    cases = list(SuiteReader(BytesIO(data)))
    assert [(case.line, len(case.prompt), case.prompt[:1]) for case in cases] == [
        (1, size, "x"),
        (2, 1, "p"),
        (3, size, "z"),
        (4, 1, "p"),
    ]


def test_a_suite_is_read_from_where_its_stream_stands_both_times():
    before = b"something else\n"
    stream = BytesIO(before + suite({"id": "a"}, {"id": "A"}))
    stream.seek(len(before))
    report = grade_suite(stream)
    assert report.suite.sha256 == hashlib.sha256(suite({"id": "a"}, {"id": "A"})).hexdigest()
    assert [notice.details for notice in report.notices if notice.kind == "similar_ids"] == [
        ['"a" (line 1), "A" (line 2)']
    ]


def test_ids_are_compared_across_a_whole_suite():
    rows = [{"id": f"case-{at}", "prompt": "p" * 200} for at in range(2000)]
    twice = suite(*rows, {"id": "case-0"}, {"id": "CASE-1"})
    with pytest.raises(SuiteError) as caught:
        grade_suite(BytesIO(twice))
    assert str(caught.value).split("\n") == [
        'line 2001, field id: duplicate id, already used on line 1 (found "case-0"); '
        "give each case an id of its own",
        'ids that look alike: "case-1" (line 2), "CASE-1" (line 2002)',
    ]


def test_progress_is_told_in_growing_numbers_of_bytes_up_to_the_last():
    data = suite(*({"prompt": "p" * 5000} for _ in range(200)), {"id": "a"}, {"id": "A"})
    told: list[int] = []
    grade_suite(BytesIO(data), progress=told.append)
    assert told == sorted(set(told))
    assert (told[-1], len(told) > 2) == (len(data), True)


def test_progress_that_breaks_off_stops_the_grading():
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade_suite(BytesIO(ORDER_DESK), progress=stop)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"easy_flor": 0.5}, "easy_flor cannot be set by a flag; only easy_floor, medium_floor, "),
        ({"ceiling_easy": 0.5}, "ceiling_easy cannot be set by a flag"),
        ({"easy_floor": 85}, "--easy-floor: not a number from 0 to 1 (found 85); write 0.85"),
        ({"easy_floor": float("nan")}, "--easy-floor: not a number from 0 to 1 (found nan)"),
        ({"easy_floor": True}, "--easy-floor: not a number from 0 to 1 (found true)"),
    ],
)
def test_a_flag_that_is_no_threshold_is_a_usage_error(flags, message):
    with pytest.raises(UsageError) as caught:
        grade_suite(BytesIO(ORDER_DESK), flags=flags)
    assert str(caught.value).startswith(message)


def test_thresholds_from_a_job_file_decide_as_its_flags_would():
    job = parse_job(b'[job]\nname = "j"\n[thresholds]\nstretch_high = 0.45\n', "j.toml")
    by_job = grade_suite(BytesIO(ORDER_DESK), job=job)
    by_flag = grade_suite(BytesIO(ORDER_DESK), flags={"stretch_high": 0.45})
    assert by_job.alerts == by_flag.alerts == ["stretch_too_easy"]
    assert by_job.evidence == by_flag.evidence


def test_a_job_file_that_is_a_suite_is_refused():
    with pytest.raises(JobError, match=r"suite.jsonl: line 1: invalid TOML"):
        parse_job(ORDER_DESK, "suite.jsonl")


def test_two_gradings_at_the_same_time_do_not_disturb_each_other():
    job = Job(name="j", sha256="0" * 64, thresholds=Thresholds(stretch_high=0.1))
    inner: list[bytes] = []

    def meanwhile(done: int) -> None:
        inner.append(grade_suite(BytesIO(suite({}, {})), job=job).to_bytes())

    outer = grade_suite(BytesIO(ORDER_DESK), progress=meanwhile)
    assert outer.to_bytes() == grade_suite(BytesIO(ORDER_DESK)).to_bytes()
    assert set(inner) == {grade_suite(BytesIO(suite({}, {})), job=job).to_bytes()}


@pytest.mark.parametrize("unanswered", [{}, {"c0": "timeout"}, {f"c{at}": "x" for at in range(5)}])
def test_every_case_is_graded_or_unanswered(unanswered):
    data = suite({}, {"completion": "no"}, {"stratum": "medium"}, {}, {"stratum": "stretch"})
    report = grade_suite(BytesIO(data), unanswered=unanswered)
    assert report.n + len(list(report.unanswered)) == 5
    assert {entry.case_id for entry in report.unanswered} == set(unanswered)
    assert not {failure.case_id for failure in report.failures} & set(unanswered)


def test_an_unanswered_case_is_part_of_the_instrument_all_the_same():
    data = suite({}, {"completion": None})
    with_all = grade_suite(BytesIO(data))
    with_one = grade_suite(BytesIO(data), unanswered={"c1": "timeout"})
    assert with_one.suite == with_all.suite


@pytest.mark.parametrize("toml", [b"[job]\nname='j'\n[thresholds]\nstretch_high=0.3\n", None])
def test_a_report_judged_anew_is_what_grading_by_that_job_gives(toml):
    job = parse_job(toml, "j.toml") if toml else None
    strict = Job(name="strict", sha256="0" * 64, thresholds=Thresholds(medium_floor=1.0))
    judged = grade_suite(BytesIO(ORDER_DESK), job=strict).judged_by(job)
    assert judged.to_bytes() == grade_suite(BytesIO(ORDER_DESK), job=job).to_bytes()
