"""The command `patch`, as a process: what it writes where, and that it is all or nothing."""

import json
import os
import stat
import subprocess
from datetime import UTC, datetime
from io import BytesIO
from shutil import which

import pytest

from evalcore.decision import Decision
from evalcore.identity import fixture_hash
from evalcore.patch import (
    decisions_jsonl,
    kept,
    minted,
    patch_suite,
    promoted,
    retired,
)
from evalcore.suite import SuiteReader
from tests.evalcore.test_cli import acting, evalcore, names

NEW_ROW = {"id": "new", "stratum": "stretch", "prompt": "p"}
SUITE = b"".join(
    json.dumps(
        {"id": f"c{n}", "stratum": "stretch", "prompt": "p\u2028"}, ensure_ascii=False
    ).encode()
    + b"\r\n"
    for n in range(12)
)
CASES = {case.id: case for case in SuiteReader(BytesIO(SUITE))}
AT = datetime(2026, 12, 1, tzinfo=UTC)


def decision(case_id, change, at=AT):
    fixture = ""
    if change.kind != "mint":
        fixture = fixture_hash(CASES[case_id])
    return Decision(
        case_id=case_id, fixture_hash=fixture, change=change, who="Ada", at=at, why="so"
    )


PROMOTE = promoted(CASES["c0"])
DECISIONS = [
    decision("c0", PROMOTE),
    decision("c1", retired()),
    decision("c2", kept()),
    decision("c3", retired(), datetime(2026, 11, 1, tzinfo=UTC)),
    decision("c3", PROMOTE),
    decision("new", minted(NEW_ROW)),
]
SAID = (
    '"c0": promoted to medium (line 1)\n'
    '"c1": retired (line 2)\n'
    '"c3": promoted to medium (line 4)\n'
    '"new": minted as line 12\n'
    '"c2": kept as it is\n'
    '"c3": retire by Ada is left out; a newer decision holds\n'
)


@pytest.fixture
def here(tmp_path):
    """A folder with a suite and decisions on it."""
    (tmp_path / "suite.jsonl").write_bytes(SUITE)
    (tmp_path / "d.jsonl").write_bytes(decisions_jsonl(DECISIONS))
    return tmp_path


@pytest.fixture(scope="module")
def expected():
    out = BytesIO()
    patch_suite(BytesIO(SUITE), DECISIONS, out)
    return out.getvalue()


def patch(folder, *arguments, **options):
    return evalcore("patch", *arguments, cwd=folder, **options)


def result(run):
    return run.returncode, run.stdout, run.stderr.decode()


def test_the_new_suite_goes_to_standard_output(here, expected):
    assert result(patch(here, "suite.jsonl", "--decisions", "d.jsonl")) == (0, expected, SAID)
    assert (here / "suite.jsonl").read_bytes() == SUITE


def test_the_new_suite_goes_to_another_file(here, expected):
    run = patch(here, "suite.jsonl", "--decisions", "d.jsonl", "--output", "new.jsonl")
    assert result(run) == (0, b"", SAID)
    assert (here / "new.jsonl").read_bytes() == expected
    assert (here / "suite.jsonl").read_bytes() == SUITE


def test_the_suite_is_replaced_in_place_and_keeps_its_mode(here, expected):
    suite = here / "suite.jsonl"
    suite.chmod(0o640)
    assert result(patch(here, suite, "--decisions", "d.jsonl", "--in-place")) == (0, b"", SAID)
    assert suite.read_bytes() == expected
    assert stat.S_IMODE(suite.stat().st_mode) == 0o640
    assert names(here) == ["d.jsonl", "suite.jsonl"]


def test_a_link_to_the_suite_stays_a_link(here, expected):
    link = here / "link.jsonl"
    link.symlink_to("suite.jsonl")
    assert patch(here, link, "--decisions", "d.jsonl", "--in-place").returncode == 0
    assert link.is_symlink()
    assert (here / "suite.jsonl").read_bytes() == expected


