"""The commands of the history: what they print where, how they exit, and what is kept."""

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from evalcore import database
from evalcore.cli import main
from evalcore.database import Database
from evalcore.stamp import Source
from evalcore.store import History

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
IFEVAL = ROOT.parent / "shared" / "data" / "ifeval"
HEALTHY = FIXTURES / "order_desk.jsonl"
REGRESSED = FIXTURES / "order_desk_regressed.jsonl"

# Passed of 57 easy, 83 medium and 36 stretch cases, by plain case-folded contains.
IFEVAL_RUNS = [
    ("2024-02-29", "claude-3-opus-20240229", (50, 71, 30)),
    ("2024-03-07", "claude-3-haiku-20240307", (45, 68, 24)),
    ("2024-06-20", "claude-3-5-sonnet-20240620", (50, 75, 29)),
    ("2024-07-18", "gpt-4o-mini-2024-07-18", (49, 74, 32)),
    ("2024-08-06", "gpt-4o-2024-08-06", (54, 76, 29)),
    ("2024-10-07", "Qwen__Qwen2.5-14B-Instruct-GPTQ-Int4", (53, 77, 28)),
]


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    """Stands in a folder with two suites, where no history has been begun."""
    home = tmp_path / "home"
    home.mkdir()
    for name, source in (("good.jsonl", HEALTHY), ("bad.jsonl", REGRESSED)):
        shutil.copy(source, home / name)
    monkeypatch.chdir(home)
    monkeypatch.delenv("EVAL_HISTORY_URL")
    return home


@pytest.fixture
def run(capsysbinary):
    """Runs a command in this process: exit code, standard output, words for people."""

    def run_command(*words: object) -> tuple[int, bytes, str]:
        code = main(list(map(str, words)))
        shown = capsysbinary.readouterr()
        text = shown.err.decode()
        assert acting(text) == set()
        assert "Traceback" not in text
        assert "a fault of this program" not in text
        return code, shown.out, text

    return run_command


def acting(text: str) -> set[str]:
    """Returns what is in a text for people that a terminal would obey or could not show."""
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return {char for char in text if unicodedata.category(char) in unseen} - {"\n"}


def process(*words: object, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "evalcore", *map(str, words)],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | more,
        capture_output=True,
        check=False,
    )


def kept() -> list[tuple[int, str, str, int, Source]]:
    history = History(make_url("sqlite:///.evalcore/history.db"))
    runs = [(run.id, run.yardstick, run.config, run.repeat, run.source) for run in history.runs()]
    history.close()
    return runs


def last_line(words: str) -> str:
    return words.rstrip("\n").rpartition("\n")[2]


# -- saving --------------------------------------------------------------------


def test_a_graded_suite_is_saved_under_its_config_and_the_exit_code_stays(run, at_home):
    shown = [
        run("grade", "good.jsonl", "--save", "--config", "v1"),
        run("grade", "bad.jsonl", "--save", "--config", "v1", "--model", "m", "--note", "n\nn"),
        run("grade", "good.jsonl", "--save", "--config", "v2", "--format", "text"),
    ]
    assert [code for code, *_ in shown] == [0, 2, 0]
    assert [last_line(words) for *_, words in shown] == [
        "saved as run 1", "saved as run 2", "saved as run 3",
    ]  # fmt: skip
    assert kept() == [
        (1, "good", "v1", 0, "command line"),
        (2, "bad", "v1", 0, "command line"),
        (3, "good", "v2", 0, "command line"),
    ]
    assert sorted(path.name for path in at_home.iterdir()) == [
        ".evalcore",
        "bad.jsonl",
        "good.jsonl",
    ]


def test_saving_changes_nothing_of_what_grading_prints(run):
    code, out, words = run("grade", "bad.jsonl")
    again, out_again, words_again = run("grade", "bad.jsonl", "--save", "--config", "v1")
    assert (again, out_again) == (code, out)
    assert words_again == words + "saved as run 1\n"


def test_saved_twice_is_one_run_and_again_makes_a_repeat(run):
    save = ("grade", "good.jsonl", "--save", "--config", "v1")
    lines = [last_line(run(*save, *more)[2]) for more in ((), (), ("--again",), ("--again",), ())]
    assert lines == [
        "saved as run 1",
        "in the history already as run 1; --again keeps a copy beside it",
        "saved as run 2",
        "saved as run 3",
        "in the history already as run 1; --again keeps a copy beside it",
    ]
    assert [(number, repeat) for number, _, _, repeat, _ in kept()] == [(1, 0), (2, 1), (3, 2)]


