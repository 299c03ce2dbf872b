"""The journal: what is kept, what is kept once, what is refused, and what no verdict changes."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL

from evalcore import journal as journal_module
from evalcore.decision import Change
from evalcore.entry import VERDICTS, CaseText
from evalcore.errors import HistoryError, UsageError
from evalcore.journal import Added, Numbered
from evalcore.review.findings import findings_of
from evalcore.review.ledger import Ledger
from evalcore.standing import standing_of
from evalcore.store import History
from tests.evalcore.keeping import counts, keep, row, suite, texts_of
from tests.evalcore.sample_entries import PROMOTE, RETIRE, an_entry, some_entries

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "cases"
BUSY = "another program holds it; nothing was changed, try again"
NOBODY = 65534

ROWS = [row("e1"), row("s1", "stretch", passes=False), row("s2", "stretch", passes=False)]


class Desk:
    """Holds one run in a history and the texts of its cases, for people to judge."""

    def __init__(self, history: History, data: bytes, **more: Any) -> None:
        self.history = history
        self.journal = history.journal
        self.run = history.run(keep(history, data, **more).run_id)
        self.texts = texts_of(history, self.run.id)

    def judge(self, case_id, who, verdict, note=""):
        return self.journal.judge(
            self.run, self.texts[case_id], who=who, verdict=verdict, note=note
        )

    def settle(self, case_id, who, verdict, note="so"):
        return self.journal.settle(
            self.run, self.texts[case_id], who=who, verdict=verdict, note=note
        )

    def decide(self, case_id, who, change, why=""):
        return self.journal.decide(self.run, self.texts[case_id], who=who, change=change, why=why)

    def take_back(self, entry, who):
        return self.journal.take_back(self.run, entry, who=who)

    def standing(self, case_id):
        entries = [entry for entry in kept(self.history) if entry.text == self.texts[case_id]]
        return standing_of(entries)

    def verdicts(self, case_id) -> Mapping[str, str | None]:
        return {who: entry.verdict for who, entry in self.standing(case_id).verdicts.items()}


def kept(history: History):
    return [entry for _, entry in history.journal.entries()]


@pytest.fixture
def desk(history):
    return Desk(history, suite(ROWS))


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(journal_module, "PATIENCE_SECONDS", 0.1)


# -- what is kept --------------------------------------------------------------


def test_a_verdict_is_kept_with_who_when_and_on_what(desk):
    before = datetime.now(UTC)
    entry = desk.judge("s1", "ann", "real_miss", "It says nothing.")
    assert before <= entry.at <= datetime.now(UTC)
    assert len(entry.key) == 32
    assert msgspec.structs.replace(entry, key="", at=before) == msgspec.structs.replace(
        an_entry(0),
        key="",
        at=before,
        suite_sha256=desk.run.suite_sha256,
        fixture_hash=desk.texts["s1"].fixture_hash,
        completion_hash=desk.texts["s1"].completion_hash,
        note="It says nothing.",
    )
    assert desk.journal.entries() == [Numbered(1, entry)]


def test_every_kind_of_entry_comes_back_as_it_was_given_out(desk):
    given = [desk.judge("s1", "ann", verdict, f"note {verdict}") for verdict in VERDICTS]
    given += [desk.judge("s1", "bob", "acceptable"), desk.judge("s1", "dan", "real_miss")]
    given.append(desk.settle("s1", "cy", "acceptable", "we talked"))
    given += [desk.decide("s1", "ann", change) for change in (PROMOTE, RETIRE)]
    given.append(desk.take_back(given[0], "ann"))
    assert kept(desk.history) == given
    assert [entry.takes_back for entry in given[:-1]] == [None] * (len(given) - 1)


@pytest.mark.parametrize("who", ["b\u00f6b '; DROP TABLE journal; --", "$x$", "\N{PILE OF POO}"])
@pytest.mark.parametrize("note", ["", "<img src=x>\n=1+1\r\n\t\x1b[31m\u202e\u2028\ufeff\x7f'"])
def test_hostile_words_are_kept_letter_for_letter(desk, who, note):
    desk.judge("s1", who, "unsure", note)
    [entry] = kept(desk.history)
    assert (entry.who, entry.note) == (who, note)


def test_hostile_ids_and_changes_are_kept_letter_for_letter(history):
    names = ["a\0b", "\u202eabc", "'; --", "\N{PILE OF POO}", "é", "e\u0301", "x" * 20_000]
    desk = Desk(history, suite([row(name) for name in names]))
    change = Change(
        kind="fix_check", fields={"must_include": ["\0\u202e"], "max_chars": 10**30, "f": [7.0, {}]}
    )
    for name in names:
        desk.judge(name, "ann", "bad_fixture")
        assert desk.decide(name, "ann", change).change == change
    assert [entry.case_id for entry in kept(history)] == [n for name in names for n in (name, name)]
    assert {str(entry.change) for entry in kept(history)[1::2]} == {str(change)}
    assert [desk.verdicts(name) for name in names] == [{"ann": "bad_fixture"}] * len(names)


def test_a_case_without_a_completion_is_another_text_than_one_with_a_blank_one(history):
    rows = [row("a", completion=None), row("b", completion="")]
    desk = Desk(history, suite(rows), unanswered={"a": "timeout"})
    blank = CaseText("a", desk.texts["a"].fixture_hash, desk.texts["b"].completion_hash)
    assert desk.texts["a"].completion_hash is None
    desk.judge("a", "ann", "unsure")
    desk.journal.judge(desk.run, blank, who="ann", verdict="real_miss", note="")
    assert desk.verdicts("a") == {"ann": "unsure"}
    assert len(kept(history)) == 2


def test_whoever_has_read_up_to_a_number_reads_the_rest(desk):
    given = [desk.judge("s1", f"p{k}", "unsure") for k in range(5)]
    numbered = desk.journal.entries()
    for at, (number, _) in enumerate(numbered):
        assert [entry for _, entry in desk.journal.entries(after=number)] == given[at + 1 :]
    assert desk.journal.entries(after=numbered[-1].number) == []
    assert desk.journal.entries(after=0) == numbered


def test_a_verdict_on_one_text_says_nothing_of_another(history):
    desk = Desk(history, suite(ROWS))
    desk.judge("s1", "ann", "acceptable")
    other = Desk(history, suite([row("s1", "stretch", completion="nothing at all")]))
    third = Desk(history, suite([row("s1", "stretch", passes=False, prompt="Say it!")]))
    same = Desk(history, suite(reversed(ROWS)))
    assert [one.verdicts("s1") for one in (desk, other, third, same)] == [
        {"ann": "acceptable"}, {}, {}, {"ann": "acceptable"},
    ]  # fmt: skip


# -- what is kept once ---------------------------------------------------------


def test_the_same_words_of_the_same_person_are_kept_once(desk):
    once = desk.judge("s1", "ann", "real_miss", "n")
    assert desk.judge("s1", "ann", "real_miss", "n") == once
    desk.judge("s1", "bob", "acceptable", "n")
    assert desk.judge("s1", "ann", "real_miss", "n") == once
    settled = desk.settle("s1", "cy", "acceptable")
    assert desk.settle("s1", "cy", "acceptable") == settled
    decided = desk.decide("s1", "ann", PROMOTE, "w")
    assert desk.decide("s1", "ann", PROMOTE, "w") == decided
    undone = desk.take_back(decided, "ann")
    assert desk.take_back(decided, "ann") == undone
    assert len(kept(desk.history)) == 5


def test_a_change_of_tuples_is_the_same_as_one_of_lists(desk):
    one = desk.decide("s1", "ann", Change(kind="fix_check", fields={"tags": ("a", "b")}))
    assert one.change == Change(kind="fix_check", fields={"tags": ["a", "b"]})
    assert desk.decide("s1", "ann", Change(kind="fix_check", fields={"tags": ("a", "b")})) == one


def test_two_hundred_quick_presses_are_one_entry(desk):
    with ThreadPoolExecutor(8) as people:
        given = set(people.map(lambda _: desk.judge("s1", "ann", "real_miss").key, range(200)))
    assert len(given) == len(kept(desk.history)) == 1


def test_a_settlement_that_was_reopened_is_settled_again_in_the_same_words(desk):
    desk.judge("s1", "ann", "real_miss")
    desk.judge("s1", "bob", "acceptable")
    desk.settle("s1", "cy", "acceptable")
    desk.judge("s1", "ann", "real_miss")  # as before, and after the settlement it means more
    assert desk.standing("s1").disagreement
    desk.settle("s1", "cy", "acceptable")
    assert desk.standing("s1").verdict == "acceptable"
    assert len(kept(desk.history)) == 5


def test_a_decision_that_another_one_replaced_is_decided_again(desk):
    desk.decide("s1", "ann", PROMOTE)
    desk.decide("s1", "bob", RETIRE)
    desk.decide("s1", "ann", PROMOTE)
    assert [entry.change for entry in decisions(desk.history)] == [PROMOTE]


def test_a_decision_is_on_the_checks_whatever_the_completion_was(history):
    one = Desk(history, suite([row("s1", "stretch", completion="one")]), config="v1")
    other = Desk(history, suite([row("s1", "stretch", completion="other")]), config="v2")
    one.decide("s1", "ann", PROMOTE)
    other.decide("s1", "bob", RETIRE)
    one.decide("s1", "ann", PROMOTE)
    assert [(e.who, e.change) for e in decisions(history)] == [("ann", PROMOTE)]
    assert other.decide("s1", "ann", PROMOTE) == kept(history)[-1]


def test_a_case_minted_for_two_suites_is_two_decisions(history):
    one = Desk(history, suite(ROWS))
    other = Desk(history, suite([*ROWS, row("more")]), config="v2")
    one.texts["new"] = other.texts["new"] = CaseText("new", "", None)
    mint = Change(kind="mint", fields={"id": "new"})
    made = [desk.decide("new", "ann", mint) for desk in (one, other, one)]
    assert kept(history) == decisions(history) == made[:2]
    assert made[2] == made[0]
    other.take_back(made[0], "bob")
    assert decisions(history) == made[1:2]


def decisions(history: History):
    ledger = Ledger(history.journal.entries)
    ledger.refresh()
    return ledger.decisions()


# -- taking back ---------------------------------------------------------------


def test_a_verdict_taken_back_leaves_the_one_before(desk):
    desk.judge("s1", "ann", "real_miss")
    desk.take_back(desk.judge("s1", "ann", "acceptable"), "ann")
    assert desk.verdicts("s1") == {"ann": "real_miss"}


def test_nobody_takes_back_anothers_verdict(desk):
    entry = desk.judge("s1", "ann lee", "real_miss")
    with pytest.raises(UsageError) as caught:
        desk.take_back(entry, "bob")
    assert str(caught.value) == "that verdict is ann lee's; nobody else takes it back"
    assert kept(desk.history) == [entry]


def test_a_settlement_and_a_decision_are_taken_back_by_anybody(desk):
    desk.judge("s1", "ann", "real_miss")
    desk.judge("s1", "bob", "acceptable")
    desk.take_back(desk.settle("s1", "cy", "acceptable"), "ann")
    assert desk.standing("s1").disagreement
    desk.take_back(desk.decide("s1", "cy", RETIRE), "bob")
    assert decisions(desk.history) == []


def test_an_undo_is_never_undone_and_what_is_not_there_is_told(desk):
    verdict = desk.judge("s1", "ann", "real_miss")
    undone = desk.take_back(verdict, "ann")
    for entry in (undone, an_entry(7), msgspec.structs.replace(verdict, key="f" * 32)):
        with pytest.raises(UsageError, match="nothing to take back any more; look at the case"):
            desk.take_back(entry, "ann")
    assert kept(desk.history) == [verdict, undone]


@pytest.mark.parametrize(
    "foreign",
    [
        {"who": "bob"},
        {"completion_hash": "e" * 64},
        {"fixture_hash": "e" * 64},
        {"case_id": "s2"},
    ],
)
def test_an_undo_from_elsewhere_that_is_not_ones_own_is_kept_and_changes_nothing(desk, foreign):
    verdict = desk.judge("s1", "ann", "real_miss")
    undo_of = {"verdict": None, "takes_back": verdict.key, "key": "f" * 32}
    brought = msgspec.structs.replace(verdict, **undo_of | foreign)
    desk.journal.add([brought])
    assert desk.verdicts("s1") == {"ann": "real_miss"}
    assert desk.judge("s1", "ann", "real_miss") == verdict
    own = desk.take_back(verdict, "ann")
    assert kept(desk.history) == [verdict, brought, own]
    assert desk.verdicts("s1") == {}
    assert desk.take_back(verdict, "ann") == own


# -- settling ------------------------------------------------------------------


def test_only_a_disagreement_is_settled_and_once(desk):
    said = "there is no disagreement here any more; look at the case again"
    for verdict, who in (("real_miss", "ann"), ("unsure", "bob")):
        desk.judge("s1", who, verdict)
        with pytest.raises(UsageError, match=said):
            desk.settle("s1", "cy", "acceptable")
    desk.judge("s1", "bob", "acceptable")
    desk.settle("s1", "cy", "acceptable")
    for who, verdict in (("dan", "acceptable"), ("dan", "real_miss"), ("cy", "real_miss")):
        with pytest.raises(UsageError, match=said):
            desk.settle("s1", who, verdict)
    assert len(kept(desk.history)) == 4


@pytest.mark.parametrize("note", ["", " ", "\n\t "])
def test_a_settlement_says_why(desk, note):
    with pytest.raises(UsageError, match="note: blank; say what settles it"):
        desk.settle("s1", "cy", "acceptable", note)


def test_of_many_who_settle_at_once_one_does(desk):
    desk.judge("s1", "ann", "real_miss")
    desk.judge("s1", "bob", "acceptable")
    start = threading.Barrier(8)

    def settle(number):
        start.wait()
        try:
            return desk.settle("s1", f"p{number}", VERDICTS[number % 3])
        except UsageError as error:
            return str(error)

    with ThreadPoolExecutor(8) as people:
        answers = list(people.map(settle, range(8)))
    assert sum(isinstance(answer, str) for answer in answers) == 7
    [settlement] = [entry for entry in kept(desk.history) if entry.settles]
    assert settlement in answers
    assert desk.standing("s1").settlement == settlement


# -- clocks --------------------------------------------------------------------


def test_a_clock_that_was_set_back_puts_nothing_before_what_was_said(desk):
    ahead = datetime.now(UTC) + timedelta(days=300)
    text = desk.texts["s1"]
    future = msgspec.structs.replace(
        an_entry(1), at=ahead, **text._asdict(), suite_sha256=desk.run.suite_sha256
    )
    desk.journal.add([future])
    entries = [desk.judge("s1", "ann", verdict) for verdict in ("acceptable", "unsure")]
    assert [entry.at - ahead for entry in entries] == [
        timedelta(microseconds=1), timedelta(microseconds=2),
    ]  # fmt: skip
    assert desk.verdicts("s1") == {"ann": "unsure"}
    assert desk.judge("s2", "ann", "unsure").at < ahead


def test_quick_presses_follow_each_other_in_time(desk):
    turns = [desk.judge("s1", "ann", VERDICTS[k % 2]) for k in range(50)]
    assert [entry.at for entry in turns] == sorted({entry.at for entry in turns})
    assert desk.verdicts("s1") == {"ann": VERDICTS[1]}


# -- what is refused -----------------------------------------------------------


@pytest.mark.parametrize("who", ["", " ", "a\nb", "\x1b", "a\0", "\u200b", "x" * 201, "\udcff"])
def test_a_name_that_nobody_could_read_is_refused(desk, who):
    decided = desk.decide("s2", "ann", RETIRE)
    for say in (
        lambda: desk.judge("s1", who, "real_miss"),
        lambda: desk.settle("s1", who, "real_miss"),
        lambda: desk.decide("s1", who, RETIRE),
        lambda: desk.take_back(decided, who),
    ):
        with pytest.raises(UsageError, match=r"^who: "):
            say()
    assert kept(desk.history) == [decided]


@pytest.mark.parametrize("note", ["x" * 20_001, "a\0b", "\ud800"])
def test_a_note_that_cannot_be_kept_is_refused(desk, note):
    for say in (
        lambda: desk.judge("s1", "ann", "real_miss", note),
        lambda: desk.settle("s1", "ann", "real_miss", note),
        lambda: desk.decide("s1", "ann", RETIRE, note),
    ):
        with pytest.raises(
            UsageError, match=r"^note: more than 20,000 characters, or some that no"
        ):
            say()
    assert kept(desk.history) == []


# -- entries from elsewhere ----------------------------------------------------


def test_entries_from_elsewhere_are_taken_in_as_they_are_and_once(history):
    entries = some_entries(60)
    assert history.journal.add(entries) == Added(60, 0)
    assert history.journal.add(entries) == Added(0, 60)
    assert history.journal.add([*entries[50:], *some_entries(64)[60:]]) == Added(4, 10)
    assert history.journal.add([]) == Added(0, 0)
    assert kept(history) == some_entries(64)


def test_the_same_entry_twice_in_one_go_is_kept_once(history):
    entry = an_entry(1)
    assert history.journal.add([entry, an_entry(2), entry]) == Added(2, 1)
    assert kept(history) == [entry, an_entry(2)]


@pytest.mark.parametrize(
    "changed",
    [
        {"note": "other"}, {"who": "bob"}, {"verdict": "acceptable"}, {"run": 2},
        {"at": an_entry(9).at}, {"completion_hash": None}, {"settles": True},
    ],
)  # fmt: skip
def test_an_entry_that_is_here_in_other_words_keeps_all_others_out(history, changed):
    history.journal.add([an_entry(5)])
    with pytest.raises(UsageError) as caught:
        history.journal.add([an_entry(1), an_entry(5, **({"verdict": "real_miss"} | changed))])
    assert str(caught.value) == (
        f"entry {5:032x} is here already and says something else; import the file as it was "
        "exported"
    )
    assert kept(history) == [an_entry(5)]
    with pytest.raises(UsageError, match="is here already and says something else"):
        history.journal.add([an_entry(1), an_entry(1, note="other")])
    assert kept(history) == [an_entry(5)]


def test_of_entries_from_elsewhere_all_come_in_or_none(history):
    entries = some_entries(1200)
    broken = [*entries, msgspec.structs.replace(entries[3], key="e" * 32, who=None)]
    with pytest.raises(HistoryError):
        history.journal.add(broken)
    assert kept(history) == []
    assert history.journal.add(entries) == Added(1200, 0)


def test_what_two_histories_say_is_told_in_both_after_an_exchange(history, tmp_path):
    other = History(URL.create("sqlite", database=str(tmp_path / "other.db")))
    desks = [Desk(history, suite(ROWS)), Desk(other, suite(ROWS), config="v2")]
    desks[0].judge("s1", "ann", "real_miss")
    desks[1].judge("s1", "bob", "acceptable")
    for _ in range(2):
        history.journal.add(kept(other))
        other.journal.add(kept(history))
    for one in desks:
        assert one.standing("s1").disagreement
        assert one.verdicts("s1") == {"ann": "real_miss", "bob": "acceptable"}
    other.close()


# -- examples ------------------------------------------------------------------


def test_examples_go_with_what_was_said_of_them_and_with_nothing_else(history):
    mine = Desk(history, suite(ROWS))
    example = Desk(history, suite([*ROWS, row("more")]), config="v2", source="example")
    left = [
        mine.judge("s1", "ann", "real_miss"),
        mine.decide("s1", "ann", PROMOTE),
    ]
    gone = [example.judge("s2", "ann", "real_miss"), example.decide("more", "ann", RETIRE)]
    gone.append(example.take_back(gone[0], "ann"))
    # From another history, where a run of this number was something else.
    elsewhere = an_entry(1, run=example.run.id)
    history.journal.add([elsewhere])
    history.remove_examples()
    assert kept(history) == [*left, elsewhere]
    number = mine.journal.entries()[-1].number
    mine.judge("s1", "bob", "unsure")
    [(after, _)] = mine.journal.entries(after=number)
    assert after > number


def test_without_examples_nothing_goes(desk):
    entry = desk.judge("s1", "ann", "real_miss")
    desk.history.remove_examples()
    assert kept(desk.history) == [entry]


# -- what no verdict changes ---------------------------------------------------


def test_no_verdict_changes_a_report_a_rate_an_alert_or_a_run(desk):
    history, run_id = desk.history, desk.run.id

    def graded():
        return history.runs(), history.report(run_id), history.cases(run_id)

    before, rows = graded(), counts(history)
    for verdict in VERDICTS:
        for case_id in desk.texts:
            desk.judge(case_id, f"p-{verdict}", verdict, "n")
    desk.settle("s1", "cy", "acceptable")
    desk.decide("s1", "cy", PROMOTE)
    desk.take_back(desk.decide("s2", "cy", RETIRE), "cy")
    assert graded() == before
    assert counts(history) == rows | {"journal": 5 * 3 + 4}
    assert not keep(history, suite(ROWS)).new


# -- locked, read-only ---------------------------------------------------------


def test_a_history_that_another_program_writes_is_told_and_the_entry_can_be_tried_again(
    desk, impatient, history_url
):
    verdict = desk.judge("s1", "ann", "real_miss")
    other = History(history_url)
    with other._database.writing():
        for say in (
            lambda: desk.judge("s1", "ann", "acceptable", "a note"),
            lambda: desk.decide("s1", "ann", RETIRE),
            lambda: desk.take_back(verdict, "ann"),
        ):
            before = datetime.now(UTC)
            with pytest.raises(HistoryError) as caught:
                say()
            assert str(caught.value) == f"history {desk.history.name}: {BUSY}"
            assert datetime.now(UTC) - before < timedelta(seconds=3)
        assert kept(desk.history) == [verdict]
    other.close()
    assert kept(desk.history) == [verdict]
    again = desk.judge("s1", "ann", "acceptable", "a note")
    assert kept(desk.history) == [verdict, again]


def test_a_person_waits_no_longer_than_four_seconds():
    assert journal_module.PATIENCE_SECONDS == 4


@pytest.fixture
def their_folder():
    """A folder of a user whom permissions bind, in a place that everybody may enter."""
    folder = Path(tempfile.mkdtemp(prefix="headroom-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield folder
    if os.getuid() == 0:
        os.seteuid(0)
    shutil.rmtree(folder)


# -- several at once, and killed -----------------------------------------------

# Judges in a process of its own, from a signal on.
JUDGE = """\
import sys
from sqlalchemy.engine import make_url
from evalcore.store import History
from tests.evalcore.keeping import texts_of
history = History(make_url(sys.argv[1]))
run = history.run(1)
texts = texts_of(history, run.id)
who = sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    verdict = ("real_miss", "acceptable")[number % 2]
    entry = history.journal.judge(run, texts["s1"], who=who, verdict=verdict, note=str(number))
    print(entry.key, flush=True)
