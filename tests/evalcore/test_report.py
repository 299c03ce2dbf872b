"""The report: its bytes, held by golden files, and what must never be in them.

A change that is meant to change the bytes writes the golden files anew, to be looked at in the
diff: `for s in "" _regressed _saturated; do f=fixtures/order_desk$s.jsonl;
g=tests/evalcore/golden/order_desk$s; python -m evalcore grade - <$f >$g.json;
python -m evalcore grade $f --job fixtures/evalcore.toml >$g.job.json; done`
"""

import hashlib
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest

from evalcore.job import Job, Thresholds, read_job
from evalcore.pipeline import grade_suite
from evalcore.report import Failure, MarkEntry, Report, Unanswered
from evalcore.spool import Spool

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
GOLDEN = Path(__file__).parent / "golden"
SUITES = ["order_desk", "order_desk_regressed", "order_desk_saturated"]
KEYS = [
    "n",
    "rates",
    "alerts",
    "ok",
    "failures",
    "schema",
    "matching",
    "unicode",
    "suite",
    "job",
    "alert_details",
    "evidence",
    "unanswered",
    "marks",
    "notices",
]


def suite(*rows: Mapping[str, object]) -> bytes:
    known = {"stratum": "easy", "prompt": "p", "must_include": ["yes"]}
    lines = [
        json.dumps({"id": f"c{number}"} | known | dict(row)) for number, row in enumerate(rows)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def grade(data: bytes, **options) -> Report:
    return grade_suite(BytesIO(data), **options)


def written(report: Report):
    return json.loads(report.to_bytes())


def golden(name: str) -> bytes:
    """Returns a golden report; another Python's Unicode tables are named in it, nothing else."""
    data = (GOLDEN / f"{name}.json").read_bytes()
    ours = f'\n  "unicode": "{unicodedata.unidata_version}",\n'.encode()
    start = data.index(b'\n  "unicode": ')
    return data[:start] + ours + data[data.index(b"\n", start + 1) + 1 :]


def evalcore(*arguments: object, cwd: Path, **options) -> bytes:
    run: subprocess.CompletedProcess[bytes] = subprocess.run(
        [sys.executable, "-m", "evalcore", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
        **options,
    )
    return run.stdout


# -- bytes ---------------------------------------------------------------------


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("with_job", [False, True])
def test_the_report_is_the_golden_one_byte_for_byte(name, with_job):
    job = read_job(FIXTURES / "evalcore.toml") if with_job else None
    with (FIXTURES / f"{name}.jsonl").open("rb") as stream:
        found = grade_suite(stream, job=job).to_bytes()
    assert found.decode() == golden(f"{name}.job" if with_job else name).decode()


def test_every_golden_file_is_held_to():
    names = [name + ending for name in SUITES for ending in ("", ".job")]
    assert sorted(path.stem for path in GOLDEN.glob("*.json")) == sorted(names)


@pytest.mark.parametrize("name", [name + ending for name in SUITES for ending in ("", ".job")])
def test_a_report_is_strict_json_in_the_order_and_form_of_the_contract(name):
    def refuse(constant):
        raise AssertionError(constant)

    data = golden(name)
    value = json.loads(data, parse_constant=refuse)
    assert list(value) == KEYS
    assert list(value["rates"]) == list(value["evidence"]) == ["easy", "medium", "stretch"]
    assert (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode() == data


def test_the_way_in_makes_no_difference(tmp_path):
    source = FIXTURES / "order_desk.jsonl"
    data = source.read_bytes()
    renamed = tmp_path / "another name.txt"
    renamed.write_bytes(data)
    output = tmp_path / "report.json"
    with source.open("rb") as stdin:
        from_file = evalcore("grade", "-", cwd=tmp_path, stdin=stdin)
    evalcore("grade", renamed, "--output", output, cwd=ROOT)
    ways = {
        "renamed": evalcore("grade", renamed, cwd=tmp_path),
        "relative": evalcore("grade", renamed.name, cwd=tmp_path),
        "output": output.read_bytes(),
        "stdin, a pipe": evalcore("grade", "-", cwd=tmp_path, input=data),
        "stdin, a file": from_file,
        "fifo": through_fifo(data, tmp_path),
        "library": grade(data).to_bytes(),
        "library, after other bytes": grade_after(b"not a row\n", data),
    }
    expected = golden("order_desk")
    assert {way for way, found in ways.items() if found != expected} == set()


def through_fifo(data: bytes, folder: Path) -> bytes:
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "evalcore", "grade", str(fifo)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
    ) as reader:
        fifo.write_bytes(data)
        return reader.communicate()[0]


def grade_after(before: bytes, data: bytes) -> bytes:
    stream = BytesIO(before + data)
    stream.seek(len(before))
    return grade_suite(stream).to_bytes()


def test_the_job_beside_the_suite_and_the_job_named_give_the_same_report(tmp_path):
    suite_path = FIXTURES / "order_desk.jsonl"
    by_flag = evalcore("grade", suite_path, "--job", FIXTURES / "evalcore.toml", cwd=tmp_path)
    assert evalcore("grade", suite_path, cwd=tmp_path) == by_flag == golden("order_desk.job")


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_no_seed_time_zone_or_locale_changes_a_byte(seed, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("NO_COLOR", "1")
    path = FIXTURES / "order_desk_regressed.jsonl"
    assert evalcore("grade", path, cwd=tmp_path) == golden("order_desk_regressed")


def test_a_report_can_be_written_again_and_again():
    report = grade((FIXTURES / "order_desk_regressed.jsonl").read_bytes())
    first = report.to_bytes()
    halfway = list(islice(report.failures, 3))
    assert report.to_bytes() == first
    assert list(islice(report.failures, 3)) == halfway


def test_nothing_of_where_and_when_is_in_a_report():
    text = golden("order_desk.job").decode()
    assert [word for word in (str(ROOT), "order_desk.jsonl", "evalcore.toml") if word in text] == []


# -- members -------------------------------------------------------------------


def test_the_first_five_members_of_a_small_run():
    value = written(
        grade(
            suite(
                {"completion": "yes"},
                {"completion": "no", "stratum": "stretch"},
                {"completion": "yes, yes", "stratum": "stretch", "max_chars": 3},
            )
        )
    )
    assert {key: value[key] for key in KEYS[:5]} == {
        "n": 3,
        "rates": {
            "easy": {"n": 1, "pass_rate": 1.0},
            "medium": {"n": 0, "pass_rate": None},
            "stretch": {"n": 2, "pass_rate": 0.0},
        },
        "alerts": ["thin_stratum", "missing_stratum"],
        "ok": False,
        "failures": [
            {
                "case_id": "c1",
                "stratum": "stretch",
                "passed": False,
                "reasons": ["missing:yes"],
            },
            {
                "case_id": "c2",
                "stratum": "stretch",
                "passed": False,
                "reasons": ["over_budget:8>3"],
            },
        ],
    }


@pytest.mark.parametrize(
    ("completion", "checks", "reasons"),
    [
        ("yes", {}, None),
        ("", {}, ["empty_completion", "missing:yes"]),
        (None, {}, ["empty_completion", "missing:yes"]),
        ("\n\n", {"max_chars": 1}, ["empty_completion", "over_budget:2>1", "missing:yes"]),
        ("yes\U0001f642\U0001f642", {"max_chars": 5}, None),
        ("yes\U0001f642\U0001f642", {"max_chars": 4}, ["over_budget:5>4"]),
        ("yes" * 400, {}, None),
        ("yes" * 401, {}, ["over_budget:1203>1200"]),
        ("b", {"must_include": ["c", "b", "a"]}, ["missing:c", "missing:a"]),
        (
            "x",
            {"must_include_any": [["a", "b"], ["x", "c"], ["d"]]},
            ["missing:yes", "missing_any:a|b", "missing_any:d"],
        ),
        ("yes a c", {"must_not_include": ["c", "b", "a"]}, ["forbidden:c", "forbidden:a"]),
        ("yes a", {"must_not_include": ["a", "a", "A"]}, ["forbidden:a", "forbidden:A"]),
        (
            "x",
            {"must_include": ["a", "a"], "must_include_any": [["a"], ["a"]]},
            ["missing:a", "missing_any:a"],
        ),
        ("yes: no", {"must_include": ["a|b: c"]}, ["missing:a|b: c"]),
    ],
)
def test_reasons_stand_in_the_order_of_the_contract_each_once(completion, checks, reasons):
    report = grade(suite({"completion": completion} | checks))
    found = [failure.reasons for failure in report.failures]
    assert found == ([] if reasons is None else [reasons])


def test_failures_marks_and_unanswered_cases_stand_in_the_order_of_the_file():
    rows = [{"id": str(number), "completion": None} for number in (3, 1, 2, 10, 0)]
    report = grade(suite(*rows), unanswered={"0": "timeout", "1": "HTTP 500"})
    assert [failure.case_id for failure in report.failures] == ["3", "2", "10"]
    assert list(report.marks) == [
        MarkEntry(case_id=case_id, stratum="easy", kind="not_recorded")
        for case_id in ("3", "2", "10")
    ]
    assert list(report.unanswered) == [
        Unanswered(case_id="1", stratum="easy", cause="HTTP 500"),
        Unanswered(case_id="0", stratum="easy", cause="timeout"),
    ]


def test_a_mark_holds_what_there_is_to_say_and_no_empty_field():
    value = written(
        grade(
            suite(
                {"completion": "don’t", "must_include": ["don't"]},
                {"completion": "yes, never", "must_not_include": ["NEVER"]},
                {},
            )
        )
    )
    assert value["marks"] == [
        {
            "case_id": "c0",
            "stratum": "easy",
            "kind": "near_miss",
            "needle": "don't",
            "differs": "typographic apostrophe",
            "found": "don’t",
            "start": 0,
            "end": 5,
            "context": "[don’t]",
        },
        {
            "case_id": "c1",
            "stratum": "easy",
            "kind": "forbidden",
            "needle": "NEVER",
            "found": "never",
            "start": 5,
            "end": 10,
            "context": "yes, [never]",
        },
        {"case_id": "c2", "stratum": "easy", "kind": "not_recorded"},
    ]


def test_the_suite_is_named_by_the_hash_of_its_bytes():
    data = b"\xef\xbb\xbf" + suite({}, {})
    assert grade(data).suite.sha256 == hashlib.sha256(data).hexdigest()


BASE = ({"id": "a", "completion": "x"}, {"id": "b", "stratum": "medium"})


@pytest.mark.parametrize(
    ("rows", "same"),
    [
        ((BASE[1], BASE[0]), True),
        (({"id": "a", "completion": "y", "tags": ["t"], "note": "n", "z": 1}, BASE[1]), True),
        (({"id": "a", "max_chars": 1200, "must_include_any": None}, BASE[1]), True),
        (({"id": "A"}, BASE[1]), False),
        (({"id": "b"}, {"id": "a", "stratum": "medium"}), False),
        (({"id": "a", "prompt": "q"}, BASE[1]), False),
        (({"id": "a", "stratum": "stretch"}, BASE[1]), False),
        (({"id": "a", "must_include": ["no"]}, BASE[1]), False),
        (({"id": "a", "must_include": []}, BASE[1]), False),
        (({"id": "a", "must_include_any": [["yes"]]}, BASE[1]), False),
        (({"id": "a", "must_not_include": ["no"]}, BASE[1]), False),
        (({"id": "a", "max_chars": 1201}, BASE[1]), False),
        ((BASE[0],), False),
        ((*BASE, {"id": "c"}), False),
    ],
)  # fmt: skip
def test_the_instrument_hash_tells_an_edit_of_a_case_and_nothing_else(rows, same):
    instruments = [grade(suite(*of)).suite.instrument_hash for of in (BASE, rows)]
    assert (instruments[0] == instruments[1]) is same
    assert set(map(len, instruments)) == {64}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {},
            {"name": None, "sha256": None, "source": "defaults", "overrides": []},
        ),
        (
            {"flags": {"stretch_high": 0.9}},
            {"name": None, "sha256": None, "source": "flags", "overrides": []},
        ),
        (
            {
                "job": Job(name="j", sha256="1" * 64, thresholds=Thresholds(medium_floor=0.9)),
                "flags": {"stretch_high": 0.9, "medium_floor": 0.95},
            },
            {
                "name": "j",
                "sha256": "1" * 64,
                "source": "job",
                "overrides": [
                    {"key": "medium_floor", "job": 0.9, "flag": 0.95, "laxer": False},
                    {"key": "stretch_high", "job": 0.8, "flag": 0.9, "laxer": True},
                ],
            },
        ),
    ],
)
def test_the_report_says_whose_thresholds_are_in_force(options, expected):
    value = written(grade(suite({}), **options))["job"]
    assert list(value) == ["name", "sha256", "source", "thresholds", "proposed", "overrides"]
    assert {key: value[key] for key in expected} == expected


