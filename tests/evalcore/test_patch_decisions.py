"""Decisions as a file: nothing is lost on the way, and every fault is named with its place."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.decision import Change, Decision
from evalcore.errors import PatchError
from evalcore.patch import decisions, decisions_jsonl, kept, minted, read_decisions, retired
from tests.evalcore.test_fuzz import is_fit_to_show, outcome

HASH = "0123456789abcdef" * 4
GOOD = {
    "case_id": "a",
    "fixture_hash": HASH,
    "change": {"kind": "retire"},
    "who": "Ada",
    "at": "2026-12-01T14:30:00Z",
    "why": "old",
}
AT = datetime(2026, 12, 1, 14, 30, tzinfo=UTC)


def decision(change=None, **fields):
    given = {"case_id": "a", "fixture_hash": HASH, "who": "Ada", "at": AT, "why": "old"}
    return Decision(change=change or retired(), **{**given, **fields})


def refused(data):
    with pytest.raises(PatchError) as error:
        read_decisions(data, "d.jsonl")
    return str(error.value)


def line_of(**fields):
    """Returns a line with fields set; those set to ... are left out."""
    kept_fields = {name: value for name, value in {**GOOD, **fields}.items() if value is not ...}
    return json.dumps(kept_fields).encode()


def nested(depth):
    return [nested(depth - 1)] if depth else 1


TOO_LONG = (
    "a number too long or too large to be kept (found an object of 1); numbers have at most 64 "
    "digits; write text in quotes"
)


def test_a_file_is_one_line_a_decision():
    assert decisions_jsonl([decision(), decision(kept(), why="")]) == (
        b'{"case_id":"a","fixture_hash":"' + HASH.encode() + b'","change":{"kind":"retire"},'
        b'"who":"Ada","at":"2026-12-01T14:30:00Z","why":"old"}\n'
        b'{"case_id":"a","fixture_hash":"' + HASH.encode() + b'","change":{"kind":"keep"},'
        b'"who":"Ada","at":"2026-12-01T14:30:00Z","why":""}\n'
    )


def test_what_would_act_on_a_terminal_is_escaped():
    hostile = decision(why="\x1b[31m \u202e \x9b \x7f \u2028")
    data = decisions_jsonl([hostile])
    assert not {"\x1b", "\u202e", "\x9b", "\x7f"} & set(data.decode())
    assert read_decisions(data, "d.jsonl") == [hostile]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
ids = st.text(min_size=1).map(lambda text: f"x{text}")
others = st.dictionaries(st.text().filter(lambda name: name not in ("id", "note")), json_values)


@st.composite
def any_decisions(draw):
    case_id = draw(ids)
    kind = draw(st.sampled_from(["promote", "accept_wording", "fix_check", "retire", "mint"]))
    fields = {
        "promote": {"stratum": "medium"},
        "accept_wording": {"must_include_any": draw(json_values)},
        "fix_check": {"max_chars": draw(json_values), **draw(others)},
        "retire": {},
        "mint": {"id": case_id, **draw(others)},
    }[kind]
    zone = timezone(timedelta(minutes=draw(st.integers(-720, 720))))
    return Decision(
        case_id=case_id,
        fixture_hash="" if kind == "mint" else HASH,
        change=Change(kind=kind, fields=fields),
        who=f"A{draw(st.text(st.characters(categories=['L', 'N']), max_size=9))}",
        at=draw(st.datetimes(datetime(1970, 1, 2), datetime(2199, 12, 30))).replace(tzinfo=zone),
        why=draw(st.text().map(lambda text: text.replace("\0", ""))),
    )


@given(st.lists(any_decisions(), max_size=4))
def test_what_was_written_is_read_again(some):
    assert read_decisions(decisions_jsonl(some), "d.jsonl") == some


def test_blank_lines_crlf_and_a_byte_order_mark_are_accepted():
    line = decisions_jsonl([decision()]).rstrip()
    data = b"\xef\xbb\xbf\r\n" + line + b"\r\n \n\n" + line
    assert read_decisions(data, "d.jsonl") == [decision(), decision()]
    assert read_decisions(b"", "d.jsonl") == read_decisions(b"\n", "d.jsonl") == []


def test_times_are_read_in_utc():
    [one] = read_decisions(line_of(at="2026-12-01T16:30:00+02:00"), "d.jsonl")
    assert (one, one.at.utcoffset()) == (decision(), timedelta(0))


def test_numbers_keep_their_digits():
    big = decision(minted({"id": "a", "x": 10**60, "y": 7.0}), fixture_hash="")
    assert read_decisions(decisions_jsonl([big]), "d.jsonl") == [big]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (line_of(who=...), "line 1, field who: missing; write it, or export the file anew"),
        (line_of(whom="x"), "line 1, field whom: unknown field; known here: case_id, fixture_hash, "
         "change, who, at, why"),
        (line_of(case_id=7), "line 1, field case_id: not text (found 7); write the case's id in "
         "quotes"),
        (line_of(case_id=" \u200b"), 'line 1, field case_id: blank (found " \\u200b"); write the '
         "case's id"),
        (b'{"case_id": "\\ud800",' + line_of(case_id=...)[1:], "line 1, field case_id: an "
         "unpaired surrogate (half a character) (found \\ud800); write the whole character"),
        (line_of(change={"kind": "fix_check", "fields": {"x": "\ud800"}}), "line 1, field "
         "change.fields: an unpaired surrogate (half a character) (found \\ud800); write the whole "
         "character"),
        (line_of(fixture_hash="ABC"), 'line 1, field fixture_hash: not 64 hex digits in lower case '
         '(found "ABC"); leave it as it was exported'),
        (line_of(fixture_hash=""), "line 1, field fixture_hash: blank for mint and for nothing "
         "else; export the decisions anew"),
        (line_of(change={"kind": "mint", "fields": {"id": "a"}}), "line 1, field fixture_hash: "
         "blank for mint and for nothing else; export the decisions anew"),
        (line_of(who=" "), "line 1, field who: blank; say it in a few words"),
        (line_of(who="a\x1b"), "line 1, field who: more than 200 characters, or some that cannot "
         'be seen (found "a\\x1b"); write it shorter and plainly'),
        (line_of(who=["a"]), "line 1, field who: not text (found a list of 1); write text in "
         "quotes"),
        (line_of(why=None), "line 1, field why: not text (found null); write text in quotes"),
        (line_of(why="x" * 20_001), "line 1, field why: more than 20,000 characters, or some that "
         f'no text holds (found "{"x" * 59}…"); write it shorter and plainly'),
        (line_of(at="2026-12-01T14:30:00"), "line 1, field at: a time without a zone (found "
         "2026-12-01 14:30:00); give it one, as in 2026-12-01T09:30:00Z"),
        (line_of(at=1), "line 1, field at: not a time (found 1); write it like "
         "2026-12-01T09:30:00Z"),
        (line_of(at="0001-01-01T00:00:00Z"), "line 1, field at: not from 1970 to 2199 (found "
         "1-01-01); correct the date"),
        (line_of(change="retire"), 'line 1, field change: not an object (found "retire"); write it '
         'like {"kind": "retire"}'),
        (line_of(change={}), "line 1, field change.kind: missing; write it, or export the file "
         "anew"),
        (line_of(change={"kind": []}), "line 1, field change.kind: no such word (found a list of "
         "0); write one of promote, accept_wording, fix_check, retire, keep, mint"),
        (line_of(change={"kind": "keep", "x": 1}), "line 1, field change.x: unknown field; known "
         "here: kind, fields"),
        (line_of(change={"kind": "keep", "fields": []}), "line 1, field change.fields: not an "
         "object (found a list of 0); write the row's fields with their new values"),
        (line_of(change={"kind": "keep", "fields": {"prompt": "p"}}), "line 1, field change: keep "
         "sets no field; leave the fields out"),
        (line_of(change={"kind": "promote", "fields": {"stratum": "easy"}}), "line 1, field "
         'change: promote sets "stratum" to "medium" and nothing else'),
        (line_of(change={"kind": "accept_wording", "fields": {"prompt": "p"}}), "line 1, field "
         "change: accept_wording sets must_include and must_include_any only"),
        (line_of(change={"kind": "fix_check"}), "line 1, field change: fix_check sets no field; "
         "name the fields to set"),
        (line_of(change={"kind": "fix_check", "fields": {"id": "b"}}), "line 1, field change: a "
         "case keeps its id; retire it and mint another one"),
        (line_of(change={"kind": "fix_check", "fields": {"note": 1}}), "line 1, field change: a "
         "note that is no text; write it in quotes"),
        (line_of(fixture_hash="", change={"kind": "mint", "fields": {"id": "b"}}), "line 1, field "
         "change: mint names another id in its row; write the same id in both"),
        (b'{"who": "a", "who": "b"}', "line 1, field who: the same key twice in one object; keep "
         "one of the two"),
        (b'"x"', "line 1: not an object (found \"x\"); write one JSON object a line"),
        (b'{"x": ' + b"9" * 5000 + b"}", "line 1: a number too long or too large to be "
         "kept; numbers have at most 64 digits; write text in quotes"),
        (b'{"x": ' + b"[" * 100_000, "line 1: brackets nested more than 100 deep; "
         "flatten the value or delete the field"),
        (b'{"x": "\xff"}', "line 1: not valid UTF-8 (found byte 0xff as byte 8 of the line); save "
         "the file as UTF-8"),
        (line_of(change={"kind": "fix_check", "fields": {"x": float("nan")}}), "line 1: not a "
         "JSON number (found NaN); write a number"),
        (line_of(change={"kind": "fix_check", "fields": {"x": 0}}).replace(b"0}", b"1e999}"),
         f"line 1, field change.fields: {TOO_LONG}"),
        (line_of(change={"kind": "fix_check", "fields": {"x": [-(10**64)]}}),
         f"line 1, field change.fields: {TOO_LONG}"),
        (line_of(change={"kind": "fix_check", "fields": {"x": nested(150)}}), "line 1, field "
         "change.fields: brackets nested more than 100 deep (found an object of 1); flatten the "
         "value or delete the field"),
        (b"\x1f\x8b\x08", "line 1: this is gzip, not JSONL; unpack it first (gunzip)"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_place(line, problem):
    assert refused(line) == f"d.jsonl: {problem}"


def test_every_fault_is_told_at_once():
    data = b"\n".join([line_of(who="", at=""), line_of(), line_of(case_id=None)])
    assert refused(data) == (
        "d.jsonl: 3 problems\n"
        "line 1, field who: blank; say it in a few words\n"
        'line 1, field at: not a time (found ""); write it like 2026-12-01T09:30:00Z\n'
        "line 3, field case_id: not text (found null); write the case's id in quotes"
    )


def test_of_many_faults_the_first_are_told():
    message = refused(b"\n".join([line_of(who="")] * 5000)).split("\n")
    assert message[0] == "d.jsonl: more than 50 problems"
    assert len(message) == 51


def test_a_file_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(decisions, "MAX_DECISIONS_BYTES", 1 << 20)
    assert refused(b" " * ((1 << 20) + 1)) == (
        "d.jsonl: larger than 1 MiB; it holds a line for each decision, is it the suite?"
    )


PIECES = st.sampled_from(
    [line_of()[:40], line_of(), line_of()[40:], b"{", b"}", b"[", b'"', b"\\", b"\xff", b"\0",
     b"\n", b":", b",", b"null", b"NaN", b"1e999", b"\xe2\x80\xae", b'"\\ud800"', b'"at":',
     b'{"kind":{}}', b'"change":', b"\xef\xbb\xbf"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(b"".join) | st.binary(max_size=80))
def test_garbage_gives_decisions_or_a_plain_message(data):
    found = outcome(lambda: read_decisions(data, "d\x1b.jsonl"))
    if isinstance(found, list):
        assert read_decisions(decisions_jsonl(found), "again") == found
    else:
        assert isinstance(found, PatchError)
        assert is_fit_to_show(str(found), 700)
