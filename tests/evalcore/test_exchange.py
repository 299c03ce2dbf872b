"""Entries out and in: JSONL that loses nothing and takes nothing odd, CSV that obeys nobody."""

import csv
import json
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from io import StringIO
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.engine import URL

from evalcore.decision import DECISION_KINDS, Change, Decision
from evalcore.entry import VERDICTS, CaseText, Entry
from evalcore.errors import JournalError
from evalcore.journal import Added
from evalcore.review.exchange import (
    CSV_HEADS,
    decisions_of,
    entries_csv,
    entries_jsonl,
    read_entries,
)
from evalcore.review.judged import HeldCase, judged_texts
from evalcore.standing import standing_of
from evalcore.store import History
from tests.evalcore.sample_entries import (
    PROMOTE,
    RETIRE,
    START,
    an_entry,
    settled,
    some_entries,
    undo,
)

HOSTILE = "<img src=x> $x$ \0\x1b[2J\x7f\x9b31m\u061c\u202e\u2028\u2066\ufeff'\"\\ \N{PILE OF POO}"
MINT = Change(kind="mint", fields={"id": "new", "prompt": HOSTILE, "n": [7.0, 10**30, None, {}]})


def jsonl(entries) -> bytes:
    return b"".join(entries_jsonl(entries))


def refusal(data: bytes) -> list[str]:
    with pytest.raises(JournalError) as caught:
        read_entries(data, "f.jsonl")
    said = str(caught.value)
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert {char for char in said if unicodedata.category(char) in unseen} <= {"\n"}
    return said.splitlines()


def line(**fields) -> dict[str, Any]:
    """Returns the members of a good line, changed."""
    members: dict[str, Any] = json.loads(jsonl([an_entry(1)]))
    return members | fields


def written(*members: dict[str, Any], **form: Any) -> bytes:
    return b"".join(json.dumps(some, **form).encode() + b"\n" for some in members)


# -- lossless ------------------------------------------------------------------

ENTRIES = [
    an_entry(1),
    *(an_entry(2 + n, verdict=verdict) for n, verdict in enumerate(VERDICTS)),
    *(
        an_entry(10 + n, change=Change(kind=kind, fields={"note": HOSTILE}))
        for n, kind in enumerate(DECISION_KINDS)
    ),
    settled(20, "acceptable", note=HOSTILE.replace("\0", "")),
    undo(21, 20),
    an_entry(22, case_id=HOSTILE, completion_hash=None, run=2**63 - 1),
    an_entry(23, change=MINT, case_id="new", fixture_hash="", completion_hash=None),
    undo(24, 23, case_id="new", fixture_hash="", completion_hash=None),
    an_entry(25, at=datetime(1970, 1, 1, tzinfo=UTC)),
    an_entry(26, at=datetime(2025, 12, 31, 23, 59, 59, 999999, UTC)),
    an_entry(27, at=START + timedelta(microseconds=1)),
    an_entry(28, note="n" * 20_000, who="w" * 200, case_id="c" * 100_000),
    an_entry(29, note="\r\n\r \n\t"),
    an_entry(30, who="$x$ <b> '; --"),
]


def test_every_kind_of_entry_comes_back_as_it_was():
    assert read_entries(jsonl(ENTRIES), "f.jsonl") == ENTRIES


def test_one_entry_is_one_line_of_json_that_a_terminal_does_not_obey():
    data = jsonl(ENTRIES)
    assert data.count(b"\n") == len(ENTRIES)
    assert [json.loads(line)["key"] for line in data.splitlines()] == [e.key for e in ENTRIES]
    text = data.decode()
    acting = {"Cc", "Zl", "Zp"}
    assert {char for char in text if unicodedata.category(char) in acting} == {"\n"}
    assert not set("\u061c\u202e\u2066") & set(text)