def test_a_suite_on_standard_input_is_saved_too(at_home):
    command = f"'{sys.executable}' -m evalcore grade - --save --config v1 < good.jsonl"
    done = subprocess.run(
        ["sh", "-c", command],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr.decode().endswith("saved as run 1\n")) == (0, True)
    assert kept() == [(1, "standard input", "v1", 0, "command line")]


def test_a_report_in_a_file_and_a_run_in_the_history_are_the_same(run, at_home):
    run("grade", "good.jsonl", "--save", "--config", "v1", "--output", "report.json")
    assert run("show", 1)[1] == (at_home / "report.json").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--save"], "--save asks what was graded; add --config NAME"),
        (["--config", "v1"], "--config speaks of the history; add --save, or leave it out"),
        (["--model", "m"], "--model speaks of the history; add --save, or leave it out"),
        (["--note", "n"], "--note speaks of the history; add --save, or leave it out"),
        (["--again"], "--again speaks of the history; add --save, or leave it out"),
        (["--save", "--config", ""], "config: blank; say it in a few words"),
        (["--save", "--config", " "], "config: blank; say it in a few words"),
        (["--save", "--config", "x" * 201], "config: more than 200 characters"),
        (["--save", "--config", "\x1b[2J"], r'(found "\x1b[2J")'),
        (["--save", "--config", "v1", "--model", "\udcff"], r'(found "\udcff")'),
        (["--save", "--config", "v1", "--note", "\udcff"], "note: more than 20,000 characters, or"),
        (["--save", "--config", "v1", "--note", "x" * 20_001], "note: more than 20,000 characters"),
        (["--save", "--config"], "argument --config: expected one argument"),
    ],
)
def test_what_cannot_be_saved_is_told_before_anything_is_graded(run, at_home, options, message):
    code, out, words = run("grade", "good.jsonl", *options)
    assert (code, out, words.count("\n")) == (1, b"", 1)
    assert words.startswith("evalcore: ")
    assert message in words
    assert not (at_home / ".evalcore").exists()


def test_a_suite_with_row_errors_is_not_saved(run, at_home):
    (at_home / "broken.jsonl").write_text('{"id": "a"}\n')
    code, out, words = run("grade", "broken.jsonl", "--save", "--config", "v1")
    assert (code, out) == (1, b"")
    assert "broken.jsonl: 2 row errors, so nothing was graded" in words
    assert not (at_home / ".evalcore").exists()


def test_a_history_that_cannot_be_written_costs_the_exit_code_and_not_the_report(
    run, monkeypatch, at_home
):
    run("grade", "good.jsonl", "--save", "--config", "v1")
    report = run("grade", "bad.jsonl")[1]
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    held = Database(make_url("sqlite:///.evalcore/history.db"))
    with held.writing():
        code, out, words = run("grade", "bad.jsonl", "--save", "--config", "v1")
    held.close()
    assert (code, out) == (1, report)
    assert last_line(words) == (
        "evalcore: history .evalcore/history.db: another program holds it; nothing was changed, "
        "try again"
    )
    assert len(kept()) == 1
    assert run("grade", "bad.jsonl", "--save", "--config", "v1")[0] == 2


# -- reading -------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["history"],
        ["history", "--format", "text"],
        ["show", "1"],
        ["compare", "1", "2"],
        ["exclude", "1", "--why", "w"],
    ],
)
def test_without_a_history_the_way_to_one_is_told_and_none_is_begun(run, at_home, words):
    code, out, told = run(*words)
    assert (code, out) == (1, b"")
    assert told == (
        "evalcore: no history at .evalcore/history.db yet; `evalcore grade SUITE --save --config "
        "NAME` begins one, and EVAL_HISTORY_URL names another\n"
    )
    assert sorted(path.name for path in at_home.iterdir()) == ["bad.jsonl", "good.jsonl"]


@pytest.fixture
def two_runs(run):
    run("grade", "good.jsonl", "--save", "--config", "v1", "--note", "first")
    run("grade", "bad.jsonl", "--save", "--config", "v2 \N{PILE OF POO}", "--model", "m")


