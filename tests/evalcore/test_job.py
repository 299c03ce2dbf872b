import contextlib
import hashlib
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import JobError, UsageError
from evalcore.job import (
    FLAG_KEYS,
    InForce,
    Job,
    Override,
    Thresholds,
    find_job,
    parse_job,
    read_job,
    thresholds_in_force,
)

FULL = b"""\
[job]
name = "order-desk"
suite = "order_desk.jsonl"

[thresholds]
easy_floor = 1
medium_floor = 0.9
stretch_high = 0.75
ceiling_easy = 0.98
ceiling_medium = 0.96

[live]
model = "m-1"
parameters = { temperature = 0.2, stop = ["\\n"] }
"""


def problem_of(data: bytes) -> str:
    with pytest.raises(JobError) as caught:
        parse_job(data, "evalcore.toml")
    return str(caught.value)


def job(**thresholds: float) -> Job:
    return Job(name="j", thresholds=Thresholds(**thresholds), sha256="0" * 64)


def test_full_file():
    assert parse_job(FULL, "evalcore.toml") == Job(
        name="order-desk",
        suite="order_desk.jsonl",
        thresholds=Thresholds(
            easy_floor=1.0,
            medium_floor=0.9,
            stretch_high=0.75,
            ceiling_easy=0.98,
            ceiling_medium=0.96,
        ),
        sha256=hashlib.sha256(FULL).hexdigest(),
        live={"model": "m-1", "parameters": {"temperature": 0.2, "stop": ["\n"]}},
    )


def test_defaults_are_those_of_the_contract():
    assert Thresholds() == Thresholds(
        easy_floor=1.0,
        medium_floor=0.85,
        stretch_high=0.80,
        ceiling_easy=0.99,
        ceiling_medium=0.95,
    )


@pytest.mark.parametrize(
    "data",
    [
        b'[job]\nname = "j"',
        b'job.name = "j"',
        b'\xef\xbb\xbf[job]\r\nname = "j"\r\n',
        b'# thresholds = 1\n[job]\nname = "j"\n[thresholds]\n[live]\n',
    ],
)
def test_only_the_name_is_required(data):
    sha256 = hashlib.sha256(data).hexdigest()
    assert parse_job(data, "x") == Job(
        name="j", sha256=sha256, proposed=Thresholds.__struct_fields__
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("0", 0.0), ("0.0", 0.0), ("-0.0", 0.0), ("5e-1", 0.5), ("0.850", 0.85)],
)
def test_numbers_become_floats(text, value):
    data = f'job.name = "j"\nthresholds.medium_floor = {text}'.encode()
    found = parse_job(data, "x").thresholds.medium_floor
    assert (repr(found), type(found)) == (repr(value), float)


WANTED = "write a number from 0 to 1"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("true", f"(found true); {WANTED}"),
        ("85", "(found 85); write 0.85"),
        ("85.5", "(found 85.5); write 0.855"),
        ("100", "(found 100); write 1"),
        ("7.0", "(found 7.0); write 0.07"),
        ("1.2", f"(found 1.2); {WANTED}"),
        ("101", f"(found 101); {WANTED}"),
        ("-0.5", f"(found -0.5); {WANTED}"),
        ("nan", f"(found nan); {WANTED}"),
        ("-inf", f"(found -inf); {WANTED}"),
        ("1e999", f"(found inf); {WANTED}"),
        ('"0.85"', '(found "0.85"); write 0.85'),
        ('"85 %"', '(found "85 %"); write 0.85'),
        ('"high"', f'(found "high"); {WANTED}'),
        ("[0.85]", f"(found a list of 1); {WANTED}"),
        ("{ a = 1 }", f"(found a table); {WANTED}"),
        ("2026-01-02", f"(found 2026-01-02); {WANTED}"),
        ("0x" + "f" * 5000, f"(found an integer of 20000 bits); {WANTED}"),
    ],
)
def test_what_is_no_threshold(value, fault):
    data = f'job.name = "j"\nthresholds.medium_floor = {value}'.encode()
    place = "evalcore.toml: thresholds.medium_floor: not a number from 0 to 1 "
    assert problem_of(data) == place + fault