"""


def judging(url: URL, who: str, times: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", JUDGE, url.render_as_string(hide_password=False), who, str(times)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_two_processes_that_judge_one_case_at_once_are_both_kept(desk, history_url):
    people = [judging(history_url, who, 40) for who in ("ann", "bob")]
    assert [first_line(person) for person in people] == ["ready", "ready"]
    for person in people:
        begin(person)
    told = [person.communicate()[0].split() for person in people]
    assert [person.returncode for person in people] == [0, 0]
    entries = kept(desk.history)
    assert {
        who: [entry.key for entry in entries if entry.who == who] for who in ("ann", "bob")
    } == dict(zip(("ann", "bob"), told, strict=True))
    assert len(entries) == 80
    assert [entry.at for entry in entries] == sorted({entry.at for entry in entries})
    assert desk.verdicts("s1") == {"ann": "acceptable", "bob": "acceptable"}


def test_a_kill_in_mid_write_loses_nothing_that_was_told_to_be_kept(desk, history_url):
    told: list[str] = []
    for number in range(4):
        process = judging(history_url, f"p{number}", 10_000)
        assert first_line(process) == "ready"
        begin(process)
        lines = [first_line(process) for _ in range(3 + 5 * number)]
        process.kill()
        rest, _ = process.communicate()
        told += [line for line in [*lines, *rest.split()] if len(line) == 32]
    keys = [entry.key for entry in kept(desk.history)]
    assert set(told) <= set(keys)
    assert len(keys) - len(told) <= 4  # one each at most was kept and not told any more
    entry = desk.judge("s1", "after all", "real_miss")
    assert kept(desk.history)[-1] == entry
    if desk.history._database.is_sqlite:
        with desk.history._database.reading() as connection:
            assert connection.scalar(sa.text("PRAGMA integrity_check")) == "ok"


# -- what reviewers met elsewhere ----------------------------------------------


def shared_case(name: str) -> tuple[bytes, dict[str, Any]]:
    """Returns the suite and the check of a case that was seen in the wild."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"no folder ../shared/cases/{name} beside the project")
    check = msgspec.json.decode((folder / "case.json").read_bytes())["check"]
    return (folder / "fixtures.jsonl").read_bytes(), check


