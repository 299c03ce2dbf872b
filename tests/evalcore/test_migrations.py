"""Every step of the history's tables, from a blank database and from every older version."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import make_url

from evalcore.case import STRATA
from evalcore.database import SCHEMA, shown
from evalcore.errors import HistoryError
from evalcore.grading import grade_case
from evalcore.job import parse_job
from evalcore.matching import MATCHING, Haystack
from evalcore.report import read_report
from evalcore.review.ledger import Ledger
from evalcore.run import Exclusion, Explanation
from evalcore.store import History
from evalcore.tables import metadata
from tests.evalcore.keeping import counts, keep, many, texts_of

HISTORIES = Path(__file__).parent / "histories"


def script_config() -> Config:
    config = Config()
    config.set_main_option("script_location", "evalcore:migrations")
    return config


SCRIPTS = ScriptDirectory.from_config(script_config())
REVISIONS = [script.revision for script in SCRIPTS.walk_revisions()]


def differences(url):
    """Returns what a database has or lacks beside the tables as they are declared."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, metadata)
    engine.dispose()
    return found


def bring_to(url, revision: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        config = script_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def test_the_newest_step_is_the_one_the_program_knows():
    assert SCRIPTS.get_heads() == [SCHEMA]


def test_steps_are_numbered_in_their_order():
    assert sorted(REVISIONS, reverse=True) == REVISIONS
    assert all(len(revision) == 4 and revision.isdigit() for revision in REVISIONS)


def test_a_blank_database_becomes_the_tables_as_declared(history_url):
    History(history_url).close()
    assert differences(history_url) == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_older_version_becomes_the_newest(history_url, revision):
    bring_to(history_url, revision)
    history = History(history_url)
    keep(history, many(5))
    assert len(history.runs()) == 1
    history.close()
    assert differences(history_url) == []


def test_a_difference_would_be_seen(history_url):
    bring_to(history_url, "head")
    engine = sa.create_engine(history_url)
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE runs ADD COLUMN more int"))
    engine.dispose()
    assert [difference[0] for difference in differences(history_url)] == ["remove_column"]


@pytest.mark.parametrize("version", ["0003", "0999", "9999"])
def test_a_newer_history_is_refused_in_plain_words_and_left_alone(history_url, version):
    history = History(history_url)
    keep(history, many(5))
    with history._database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :v"), {"v": version})
    before = counts(history)
    with pytest.raises(HistoryError) as caught:
        History(history_url)
    assert str(caught.value) == (
        f"history {shown(history_url)}: written by a newer version of this program (schema "
        f"{version}, this one knows up to {SCHEMA}); update evalcore"
    )
    assert counts(history) == before
    history.close()


def test_a_step_that_fails_leaves_a_blank_database(history_url, monkeypatch):
    def fail(*_arguments, **_options):
        raise sa.exc.OperationalError("", {}, Exception("cut off"))

    monkeypatch.setattr("alembic.op.create_table", fail_after(3, fail))
    with pytest.raises(HistoryError, match="cut off"):
        History(history_url)
    monkeypatch.undo()
    engine = sa.create_engine(history_url)
    assert sa.inspect(engine).get_table_names() == []
    engine.dispose()
    History(history_url).close()
    assert differences(history_url) == []


def fail_after(times, fail):
    from alembic import op

    make, made = op.create_table, []

    def create_table(*arguments, **options):
        made.append(arguments[0])
        return (fail if len(made) > times else make)(*arguments, **options)

    return create_table


# -- histories of the past -----------------------------------------------------


@pytest.fixture(params=sorted(path.stem for path in HISTORIES.glob("*.sql")))
def version(request):
    return request.param


@pytest.fixture
def past(version, tmp_path):
    """A history as an older version left it."""
    file = tmp_path / "past.db"
    connection = sqlite3.connect(file)
    connection.executescript((HISTORIES / f"{version}.sql").read_text(encoding="utf-8"))
    connection.close()
    opened = History(make_url(f"sqlite:///{file}"))
    yield opened
    opened.close()


def test_there_is_a_history_of_every_version():
    assert sorted(path.stem for path in HISTORIES.glob("*.sql")) == sorted(REVISIONS)


def test_a_history_of_the_past_is_read_whole(past):
    told = [
        (run.id, f"{run.at:%Y-%m-%dT%H:%MZ}", run.yardstick, run.config, run.model, run.source,
         run.repeat, *((of.passed, of.n, of.unanswered) for of in run.strata.values()))
        for run in past.runs()
    ]  # fmt: skip
    assert told == [
        (1, "2026-08-04T09:12Z", "order-desk", "v1", "desk-model-1", "import", 0,
         (2, 2, 0), (1, 2, 0), (0, 2, 0)),
        (2, "2026-08-05T07:30Z", "order-desk", "v1", "desk-model-1", "import", 1,
         (2, 2, 0), (1, 2, 0), (0, 2, 0)),
        (3, "2026-08-11T08:47Z", "order-desk", "v2 \N{PILE OF POO}", "", "upload", 0,
         (2, 2, 0), (1, 1, 1), (2, 2, 0)),
        (5, "2026-08-12T10:00Z", "another desk", "v2", "", "command line", 0,
         (1, 1, 0), (0, 0, 0), (0, 0, 0)),
    ]  # fmt: skip
    assert [run.exclusion and (run.exclusion.who, run.exclusion.why) for run in past.runs()] == [
        None, ("ann", "The wrong model was asked."), None, None,
    ]  # fmt: skip
    assert all(isinstance(run.exclusion, Exclusion | None) for run in past.runs())
    assert past.run(3).alerts == ("thin_stratum", "incomplete")
    assert [case.case_id for case in past.cases(1)] == [
        "a/1?#%",
        "b\0",
        "ü",
        "d",
        "\N{PILE OF POO}",
        "f",
    ]


def test_grades_of_the_past_are_what_grading_its_texts_gives(past):
    for run in past.runs():
        assert run.matching == MATCHING
        kept = [past.case(run.id, case.case_id) for case in past.cases(run.id)]
        report = read_report(past.report(run.id))
        assert {failure.case_id: failure.reasons for failure in report.failures} == {
            one.case.id: [reason.text for reason in one.explanation.reasons]
            for one in kept
            if one.outcome == "failed"
        }
        assert {s: of.n for s, of in report.rates.items()} == {s: run.strata[s].n for s in STRATA}
        for one in kept:
            if one.outcome == "unanswered":
                assert one.explanation == Explanation(cause="timeout")
                continue
            grade = grade_case(one.case, Haystack(one.case.completion or ""))
            assert one.outcome == ("passed" if grade.passed else "failed")
            assert one.explanation == Explanation(reasons=grade.reasons, marks=grade.marks)


def test_a_suite_of_the_past_is_known_again(past):
    data = (HISTORIES / "0001.jsonl").read_bytes()
    job = parse_job(b'[job]\nname = "order-desk"', "evalcore.toml")
    saved = keep(past, data, "v1", model="desk-model-1", job=job)
    assert (saved.run_id, saved.new) == (1, False)
    assert history_runs(past) == [1, 2, 3, 5]


def history_runs(history: History) -> list[int]:
    return [run.id for run in history.runs()]


def test_a_history_of_the_past_takes_new_runs_under_new_numbers(past):
    assert keep(past, many(5)).run_id == 6


# Since 0002: who said what of which case of which run, or the number of the entry taken back.
SAID = {
    "0001": [],
    "0002": [
        (1, "ann", 1, "\N{PILE OF POO}", "real_miss"),
        (2, "böb '; --", 1, "\N{PILE OF POO}", "unsure"),
        (3, "böb '; --", 1, "\N{PILE OF POO}", 2),
        (4, "böb '; --", 1, "\N{PILE OF POO}", "acceptable"),
        (5, "cy", 1, "\N{PILE OF POO}", "acceptable"),
        (6, "ann", 2, "b\0", "wrong_reason"),
        (7, "ann", 1, "\N{PILE OF POO}", "accept_wording"),
        (8, "ann", 1, "a/1?#%", "retire"),
        (9, "cy", 1, "a/1?#%", 8),
        (10, "cy", 1, "new\0one", "mint"),
    ],
}


def test_a_journal_of_the_past_is_read_whole(past, version):
    numbered = past.journal.entries()
    numbers = {entry.key: number for number, entry in numbered}
    assert [
        (number, e.who, e.run, e.case_id, e.verdict or (e.change and e.change.kind)
         or numbers[e.takes_back])
        for number, e in numbered
    ] == SAID[version]  # fmt: skip
    if not numbered:
        return
    entries = [entry for _, entry in numbered]
    assert [entry.settles for entry in entries] == [number == 5 for number in numbers.values()]
    assert [entry.note for entry in entries] == [
        "It's <b>bold</b> $x$\n=1+1 \x1b[31m\u202e\u2028\N{PILE OF POO}\ufeff",
        "", "", "A person would accept it.", "We agreed in the meeting.", "", "Too strict.", "", "",
        "More headroom.",
    ]  # fmt: skip
    assert [entry.change.fields for entry in entries if entry.change] == [
        {"must_include": [], "must_include_any": [["it is", "nothing\0\N{PILE OF POO}"]]},
        {},
        {
            "id": "new\0one",
            "stratum": "stretch",
            "prompt": "Say \u202eit.",
            "must_include": ["it is"],
            "max_chars": 10**30,
        },
    ]
    assert f"{entries[0].at:%Y-%m-%dT%H:%M:%S.%f%z}" == "2026-12-01T15:14:47.030595+0000"
    assert all(entry.suite_sha256 == past.run(entry.run).suite_sha256 for entry in entries)


def test_verdicts_of_the_past_are_on_the_texts_that_its_runs_hold(past):
    for _, entry in past.journal.entries():
        held = texts_of(past, entry.run).values()
        minted = entry.change is not None and entry.change.kind == "mint"
        assert (entry.text in held) is not minted


def test_a_journal_of_the_past_amounts_to_what_it_did(past, version):
    ledger = Ledger(past.journal.entries)
    ledger.refresh()
    assert [(text.case_id, of.verdict, of.disagreement) for text, of in ledger.judged()] == (
        [("\N{PILE OF POO}", "acceptable", False), ("b\0", "wrong_reason", False)]
        if version > "0001"
        else []
    )
    assert [entry.change.kind for entry in ledger.decisions() if entry.change] == (
        ["accept_wording", "mint"] if version > "0001" else []
    )


def test_a_journal_of_the_past_is_added_to(past, version):
    run = past.run(1)
    text = texts_of(past, 1)["f"]
    entry = past.journal.judge(run, text, who="ann", verdict="real_miss", note="")
    assert past.journal.entries()[-1] == (len(SAID[version]) + 1, entry)