NAMED = b'[job]\nname = "j"\n'
NAME_ADVICE = 'add name = "..." under [job]'
SUITE_ADVICE = "name the suite's file, relative to this one"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", f"job.name: missing; {NAME_ADVICE}"),
        (b"[job]\nname = 7", f"job.name: not a string (found 7); {NAME_ADVICE}"),
        (b'[job]\nname = " "', f'job.name: blank or not a name (found " "); {NAME_ADVICE}'),
        (NAMED + b"suite = []", f"job.suite: not a string (found a list of 0); {SUITE_ADVICE}"),
        (
            NAMED + b'suite = "a\\u0000b"',
            f'job.suite: blank or not a name (found "a\\x00b"); {SUITE_ADVICE}',
        ),
        (NAMED + b"siute = 1", "job.siute: unknown key; did you mean suite?"),
        (NAMED + b"owner = 1", "job.owner: unknown key; known here: name, suite"),
        (
            NAMED + b"medium_floor = 0.9",
            "job.medium_floor: unknown key; it belongs under [thresholds]",
        ),
        (
            NAMED + b"[thresholds]\nMediumFloor = 0.9",
            "thresholds.MediumFloor: unknown key; did you mean medium_floor?",
        ),
        (NAMED + b"[threshold]", "threshold: unknown table or key; did you mean [thresholds]?"),
        (
            b"easy_floor = 1\n" + NAMED,
            "easy_floor: unknown table or key; it belongs under [thresholds]",
        ),
        (
            NAMED + b'["\\u202egpj.x\\n"]',
            '"\\u202egpj.x\\n": unknown table or key; known here: job, thresholds, live',
        ),
        (
            b'[[job]]\nname = "j"',
            "job: not a table (found a list of 1); write it as one table, [job]",
        ),
        (
            b'live = "no"\n' + NAMED,
            'live: not a table (found "no"); write it as one table, [live]',
        ),
        (
            NAMED + b"[live]\na = " + b"[" * 32 + b"]" * 32,
            "live: nested more than 32 levels deep; flatten it",
        ),
        (
            NAMED + b"a." * 40 + b"a = 1",
            "line 3: a key of more than 32 parts; shorten it",
        ),
        (NAMED + b"x = " + b"1" * 5000, "a number of thousands of digits; write a shorter one"),
        (
            NAMED + b"x = " + b"[" * 100_000,
            "nested too deep to read; use at most 32 levels",
        ),
        (
            b'[job]\nname = "j',
            "at the end of the file: invalid TOML (Unterminated string); correct the line",
        ),
        (
            b'{"id": "1"}\n',
            "line 1: invalid TOML (Invalid statement); correct the line",
        ),
        (
            b"[job]\n\nname = j\n",
            "line 3: invalid TOML (Invalid value); correct the line",
        ),
        (
            '[job]\nname = "é"'.encode("latin-1"),
            "line 2: not UTF-8 (found byte 0xe9); save the file as UTF-8",
        ),
        (
            "[job]".encode("utf-16"),
            "line 1: not UTF-8 (found byte 0xff); save the file as UTF-8",
        ),
        (
            NAMED + b"#" * (1 << 20),
            "larger than 1 MiB; a job file holds a few lines, is it the suite?",
        ),
    ],
)
def test_problem(data, problem):
    assert problem_of(data) == f"evalcore.toml: {problem}"


def test_all_problems_are_told_together():
    data = b"[job]\nnome = 1\n[thresholds]\neasy_floor = 99\nmedium_flor = 0.8\n[lve]\n"
    assert problem_of(data).splitlines() == [
        "evalcore.toml: 5 problems",
        "lve: unknown table or key; did you mean [live]?",
        "job.nome: unknown key; did you mean name?",
        "thresholds.medium_flor: unknown key; did you mean medium_floor?",
        'job.name: missing; add name = "..." under [job]',
        "thresholds.easy_floor: not a number from 0 to 1 (found 99); write 0.99",
    ]


def test_the_list_of_problems_is_capped():
    lines = problem_of(NAMED + b"".join(b"k%d = 1\n" % i for i in range(60_000))).splitlines()
    assert (len(lines), lines[0]) == (51, "evalcore.toml: more than 50 problems")


