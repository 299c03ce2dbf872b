"""The report as text: three instruments as three lines, on a terminal, in a file, in ASCII."""

import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

from evalcore.case import STRATA
from evalcore.job import Job, Thresholds
from evalcore.pipeline import grade_suite
from evalcore.report import Report
from evalcore.terminal import write_report

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
COMMAND = [sys.executable, "-m", "evalcore"]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def graded(easy=(8, 8), medium=(18, 20), stretch=(9, 20), **options) -> Report:
    rows = [
        {"id": f"{stratum}-{at}", "stratum": stratum, "completion": "yes" if at < passed else "no"}
        for stratum, (passed, n) in zip(STRATA, (easy, medium, stretch), strict=True)
        for at in range(n)
    ]
    return grade(*rows, **options)


def grade(*rows: Mapping[str, object], **options) -> Report:
    known = {"stratum": "easy", "prompt": "p", "must_include": ["yes"]}
    lines = [json.dumps({"id": f"c{at}"} | known | dict(row)) for at, row in enumerate(rows)]
    return grade_suite(BytesIO("\n".join(lines).encode()), **options)


def drawn(report: Report, encoding: str = "utf-8") -> list[str]:
    out = BytesIO()
    write_report(report, out, encoding)
    return out.getvalue().decode(encoding).splitlines()


def on_terminal(arguments: list[str], stream: str, **environment: str) -> str:
    """Runs the command line with one of its streams on a pseudo-terminal; returns what it shows."""
    ours, theirs = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: theirs}
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    env = plain | {"TERM": "xterm-256color", "COLUMNS": "100"} | environment
    with subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=streams["stdout"],
        stderr=streams["stderr"],
    ):
        os.close(theirs)
        shown = b"".join(iter(lambda: read(ours), b""))
    os.close(ours)
    return shown.decode()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux's word for: the other side is closed
        return b""


def test_a_healthy_report_in_full():
    assert drawn(graded()) == [
        "easy    8 of 8 passed      ────────────────────━━━━━━━━━●    floor 100 %  ok",
        "medium  18 of 20 passed    ────────────────────━━━━━┃●━━─    floor 85 %   ok",
        "stretch 9 of 20 passed     ───────━━━━━━●━━━━━━───┃──────  ceiling 80 %   ok",
        "",
        "easy: 8 of 8 passed; for similar cases anything from about 67 % to 100 % is plausible.",
        "  no miss; at a floor of 100 % one would be a fact; 1 more miss trips the alarm",
        "  a floor of 100 % means no miss at any size",
        "medium: 18 of 20 passed; for similar cases anything from about 69 % to 97 % is plausible.",
        "  close: within luck of 85 %; 2 more misses trip the alarm",
        "  at 20 medium cases a floor of 85 % allows 3 misses",
        "stretch: 9 of 20 passed; for similar cases anything from about 25 % to 65 % is plausible.",
        "  clear: below 80 % by more than luck; 7 more passes trip the alarm",
        "  enough cases to support a rate above 80 %",
        "thresholds: defaults: proposals, not measured constants; recalibrate them from your own "
        "history",
        "",
        "no alert",
        "failed medium medium-18: missing:yes",
        "failed medium medium-19: missing:yes",
        *(f"failed stretch stretch-{at}: missing:yes" for at in range(9, 20)),
    ]