@pytest.mark.usefixtures("two_runs")
def test_runs_are_listed_as_json(run):
    code, out, words = run("history")
    assert (code, words) == (0, "")
    one, other = json.loads(out)
    assert (one["id"], one["suite"], one["config"], one["note"]) == (1, "good", "v1", "first")
    assert (other["config"], other["model"], other["source"]) == (
        "v2 \N{PILE OF POO}", "m", "command line",
    )  # fmt: skip
    assert {s: (of["passed"], of["n"]) for s, of in other["strata"].items()} == {
        "easy": (7, 8), "medium": (15, 20), "stretch": (7, 20),
    }  # fmt: skip
    assert other["alerts"] == ["easy_regression", "medium_regression"]
    assert one["at"].endswith("Z")


@pytest.mark.usefixtures("two_runs")
def test_runs_are_listed_as_text_with_three_counts_each(run):
    code, out, _ = run("history", "--format", "text")
    lines = [" ".join(line.split()) for line in out.decode().splitlines()]
    assert code == 0
    assert "run when (UTC) job or suite config easy medium stretch remarks" in lines
    [first] = [line for line in lines if line.startswith("1 ")]
    [second] = [line for line in lines if line.startswith("2 ")]
    assert first.endswith(" good v1 8 of 8 18 of 20 9 of 20")
    assert second.endswith(
        " bad v2 \N{PILE OF POO} 7 of 8 15 of 20 7 of 20 easy_regression, medium_regression"
    )


@pytest.mark.usefixtures("two_runs")
def test_runs_of_one_job_or_suite_are_listed(run, at_home):
    (at_home / "desk.toml").write_text('[job]\nname = "desk"\n')
    run("grade", "good.jsonl", "--save", "--config", "v1", "--job", "desk.toml")
    listed = {
        name: [one["id"] for one in json.loads(run("history", "--job", name)[1])]
        for name in ("good", "bad", "desk", "nope", "")
    }
    assert listed == {"good": [1], "bad": [2], "desk": [3], "nope": [], "": []}
    assert run("history", "--job", "nope", "--format", "text")[1] == b"no runs\n"


@pytest.mark.parametrize("suite", ["good.jsonl", "bad.jsonl"])
def test_show_prints_the_bytes_that_grading_printed(run, suite):
    graded = run("grade", suite, "--save", "--config", "v1")[1]
    assert run("show", 1) == (0, graded, "")