def test_what_was_found_is_cut_and_spelled_out():
    data = b'[job]\nname = "j"\nsuite = "' + b"\\u202e\\u001b" * 100 + b'\\u0000"'
    found = '"' + "\\u202e\\x1b" * 5 + "\\u202e…" + '"'
    assert problem_of(data) == (
        f"evalcore.toml: job.suite: blank or not a name (found {found}); {SUITE_ADVICE}"
    )


def test_the_name_of_the_file_is_spelled_out():
    with pytest.raises(JobError, match=r"^a\\x1b\[2Jb: job\.name: missing"):
        parse_job(b"", "a\x1b[2Jb")


@pytest.mark.parametrize(
    "data",
    [
        b"a." * 500_000 + b"a = 1",
        b"[" + b"a." * 250_000 + b"a]\n" + b"k = 1\n" * 80_000,
        b"x = {" + b'"\\"".' * 150_000 + b"a = 1}",
        b"x = [1, " + b"'', " * 200_000 + b"]",
        b"a" * 1_000_000,
        b'"' * 1_000_000,
        b', "\\' * 250_000,
        b" " * 1_000_000,
        b"{a=" * 300_000,
        b"\n" * 1_000_000 + b"=",
        bytes(1_000_000),
    ],
    ids=range(11),
)
def test_hostile_files_are_refused_in_a_moment(data):
    started = time.perf_counter()
    assert problem_of(data)
    assert time.perf_counter() - started < 5


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8")))
def test_any_bytes_give_a_job_or_a_job_error(data):
    with contextlib.suppress(JobError):
        assert parse_job(data, "x").sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("value", [85, -0.1, float("nan"), float("inf"), True, "0.8"])
def test_thresholds_refuse_what_is_no_rate(value):
    with pytest.raises(ValueError, match=r"^medium_floor: not a number from 0 to 1 \(found"):
        Thresholds(medium_floor=value)


@pytest.mark.parametrize(
    ("given_job", "flags", "expected"),
    [
        (
            None,
            {},
            InForce(
                thresholds=Thresholds(),
                source="defaults",
                proposed=Thresholds.__struct_fields__,
            ),
        ),
        (
            None,
            {"medium_floor": 0.5, "stretch_high": 1},
            InForce(
                thresholds=Thresholds(medium_floor=0.5, stretch_high=1.0),
                source="flags",
                proposed=("easy_floor", "ceiling_easy", "ceiling_medium"),
            ),
        ),
        (
            job(medium_floor=0.9),
            {},
            InForce(thresholds=Thresholds(medium_floor=0.9), source="job"),
        ),
        (
            job(medium_floor=0.9, ceiling_easy=0.9),
            {"stretch_high": 0.7, "medium_floor": 0.8, "easy_floor": 1.0},
            InForce(
                thresholds=Thresholds(medium_floor=0.9, stretch_high=0.7, ceiling_easy=0.9),
                source="job",
                overrides=(
                    Override(key="easy_floor", job=1.0, flag=1.0, laxer=False),
                    Override(key="medium_floor", job=0.9, flag=0.8, laxer=True),
                    Override(key="stretch_high", job=0.8, flag=0.7, laxer=False),
                ),
            ),
        ),
        (
            job(easy_floor=0.9),
            {"stretch_high": 0.9, "easy_floor": 0.95},
            InForce(
                thresholds=Thresholds(easy_floor=0.95),
                source="job",
                overrides=(
                    Override(key="easy_floor", job=0.9, flag=0.95, laxer=False),
                    Override(key="stretch_high", job=0.8, flag=0.9, laxer=True),
                ),
            ),
        ),
    ],
)
def test_thresholds_in_force(given_job, flags, expected):
    assert thresholds_in_force(given_job, flags) == expected


RATES = st.floats(min_value=0, max_value=1)


@given(*[st.fixed_dictionaries(dict.fromkeys(FLAG_KEYS, RATES))] * 2, RATES)
def test_beside_a_job_the_alarm_is_the_union_of_both_verdicts(of_job, flags, rate):
    force = thresholds_in_force(job(**of_job), flags)
    for key in FLAG_KEYS:
        verdicts = [
            rate >= value if key == "stretch_high" else rate < value
            for value in (of_job[key], flags[key], getattr(force.thresholds, key))
        ]
        assert verdicts[2] == (verdicts[0] or verdicts[1])
    assert [override.key for override in force.overrides] == list(FLAG_KEYS)


