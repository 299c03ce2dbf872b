"""The commands of the review: what they print where, how they exit, and what is kept."""

import csv
import json
import os
import subprocess
import sys
import unicodedata
from io import StringIO
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from evalcore import journal
from evalcore.cli import main
from evalcore.database import Database
from evalcore.decision import Change
from evalcore.entry import CaseText, Entry, Verdict
from evalcore.review.exchange import CSV_HEADS, entries_jsonl, read_entries
from evalcore.store import History
from tests.evalcore.keeping import keep, row, suite, texts_of
from tests.evalcore.sample_entries import PROMOTE, RETIRE, an_entry, some_entries

ROOT = Path(__file__).parents[2]
URL = make_url("sqlite:///.evalcore/history.db")
HOSTILE = "\x1b[2J\u202e\x9b\N{PILE OF POO}"
ROWS = [
    row("e1"),
    row("s1", "stretch", passes=False),
    row("s2", "stretch", passes=False),
    row(f"s{HOSTILE}", "stretch", passes=True),
]


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    """Stands in a folder where no history has been begun."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.delenv("EVAL_HISTORY_URL")
    return home


@pytest.fixture
def run(capsysbinary):
    """Runs a command in this process: exit code, standard output, words for people."""

    def run_command(*words: object) -> tuple[int, bytes, str]:
        code = main(["review", *map(str, words)])
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


@pytest.fixture
def history():
    opened = History(URL)
    yield opened
    opened.close()


@pytest.fixture
def judged(history):
    """Two runs of which the second answers s2 otherwise; what people said of the first."""
    texts = {}
    for config, completion in (("v1", "nothing"), ("v2", "nothing else")):
        data = suite([*ROWS[:2], ROWS[2] | {"completion": completion}, ROWS[3]])
        run = history.run(keep(history, data, config).run_id)
        texts[run.id] = texts_of(history, run.id)
    first, kept = history.run(1), history.journal

    def say(case_id: str, who: str, verdict: Verdict, note: str = "") -> Entry:
        entry: Entry = kept.judge(first, texts[1][case_id], who=who, verdict=verdict, note=note)
        return entry

    say("s1", "ann", "real_miss")
    say("s1", "bob", "acceptable", "A person\nwould accept it.")
    say("s2", "ann", "acceptable")
    say(f"s{HOSTILE}", HOSTILE[-1], "wrong_reason", HOSTILE)
    kept.take_back(first, say("e1", "ann", "unsure"), who="ann")
    kept.decide(first, texts[1]["s2"], who="ann", change=PROMOTE, why="It passes everywhere.")
    kept.decide(first, texts[1]["s1"], who="ann", change=RETIRE, why="")
    kept.decide(
        history.run(2),
        CaseText("new", "", None),
        who="ann",
        change=Change(kind="mint", fields={"id": "new", "prompt": HOSTILE}),
        why="more",
    )
    return [entry for _, entry in kept.entries()]


# -- list ----------------------------------------------------------------------


@pytest.mark.usefixtures("judged")
def test_what_was_judged_is_listed_as_json_with_the_newest_last(run):
    code, out, words = run("list")
    assert (code, words) == (0, "")
    assert acting(out.decode()) == set()
    listed = json.loads(out)
    assert [(one["case_id"], one["state"], one["verdict"]) for one in listed] == [
        ("s1", "disagreement", None),
        ("s2", "agreed", "acceptable"),
        (f"s{HOSTILE}", "agreed", "wrong_reason"),
    ]
    assert [(said["who"], said["verdict"]) for said in listed[0]["verdicts"]] == [
        ("ann", "real_miss"), ("bob", "acceptable"),
    ]  # fmt: skip
    assert listed[0]["verdicts"][1]["note"] == "A person\nwould accept it."
    assert (listed[0]["settlement"], listed[0]["stratum"], listed[0]["outcome"]) == (None,) * 3
    assert listed[0]["at"] == listed[0]["verdicts"][1]["at"]


@pytest.mark.usefixtures("judged")
def test_of_a_run_is_listed_what_holds_for_its_texts(run):
    one, two = (json.loads(run("list", "--run", number)[1]) for number in (1, 2))
    assert [(of["case_id"], of["stratum"], of["outcome"]) for of in one] == [
        ("s1", "stretch", "failed"),
        ("s2", "stretch", "failed"),
        (f"s{HOSTILE}", "stretch", "passed"),
    ]
    assert [of["case_id"] for of in two] == ["s1", f"s{HOSTILE}"]


@pytest.mark.usefixtures("judged")
def test_what_was_judged_is_listed_as_text(run, history):
    code, out, words = run("list", "--format", "text")
    text = out.decode()
    assert (code, words) == (0, "")
    assert acting(text) == set()
    heads, *lines = [line for line in text.splitlines() if line.strip(" ─")]
    assert heads.split() == ["when", "(UTC)", "case", "verdicts", "stands", "note"]
    assert [line.split()[2:] for line in lines] == [
        ["s1", "ann:", "real_miss;", "bob:", "acceptable", "reviewers", "disagree", "A",
         "person\\nwould", "accept", "it."],
        ["s2", "ann:", "acceptable", "acceptable"],
        ["s\\x1b[2J\\u202e\\x9b\N{PILE OF POO}", "\N{PILE OF POO}:", "wrong_reason",
         "wrong_reason", "\\x1b[2J\\u202e\\x9b\N{PILE OF POO}"],
    ]  # fmt: skip
    text = texts_of(history, 1)["s1"]
    history.journal.settle(history.run(1), text, who="cy", verdict="acceptable", note="we talked")
    shown = run("list", "--run", 1, "--format", "text")[1].decode().splitlines()
    assert shown[1].split() == [
        "when", "(UTC)", "case", "stratum", "outcome", "verdicts", "stands", "note",
    ]  # fmt: skip
    [last] = [line for line in shown if "settled" in line]
    assert last.split()[2:5] == ["s1", "stretch", "failed"]
    assert last.split()[-4:] == ["settled:", "acceptable", "we", "talked"]


@pytest.mark.usefixtures("judged")
def test_a_list_on_a_terminal_that_speaks_only_ascii_is_ascii():
    done = subprocess.run(
        [sys.executable, "-m", "evalcore", "review", "list", "--format", "text"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.isascii()
    assert b"reviewers disagree" in done.stdout


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_empty_journal_is_said_in_words(run, history, form):
    keep(history, suite(ROWS))
    out = b"[]\n" if form == "json" else b""
    assert run("list", "--format", form) == (0, out, "no case was judged yet\n")


@pytest.mark.usefixtures("judged")
def test_a_run_that_nothing_holds_for_is_said_in_words(run, history):
    keep(history, suite([row("other")]), "v3")
    assert run("list", "--run", 3) == (0, b"[]\n", "no verdict holds for a case of this run\n")


# -- export and import ---------------------------------------------------------


def test_all_entries_go_out_as_jsonl_and_in_again_elsewhere(run, judged, at_home):
    code, out, words = run("export")
    assert (code, words) == (0, "")
    assert acting(out.decode()) == set()
    assert read_entries(out, "x") == judged
    assert run("export", "--output", "all.jsonl") == (0, b"", "")
    assert (at_home / "all.jsonl").read_bytes() == out
    assert run("import", "all.jsonl") == (0, b"", "0 entries imported, 9 were here already\n")
    (at_home / ".evalcore").rename(at_home / "old")
    assert run("import", "all.jsonl") == (0, b"", "9 entries imported\n")
    assert run("export")[1] == out


@pytest.mark.parametrize(
    ("before", "brought", "words"),
    [
        (0, 0, "0 entries imported"),
        (0, 1, "1 entry imported"),
        (1, 1, "0 entries imported, 1 was here already"),
        (3, 123, "120 entries imported, 3 were here already"),
    ],
)
def test_it_is_said_how_many_entries_came_in(run, history, at_home, before, brought, words):
    entries = some_entries(brought)
    history.journal.add(entries[:before])
    (at_home / "f.jsonl").write_bytes(b"".join(entries_jsonl(entries)))
    assert run("import", "f.jsonl") == (0, b"", f"{words}\n")


def test_all_entries_go_out_as_a_table_for_a_spreadsheet(run, judged):
    code, out, _ = run("export", "--format", "csv")
    rows = list(csv.DictReader(StringIO(out.decode("utf-8-sig"), newline="")))
    assert code == 0
    assert [row["key"] for row in rows] == [entry.key for entry in judged]
    assert acting(out.decode("utf-8-sig").replace("\r\n", "\n")) == set()


@pytest.mark.parametrize(
    ("form", "out"), [("jsonl", b""), ("csv", ",".join(CSV_HEADS).encode("utf-8-sig") + b"\r\n")]
)
def test_an_empty_journal_is_exported_with_a_word(run, history, form, out):
    said = "no entries: no case was judged yet\n"
    assert run("export", "--format", form) == (0, out, said)


def test_entries_come_in_on_standard_input_and_go_out_into_a_pipe(history, at_home):
    (at_home / "f.jsonl").write_bytes(b"".join(entries_jsonl(some_entries(40))))
    review = f"'{sys.executable}' -W error -m evalcore review"
    done = subprocess.run(
        ["sh", "-c", f"{review} import - < f.jsonl && {review} export | head -n 2 | wc -l"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (
        0, "2", "40 entries imported\n",
    )  # fmt: skip


def test_a_file_that_cannot_be_read_begins_no_history_and_changes_none(run, at_home):
    good, bad = an_entry(1), b'{"who": ""}\nwords\n'
    (at_home / "bad.jsonl").write_bytes(b"".join(entries_jsonl([good])) + bad)
    code, out, words = run("import", "bad.jsonl")
    lines = words.splitlines()
    assert (code, out, lines[0]) == (1, b"", "evalcore: bad.jsonl: 8 problems")
    assert lines[-1].startswith("line 3: not JSON: expecting value at column 1 (found words)")
    assert not (at_home / ".evalcore").exists()
    history = History(URL)
    assert run("import", "bad.jsonl")[0] == 1
    assert history.journal.entries() == []
    history.close()


def test_an_entry_that_is_here_in_other_words_is_told(run, history, at_home):
    history.journal.add([an_entry(1)])
    other = [an_entry(2), an_entry(1, note="other")]
    (at_home / "f.jsonl").write_bytes(b"".join(entries_jsonl(other)))
    code, out, words = run("import", "f.jsonl")
    assert (code, out) == (1, b"")
    assert words == (
        f"evalcore: entry {1:032x} is here already and says something else; import the file as it "
        "was exported\n"
    )
    assert len(history.journal.entries()) == 1


def test_a_history_that_another_program_writes_is_told(run, history, at_home, monkeypatch):
    monkeypatch.setattr(journal, "PATIENCE_SECONDS", 0.1)
    (at_home / "f.jsonl").write_bytes(b"".join(entries_jsonl([an_entry(1)])))
    held = Database(URL)
    with held.writing():
        code, out, words = run("import", "f.jsonl")
    held.close()
    assert (code, out, words) == (
        1,
        b"",
        "evalcore: history .evalcore/history.db: another program holds it; nothing was changed, "
        "try again\n",
    )
    assert run("import", "f.jsonl") == (0, b"", "1 entry imported\n")


# -- decisions -----------------------------------------------------------------


@pytest.mark.usefixtures("judged")
def test_the_decisions_in_force_go_out_for_the_patch(run, at_home):
    from evalcore.patch.decisions import read_decisions

    code, out, words = run("decisions")
    assert (code, words) == (0, "")
    assert acting(out.decode()) == set()
    decisions = read_decisions(out, "d.jsonl")
    assert [(one.case_id, one.change.kind, one.who, one.why) for one in decisions] == [
        ("s2", "promote", "ann", "It passes everywhere."),
        ("s1", "retire", "ann", ""),
        ("new", "mint", "ann", "more"),
    ]
    assert run("decisions", "--output", "d.jsonl") == (0, b"", "")
    assert (at_home / "d.jsonl").read_bytes() == out


@pytest.mark.usefixtures("judged")
def test_of_a_run_the_decisions_on_its_cases_go_out_whatever_it_answered(run):
    kinds = {
        number: [json.loads(line)["change"]["kind"] for line in out.splitlines()]
        for number in (1, 2)
        for _, out, _ in [run("decisions", "--run", number)]
    }
    every = ["promote", "retire", "mint"]
    assert kinds == {1: every, 2: every}


@pytest.mark.usefixtures("judged")
def test_a_decision_taken_back_or_replaced_does_not_go_out(run, history):
    promote, retire = (
        entry for _, entry in history.journal.entries() if entry.change in (PROMOTE, RETIRE)
    )
    history.journal.take_back(history.run(1), promote, who="bob")
    history.journal.decide(
        history.run(1), retire.text, who="bob", change=Change(kind="keep"), why="we need it"
    )
    out = run("decisions", "--run", 1)[1]
    assert [json.loads(line)["change"]["kind"] for line in out.splitlines()] == ["mint", "keep"]


def test_no_decision_is_said_in_words(run, history):
    keep(history, suite(ROWS))
    assert run("decisions") == (0, b"", "no decision is in force\n")
    assert run("decisions", "--run", 1) == (0, b"", "no decision is in force\n")


# -- what cannot be followed ---------------------------------------------------


@pytest.mark.parametrize("words", [["list"], ["list", "--run", "1"], ["export"], ["decisions"]])
def test_without_a_history_the_way_to_one_is_told_and_none_is_begun(run, at_home, words):
    code, out, told = run(*words)
    assert (code, out) == (1, b"")
    assert told.startswith("evalcore: no history at .evalcore/history.db yet; `evalcore grade")
    assert list(at_home.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "the following arguments are required: COMMAND; see evalcore review --help"),
        (["nope"], "invalid choice"),
        (["list", "--run", "9"], "there is no run 9 in the history .evalcore/history.db"),
        (["decisions", "--run", "9"], "there is no run 9 in the history .evalcore/history.db"),
        (["list", "--run", "-1"], "--run"),
        (["list", "--run", "x"], 'argument --run: "x" is no number of a run'),
        (["list", "--format", "csv"], "argument --format: invalid choice: 'csv'"),
        (["export", "--format", "text"], "argument --format: invalid choice: 'text'"),
        (["import"], "the following arguments are required: F; see evalcore review import --help"),
        (["import", "none.jsonl"], "none.jsonl: No such file or directory; check the path and its"),
        (["import", "."], ".: Is a directory; check the path and its permissions"),
        (["export", "--output", "no/f"], "no/f: No such file or directory; check the path and its"),
        (["export", "--output", "."], ".: Is a directory; check the path and its permissions"),
        (
            ["export", "--output", ".evalcore/history.db"],
            "--output .evalcore/history.db: that is the history; name another file",
        ),
        (
            ["decisions", "--output", ".evalcore/../.evalcore/history.db"],
            "--output .evalcore/../.evalcore/history.db: that is the history; name another file",
        ),
    ],
)
@pytest.mark.usefixtures("judged")
def test_what_cannot_be_followed_is_one_plain_line_and_exit_code_1(run, words, message):
    code, out, told = run(*words)
    assert (code, out, told.count("\n")) == (1, b"", 1)
    assert told.startswith("evalcore: ")
    assert message in told
    assert run("list")[0] == 0


def test_the_commands_leave_out_what_takes_long_to_import(judged, at_home):
    program = (
        "import sys; from evalcore.cli import main; code = main(['review', 'list']); "
        "heavy = {'scipy', 'pandas', 'altair', 'streamlit', 'rich'} & set(sys.modules); "
        "print(code, heavy, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "0 set()\n"


def test_no_command_of_the_review_changes_the_history(run, judged, history, at_home):
    before = [(one, history.report(one.id)) for one in history.runs()]
    for words in (["list"], ["list", "--format", "text"], ["export"], ["decisions"]):
        run(*words)
    assert [(one, history.report(one.id)) for one in history.runs()] == before
    assert [entry for _, entry in history.journal.entries()] == judged
