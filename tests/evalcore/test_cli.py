"""The command line, mostly as a real process: what it prints where, and how it exits."""

import json
import os
import signal
import socket
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from evalcore import __version__
from evalcore.cli import main
from evalcore.job import Thresholds
from evalcore.report import Report

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
GOLDEN = Path(__file__).parent / "golden"
HEALTHY = FIXTURES / "order_desk.jsonl"
REGRESSED = FIXTURES / "order_desk_regressed.jsonl"
SATURATED = FIXTURES / "order_desk_saturated.jsonl"
COMMAND = [sys.executable, "-m", "evalcore"]


def evalcore(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs the command line as a process of its own."""
    words = [word if isinstance(word, bytes) else str(word) for word in arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    options = {**pipes, "cwd": ROOT, "env": environment(), "check": False, **options}
    run: subprocess.CompletedProcess[bytes] = subprocess.run([*COMMAND, *words], **options)
    return run


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | more


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def acting(text: str) -> set[str]:
    """Returns what is in a text for people that a terminal would obey or could not show."""
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return {char for char in text if unicodedata.category(char) in unseen} - {"\n"}


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """Stands in a folder with a copy of the healthy suite and no job."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.jsonl").write_bytes(HEALTHY.read_bytes())
    return tmp_path


def job_text(suite: str = "suite.jsonl", **thresholds: float) -> str:
    lines = [f"{key} = {value}" for key, value in thresholds.items()]
    return "\n".join(['[job]\nname = "desk"', f'suite = "{suite}"', "[thresholds]", *lines])


# -- commands ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["grade", HEALTHY], 0),
        (["grade", SATURATED], 2),
        (["grade", REGRESSED, "--easy-floor=0.5", "--medium-floor=.75"], 0),
        (["grade", SATURATED, "--job", FIXTURES / "evalcore.toml", "--stretch-high", "1"], 2),
        (["check", REGRESSED], 0),
        (["self-check"], 0),
        (["grade", "no-such-file.jsonl"], 1),
        (["check", FIXTURES], 1),
        (["grade", FIXTURES / "README.md"], 1),
        (["grade"], 1),
        (["no-such-command"], 1),
    ],
)
def test_exit_codes_are_0_2_and_1(arguments, code):
    run = evalcore(*arguments)
    assert run.returncode == code, run.stderr
    assert b"Traceback" not in run.stderr
    if code == 1:
        assert run.stdout == b""
        assert b"evalcore: " in run.stderr


def test_version_is_one_line():
    run = evalcore("--version")
    assert (run.returncode, run.stdout, run.stderr) == (
        0,
        f"evalcore {__version__}\n".encode(),
        b"",
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], ["grade", "check", "self-check", "--version", "exit codes: 0 graded"]),
        (
            ["grade", "--help"],
            [
                "SUITE",
                "--job F",
                "--easy-floor X",
                "--medium-floor X",
                "--stretch-high X",
                "--format {json,text}",
                "--output F",
                "exit codes: 0 graded",
            ],
        ),
        (["check", "--help"], ["SUITE"]),
        (["self-check", "--help"], ["exit codes: 0 graded"]),
    ],
)
def test_help_names_everything_and_exits_with_0(arguments, words, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    shown = capsys.readouterr()
    assert (caught.value.code, shown.err) == (0, "")
    assert [word for word in words if word not in shown.out] == []


def test_the_report_goes_to_standard_output_and_words_to_standard_error():
    run = evalcore("grade", REGRESSED, "--job", FIXTURES / "evalcore.toml")
    assert json.loads(run.stdout)["alerts"] == ["easy_regression", "medium_regression"]
    assert run.stderr.decode() == (
        "easy: alarm; 7 of 8 passed; for similar cases anything from about 52 % to 97 % is "
        "plausible.\n"
        "medium: alarm; 15 of 20 passed; for similar cases anything from about 53 % to 88 % is "
        "plausible.\n"
        "stretch: ok; 7 of 20 passed; for similar cases anything from about 18 % to 56 % is "
        "plausible.\n"
        "thresholds: job order-desk\n"
        "alert easy_regression: easy 7 of 8 passed, below its floor of 100 %: the smoke alarm. "
        "Next: Debug this before anything else.\n"
        "alert medium_regression: medium 15 of 20 passed, below its floor of 85 %: the contract "
        "with the product is broken. Next: Find the change that broke it, and mend the prompt.\n"
    )


def test_words_say_that_defaults_are_proposals_and_that_no_alert_fired(at_home, capsys):
    assert main(["grade", "suite.jsonl"]) == 0
    assert capsys.readouterr().err.split("\n")[3:] == [
        "thresholds: defaults: proposals, not measured constants; recalibrate them from your own "
        "history",
        "no alert",
        "",
    ]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            ["--easy-floor", "0.9"],
            "thresholds: flags; medium_floor, stretch_high, ceiling_easy, ceiling_medium from "
            "defaults: proposals, not measured constants; recalibrate them from your own history",
        ),
        (
            ["--job", "evalcore.toml", "--easy-floor", "1"],
            "thresholds: job desk; medium_floor, stretch_high, ceiling_easy, "
            "ceiling_medium from defaults: proposals, not measured constants; recalibrate them "
            "from your own history",
        ),
        (["--job", "whole.toml"], "thresholds: job desk"),
    ],
)
def test_words_say_whose_thresholds_decided(options, line, at_home, capsys):
    Path("evalcore.toml").write_text(job_text("another.jsonl"))
    values = (f"{key} = 0.5\n" for key in Thresholds.__struct_fields__ if key != "easy_floor")
    whole = f"[job]\nname = 'desk'\n[thresholds]\neasy_floor = 1.0\n{''.join(values)}"
    Path("whole.toml").write_text(whole.replace("stretch_high = 0.5", "stretch_high = 0.8"))
    assert main(["grade", "suite.jsonl", *options]) == 0
    assert line in capsys.readouterr().err.split("\n")