def test_a_line_names_only_what_is_not_as_usual():
    assert jsonl([an_entry(1, completion_hash=None)]) == (
        b'{"key":"' + b"0" * 31 + b'1","at":"2026-03-01T09:01:00Z","who":"ann","run":1,'
        b'"suite_sha256":"' + b"a" * 64 + b'","case_id":"s1","fixture_hash":"' + b"b" * 64 + b'",'
        b'"verdict":"real_miss"}\n'
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
fields = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**40), 10**40) | texts
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
changes = st.builds(
    Change, kind=st.sampled_from(DECISION_KINDS), fields=st.dictionaries(texts, fields, max_size=3)
)
some = st.builds(
    an_entry,
    st.integers(0, 10**9),
    at=st.datetimes(datetime(1970, 1, 2), datetime(2026, 1, 1), timezones=st.just(UTC)),
    who=st.just("ann") | texts.filter(lambda text: text.isprintable() and text.strip()),
    run=st.integers(1, 2**63 - 1),
    case_id=texts.map("c{}".format),
    fixture_hash=hashes,
    completion_hash=st.none() | hashes,
    note=texts.map(lambda text: text.replace("\0", "")),
)
kinds = (
    st.fixed_dictionaries({"verdict": st.sampled_from(VERDICTS), "change": st.none()})
    | st.fixed_dictionaries({"verdict": st.none(), "change": changes})
    | st.fixed_dictionaries({"verdict": st.none(), "takes_back": st.just("f" * 32)})
)


@given(st.lists(st.tuples(some, kinds), max_size=4))
def test_no_entry_that_the_journal_can_hold_is_lost(drawn):
    entries = {e.key: msgspec.structs.replace(e, **kind) for e, kind in drawn}
    assert read_entries(jsonl(entries.values()), "f") == list(entries.values())


def test_ten_thousand_entries_go_into_a_blank_history_of_either_database(history, tmp_path):
    entries = some_entries(10_000, cases=2500)
    other = History(URL.create("sqlite", database=str(tmp_path / "other.db")))
    other.journal.add(entries)
    exported = jsonl(entry for _, entry in other.journal.entries())
    other.close()
    read = read_entries(exported, "f.jsonl")
    assert history.journal.add(read) == Added(10_000, 0)
    assert history.journal.add(read) == Added(0, 10_000)
    kept = [entry for _, entry in history.journal.entries()]
    assert kept == entries
    assert jsonl(kept) == exported


# -- what does no harm ---------------------------------------------------------


@pytest.mark.parametrize(
    "frame",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.removesuffix(b"\n"),
        lambda data: b"\n \n\t\r\n" + data.replace(b"\n", b"\n\n") + b"\n\n",
        lambda data: written(*map(json.loads, data.split(b"\n")[:-1]), separators=(" ,\t", " : ")),
        lambda data: data + data,
    ],
    ids=["byte order mark", "CRLF", "no last line end", "blank lines", "spaces", "twice"],
)
def test_how_a_file_is_framed_does_no_harm(frame):
    entries = [an_entry(n, note="a\u2028b\x85c", who="ann") for n in range(3)]
    read = read_entries(frame(jsonl(entries)), "f.jsonl")
    assert read in (entries, entries + entries)


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\r\n"])
def test_a_file_without_an_entry_is_an_empty_journal(data):
    assert read_entries(data, "f.jsonl") == []


@pytest.mark.parametrize(
    ("written_as", "read_as"),
    [
        ("2026-12-01T09:30:00Z", datetime(2026, 12, 1, 9, 30, tzinfo=UTC)),
        ("2026-12-01T09:30:00.000001Z", datetime(2026, 12, 1, 9, 30, 0, 1, UTC)),
        ("2026-12-01T11:30:00+02:00", datetime(2026, 12, 1, 9, 30, tzinfo=UTC)),
        ("2026-12-01 09:30Z", datetime(2026, 12, 1, 9, 30, tzinfo=UTC)),
    ],
)
def test_a_time_of_any_zone_is_read_in_utc(written_as, read_as):
    [entry] = read_entries(written(line(at=written_as)), "f")
    assert (entry.at, entry.at.utcoffset()) == (read_as, timedelta(0))