@pytest.mark.parametrize("standard", ["suite", "decisions"])
@pytest.mark.parametrize("piped", [True, False])
def test_either_file_may_come_from_standard_input(here, expected, standard, piped):
    given = here / ("suite.jsonl" if standard == "suite" else "d.jsonl")
    arguments = ["-", "--decisions", "d.jsonl"]
    if standard == "decisions":
        arguments = ["suite.jsonl", "--decisions", "-"]
    with given.open("rb") as stream:
        options = {"input": stream.read()} if piped else {"stdin": stream}
        assert result(patch(here, *arguments, **options)) == (0, expected, SAID)


@pytest.mark.skipif(which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("place", ["suite.jsonl", "evals/suite.jsonl"])
@pytest.mark.parametrize("absolute", [True, False])
def test_the_diff_is_one_that_git_applies(here, expected, place, absolute):
    suite = here / place
    suite.parent.mkdir(exist_ok=True)
    suite.write_bytes(SUITE)
    name = suite if absolute else place
    run = patch(here, name, "--decisions", "d.jsonl", "--diff", "--output", "change.diff")
    assert result(run) == (0, b"", SAID)
    assert suite.read_bytes() == SUITE
    assert (here / "change.diff").read_bytes().startswith(f"--- a/{place}\n".encode())
    subprocess.run(["git", "apply", "--whitespace=nowarn", "change.diff"], cwd=here, check=True)
    assert suite.read_bytes() == expected


@pytest.mark.parametrize(
    ("name", "shown"), [("-", b"suite.jsonl"), ("../suite.jsonl", b"suite.jsonl")]
)
def test_a_suite_from_elsewhere_has_its_bare_name_in_the_diff(here, name, shown):
    inner = here / "inner"
    inner.mkdir()
    run = patch(inner, name, "--decisions", "../d.jsonl", "--diff", input=SUITE)
    assert run.stdout.split(b"\n")[:2] == [b"--- a/" + shown, b"+++ b/" + shown]


def test_too_few_stretch_cases_are_told(here):
    (here / "d.jsonl").write_bytes(decisions_jsonl(decision(f"c{n}", PROMOTE) for n in range(3)))
    run = patch(here, "suite.jsonl", "--decisions", "d.jsonl")
    assert run.stderr.decode().split("\n")[3:] == [
        "leaves 9 stretch cases, fewer than 10; mint new ones",
        "",
    ]


@pytest.mark.parametrize("more", [[], ["--in-place"], ["--diff"]])
def test_without_decisions_nothing_changes(here, more):
    (here / "d.jsonl").write_bytes(b"")
    run = patch(here, "suite.jsonl", "--decisions", "d.jsonl", *more)
    assert result(run) == (0, b"" if more else SUITE, "nothing to change\n")
    assert (here / "suite.jsonl").read_bytes() == SUITE


BAD_DECISIONS = decisions_jsonl([decision("c0", PROMOTE), decision("new", minted({"id": "new"}))])


@pytest.mark.parametrize("more", [[], ["--in-place"], ["--output", "new.jsonl"], ["--diff"]])
@pytest.mark.parametrize(
    ("suite", "decisions", "words"),
    [
        (SUITE, b"{]", "evalcore: d.jsonl: line 1: not JSON: "),
        (SUITE, BAD_DECISIONS, "evalcore: nothing was changed: 2 problems\n"),
        (SUITE.replace(b"c0", b"d0"), BAD_DECISIONS, 'evalcore: nothing was changed: case "c0"'),
        (
            SUITE + SUITE,
            BAD_DECISIONS,
            "evalcore: suite.jsonl: 12 row errors, so nothing was changed\nline 13, field id: ",
        ),
        (
            b"\x1f\x8b",
            BAD_DECISIONS,
            "evalcore: suite.jsonl: 1 row error, so nothing was changed\n",
        ),
    ],
)
def test_where_anything_is_wrong_nothing_is_written(here, suite, decisions, words, more):
    (here / "suite.jsonl").write_bytes(suite)
    (here / "d.jsonl").write_bytes(decisions)
    run = patch(here, "suite.jsonl", "--decisions", "d.jsonl", *more)
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr.decode().startswith(words)
    assert b"Traceback" not in run.stderr
    assert names(here) == ["d.jsonl", "suite.jsonl"]
    assert (here / "suite.jsonl").read_bytes() == suite


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["suite.jsonl"], "the following arguments are required: --decisions; see "),
        (["-", "--decisions", "-"], "SUITE and --decisions cannot both be standard input; "),
        (["-", "--decisions", "d.jsonl", "--in-place"], "--in-place replaces a file and standard "),
        (["/dev/null", "--decisions", "d.jsonl", "--in-place"], "--in-place replaces a file and "),
        ([".", "--decisions", "d.jsonl", "--in-place"], "--in-place replaces a file and . is "),
        (["suite.jsonl", "--decisions", "d.jsonl", "--in-place", "--diff"], "--diff shows what "),
        (["suite.jsonl", "--decisions", "d.jsonl", "--in-place", "--output", "x"], "--in-place "),
        (["suite.jsonl", "--decisions", "d.jsonl", "--output", "suite.jsonl"], "--output "
         "suite.jsonl: that is the suite or the decisions; name another file, or use --in-place"),
        (["suite.jsonl", "--decisions", "d.jsonl", "--output", "./d.jsonl", "--diff"], "--output "
         "./d.jsonl: that is the suite or the decisions"),
        (["suite.jsonl", "--decisions", "d.jsonl", "--output", "."], "--output .: a folder; "),
        (["gone.jsonl", "--decisions", "d.jsonl"], "gone.jsonl: No such file or directory; "),
        (["gone.jsonl", "--decisions", "d.jsonl", "--in-place"], "gone.jsonl: No such file or "),
        (["suite.jsonl", "--decisions", "gone.jsonl"], "gone.jsonl: No such file or directory; "),
        (["suite.jsonl", "--decisions", "d.jsonl", "--output", "no/x"], "no/x: No such file or "),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_said(here, arguments, words):
    run = patch(here, *arguments, stdin=subprocess.DEVNULL)
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr.decode().startswith(f"evalcore: {words}")
    assert names(here) == ["d.jsonl", "suite.jsonl"]
    assert (here / "suite.jsonl").read_bytes() == SUITE