def test_check_prints_notices_and_no_verdict(at_home, capsys):
    rows = [
        {"id": "a", "stratum": "easy", "prompt": "p", "completion": "x", "must_include": ["y"]},
        {"id": "b", "stratum": "easy", "prompt": "p", "expected": 1},
    ]
    Path("small.jsonl").write_text("\n".join(map(json.dumps, rows)))
    codes = [main(["check", name]) for name in ("suite.jsonl", "small.jsonl")]
    shown = capsys.readouterr()
    assert (codes, shown.err) == ([0, 0], "")
    assert shown.out.split("\n") == [
        "no row errors; 0 notices",
        "notice unknown_fields: 1 case: fields that the contract does not know; they stay in the "
        "file, ungraded",
        "  b: expected",
        "  easy: b",
        "notice not_recorded: 1 case: no recorded completion; graded as empty, which is no "
        "headroom",
        "  easy: b",
        "notice no_checks: 1 case: no check but emptiness and length; nearly any answer passes",
        "  easy: b",
        "notice small_stratum: 2 easy cases: a floor of 100 % means no miss at any size; 5 to 20 "
        "easy cases are proposed",
        "notice small_stratum: 0 medium cases: below 7 medium cases a floor of 85 % means no miss",
        "notice small_stratum: 0 stretch cases: needs 14 all-pass cases before it can support a "
        "rate above 80 %",
        "no row errors; 6 notices",
        "",
    ]


# -- usage ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND; see evalcore --help"),
        (["grade"], "the following arguments are required: SUITE; see evalcore grade --help"),
        (["check"], "the following arguments are required: SUITE; see evalcore check --help"),
        (["self-check", "x"], "unrecognized arguments: x; see evalcore --help"),
        (["grade", "a", "b"], "unrecognized arguments: b; see evalcore --help"),
        (["--nope"], "; see evalcore --help"),
        (["grade", "suite.jsonl", "--nope"], "unrecognized arguments: --nope; see"),
        (["grade", "suite.jsonl", "--job"], "argument --job: expected one argument; see"),
        (["grade", "suite.jsonl", "--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["grade", "suite.jsonl", "--easy-floor", ""], '--easy-floor: not a number (found "")'),
        (
            ["grade", "suite.jsonl", "--easy-floor", "85%"],
            '--easy-floor: not a number (found "85%"); give a rate from 0 to 1',
        ),
        (
            ["grade", "suite.jsonl", "--medium-floor", "85"],
            "--medium-floor: not a number from 0 to 1 (found 85.0); write 0.85",
        ),
        (["grade", "suite.jsonl", "--stretch-high", "-1"], "--stretch-high: not a number from 0"),
        (["grade", "suite.jsonl", "--stretch-high", "nan"], "--stretch-high: not a number from 0"),
        (["grade", "suite.jsonl", "--stretch-high", "1e999"], "(found inf)"),
        (["grade", "suite.jsonl", "--easy-floor", "\x1b[2J" * 50], r'\x1b[2J\x1b…")'),
        (["\x1b[2J\u202e" * 500], r"invalid choice: '\x1b[2J\u202e"),
        (["grade", "suite.jsonl", "--job", "none.toml"], "none.toml: cannot be read (No such file"),
        (["grade", "suite.jsonl", "--job", "."], ".: not a regular file; give a TOML file"),
        (["grade", "suite.jsonl", "--job", "suite.jsonl"], "suite.jsonl: line 1: invalid TOML"),
        (["grade", "suite.jsonl", "--output", "."], "--output .: a folder; name a file in it"),
        (["grade", "suite.jsonl", "--output", ""], "--output : a folder; name a file in it"),
        (["grade", ""], ".: Is a directory; check the path and its permissions"),
        (["grade", "x" * 5000], "File name too long; check the path and its permissions"),
        (["grade", "suite.jsonl/x"], "suite.jsonl/x: Not a directory; check the path"),
    ],
)  # fmt: skip
def test_a_usage_error_is_one_plain_line_and_exit_code_1(arguments, message, at_home, capsys):
    code = main(arguments)
    shown = capsys.readouterr()
    assert (code, shown.out, shown.err.count("\n")) == (1, "", 1)
    assert shown.err.startswith("evalcore: ")
    assert message in shown.err
    assert len(shown.err) < 500
    assert acting(shown.err) == set()
    assert names(at_home) == ["suite.jsonl"]


