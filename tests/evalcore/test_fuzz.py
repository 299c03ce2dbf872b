"""Anything at all as a suite, a job or a flag: a verdict or a plain message, never a traceback."""

import io
import json
import unicodedata
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TypeVar
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.case import STRATA
from evalcore.cli import main
from evalcore.errors import HeadroomError, JobError, SuiteError
from evalcore.job import Job, parse_job
from evalcore.pipeline import grade_suite
from evalcore.report import Report

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROWS = (FIXTURES / "order_desk.jsonl").read_bytes().splitlines(keepends=True)[::6]
JOB = (FIXTURES / "evalcore.toml").read_bytes()
Result = TypeVar("Result")
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def is_fit_to_show(message: str, longest: int) -> bool:
    """Tells whether each line of a message is short and nothing in it acts on a terminal."""
    return all(
        len(line) < longest and not any(unicodedata.category(char) in UNSEEN for char in line)
        for line in message.split("\n")
    )


def refuse_constant(constant: str) -> None:
    raise AssertionError(constant)


def outcome(of: Callable[[], Result]) -> Result | HeadroomError:
    try:
        return of()
    except HeadroomError as error:
        return error


def check_suite(data: bytes) -> None:
    found = outcome(lambda: grade_suite(io.BytesIO(data)))
    if isinstance(found, Report):
        written = json.loads(found.to_bytes(), parse_constant=refuse_constant)
        assert written["n"] == sum(rate["n"] for rate in written["rates"].values()) > 0
        assert written["ok"] is not bool(written["alerts"])
        assert found.exit_code in (0, 2)
    else:
        assert isinstance(found, SuiteError)
        assert found.total >= len(found.errors) > 0
        assert is_fit_to_show(str(found), 700)
        lines = [row.line for row in found.errors]
        assert lines == sorted(lines)
        assert set(lines) <= set(range(1, data.count(b"\n") + 2))