def test_nulls_where_nothing_is_said_are_nothing():
    [entry] = read_entries(written(line(change=None, takes_back=None, completion_hash=None)), "f")
    assert entry == an_entry(1, verdict="real_miss", completion_hash=None)


# -- what is refused -----------------------------------------------------------

LOWER = "not {} hex digits in lower case"
LEAVE = "leave it as it was exported"
TIME = "write it like 2026-12-01T09:30:00Z"
SHORTER = "write it shorter and plainly"
KNOWN = (
    "key, at, who, run, suite_sha256, case_id, fixture_hash, completion_hash, verdict, settles, "
    "change, takes_back, note"
)
ONE_OF = "an entry is exactly one of them"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"key": "x" * 32}, f'key: {LOWER.format(32)} (found "{"x" * 32}"); {LEAVE}'),
        ({"key": "a" * 31}, f'key: {LOWER.format(32)} (found "{"a" * 31}"); {LEAVE}'),
        ({"key": "A" * 32}, f'key: {LOWER.format(32)} (found "{"A" * 32}"); {LEAVE}'),
        ({"key": "a" * 32 + "\n"}, f'key: {LOWER.format(32)} (found "{"a" * 32}\\n"); {LEAVE}'),
        ({"key": None}, f"key: {LOWER.format(32)} (found null); {LEAVE}"),
        ({"key": 7}, f"key: {LOWER.format(32)} (found 7); {LEAVE}"),
        ({"at": "soon"}, f'at: not a time (found "soon"); {TIME}'),
        ({"at": 1.5}, f"at: not a time (found 1.5); {TIME}"),
        ({"at": "2026-02-30T00:00:00Z"}, f'at: not a time (found "2026-02-30T00:00:00Z"); {TIME}'),
        (
            {"at": "2026-12-01T09:30:00"},
            "at: a time without a zone (found 2026-12-01 09:30:00); give it one, as in "
            "2026-12-01T09:30:00Z",
        ),
        (
            {"at": "1969-12-31T23:59:59Z"},
            "at: not from 1970 to 2199 (found 1969-12-31); correct the date",
        ),
        (
            {"at": "2200-01-01T00:00:00Z"},
            "at: not from 1970 to 2199 (found 2200-01-01); correct the date",
        ),
        (
            {"at": "0001-01-01T00:00:00+05:00"},
            "at: not from 1970 to 2199 (found 1-01-01); correct the date",
        ),
        (
            {"at": "1970-01-01T00:00:00+05:00"},
            "at: not from 1970 to 2199 (found 1970-01-01); correct the date",
        ),
        ({"who": ""}, "who: blank; say it in a few words"),
        ({"who": 7}, "who: not text (found 7); write text in quotes"),
        (
            {"who": "a; b\x1b"},
            "who: more than 200 characters, or some that cannot be seen "
            f'(found "a; b\\x1b"); {SHORTER}',
        ),
        (
            {"who": "w" * 201},
            "who: more than 200 characters, or some that cannot be seen "
            f'(found "{"w" * 59}…"); {SHORTER}',
        ),
        (
            {"run": "1"},
            'run: no number of a run (found "1"); write a whole number of 1 or more',
        ),
        ({"run": 0}, "run: no number of a run (found 0); write a whole number of 1 or more"),
        ({"run": True}, "run: no number of a run (found true); write a whole number of 1 or more"),
        ({"run": 1.0}, "run: no number of a run (found 1.0); write a whole number of 1 or more"),
        (
            {"run": 2**63},
            f"run: no number of a run (found {2**63}); write a whole number of 1 or more",
        ),
        (
            {"suite_sha256": ""},
            f'suite_sha256: {LOWER.format(64)} (found ""); {LEAVE}',
        ),
        ({"case_id": 7}, "case_id: not text (found 7); write the case's id in quotes"),
        ({"case_id": " "}, 'case_id: blank (found " "); write the case\'s id'),
        (
            {"case_id": "\ud800"},
            "case_id: an unpaired surrogate (half a character) (found \\ud800); write the whole "
            "character",
        ),
        ({"fixture_hash": ""}, "fixture_hash: blank; only a minted case has none"),
        (
            {"fixture_hash": "b" * 63},
            f'fixture_hash: {LOWER.format(64)} (found "{"b" * 59}…"); {LEAVE}',
        ),
        ({"fixture_hash": None}, f"fixture_hash: {LOWER.format(64)} (found null); {LEAVE}"),
        ({"completion_hash": ""}, f'completion_hash: {LOWER.format(64)} (found ""); {LEAVE}'),
        (
            {"verdict": "great"},
            'verdict: no such word (found "great"); write one of real_miss, acceptable, '
            "bad_fixture, wrong_reason, unsure",
        ),
        (
            {"verdict": []},
            "verdict: no such word (found a list of 0); write one of real_miss, acceptable, "
            "bad_fixture, wrong_reason, unsure",
        ),
        ({"settles": 1}, "settles: neither true nor false (found 1); write true or false"),
        ({"settles": None}, "settles: neither true nor false (found null); write true or false"),
        ({"settles": True}, "note: blank; say what settles it"),
        ({"settles": True, "note": " \n"}, "note: blank; say what settles it"),
        ({"note": None}, "note: not text (found null); write text in quotes"),
        (
            {"note": "a\0b"},
            "note: more than 20,000 characters, or some that no text holds "
            f'(found "a\\x00b"); {SHORTER}',
        ),
        (
            {"note": "n" * 20_001},
            "note: more than 20,000 characters, or some that no text holds "
            f'(found "{"n" * 59}…"); {SHORTER}',
        ),
        (
            {"change": "retire"},
            'change: not an object (found "retire"); write it like {"kind": "retire"}',
        ),
        (
            {"change": {"kind": "burn"}},
            'change.kind: no such word (found "burn"); write one of promote, accept_wording, '
            "fix_check, retire, keep, mint",
        ),
        (
            {"change": {"kind": "retire", "more": 1}},
            "change.more: unknown field; known here: kind, fields",
        ),
        (
            {"change": {"kind": "promote", "fields": []}},
            "change.fields: not an object (found a list of 0); write the row's fields with their "
            "new values",
        ),
        (
            {"change": {"kind": "promote", "fields": {"a": ["\ud800"]}}},
            "change.fields: an unpaired surrogate (half a character) (found \\ud800); write the "
            "whole character",
        ),
        (
            {"change": {"kind": "promote", "fields": {"a": 10**64}}},
            "change.fields: a number too long or too large to be kept (found an object of 1); "
            "numbers have at most 64 digits; write text in quotes",
        ),
        ({"takes_back": "7"}, f'takes_back: {LOWER.format(32)} (found "7"); {LEAVE}'),
        ({"seen": True}, f"seen: unknown field; known here: {KNOWN}"),
        ({"\x1b\u202e": 1}, f"\\x1b\\u202e: unknown field; known here: {KNOWN}"),
    ],
)
def test_a_value_that_the_journal_would_not_hold_is_told_with_place_and_way_out(changed, problem):
    assert refusal(written(line(**changed))) == [f"f.jsonl: line 1, field {problem}"]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"verdict": None}, f": none of verdict, change, takes_back; {ONE_OF}"),
        (
            {"change": {"kind": "retire"}},
            f": more than one of verdict, change, takes_back; {ONE_OF}",
        ),
        ({"takes_back": "e" * 32}, f": more than one of verdict, change, takes_back; {ONE_OF}"),
        (
            {"verdict": None, "takes_back": f"{1:032x}"},
            ", field takes_back: the entry itself; name the entry that it takes back",
        ),
        (
            {"verdict": None, "change": {"kind": "retire"}, "settles": True},
            f", field settles: true without a verdict; {LEAVE}",
        ),
        (
            {"verdict": None, "change": {"kind": "retire"}, "fixture_hash": ""},
            ", field fixture_hash: blank; only a minted case has none",
        ),
    ],
)
def test_values_that_do_not_go_together_are_told(changed, problem):
    assert refusal(written(line(**changed))) == [f"f.jsonl: line 1{problem}"]