def test_a_fault_of_the_program_itself_is_no_traceback_either(at_home, capsys, monkeypatch):
    def fail(self):
        raise ZeroDivisionError("by \x1b[31mzero")

    monkeypatch.setattr(Report, "exit_code", property(fail))
    code = main(["grade", "suite.jsonl"])
    assert (code, capsys.readouterr().err.split("\n")[-2]) == (
        1,
        r"evalcore: a fault of this program (ZeroDivisionError: by \x1b[31mzero); please report it",
    )


# -- input ---------------------------------------------------------------------


def test_standard_input_has_no_job_beside_it(at_home):
    (at_home / "evalcore.toml").write_text(job_text("-", stretch_high=0.4))
    run = evalcore("grade", "-", input=HEALTHY.read_bytes(), cwd=at_home)
    assert (run.returncode, json.loads(run.stdout)["job"]["source"]) == (0, "defaults")


def test_standard_input_is_read_from_where_it_stands(tmp_path):
    (tmp_path / "a").write_bytes(
        b"a first line that somebody else has read\n" + HEALTHY.read_bytes()
    )
    command = f"read -r first; exec '{sys.executable}' -m evalcore grade -"
    with (tmp_path / "a").open("rb") as stdin:
        run = subprocess.run(
            ["sh", "-c", command],
            stdin=stdin,
            capture_output=True,
            cwd=ROOT,
            check=False,
        )
    assert (run.returncode, run.stdout) == (
        0,
        evalcore("grade", "-", input=HEALTHY.read_bytes()).stdout,
    )


def test_row_errors_in_standard_input_are_told_like_those_of_a_file():
    run = evalcore("grade", "-", input=b'{"id": "a"}\n')
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr.decode().split("\n") == [
        "evalcore: -: 2 row errors, so nothing was graded",
        "line 1, field stratum: missing; every case needs one of easy, medium, stretch",
        "line 1, field prompt: missing; every case needs a prompt in quotes",
        "",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_may_not_be_read_is_named(at_home, capsys):
    (at_home / "suite.jsonl").chmod(0)
    assert main(["grade", "suite.jsonl"]) == 1
    assert capsys.readouterr().err == (
        "evalcore: suite.jsonl: Permission denied; check the path and its permissions\n"
    )


def test_what_cannot_be_opened_or_read_is_told(at_home, capsys):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        codes = [main(["grade", name]) for name in ("socket", "/proc/self/mem")]
    shown = capsys.readouterr()
    assert (codes, shown.out) == ([1, 1], "")
    assert shown.err.startswith("evalcore: socket: ")
    assert shown.err.count("; check the path and its permissions\n") == 2


def test_an_endless_file_of_nothing_is_refused():
    run = evalcore("grade", "/dev/zero")
    assert (run.returncode, run.stdout) == (1, b"")
    assert b"line 1: a line of more than 64 MiB; write one case a line" in run.stderr


@pytest.mark.parametrize(
    ("redirect", "message"),
    [
        ("<&-", b"evalcore: a standard stream is closed; leave it open, or name a file\n"),
        ("< /dev/null", b"evalcore: -: 1 row error, so nothing was graded\nline 1: no cases"),
    ],
)
def test_a_closed_or_empty_standard_input_is_told(redirect, message):
    run = shell(f"grade - {redirect}")
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr.startswith(message)


def shell(rest: str, **options) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f"exec '{sys.executable}' -m evalcore {rest}"],
        capture_output=True,
        cwd=ROOT,
        check=False,
        **options,
    )