def test_hostile_texts_do_not_act_on_a_terminal(here):
    hostile = "\x1b[2J\u202e\x07 $x$ <b>"
    suite = SUITE + json.dumps({"id": hostile, "stratum": "easy", "prompt": "p"}).encode()
    case = list(SuiteReader(BytesIO(suite)))[-1]
    found = Decision(
        case_id=hostile, fixture_hash=fixture_hash(case), change=promoted(case), who="A", at=AT,
        why=hostile,
    )  # fmt: skip
    (here / "suite.jsonl").write_bytes(suite)
    for made in (found, decision("c0", PROMOTE), Decision(
        case_id=hostile, fixture_hash="0" * 64, change=retired(), who="A", at=AT
    )):  # fmt: skip
        (here / "d.jsonl").write_bytes(decisions_jsonl([made]))
        run = patch(here, "suite.jsonl", "--decisions", "d.jsonl")
        assert acting(run.stderr.decode()) == set()
    (here / "d.jsonl").write_bytes(decisions_jsonl([found]))
    run = patch(here, "suite.jsonl", "--decisions", "d.jsonl")
    assert json.loads(run.stdout.split(b"\n")[-1])["note"] == (
        f"2026-12-01 A: promoted to medium: {hostile}"
    )


def test_a_reader_that_goes_away_is_no_fault(here):
    rows = b"".join(
        b'{"id": "x%d", "stratum": "easy", "prompt": "p"}\r\n' % number for number in range(9999)
    )
    (here / "suite.jsonl").write_bytes(SUITE + rows)
    reading, writing = os.pipe()
    os.close(reading)
    run = patch(here, "suite.jsonl", "--decisions", "d.jsonl", stdout=writing)
    os.close(writing)
    assert run.returncode == 0
    assert b"Traceback" not in run.stderr


def test_help_names_the_options(here):
    text = patch(here, "--help").stdout.decode()
    for words in ("SUITE", "--decisions F", "--in-place", "--output F", "--diff", "0 done"):
        assert words in text