def test_an_alarming_report_in_full():
    job = Job(name="desk", sha256="0" * 64, thresholds=Thresholds(stretch_high=0.5))
    report = graded((7, 8), (1, 1), (0, 0), job=job, flags={"easy_floor": 0.5})
    assert drawn(report) == [
        "easy    7 of 8 passed      ───────────────━━━━━━━━━━▲━━━┃    floor 100 %  alarm",
        "medium  1 of 1 passed      ──────━━━━━━━━━━━━━━━━━━━┃━━━○    floor 85 %   refused",
        "stretch 0 of 0 passed      ──────────────┃───────────────  ceiling 50 %   refused",
        "",
        "easy: 7 of 8 passed; for similar cases anything from about 52 % to 97 % is plausible.",
        "  1 miss: a fact, not luck, at a floor of 100 %; already tripped",
        "  a floor of 100 % means no miss at any size",
        "medium: 1 of 1 passed; for similar cases anything from about 20 % to 100 % is plausible.",
        "  too few cases to tell: it takes 2; no alarm below 2 cases",
        "  below 7 medium cases a floor of 85 % means no miss",
        "stretch: no cases",
        "  no cases; no cases",
        "  needs 5 all-pass cases before it can support a rate above 50 %",
        "thresholds: job desk",
        "",
        "alert thin_stratum: medium holds 1 graded case and stretch holds 0 graded cases; below 2, "
        "luck cannot be told from coverage. Next: Write more cases for it.",
        "alert missing_stratum: No graded case in stretch. Next: Write cases for it.",
        "alert easy_regression: easy 7 of 8 passed, below its floor of 100 %: the smoke alarm. "
        "Next: Debug this before anything else.",
        "alert threshold_override: A laxer threshold than the job's was asked for: easy_floor 0.5 "
        "(the job says 1.0). Next: Nothing: the job's verdict stands; thresholds change in the "
        "job file.",
        "notice small_stratum: 1 medium case: below 7 medium cases a floor of 85 % means no miss",
        "notice small_stratum: 0 stretch cases: needs 5 all-pass cases before it can support a "
        "rate above 50 %",
        "failed easy easy-7: missing:yes",
    ]


def test_the_same_report_in_ascii():
    for encoding in ("ascii", "latin-1", "cp1252"):
        lines = drawn(graded((7, 8), (1, 1), (16, 20)), encoding)
        assert lines[:3] == [
            "easy    7 of 8 passed      ---------------==========A===|    floor 100 %  alarm",
            "medium  1 of 1 passed      ------===================|===?    floor 85 %   refused",
            "stretch 16 of 20 passed    -----------------======A====--  ceiling 80 %   alarm",
        ]


def test_what_an_encoding_lacks_is_spelled_out_and_not_lost():
    report = grade({"id": "Größe-Ω", "completion": "x", "must_include": ["中"]})
    assert drawn(report, "ascii")[-1] == r"failed easy Gr\xf6\xdfe-\u03a9: missing:\u4e2d"
    assert drawn(report, "latin-1")[-1] == r"failed easy Größe-\u03a9: missing:\u4e2d"
    assert drawn(report, "utf-8")[-1] == "failed easy Größe-Ω: missing:中"


def test_notices_name_their_cases():
    report = grade({"id": "a", "completion": None}, {"id": "b", "stratum": "medium"})
    lines = drawn(report)
    first = next(at for at, line in enumerate(lines) if line.startswith("notice"))
    assert [line for line in lines[first:] if line.startswith("  ")] == [
        "  easy: a",
        "  medium: b",
    ]


@pytest.mark.parametrize(
    ("failed", "last"),
    [
        (20, "failed stretch stretch-19: missing:yes"),
        (21, "and 1 more failed case; --format json lists them all"),
        (45, "and 25 more failed cases; --format json lists them all"),
    ],
)
def test_twenty_failed_cases_are_listed_and_the_rest_counted(failed, last):
    lines = drawn(graded(stretch=(0, failed), medium=(20, 20)))
    assert sum(line.startswith("failed ") for line in lines) == 20
    assert lines[-1] == last


def test_long_and_evil_text_is_cut_and_spelled_out():
    evil = "\x1b]0;x\x07\x9b2J\u202e[bold]:smile:\r\n" + "x" * 500
    row = {"id": evil, "completion": "no", "must_include": [evil] * 2, "must_not_include": ["NO"]}
    lines = drawn(grade(row | {"z" + evil: 1}))
    (failure,) = (line for line in lines if line.startswith("failed "))
    shown = r"\x1b]0;x\x07\x9b2J\u202e[bold]:smile:\r\n"
    assert failure == (
        f"failed easy {shown}{'x' * (79 - len(shown))}…: "
        f"missing:{shown}{'x' * (71 - len(shown))}…; forbidden:NO"
    )
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert [line for line in lines if any(unicodedata.category(c) in unseen for c in line)] == []