def test_cases_of_one_family_are_counted_beside_n():
    families = ["f", "f", "g", None, ""]
    value = written(grade(suite(*({"family": family} for family in families))))
    assert value["evidence"]["easy"]["families"] == {"count": 3, "cases": 4}


@pytest.mark.parametrize(
    ("passed", "n"), [(199, 200), (1999, 2000), (99, 100), (0, 3), (1, 3), (2, 3), (17, 20)]
)
def test_percents_are_cut_and_never_rounded_up(passed, n):
    rows = ({"completion": "yes" if number < passed else "no"} for number in range(n))
    report = grade(suite(*rows))
    sentence = report.evidence["easy"].sentence
    assert sentence.startswith(f"{passed} of {n} passed; ")
    assert "100 %" not in sentence
    assert written(report)["rates"]["easy"]["pass_rate"] == passed / n < 1


# -- untrusted text ------------------------------------------------------------


@pytest.mark.parametrize("char", "\x07\x1b\x7f\x85\x9b\u061c\u200e\u2028\u202e\u2066\u2069")
def test_what_a_terminal_would_obey_is_escaped_and_means_the_same(char):
    text = f"é{char}[2J\u00a0\u201c"
    data = suite({"id": text, "completion": text, "must_include": [f"a{text}"], "z" + text: 1})
    report = grade(data, job=Job(name=text, sha256="0" * 64), unanswered={})
    found = report.to_bytes()
    value = json.loads(found)
    assert char not in found.decode()
    assert found.count(b"\\u%04x" % ord(char)) >= 4
    assert value["job"]["name"] == text
    assert value["failures"][0]["case_id"] == text
    assert value["failures"][0]["reasons"] == [f"missing:a{text}"]