# -- jobs ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("job", "options", "code", "remark"),
    [
        (job_text(), [], 0, ""),
        (job_text(stretch_high=0.4), [], 2, ""),
        (job_text("./suite.jsonl", stretch_high=0.4), [], 2, ""),
        (job_text(stretch_high=0.4), ["--stretch-high", "0.9"], 2, ""),
        (job_text(stretch_high=0.9), ["--stretch-high", "0.4"], 2, ""),
        (job_text(stretch_high=0.4), ["--job", "other.toml"], 0, ""),
        (
            job_text("another.jsonl", stretch_high=0.4),
            [],
            0,
            'evalcore.toml lies beside suite.jsonl and names the suite "another.jsonl", so it does '
            "not apply; to use it, give --job evalcore.toml or name the file as suite under [job]",
        ),
        (
            '[job]\nname = "desk"\n[thresholds]\nstretch_high = 0.4',
            [],
            0,
            "evalcore.toml lies beside suite.jsonl and names no suite, so it does not apply; "
            "to use it, give --job evalcore.toml or name the file as suite under [job]",
        ),
        (job_text("another.jsonl", stretch_high=0.4), ["--job", "evalcore.toml"], 2, ""),
        ("[job\n", [], 1, "evalcore: evalcore.toml: line 1: invalid TOML"),
        (
            job_text("another.jsonl", stretch_hihg=0.4),
            [],
            1,
            "evalcore: evalcore.toml: thresholds.stretch_hihg: unknown key; "
            "did you mean stretch_high?",
        ),
        ("\0", ["--job", "other.toml"], 0, ""),
    ],
)
def test_the_job_beside_a_suite_applies_by_itself_where_it_names_it(
    job, options, code, remark, at_home, capsys
):
    Path("evalcore.toml").write_text(job)
    Path("other.toml").write_text('[job]\nname = "other"\n')
    assert main(["grade", "suite.jsonl", *options]) == code
    shown = capsys.readouterr()
    assert shown.err.startswith(remark or "easy: ok; 8 of 8 passed")
    assert bool(shown.out) is (code != 1)


def test_a_broken_job_beside_a_suite_is_told_by_check_already(at_home, capsys):
    Path("evalcore.toml").write_text("[job")
    assert main(["check", "suite.jsonl"]) == 1
    assert "invalid TOML" in capsys.readouterr().err


def test_check_speaks_of_the_thresholds_of_the_job(at_home, capsys):
    Path("evalcore.toml").write_text(job_text("suite.jsonl", ceiling_easy=0.5))
    assert main(["check", "suite.jsonl"]) == 0
    assert "the ceiling of 50 % hides a miss" in capsys.readouterr().out


# -- output --------------------------------------------------------------------


def test_output_writes_the_same_bytes_into_a_file_and_nothing_elsewhere(at_home):
    (at_home / "report.json").write_text("old " * 10_000)
    run = evalcore("grade", "suite.jsonl", "--output", "report.json", cwd=at_home)
    shown = evalcore("grade", "suite.jsonl", cwd=at_home)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", shown.stderr)
    assert (at_home / "report.json").read_bytes() == shown.stdout
    assert names(at_home) == ["report.json", "suite.jsonl"]


def test_output_in_text_is_plain_utf_8_wherever_it_runs(at_home):
    env = environment(LC_ALL="C", PYTHONIOENCODING="ascii", FORCE_COLOR="1")
    options = ["--format", "text", "--output", "report.txt"]
    run = evalcore("grade", "suite.jsonl", *options, cwd=at_home, env=env)
    text = (at_home / "report.txt").read_text(encoding="utf-8")
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert text.startswith("easy    8 of 8 passed ")
    assert "━" in text
    assert acting(text) == set()