@pytest.mark.parametrize(
    ("counts", "cells"),
    [
        ((0, 20), "●━━━━━─────────────────┃──────"),
        ((10, 20), "─────────━━━━━●━━━━━━──┃──────"),
        ((20, 20), "───────────────────────┃━━━━━▲"),
        ((16, 20), "─────────────────━━━━━━▲━━━━──"),
    ],
)
def test_the_bar_shows_value_interval_and_threshold(counts, cells):
    assert drawn(graded(stretch=counts))[2][27:57] == cells


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_shows_three_bars_in_colour_unless_it_is_asked_not_to(environment, coloured):
    path = str(FIXTURES / "order_desk_saturated.jsonl")
    shown = on_terminal(["grade", path, "--format", "text"], "stdout", **environment)
    lines = ESCAPE.sub("", shown).replace("\r\n", "\n").split("\n")
    assert [line.split()[0] for line in lines[:3]] == list(STRATA)
    assert [line.split()[-1] for line in lines[:3]] == ["ok", "ok", "alarm"]
    assert all(re.search("[─━┃●▲]{30}", line) for line in lines[:3])
    assert ("\x1b[3" in shown or "\x1b[9" in shown) is coloured


def test_text_that_goes_into_a_pipe_is_plain_whatever_forces_colour():
    path = str(FIXTURES / "order_desk.jsonl")
    run = subprocess.run(
        [*COMMAND, "grade", path, "--format", "text"],
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"},
        check=False,
    )
    assert (run.returncode, run.stderr, b"\x1b" in run.stdout) == (0, b"", False)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252:strict", "utf-8"])
def test_text_suits_the_encoding_of_standard_output(encoding):
    path = str(FIXTURES / "order_desk_regressed.jsonl")
    run = subprocess.run(
        [*COMMAND, "grade", path, "--format", "text"],
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": encoding},
        check=False,
    )
    text = run.stdout.decode(encoding.partition(":")[0])
    assert run.returncode == 2
    assert ("━" in text) is (encoding == "utf-8")
    assert "k\\xf6nnen" in text if encoding == "ascii" else "können" in text


@pytest.fixture(scope="module")
def long_suite(tmp_path_factory):
    """Writes a suite of more than 16 MiB."""
    path = tmp_path_factory.mktemp("long") / "suite.jsonl"
    row = {"stratum": "easy", "prompt": "p" * 16_000, "completion": "yes", "must_include": ["yes"]}
    path.write_text("".join(f"{json.dumps({'id': at} | row)}\n" for at in range(1100)))
    return str(path)


def test_a_long_file_has_a_progress_bar_on_a_terminal(long_suite):
    shown = on_terminal(["grade", long_suite], "stderr")
    assert "grading" in shown
    assert re.search(r"\d+ %", shown)
    assert "easy: ok; 1100 of 1100 passed" in shown


def test_a_progress_bar_gives_way_to_row_errors(long_suite, tmp_path):
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(Path(long_suite).read_bytes() + b"{}\n")
    shown = ESCAPE.sub("", on_terminal(["grade", str(broken)], "stderr"))
    assert "line 1101, field id: missing; every case needs an id" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_there_is_no_progress_bar_for_a_short_file(stream):
    path = str(FIXTURES / "order_desk.jsonl")
    assert "grading" not in on_terminal(["grade", path], stream)


def test_there_is_no_progress_bar_in_a_log(long_suite):
    run = subprocess.run(
        [*COMMAND, "grade", long_suite], capture_output=True, cwd=ROOT, check=False
    )
    assert b"grading" not in run.stderr
    assert b"\x1b" not in run.stderr