def run_main(arguments: list[str], stdin: bytes = b"") -> tuple[int | str | None, bytes, str]:
    """Runs the command line in this process; returns its exit code and what it printed."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    given_in = io.TextIOWrapper(io.BytesIO(stdin))
    with redirect_stdout(out), redirect_stderr(err), mock.patch("sys.stdin", given_in):
        try:
            code: int | str | None = main(arguments)
        except SystemExit as stop:  # --help and --version
            code = stop.code
        out.flush()
        buffer = out.buffer
        assert isinstance(buffer, io.BytesIO)
        return code, buffer.getvalue(), err.getvalue()


# -- suites --------------------------------------------------------------------

JSON_PIECES = b'"\\{}[],:#/ \r\n'
ODD_PIECES = [
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\\ud800",
    b"\\u0022",
    b"null",
    b"NaN",
    b"1e999",
    b"9" * 70,
    b"[[" * 200,
    b"\x1b[2J",
    b'"id": 1, ',
    b"completion",
    *map(str.encode, "\u202eé\u0301\u200b\u2028"),
]
PIECES = st.one_of(
    st.sampled_from([bytes([code]) for code in JSON_PIECES]),
    st.sampled_from(ODD_PIECES),
    st.binary(max_size=8),
)


@st.composite
def changed(draw: st.DrawFn, original: bytes) -> bytes:
    """Draws the original with some pieces cut out, put in or put in place of others."""
    data = original
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 0, 1, 2, 10, 1000])))
        data = data[:start] + draw(PIECES) + data[end:]
    return data


@given(st.binary(max_size=300))
def test_random_bytes(data):
    check_suite(data)


@given(st.text(alphabet='{}[]",:\\ \t\r\n0123456789eE+-.abcdeinsrtumpfol_\ufeff\x00', max_size=200))
def test_random_signs_of_json(text):
    check_suite(text.encode())


@settings(max_examples=300)
@given(changed(b"".join(ROWS)))
def test_a_good_suite_with_damage(data):
    check_suite(data)


@settings(max_examples=50)
@given(changed(b"".join(ROWS)), st.sampled_from(["grade", "check"]))
def test_damage_seen_from_the_command_line(data, command):
    code, out, err = run_main([command, "-"], data)
    assert code in (0, 1, 2)
    assert "a fault of this program" not in err
    assert bool(out) is (code != 1)


TEXTS = st.text(max_size=8) | st.sampled_from(["", "x", "SS", "ß", "İ", "\u200b", "—", "\ud800"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = {
    "id": TEXTS | st.integers(),
    "stratum": st.sampled_from(STRATA),
    "prompt": TEXTS,
    "completion": TEXTS | st.none(),
    "must_include": st.lists(TEXTS, max_size=3),
    "must_include_any": st.lists(st.lists(TEXTS, max_size=3), max_size=3),
    "must_not_include": st.lists(TEXTS, max_size=3),
    "max_chars": st.integers(0, 20),
    "tags": st.lists(TEXTS, max_size=2),
    "family": TEXTS,
    "note": TEXTS,
}
REQUIRED = ("id", "stratum", "prompt")
ROW = st.fixed_dictionaries(
    {name: FIELDS[name] for name in REQUIRED},
    optional={name: FIELDS[name] for name in FIELDS if name not in REQUIRED},
)
ODD_ROW = st.dictionaries(st.sampled_from([*FIELDS, "notes"]) | TEXTS, VALUES, max_size=5)


@settings(max_examples=300)
@given(st.lists(ROW | ODD_ROW | st.builds(dict.__or__, ROW, ODD_ROW), max_size=4))
def test_rows_with_values_of_any_kind(rows):
    check_suite("\n".join(map(json.dumps, rows)).encode())
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    check_suite("\n".join(lines).encode("utf-8", "surrogatepass"))


# -- jobs ----------------------------------------------------------------------

KEYS = st.sampled_from(
    ["job", "name", "suite", "thresholds", "easy_floor", "stretch_high", "live", "x.y", '"a b"', ""]
)
TOML_VALUES = st.sampled_from(
    [
        *("1", "0.5", "-0.0", "nan", "inf", "1e400", "0x10", "9" * 5000, "true", "2026-01-01"),
        *("'a'", '"\\uD800"', '"\\u202e"', "'''b\n'''", "", "[]", "[[1], {}]", "{a = 1}", "[" * 50),
    ]
)
LINES = st.one_of(
    st.builds("[{}]".format, KEYS),
    st.builds("[[{}]]".format, KEYS),
    st.builds("{} = {}".format, KEYS, TOML_VALUES),
    st.text(max_size=10),
)


def check_job(data: bytes) -> None:
    found = outcome(lambda: parse_job(data, "evalcore.toml"))
    if isinstance(found, Job):
        rates = [getattr(found.thresholds, key) for key in found.thresholds.__struct_fields__]
        assert all(0 <= rate <= 1 for rate in rates)
    else:
        assert isinstance(found, JobError)
        assert str(found).startswith("evalcore.toml: ")
        assert is_fit_to_show(str(found), 500)


@given(st.binary(max_size=200) | st.lists(LINES, max_size=8).map("\n".join).map(str.encode))
def test_random_jobs(data):
    check_job(data)
    check_job(b'[job]\nname = "x"\n' + data)


@given(changed(JOB))
def test_a_good_job_with_damage(data):
    check_job(data)


# -- flags ---------------------------------------------------------------------

# The operating system passes no NUL, and a slash could lead out of the test's own folder.
WORDS = st.text(st.characters(exclude_characters="\0/"), max_size=12)
NUMBERS = st.floats().map(repr) | st.integers(-2, 200).map(str) | WORDS
FLAG = st.one_of(
    st.tuples(st.sampled_from(["--easy-floor", "--medium-floor", "--stretch-high"]), NUMBERS),
    st.tuples(st.just("--job"), st.sampled_from(["good.toml", "bad.toml", "none", "."]) | WORDS),
    st.tuples(st.just("--format"), st.sampled_from(["json", "text", "xml"])),
    st.tuples(st.just("--output"), st.sampled_from(["out", "suite.jsonl", ".", "no/out", ""])),
    st.tuples(WORDS),
    st.tuples(st.sampled_from(["--help", "--version", "--", "-", "-h", "--job"])),
)
COMMANDS = st.sampled_from(["grade", "check", "self-check", "--version", ""]) | WORDS
SUITES = st.sampled_from(["suite.jsonl", "bad.jsonl", "-", ".", "none.jsonl", ""])


FILES = {
    "suite.jsonl": b"".join(ROWS),
    "bad.jsonl": b"{}\n",
    "good.toml": JOB,
    "bad.toml": b"[job",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@given(st.data())
def test_random_flags(folder, data):
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    flags = data.draw(st.lists(FLAG, max_size=4))
    arguments = [data.draw(COMMANDS), data.draw(SUITES), *(word for flag in flags for word in flag)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        code, out, err = run_main(arguments, b"".join(ROWS))
    assert code in (0, 1, 2)
    assert "Traceback" not in err
    assert "a fault of this program" not in err
    assert is_fit_to_show(err, 1000)
    if code == 1:
        assert (bool(err), out) == (True, b"")
    if out.startswith(b"{"):
        json.loads(out, parse_constant=refuse_constant)
    assert {path.name for path in folder.iterdir()} - {"out"} == set(FILES)
    if arguments[1] != "-":
        assert {name: (folder / name).read_bytes() for name in FILES} == FILES