def test_two_people_who_judge_the_same_case_are_both_kept(history):
    data, check = shared_case("sto-two-reviewers")
    desk = Desk(history, data)
    one = desk.judge("s1", "A", "acceptable")
    other = desk.judge("s1", "B", "real_miss", "It names no weekday.")
    assert len(kept(history)) == check["verdicts"]
    assert desk.standing("s1").verdicts == {"A": one, "B": other}
    assert desk.standing("s1").disagreement is (check["flag"] == "disagree")
    assert one.at < other.at


def test_a_verdict_taken_back_is_not_reviewed_again_and_all_stays_in_the_log(history, history_url):
    data, check = shared_case("sto-undo")
    desk = Desk(history, data)
    desk.take_back(desk.judge("s1", "A", "real_miss"), "A")
    desk.judge("s2", "A", "acceptable")
    reloaded = History(history_url)
    [*_, last] = kept(reloaded)
    reloaded.journal.take_back(reloaded.run(desk.run.id), last, who="A")
    reloaded.close()
    assert {case_id: desk.standing(case_id).verdict for case_id in ("s1", "s2")} == check["final"]
    log = kept(history)
    assert len(log) == check["log_entries"]
    assert [bool(entry.takes_back) for entry in log] == [False, True, False, True]
    assert [entry.at for entry in log] == sorted({entry.at for entry in log})