@pytest.mark.parametrize("given_job", [None, job()])
@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (
            {"ceiling_easy": 0.9},
            "ceiling_easy cannot be set by a flag; only easy_floor, medium_floor, stretch_high "
            "can, the others stand in the job file",
        ),
        (
            {"medium_floor": 85.0},
            "--medium-floor: not a number from 0 to 1 (found 85.0); write 0.85",
        ),
        (
            {"stretch_high": float("nan")},
            f"--stretch-high: not a number from 0 to 1 (found nan); {WANTED}",
        ),
    ],
)
def test_flags_that_cannot_be_followed(given_job, flags, problem):
    with pytest.raises(UsageError) as caught:
        thresholds_in_force(given_job, flags)
    assert str(caught.value) == problem


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}")
    return path


def put_job(folder: Path, line: str) -> Path:
    path = folder / "evalcore.toml"
    path.write_text(f'[job]\nname = "j"\n{line}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("named", ["s.jsonl", "./s.jsonl", "sub/../s.jsonl", "link.jsonl"])
def test_a_job_beside_the_suite_applies_when_it_names_it(suite, named):
    (suite.parent / "sub").mkdir()
    (suite.parent / "link.jsonl").symlink_to(suite)
    path = put_job(suite.parent, f'suite = "{named}"')
    assert find_job(suite) == (parse_job(path.read_bytes(), str(path)), None)


def test_an_absolute_name_and_a_relative_path_meet(suite, monkeypatch):
    put_job(suite.parent, f'suite = "{suite}"')
    monkeypatch.chdir(suite.parent)
    found, remark = find_job(Path("s.jsonl"))
    assert (found and found.suite, remark) == (str(suite), None)


def test_no_job_beside_the_suite(suite):
    assert find_job(suite) == (None, None)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('suite = "other.jsonl"', 'the suite "other.jsonl"'),
        ('suite = "S/s.jsonl"', 'the suite "S/s.jsonl"'),
        ('suite = "\\u202es.jsonl"', 'the suite "\\u202es.jsonl"'),
        (f'suite = "{"x" * 300}"', f'the suite "{"x" * 59}…"'),
        ("", "no suite"),
    ],
)
def test_a_job_of_another_suite_does_not_apply(suite, monkeypatch, line, names):
    put_job(suite.parent, line)
    monkeypatch.chdir(suite.parent)
    assert find_job(Path("s.jsonl")) == (
        None,
        f"evalcore.toml lies beside s.jsonl and names {names}, so it does not apply; to use it, "
        "give --job evalcore.toml or name the file as suite under [job]",
    )


def test_a_suite_that_is_not_there_is_compared_by_its_path(tmp_path):
    put_job(tmp_path, 'suite = "gone.jsonl"')
    found, remark = find_job(tmp_path / "gone.jsonl")
    assert (found and found.suite, remark) == ("gone.jsonl", None)


def test_a_job_beside_the_suite_that_cannot_be_understood_is_an_error(suite):
    path = put_job(suite.parent, "suite = 7")
    with pytest.raises(JobError) as caught:
        find_job(suite)
    problem = f"job.suite: not a string (found 7); {SUITE_ADVICE}"
    assert str(caught.value) == f"{path}: {problem}"


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.mkdir(), "not a regular file; give a TOML file"),
        (lambda path: os.mkfifo(path), "not a regular file; give a TOML file"),
        (
            lambda path: path.symlink_to("nowhere"),
            "cannot be read (No such file or directory); check the path and its permissions",
        ),
    ],
)
def test_a_job_that_cannot_be_read_is_an_error(suite, make, problem):
    path = suite.parent / "evalcore.toml"
    make(path)
    for read in (lambda: find_job(suite), lambda: read_job(path)):
        with pytest.raises(JobError) as caught:
            read()
        assert str(caught.value) == f"{path}: {problem}"


def test_read_job(suite):
    path = put_job(suite.parent, "")
    assert read_job(path) == parse_job(path.read_bytes(), str(path))