@pytest.mark.usefixtures("two_runs")
def test_show_as_text_is_what_grading_shows_below_a_line_that_names_the_run(run):
    text = run("grade", "bad.jsonl", "--format", "text")[1].decode()
    code, out, _ = run("show", 2, "--format", "text")
    head, _, rest = out.decode().partition("\n")
    assert (code, rest) == (0, text)
    assert head.startswith("run 2, ")
    assert head.endswith(" UTC, bad, v2 \N{PILE OF POO}")


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "9"], "there is no run 9 in the history .evalcore/history.db"),
        (["show", "0"], "there is no run 0 in the history .evalcore/history.db"),
        (["compare", "1", "9"], "there is no run 9 in the history .evalcore/history.db"),
        (["compare", "9", "1"], "there is no run 9 in the history .evalcore/history.db"),
        (["exclude", "9", "--why", "w"], "there is no run 9 in the history .evalcore/history.db"),
        (["exclude", "9", "--undo"], "there is no run 9 in the history .evalcore/history.db"),
        (["show", "9" * 18], f"there is no run {'9' * 18} in the history"),
        (["show", "9" * 19], f'argument RUN: "{"9" * 19}" is no number of a run'),
        (["show", "-1"], "see evalcore show --help"),
        (["show", "1.0"], 'argument RUN: "1.0" is no number of a run'),
        (["show", "\N{SUPERSCRIPT ONE}"], "is no number of a run"),
        (["show", "\x1b[2J"], r'"\x1b[2J" is no number of a run'),
        (["show"], "the following arguments are required: RUN; see evalcore show --help"),
        (["show", "1", "2"], "unrecognized arguments: 2"),
        (["compare", "1"], "the following arguments are required: B"),
        (["history", "nope"], "invalid choice"),
        (["history", "--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["exclude", "1"], "why: blank; say why this run shall not count"),
        (["exclude", "1", "--why", " "], "why: blank; say why this run shall not count"),
        (["exclude", "1", "--why", "w", "--who", "\x1b"], "who: more than 200 characters, or some"),
        (["exclude", "1", "--why", "\udcff"], "why: more than 20,000 characters, or some"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_one_plain_line_and_exit_code_1(run, words, message):
    code, out, told = run(*words)
    assert (code, out, told.count("\n")) == (1, b"", 1)
    assert told.startswith("evalcore: ")
    assert message in told
    assert len(told) < 500
    assert [one["exclusion"] for one in json.loads(run("history")[1])] == [None, None]


# -- comparing -----------------------------------------------------------------


@pytest.mark.usefixtures("two_runs")
def test_two_runs_are_compared_as_json(run):
    code, out, words = run("compare", 1, 2)
    assert (code, words) == (0, "")
    comparison = json.loads(out)
    assert (comparison["baseline"]["id"], comparison["run"]["id"]) == (1, 2)
    easy = comparison["strata"]["easy"]
    assert easy["passed_to_failed"] == ["easy-02-json-line"]
    assert easy["failed_to_passed"] == []


@pytest.mark.usefixtures("two_runs")
def test_two_runs_are_compared_in_words(run):
    code, out, words = run("compare", 1, 2, "--format", "text")
    lines = out.decode().splitlines()
    assert (code, words) == (0, "")
    assert lines[0].startswith("baseline: run 1, ")
    assert lines[1].startswith("compared: run 2, ")
    assert "  passed → failed: 1" in lines
    assert "    easy-02-json-line" in lines
    assert acting(out.decode()) == set()


@pytest.mark.usefixtures("two_runs")
def test_a_run_compared_with_itself_has_no_flips(run):
    code, out, _ = run("compare", 1, 1)
    assert code == 0
    for of in json.loads(out)["strata"].values():
        assert (of["passed_to_failed"], of["failed_to_passed"], of["removed"], of["added"]) == (
            [], [], [], [],
        )  # fmt: skip


def test_runs_without_a_case_in_common_are_compared_in_plain_words(run, at_home):
    text = HEALTHY.read_text(encoding="utf-8").replace('"id": "', '"id": "other-')
    (at_home / "other.jsonl").write_text(text, encoding="utf-8")
    run("grade", "good.jsonl", "--save", "--config", "v1")
    run("grade", "other.jsonl", "--save", "--config", "v1")
    assert run("compare", 1, 2)[0] == 0
    code, out, words = run("compare", 1, 2, "--format", "text")
    assert (code, words) == (0, "")
    assert out.decode().count("no case can be compared like for like") == 3
    assert "mid-p" not in out.decode()


# -- excluding -----------------------------------------------------------------


@pytest.mark.usefixtures("two_runs")
def test_a_run_is_left_out_and_taken_back(run):
    assert run("exclude", 1, "--why", "Wrong model.", "--who", "ann") == (
        0, b"", "run 1 no longer counts in trends; --undo takes it back\n",
    )  # fmt: skip
    first, second = json.loads(run("history")[1])
    assert (first["exclusion"]["who"], first["exclusion"]["why"]) == ("ann", "Wrong model.")
    assert second["exclusion"] is None
    assert b"excluded by ann: Wrong model." in run("history", "--format", "text")[1]
    assert run("exclude", 1, "--undo") == (0, b"", "run 1 counts again\n")
    assert json.loads(run("history")[1])[0]["exclusion"] is None


@pytest.mark.usefixtures("two_runs")
def test_who_excludes_is_the_systems_user_unless_given(run, monkeypatch):
    monkeypatch.setenv("LOGNAME", "somebody")
    run("exclude", 1, "--why", "w")
    assert json.loads(run("history")[1])[0]["exclusion"]["who"] == "somebody"


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize("fault", [KeyError("uid not found"), OSError("no user name")])
def test_a_user_without_a_name_is_asked_for_one(run, monkeypatch, fault):
    def nameless():
        raise fault

    monkeypatch.setattr("getpass.getuser", nameless)
    code, out, words = run("exclude", 1, "--why", "w")
    assert (code, out) == (1, b"")
    assert words == "evalcore: the system has no name for this user; add --who NAME\n"
    assert run("exclude", 1, "--why", "w", "--who", "ann")[0] == 0


# -- importing -----------------------------------------------------------------


@pytest.mark.skipif(
    not IFEVAL.is_dir(), reason="no folder ../shared/data/ifeval beside the project"
)
def test_six_models_become_a_history_in_one_command(run):
    files = sorted(IFEVAL.glob("*.jsonl"))
    code, out, words = run("history", "import", *files)
    assert (code, out) == (0, b"")
    assert words == "".join(f"{file}: run {n}\n" for n, file in enumerate(files, start=1))
    listed = json.loads(run("history")[1])
    assert [
        (one["at"], one["config"], tuple(of["passed"] for of in one["strata"].values()))
        for one in listed
    ] == [(f"{date}T00:00:00Z", config, passed) for date, config, passed in IFEVAL_RUNS]
    assert {tuple(of["n"] for of in one["strata"].values()) for one in listed} == {(57, 83, 36)}
    assert {(one["suite"], one["source"]) for one in listed} == {("ifeval", "import")}
    code, _, words = run("history", "import", *files)
    assert (code, words.count("in the history already as run ")) == (0, 6)
    assert len(kept()) == 6


def test_an_index_is_imported_with_its_job_its_times_models_and_notes(run):
    folder = FIXTURES / "history"
    code, out, words = run(
        "history", "import", folder / "index.csv", "--job", folder / "evalcore.toml"
    )
    assert (code, out, words.count(": run ")) == (0, b"", 15)
    listed = json.loads(run("history", "--job", "order-desk-example")[1])
    assert len(listed) == 15
    first = listed[0]
    assert (first["at"], first["config"], first["model"], first["note"], first["source"]) == (
        "2026-08-04T09:12:00Z", "v1", "desk-model-1", "The first prompt.", "import",
    )  # fmt: skip
    assert [(one["config"], one["repeat"]) for one in listed if one["config"] == "v7"] == [
        ("v7", 0), ("v7", 0),
    ]  # fmt: skip
    assert "stretch_too_easy" in listed[11]["alerts"]


def test_a_bad_file_among_good_ones_keeps_none_of_them_out(run, at_home):
    shutil.copy("good.jsonl", "2026-01-02_v1.jsonl")
    (at_home / "2026-01-03_v2.jsonl").write_text('{"id": "a"}\n')
    shutil.copy("bad.jsonl", "2026-01-04_v3.jsonl")
    files = sorted(path.name for path in at_home.glob("2026*"))
    code, out, words = run("history", "import", *files, "2026-01-05_gone.jsonl")
    assert (code, out) == (1, b"")
    assert words.splitlines() == [
        "2026-01-02_v1.jsonl: run 1",
        "2026-01-03_v2.jsonl: not imported: 2 row errors",
        "line 1, field stratum: missing; every case needs one of easy, medium, stretch",
        "line 1, field prompt: missing; every case needs a prompt in quotes",
        "2026-01-04_v3.jsonl: run 2",
        "2026-01-05_gone.jsonl: not imported: No such file or directory; "
        "check the path and its permissions",
    ]
    code, _, words = run("history", "import", *files)
    assert code == 1
    assert "2026-01-02_v1.jsonl: in the history already as run 1" in words
    assert [number for number, *_ in kept()] == [1, 2]
    shutil.copy("good.jsonl", "2026-01-03_v2.jsonl")
    assert run("history", "import", *files)[0] == 0
    assert [number for number, *_ in kept()] == [1, 3, 2]
    run("history", "import", *files, "--again", "--suite-name", "desk")
    assert [repeat for *_, repeat, _ in kept()] == [0, 1, 0, 1, 0, 1]


def test_a_date_that_cannot_be_meant_is_not_imported(run):
    shutil.copy("good.jsonl", "0001-01-01_v1.jsonl")
    shutil.copy("good.jsonl", "2026-01-01_v1.jsonl")
    code, _, words = run("history", "import", "0001-01-01_v1.jsonl", "2026-01-01_v1.jsonl")
    assert (code, words.splitlines()) == (
        1,
        [
            "0001-01-01_v1.jsonl: not imported: at: not from 1970 to 2199 (found 1-01-01); "
            "correct the date",
            "2026-01-01_v1.jsonl: run 1",
        ],
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["good.jsonl"], "good.jsonl: its name is no date with a config behind it; name it like"),
        (["index.csv"], "index.csv: cannot be read (No such file or directory)"),
        (["2026-02-30_v1.jsonl"], "2026-02-30_v1.jsonl: not a date and time of the calendar"),
        ([], "the following arguments are required: FILE; see evalcore history import --help"),
        (["2026-01-01_v1.jsonl", "--job", "no.toml"], "no.toml: cannot be read"),
        (["\x1b[2J.jsonl"], r"\x1b[2J.jsonl: its name is no date"),
    ],
)
def test_what_cannot_be_imported_is_told_and_begins_no_history(run, at_home, files, message):
    code, out, words = run("history", "import", *files)
    assert (code, out) == (1, b"")
    assert message in words
    assert not (at_home / ".evalcore").exists()


# -- where it is ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("mysql://u:hush@h/n", "EVAL_HISTORY_URL names mysql, which holds no history; give a file"),
        ("postgresql://u:hush@h:x/n", "EVAL_HISTORY_URL cannot be read as a URL; give a file"),
        ("postgresql://u:hu@sh@h/n", 'EVAL_HISTORY_URL holds more than one "@"; write one in a'),
        ("postgresql://u:hush@127.0.0.1:1/n", "the database does not answer ("),
        ("postgresql://u@127.0.0.1:1/n?password=hush", "the database does not answer ("),
        ("sqlite:///:memory:", "EVAL_HISTORY_URL names no file; give a file"),
        ("good.jsonl", "history good.jsonl: the file is no history; name another one, or move it"),
        (".", "history .: it cannot be opened; check the path, the folder and their permissions"),
        ("good.jsonl/x.db", "history good.jsonl/x.db: "),
        ("\x1b[2J://\x1b[2J", "EVAL_HISTORY_URL "),
    ],
)
def test_a_hostile_address_is_told_without_its_password(run, monkeypatch, at_home, given, message):
    monkeypatch.setenv("EVAL_HISTORY_URL", given)
    suite = (at_home / "good.jsonl").read_bytes()
    report = run("grade", "good.jsonl")[1]
    code, out, words = run("grade", "good.jsonl", "--save", "--config", "v1")
    # An address that cannot be read is told before the grading, a history that does not open after.
    assert (code, out) == (1, b"" if message.startswith("EVAL_HISTORY_URL") else report)
    assert message in last_line(words)
    assert not any(secret in words for secret in ("hush", "sh@"))
    code, out, words = run("history")
    assert (code, out) == (1, b"")
    assert not any(secret in words for secret in ("hush", "sh@"))
    assert (at_home / "good.jsonl").read_bytes() == suite