def test_other_text_stands_as_it_is():
    text = "“¿é\u00a0Ω\U0001f469\u200d\U0001f4bb\ufe0f \u0627\u200c\u0628 —”"
    data = grade(suite({"id": text})).to_bytes()
    assert json.dumps(json.loads(data), indent=2, ensure_ascii=False) + "\n" == data.decode()
    assert text in data.decode()


# -- long lists ----------------------------------------------------------------


def test_many_failures_are_kept_on_disk_and_none_is_lost():
    needles = [f"needle {number} {'ü' * 150}" for number in range(9000)]
    rows = [
        {"completion": "sorry", "must_include": [needle], "must_not_include": ["sorry"]}
        for needle in needles
    ]
    unanswered = {f"c{number}": "x" * 500 for number in range(0, 9000, 9)}
    report = grade(suite(*rows), unanswered=unanswered)
    kept = [number for number in range(9000) if number % 9]
    assert list(report.failures) == [
        Failure(
            case_id=f"c{number}",
            stratum="easy",
            passed=False,
            reasons=[f"missing:{needles[number]}", "forbidden:sorry"],
        )
        for number in kept
    ]
    data = report.to_bytes()
    value = json.loads(data)
    assert len(data) > 4 << 20
    assert [mark["case_id"] for mark in value["marks"]] == [f"c{number}" for number in kept]
    assert [entry["case_id"] for entry in value["unanswered"]] == list(unanswered)
    assert (value["n"], report.alerts[-1]) == (8000, "incomplete")
    assert json.dumps(value, indent=2, ensure_ascii=False) + "\n" == data.decode()
    assert report.to_bytes() == data


@pytest.mark.parametrize("size", [10, 300_000])
def test_a_spool_can_be_read_by_several_in_turn_and_added_to_in_between(size):
    cause = "x" * size
    values = [Unanswered(case_id=str(at), stratum="easy", cause=cause) for at in range(40)]
    spool = Spool()
    spool.extend(values[:20])
    one = iter(spool)
    early = list(islice(one, 5))
    other = list(spool)
    spool.extend([])
    spool.extend(values[20:])
    assert early + list(one) == list(spool)
    assert [json.loads(text)["case_id"] for text in other] == list(map(str, range(20)))
    assert [json.loads(text)["case_id"] for text in spool] == list(map(str, range(40)))
    assert len(spool) == 40