def test_a_time_to_come_is_told_since_all_that_is_said_later_would_follow_it():
    now = datetime.now(UTC)
    at = [now + timedelta(hours=23), now + timedelta(hours=25)]
    good, bad = (an_entry(n, at=at[n]) for n in range(2))
    assert read_entries(jsonl([good]), "f.jsonl") == [good]
    assert refusal(jsonl([good, bad])) == [
        f'f.jsonl: line 2, field at: more than a day ahead of now (found "{shown(bad.at)}"); '
        "correct the time; a clock was wrong where it was made"
    ]


def shown(at: datetime) -> str:
    """Returns a time as a line holds it."""
    return msgspec.json.encode(at).decode().strip('"')


@pytest.mark.parametrize("name", ["key", "at", "who", "run", "suite_sha256", "case_id"])
def test_what_every_entry_has_is_missed(name):
    members = line()
    del members[name]
    assert refusal(written(members)) == [
        f"f.jsonl: line 1, field {name}: missing; write it, or export the file anew"
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x1f\x8b\x08rest", "line 1: this is gzip, not JSONL; unpack it first (gunzip)"),
        (b"[\n", "line 1: this is a JSON array (a list), not JSONL; write one object a line"),
        (b"\n[]", "line 2: this is a JSON array (a list), not JSONL"),
        (entries_csv([]), "this is the CSV, which is for spreadsheets; import what was exported"),
        (b"7\n", "line 1: not an object (found 7); write one JSON object a line"),
        (b'"a"\n', 'line 1: not an object (found "a"); write one JSON object a line'),
        (b"words\n", "line 1: not JSON: expecting value at column 1 (found words); write one"),
        (b'{"who": "a"', "line 1: not JSON: expecting ',' delimiter at column 12"),
        (b'  {"a" 1} \r\n', "line 1: not JSON: expecting ':' delimiter at column 8 (found   {"
         '"a" 1}); write one'),
        (b"\n\n// no\n", "line 3: a comment; JSONL has none"),
        (b'{"who": "\xff"}', "line 1: not valid UTF-8 (found byte 0xff as byte 10 of the line)"),
        (b'{"run": NaN}', "line 1: not a JSON number (found NaN); write a number"),
        (b'{"who":1,"who":2}', "line 1, field who: the same key twice in one object; keep one"),
        (b'{"change":{"a":1,"a":2}}', "line 1, field a: the same key twice in one object"),
        (b'{"run": ' + b"9" * 5000 + b"}", "line 1: a number too long or too large to be kept"),
        (b'{"a": ' + b"[" * 100_000 + b"}", "line 1: brackets nested more than 100 deep"),
        (b"{}{}\n", "line 1: more than one object on the line"),
        (b"\0\0\0\0\0", "line 1: 5 NUL bytes, not JSON: the file is damaged here"),
        ("{}".encode("utf-16"), "line 1: this is UTF-16 or UTF-32 text, not JSONL"),
    ],
)  # fmt: skip
def test_a_file_or_line_that_is_something_else_is_told(data, problem):
    [said] = refusal(data)
    assert said.startswith(f"f.jsonl: {problem}")
    assert len(said) < 400