@pytest.mark.parametrize(
    "output",
    [
        "suite.jsonl",
        "./suite.jsonl",
        "folder/../suite.jsonl",
        "link.jsonl",
        "hard.jsonl",
        "evalcore.toml",
        "named.toml",
    ],
)
def test_output_never_goes_over_the_suite_or_a_job(output, at_home, capsys):
    Path("folder").mkdir()
    Path("link.jsonl").symlink_to("suite.jsonl")
    Path("hard.jsonl").hardlink_to("suite.jsonl")
    for name in ("evalcore.toml", "named.toml"):
        Path(name).write_text(job_text())
    before = {path: path.read_bytes() for path in at_home.iterdir() if path.is_file()}
    assert main(["grade", "suite.jsonl", "--job", "named.toml", "--output", output]) == 1
    assert capsys.readouterr().err == (
        f"evalcore: --output {output}: that is the suite or its job; name another file\n"
    )
    assert {path: path.read_bytes() for path in at_home.iterdir() if path.is_file()} == before


def test_output_never_goes_over_a_suite_on_standard_input(at_home):
    suite = at_home / "suite.jsonl"
    with suite.open("rb") as stdin:
        run = evalcore("grade", "-", "--output", "suite.jsonl", stdin=stdin, cwd=at_home)
    assert (run.returncode, run.stdout) == (1, b"")
    assert suite.read_bytes() == HEALTHY.read_bytes()


@pytest.mark.parametrize("old", [None, "old"])
def test_output_that_cannot_be_written_whole_leaves_what_was_there(old, at_home):
    if old:
        (at_home / "report.json").write_text(old)
    before = {path: path.read_bytes() for path in at_home.iterdir()}
    # A measured process could not write down its coverage either, and would say so.
    env = {key: value for key, value in environment().items() if "COVERAGE" not in key}
    command = f"ulimit -f 2; exec '{sys.executable}' -m evalcore grade suite.jsonl"
    run = subprocess.run(
        ["sh", "-c", f"{command} --output report.json"],
        capture_output=True,
        cwd=at_home,
        env=env,
        check=False,
    )
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr == (
        b"evalcore: report.json: File too large; check the path and its permissions\n"
    )
    assert {path: path.read_bytes() for path in at_home.iterdir()} == before


def test_output_that_breaks_off_leaves_what_was_there(at_home, capsys, monkeypatch):
    def write(self, out):
        out.write(b'{\n  "n": ')
        raise KeyboardInterrupt

    monkeypatch.setattr(Report, "write", write)
    assert main(["grade", "suite.jsonl", "--output", "report.json"]) == 1
    assert capsys.readouterr().err == "evalcore: stopped before there was a verdict\n"
    assert names(at_home) == ["suite.jsonl"]


def test_output_is_not_begun_for_a_suite_that_is_refused(at_home, capsys):
    Path("suite.jsonl").write_text("{}\n")
    Path("report.json").write_text("old")
    assert main(["grade", "suite.jsonl", "--output", "report.json"]) == 1
    assert Path("report.json").read_text() == "old"
    assert names(at_home) == ["report.json", "suite.jsonl"]


@pytest.mark.parametrize("output", ["no-folder/report.json", "suite.jsonl/report.json"])
def test_output_into_no_folder_names_the_file_that_was_asked_for(output, at_home, capsys):
    assert main(["grade", "suite.jsonl", "--output", output]) == 1
    assert capsys.readouterr().err.startswith(f"evalcore: {output}: No")


def test_output_follows_a_link_and_takes_a_long_name(at_home, capsys):
    long_name = "r" * 250
    Path("link.json").symlink_to("target.json")
    codes = [main(["grade", "suite.jsonl", "--output", name]) for name in ("link.json", long_name)]
    assert codes == [0, 0]
    assert Path("link.json").is_symlink()
    assert Path("target.json").read_bytes() == Path(long_name).read_bytes()


def test_output_into_a_pipe_leaves_the_pipe(at_home):
    os.mkfifo(at_home / "pipe")
    both_ends = os.open(at_home / "pipe", os.O_RDWR)
    run = evalcore("grade", "suite.jsonl", "--output", "pipe", cwd=at_home)
    piped = os.read(both_ends, 1 << 16)
    os.close(both_ends)
    assert (run.returncode, piped) == (0, evalcore("grade", "suite.jsonl", cwd=at_home).stdout)
    assert (at_home / "pipe").is_fifo()


# -- readers that go away ------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["grade", REGRESSED], 2),
        (["grade", REGRESSED, "--format", "text"], 2),
        (["check", "no-such-file.jsonl"], 1),
    ],
)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_has_gone_changes_no_verdict(arguments, code, stream):
    reading, writing = os.pipe()
    os.close(reading)
    run = evalcore(*arguments, **{stream: writing})
    os.close(writing)
    assert run.returncode == code
    assert b"Traceback" not in (run.stderr or b"")
    assert b"BrokenPipe" not in (run.stderr or b"")