def test_the_environment_names_another_history(run, monkeypatch, at_home):
    monkeypatch.setenv("EVAL_HISTORY_URL", "elsewhere/runs.db")
    run("grade", "good.jsonl", "--save", "--config", "v1")
    assert len(json.loads(run("history")[1])) == 1
    assert (at_home / "elsewhere" / "runs.db").is_file()
    assert not (at_home / ".evalcore").exists()


def test_all_commands_work_as_processes_with_either_database(history_url, at_home):
    where = history_url.set(drivername=history_url.drivername.partition("+")[0])
    address = {"EVAL_HISTORY_URL": where.render_as_string(hide_password=False)}
    graded = process("grade", "good.jsonl", "--save", "--config", "v1", **address)
    commands = [
        process("grade", "bad.jsonl", "--save", "--config", "v2", **address),
        process("history", **address),
        process("show", 1, **address),
        process("compare", 1, 2, **address),
        process("exclude", 2, "--why", "w", "--who", "ann", **address),
    ]
    assert (graded.returncode, graded.stderr.splitlines()[-1]) == (0, b"saved as run 1")
    assert [done.returncode for done in commands] == [2, 0, 0, 0, 0]
    assert commands[2].stdout == graded.stdout
    assert [done.stderr.count(b"Warning") for done in [graded, *commands]] == [0] * 6
    assert [one["id"] for one in json.loads(commands[1].stdout)] == [1, 2]


# -- starting ------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--version"], ["grade", HEALTHY], ["check", HEALTHY]])
def test_what_only_the_history_needs_is_not_imported_without_it(words):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "evalcore", *map(str, words)],
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    loaded = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert "evalcore.cli.history" in loaded
    assert loaded & {"sqlalchemy", "alembic", "psycopg", "scipy", "numpy", "mako"} == set()
    assert loaded & {"evalcore.store", "evalcore.database", "evalcore.recording"} == set()


def test_saving_and_reading_do_not_import_the_statistics(at_home):
    save = ["grade", "good.jsonl", "--save", "--config", "v1"]
    for words in (save, ["history"], ["show", "1"]):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "evalcore", *words],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
        )
        loaded = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
        assert done.returncode == 0
        assert loaded & {"scipy", "numpy", "psycopg", "altair", "streamlit"} == set()
        assert ("alembic" in loaded) == (words == save)