def test_changes_nested_too_deep_are_told():
    deep: object = 1
    for _ in range(150):
        deep = [deep]
    change = {"kind": "promote", "fields": {"a": deep}}
    [said] = refusal(written(line(verdict=None, change=change)))
    assert said.startswith(
        "f.jsonl: line 1, field change.fields: brackets nested more than 100 deep"
    )
    infinite = json.dumps(line(verdict=None, change={"kind": "keep", "fields": {"a": 0}}))
    [said] = refusal(infinite.replace('"a": 0', '"a": 1e999').encode())
    assert said.startswith("f.jsonl: line 1, field change.fields: a number too long or too large")


def test_all_problems_come_at_once_with_the_lines_they_stand_on():
    data = written(
        line(who="", run=0, seen=1),
        line(key=f"{2:032x}"),
        {"key": f"{3:032x}"},
        line(key=f"{2:032x}", note="other"),
    )
    assert refusal(b"\n" + data) == [
        "f.jsonl: 10 problems",
        f"line 2, field seen: unknown field; known here: {KNOWN}",
        "line 2, field who: blank; say it in a few words",
        "line 2, field run: no number of a run (found 0); write a whole number of 1 or more",
        *(
            f"line 4, field {name}: missing; write it, or export the file anew"
            for name in ("at", "who", "run", "suite_sha256", "case_id", "fixture_hash")
        ),
        f"line 5, field key: on line 3 already, for something else (found {2:032x}); import the "
        "file as it was exported",
    ]