def test_a_verdict_does_not_rewrite_the_recorded_rate(history):
    data, check = shared_case("sto-override-and-rate")
    desk = Desk(history, data)
    alerts = desk.run.alerts
    desk.judge("s1", "A", "acceptable")
    run = history.run(desk.run.id)
    stretch = run.strata["stretch"]
    assert {"passed": stretch.passed, "n": stretch.n} == check["stretch"]
    assert run.alerts == alerts
    findings = findings_of(stretch.passed, stretch.n, 0.8, [desk.standing("s1").verdict])
    assert findings.acceptable == check["reviewed_acceptable"]
    assert "1 of 2 misses judged acceptable" in findings.sentence


LONG = ("\N{PILE OF POO} costs $x$ and $$y$$\n\r\n" * 500)[:10_000]


def test_a_note_of_ten_thousand_characters_is_stored_whole_and_once(history):
    data, check = shared_case("sto-save-feedback")
    desk = Desk(history, data)
    with ThreadPoolExecutor(2) as double_click:
        list(double_click.map(lambda _: desk.judge("s1", "A", "real_miss", LONG), range(2)))
    assert len(kept(history)) == check["records"]
    assert (len(LONG), kept(history)[0].note) == (10_000, LONG)


def test_a_store_that_may_not_be_written_is_told_and_takes_it_later(their_folder):
    data, check = shared_case("sto-save-feedback")
    file = their_folder / "history.db"
    desk = Desk(History(URL.create("sqlite", database=str(file))), data)
    desk.history.close()
    for part in their_folder.iterdir():
        part.chmod(0o444)
    with pytest.raises(HistoryError) as caught:
        desk.judge("s1", "A", "real_miss", LONG)
    assert str(caught.value) == (
        f"history {file}: it cannot be written; nothing was changed, check the permissions there"
    )
    assert kept(desk.history) == []
    desk.history.close()
    for part in their_folder.iterdir():
        part.chmod(0o644)
    desk.judge("s1", "A", "real_miss", LONG)
    assert len(kept(desk.history)) == check["records"]
    desk.history.close()