def test_closed_standard_output_is_told_and_closed_standard_error_is_respected():
    no_output = shell(f"grade '{HEALTHY}' >&-")
    no_errors = shell(f"grade '{HEALTHY}' 2>&-")
    assert (no_output.returncode, no_output.stderr) == (
        1,
        b"evalcore: a standard stream is closed; leave it open, or name a file\n",
    )
    assert no_errors.returncode == 0
    assert no_errors.stdout == evalcore("grade", HEALTHY).stdout


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full here")
@pytest.mark.parametrize("options", ["", "--format text"])
def test_a_full_disk_under_standard_output_is_told(options):
    run = shell(f"grade '{HEALTHY}' {options} > /dev/full")
    assert (run.returncode, run.stderr) == (
        1,
        b"evalcore: standard output: No space left on device; check the path and its permissions\n",
    )


def test_ctrl_c_is_one_plain_line(tmp_path):
    fifo, report = tmp_path / "fifo", tmp_path / "report.json"
    os.mkfifo(fifo)
    command = [*COMMAND, "grade", str(fifo), "--output", str(report)]
    # Opening the FIFO waits for the other side, so that the process is in the middle of its work.
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
        ) as process,
        fifo.open("wb"),
    ):
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert (process.returncode, output) == (1, b"")
    assert errors == b"evalcore: stopped before there was a verdict\n"
    assert names(tmp_path) == ["fifo"]


# -- untrusted text ------------------------------------------------------------


def test_no_text_from_outside_acts_on_the_terminal(at_home):
    evil = "\x1b[2J\x9b31m\x07\u202e\u2066\u200f\x7f\r"
    rows = [
        {"id": f"{at}{evil}", "stratum": stratum, "prompt": evil, "completion": f"x{evil}"}
        | {"must_include": [f"y{evil}"], "must_include_any": [[evil + "z"]], f"f{evil}": 1}
        for at, stratum in enumerate(["easy", "medium", "stretch"] * 2)
    ]
    name = f"s{evil}.jsonl"
    (at_home / name).write_text("\n".join(map(json.dumps, rows)))
    (at_home / "evalcore.toml").write_text(
        f"[job]\nname = {json.dumps(evil)}\nsuite = {json.dumps(name)}".replace("\x7f", r"\u007f")
    )
    for arguments in (
        ["grade", name],
        ["grade", name, "--format", "text"],
        ["check", name],
        ["grade", f"none{name}"],
        ["grade", name, "--job", evil],
        ["grade", name, "--output", evil + "/x"],
        ["grade", "suite.jsonl"],
    ):
        run = evalcore(*arguments, cwd=at_home)
        shown = (run.stdout + run.stderr).decode()
        assert acting(shown) == set()
        assert "\\x9b" in shown or "\\u009b" in shown


def test_row_errors_spell_out_what_they_found(at_home):
    evil = "\x1b[2J\u202e"
    (at_home / "bad.jsonl").write_text(
        json.dumps({"id": "a", "stratum": evil, "prompts" + evil: 1}) + f"\n# {evil}\n{evil}"
    )
    run = evalcore("grade", "bad.jsonl", cwd=at_home)
    assert acting(run.stderr.decode()) == set()
    assert run.stderr.count(rb"\x1b[2J\u202e") == 3


def test_a_file_name_that_is_no_utf_8_is_read_and_shown(at_home):
    name = b"caf\xe9.jsonl"
    Path(os.fsdecode(name)).write_bytes(HEALTHY.read_bytes())
    read = evalcore("grade", name, cwd=at_home)
    missing = evalcore("grade", b"x" + name, cwd=at_home)
    assert read.returncode == 0
    assert missing.stderr == (
        b"evalcore: xcaf\\udce9.jsonl: No such file or directory; check the path and its "
        b"permissions\n"
    )


# -- start-up ------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["--version"], ["grade", HEALTHY], ["check", HEALTHY], ["self-check"]]
)
def test_the_command_line_starts_without_heavy_libraries(arguments):
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "evalcore", *map(str, arguments)],
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    loaded = {line.rpartition(b"|")[2].strip().decode() for line in run.stderr.splitlines()}
    heavy = {"pandas", "altair", "scipy", "streamlit", "numpy", "rich", "sqlalchemy", "httpx"}
    assert run.returncode == 0
    assert "evalcore.cli" in loaded
    assert loaded & heavy == set()