def test_no_more_than_50_problems_are_shown():
    said = refusal(written(*(line(who="") for _ in range(60))))
    assert (said[0], len(said)) == ("f.jsonl: more than 50 problems", 51)


def test_the_files_name_is_data_too():
    with pytest.raises(JournalError) as caught:
        read_entries(b"{}", "\x1b\u202e" + "x" * 500)
    assert str(caught.value).startswith("\\x1b\\u202exxx")
    assert len(str(caught.value).splitlines()[0]) < 250


@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "ignore"))
    | st.dictionaries(
        st.sampled_from([field.name for field in msgspec.structs.fields(Entry)]), fields
    ).map(lambda members: json.dumps(line() | members).encode())
)
def test_any_bytes_are_read_or_refused_in_plain_words(data):
    try:
        entries = read_entries(data, "f.jsonl")
    except JournalError:
        assert refusal(data)[0].startswith("f.jsonl: ")
    else:
        assert read_entries(jsonl(entries), "f.jsonl") == entries


# -- CSV -----------------------------------------------------------------------


def table(entries) -> list[dict[str, str]]:
    text = entries_csv(entries).decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text, newline="")))


def test_a_spreadsheet_gets_a_row_an_entry_and_sees_what_holds():
    entries = [
        an_entry(1),
        an_entry(2, verdict="acceptable"),
        an_entry(3, "bob", verdict="bad_fixture"),
        undo(4, 3, "bob"),
        an_entry(5, "bob"),
        settled(6, "acceptable", note="so\nit is"),
        an_entry(7, change=PROMOTE, note="why"),
        an_entry(8, "bob", change=RETIRE, completion_hash=None),
        undo(9, 99),
    ]
    rows = table(entries)
    assert tuple(rows[0]) == CSV_HEADS
    assert [(row["who"], row["entry"], row["says"], row["holds"]) for row in rows] == [
        ("ann", "verdict", "real_miss", "no"),
        ("ann", "verdict", "acceptable", "yes"),
        ("bob", "verdict", "bad_fixture", "no"),
        ("bob", "taken back", "bad_fixture", ""),
        ("bob", "verdict", "real_miss", "yes"),
        ("cy", "settlement", "acceptable", "yes"),
        ("ann", "decision", "promote", "no"),
        ("bob", "decision", "retire", "yes"),
        ("ann", "taken back", "", ""),
    ]
    assert rows[5] == {
        "when (UTC)": "2026-03-01 09:06:00", "who": "cy", "run": "1", "case": "s1",
        "entry": "settlement", "says": "acceptable", "holds": "yes", "note": "so\nit is",
        "change": "", "fixture hash": "b" * 64, "completion hash": "c" * 64,
        "suite hash": "a" * 64, "key": f"{6:032x}",
    }  # fmt: skip
    assert (rows[6]["change"], rows[7]["completion hash"]) == ('{"stratum":"medium"}', "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_a_spreadsheet_obeys_nobody(start):
    [row] = table([an_entry(1, f"{start}who", case_id=f"{start}id", note=f"{start}1+1")])
    assert (row["who"], row["case"], row["note"]) == (f"'{start}who", f"'{start}id", f"'{start}1+1")


def test_nothing_unseen_stands_in_a_spreadsheet():
    odd = an_entry(1, case_id=HOSTILE + "\n", note=HOSTILE.replace("\0", "") + "\r\nmore\n\rx")
    data = entries_csv([odd, an_entry(2, change=MINT)]).removeprefix(b"\xef\xbb\xbf")
    text = data.decode()
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert {char for char in text if unicodedata.category(char) in unseen} == {"\r", "\n"}
    [row, _] = table([odd, an_entry(2, change=MINT)])
    assert "\\u202e" in row["case"]
    assert "\n" not in row["case"]
    assert row["note"].endswith("\nmore\n\\rx")


def test_an_empty_journal_is_the_heads_alone():
    assert entries_csv([]).decode("utf-8-sig") == ",".join(CSV_HEADS) + "\r\n"


# -- decisions, and what was judged --------------------------------------------


def test_decisions_are_taken_over_with_who_when_and_why():
    entries = [an_entry(1), an_entry(2, change=PROMOTE, note="why"), undo(3, 2)]
    assert decisions_of(entries) == [
        Decision(
            case_id="s1",
            fixture_hash="b" * 64,
            change=PROMOTE,
            who="ann",
            at=entries[1].at,
            why="why",
        )
    ]


def text(case_id="s1", completion="c") -> CaseText:
    return CaseText(case_id, "b" * 64, completion * 64)


def graded(case_id: str, outcome="failed") -> HeldCase:
    return HeldCase(text(case_id), "stretch", outcome)


TWO = [an_entry(1), an_entry(2, "bob", verdict="acceptable")]


@pytest.mark.parametrize(
    ("entries", "state", "verdict", "words"),
    [
        (TWO[:1], "agreed", "real_miss", "real_miss"),
        ([*TWO, an_entry(3, "bob")], "agreed", "real_miss", "agreed: real_miss"),
        ([an_entry(1, verdict="unsure")], "agreed", "unsure", "unsure"),
        (TWO, "disagreement", None, "reviewers disagree"),
        ([*TWO, settled(3, "acceptable")], "settled", "acceptable", "settled: acceptable"),
    ],
)
def test_it_is_told_where_a_judgement_stands(entries, state, verdict, words):
    standing = standing_of(entries)
    [one] = judged_texts([(text(), standing)])
    assert (one.state, one.verdict, one.words) == (state, verdict, words)
    assert one.at == entries[-1].at
    assert one.verdicts == tuple(sorted(standing.verdicts.values(), key=lambda entry: entry.at))
    assert one.settlement == standing.settlement
    assert one.entries == [*one.verdicts, *([one.settlement] if one.settlement else [])]


def test_what_was_judged_last_stands_last_and_of_a_run_only_what_is_in_it():
    standings = [
        (text("late"), standing_of([an_entry(9)])),
        (text("early"), standing_of([an_entry(1)])),
        (text("middle"), standing_of([an_entry(5)])),
        (text("early", "d"), standing_of([an_entry(7)])),
    ]
    every = judged_texts(standings)
    assert [(one.case_id, one.stratum) for one in every] == [
        ("early", None), ("middle", None), ("early", None), ("late", None),
    ]  # fmt: skip
    cases = {"early": graded("early", "passed"), "late": graded("late")}
    assert [(one.case_id, one.outcome) for one in judged_texts(standings, cases)] == [
        ("early", "passed"), ("late", "failed"),
    ]  # fmt: skip
    assert judged_texts(standings, {}) == []


def test_a_time_in_another_zone_is_shown_in_utc():
    there = timezone(timedelta(hours=9))
    [entry] = read_entries(written(line(at=START.astimezone(there).isoformat())), "f")
    assert table([entry])[0]["when (UTC)"] == "2026-03-01 09:00:00"
