"""Holds evalcore against the naive grader on whatever hypothesis comes up with."""

import json
import sys
import unicodedata
from io import BytesIO
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from evalcore.case import Case
from evalcore.diagnosis import slow_case
from evalcore.errors import SuiteError
from evalcore.grading import grade_case
from evalcore.matching import (
    Folding,
    Haystack,
    bare_fold,
    fold,
    is_blank,
    is_blank_needle,
    locate,
    shortest_length,
    soft_fold,
    soft_needle,
)
from evalcore.nearness import near_miss
from evalcore.pipeline import grade_suite
from evalcore.row import fast_case
from evalcore.suite import SuiteReader
from tests.evalcore import naive

# Each character here behaves unlike its neighbours in some fold.
ODD = (
    "aAeEiIkKsSzZ09 \t\n\r\v\f\x00\x1c\x85\xa0\xad"
    "'\"-_*`[]():,.|\\/!"
    "ßẞﬁﬃﬅİıŉſKÅåéÉñǰΐΣσςΰᾳᾼὖﬓᏸꭰ"
    "\u0300\u0301\u0307\u0308\u030a\u0323\u0327\u0338\u0345\u034f\u20dd\u05b0\u3099\u1dc0"
    "\u1100\u1161\u11a8\u115f\u1160\u3164\uffa0가각かガｶﾞ"
    "\u200b\u200c\u200d\u200e\u2060\ufe0f\ufeff\u2800\u180e\U000e0101"
    "\u2002\u2007\u2028\u2029\u202f\u205f\u3000\u1680"
    "‘’‚′ʼ“”„«»″‐‑–—―−﹣"
    "ＡｚＺ０９！＇＂－～￠"
    "оаНΟΑν東京зЗ²½１"
    "𐐀𐐨𝔸🙂\U0001f1e9\U00011131\U00011127\U0010ffff"
)
# Long texts that are ASCII for the most part are folded in a way of their own.
LONG_TAIL = " Plain words" * 50

texts = st.one_of(
    st.text(st.sampled_from(ODD), max_size=12),
    st.text(st.sampled_from("abAB -\t"), max_size=8),
    st.text(max_size=12),
    st.text(st.one_of(st.sampled_from("ab AB"), st.sampled_from(ODD)), max_size=40),
)


@st.composite
def needles_for(draw: st.DrawFn, text: str) -> str:
    """Draws a needle that has a chance to stand in the text, in one form or another."""
    start = draw(st.integers(0, max(0, len(text) - 1)))
    piece = text[start : start + draw(st.integers(1, 6))]
    change = draw(
        st.sampled_from(
            (
                str,
                str.upper,
                str.casefold,
                naive.fold,
                naive.soft_fold,
                lambda t: unicodedata.normalize("NFD", t),
                lambda t: t.replace("'", "’").replace("-", "—").replace(" ", "\xa0"),
                lambda t: "\u200b".join(t),
            )
        )
    )
    needle = draw(st.one_of(st.just(change(piece)), texts))
    return needle if not naive.is_blank_needle(needle) else "a"


@st.composite
def texts_and_needles(draw: st.DrawFn) -> tuple[str, str]:
    text = draw(texts)
    return text, draw(needles_for(text))


# -- folds ---------------------------------------------------------------------


@given(texts)
@example("\u1fb3\u05b0")
@example("i\u0307İ")
@example("a\u200b\u0301")
@example("\u1100\u1161\u11a8 か\u3099 \u05d0\u05bc\u05b0")
@example("<\u200b\u0338=")
@settings(max_examples=300)
def test_folds_are_the_naive_ones(text: str):
    check_folds(text)
    check_folds(text + LONG_TAIL)


def check_folds(text: str) -> None:
    assert fold(text) == naive.fold(text)
    assert soft_fold(text) == naive.soft_fold(text)
    assert bare_fold(text) == naive.bare_fold(text)
    assert is_blank(text) == naive.is_blank(text)
    assert is_blank_needle(text) == naive.is_blank_needle(text)


@pytest.mark.parametrize("frame", ["{}", "a{}\u0301b", " {}\u3099b", "A{}b" + LONG_TAIL])
def test_every_code_point_folds_as_the_naive_fold_has_it(frame: str):
    assigned = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) not in ("Cn", "Co", "Cs") or char in naive.INVISIBLE
    ]
    plain_letters = {char for char in assigned if unicodedata.category(char) == "Lo"}
    if frame != "{}":  # most of them ideographs and syllables, all of a kind
        assigned = [char for char in assigned if char not in plain_letters or char < "\u3400"]
    wrong = [
        text
        for text in map(frame.format, assigned)
        if fold(text) != naive.fold(text) or soft_fold(text) != naive.soft_fold(text)
    ]
    assert wrong == []


def test_unassigned_code_points_fold_to_themselves():
    unassigned = "".join(
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cn", "Co") and char not in naive.INVISIBLE
    )
    assert fold(unassigned) == unassigned
    assert soft_fold(unassigned) == unassigned


@given(texts_and_needles())
@example(("a\tb", "a b"))
@example(("x \t y", " y"))
@example(("…—", "-"))
@example(("a—b", "—"))
@settings(max_examples=300)
def test_containment_is_naive_containment(pair: tuple[str, str]):
    short, needle = pair
    for text in (short, short + LONG_TAIL):
        haystack = Haystack(text)
        assert haystack.holds(needle) == naive.holds(text, needle)
        assert haystack.holds_softly(soft_needle(needle)) == naive.holds_softly(text, needle)


@given(texts_and_needles())
def test_no_text_that_holds_a_needle_is_below_its_shortest_length(pair: tuple[str, str]):
    text, needle = pair
    assume(naive.holds(text, needle))
    assert shortest_length(needle) <= len(text)


# -- places --------------------------------------------------------------------


def naive_place(text: str, needle: str, folding: Folding) -> tuple[int, int]:
    """Finds the first end, then the last start, at which the text can be parted."""
    cuts = [
        cut
        for cut in range(len(text) + 1)
        if cut == len(text)
        or not (
            unicodedata.category(text[cut]).startswith("M")
            or "\u1160" <= text[cut] <= "\u11ff"
            or text[cut] in naive.INVISIBLE
        )
    ]
    end = next(cut for cut in cuts if needle in folding(text[:cut]))
    start = max(cut for cut in (0, *cuts) if cut < end and needle in folding(text[cut:end]))
    return start, end


@given(texts_and_needles(), st.sampled_from(((fold, naive.fold), (soft_fold, naive.soft_fold))))
@example(("ﬁ\u200b", "fi"), (soft_fold, naive.soft_fold))
@settings(max_examples=300)
def test_a_place_is_the_first_and_holds_the_needle(
    pair: tuple[str, str], foldings: tuple[Folding, Folding]
):
    text, (folding, naive_folding) = pair[0], foldings
    needle = naive_folding(pair[1])
    assume(needle in naive_folding(text))
    start, end = locate(text, needle, folding)
    first_start, first_end = naive_place(text, needle, naive_folding)
    assert needle in naive_folding(text[start:end])
    assert needle not in naive_folding(text[start : end - 1])
    assert (start, end <= first_end) == (first_start, True)


@given(texts_and_needles())
@settings(max_examples=300)
def test_what_the_soft_fold_would_find_is_a_near_miss(pair: tuple[str, str]):
    text, needle = pair
    assume(not naive.holds(text, needle))
    near = near_miss(Haystack(text), needle)
    wanted = naive.soft_fold(needle)
    if wanted in naive.soft_fold(text):
        assert near is not None
        differs, start, end = near
        assert differs
        assert wanted in naive.soft_fold(text[start:end])
    elif near is not None:
        assert near[0] in (
            "matches after removing Markdown",
            "letters of another script that look the same",
        )
        assert 0 <= near[1] < near[2] <= len(text)


# -- rows ----------------------------------------------------------------------


@st.composite
def spelled(draw: st.DrawFn, text: str) -> str:
    """Draws one of the ways to write a text in JSON."""
    how = draw(st.sampled_from(("plain", "plain", "ascii", "escapes")))
    if how == "plain":
        return json.dumps(text, ensure_ascii=False)
    if how == "ascii":
        return json.dumps(text)
    escaped = draw(st.sets(st.sampled_from(sorted(set(text)) or ["a"]), max_size=3))
    return '"' + "".join(
        "".join(f"\\u{unit:04x}" for unit in _units(char))
        if char in escaped
        else json.dumps(char, ensure_ascii=False)[1:-1]
        for char in text
    ) + '"'  # fmt: skip


def _units(char: str) -> list[int]:
    encoded = char.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(encoded[at : at + 2], "big") for at in range(0, len(encoded), 2)]


@st.composite
def spelled_values(draw: st.DrawFn, value: Any) -> str:
    """Draws one of the ways to write a value in JSON; a `Raw` is written as it is."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, str):
        return draw(spelled(value))
    if isinstance(value, (list, tuple)):
        blank = draw(st.sampled_from(("", "", " ")))
        return f"[{blank}" + f",{blank}".join(draw(spelled_values(v)) for v in value) + "]"
    return json.dumps(value)


class Raw(msgspec.Struct, frozen=True):
    """Is JSON text, right or wrong."""

    text: str


raw_values = st.sampled_from(
    [
        Raw(text)
        for text in (
            "null", "true", "0", "-0", "7", "007", "7.0", "1e3", "-5", "1E400", "NaN", "Infinity",
            "-Infinity", "9" * 20, "9" * 64, "9" * 65, "9" * 5000, "1." + "0" * 70, "[]", "[[]]",
            "{}",
            '""', '" "', '"\\ud800"', '"\\udc00\\ud800"', '["\\ud83d"]', '[null]', '[1]', '[""]',
            '["\\u200b"]', '[["a"], []]', '[["a", "\\u3164"]]', '{"a": 1, "a": 2}',
            '{"a": {"b:": 1, "b\\u003a": 2}}', '{"\\ud800": 1}', '[{"a": NaN}]', '"a\tb"', "",
            "[" * 40 + "]" * 40,
        )
    ]
)  # fmt: skip

COLONS = st.sampled_from(("::", ":", "a:b", '":', '\\":', "\\u003a", '"id":'))
strings = st.one_of(texts, COLONS)
needle_texts = st.one_of(
    strings, st.sampled_from(("", " ", "\u200b", "\u3000", "\x00", "~", "\x7f"))
)

FIELD_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "id": st.one_of(strings, st.integers(), st.integers(0, 3), st.sampled_from(("\u200b", ""))),
    "stratum": st.sampled_from((*naive.STRATA, *naive.STRATA, *naive.STRATA, "Easy", "hard")),
    "prompt": strings,
    "completion": st.one_of(strings, st.none()),
    "must_include": st.one_of(st.lists(needle_texts, max_size=3), st.none()),
    "must_include_any": st.one_of(
        st.lists(st.lists(needle_texts, min_size=1, max_size=3), max_size=2), st.none()
    ),
    "must_not_include": st.one_of(st.lists(needle_texts, max_size=3), st.none()),
    "max_chars": st.one_of(st.integers(1, 2000), st.integers(-1, 1), st.none()),
    "tags": st.one_of(st.lists(strings, max_size=2), st.none()),
    "family": st.one_of(strings, st.none()),
    "note": st.one_of(strings, st.none()),
}
UNKNOWN_NAMES = st.one_of(
    st.sampled_from(
        ("owner", "must_includes", "maxChars", "ID", "Id:", "line", "unknown", "", "\ud800", "ids",
         "must_inlcude", "completions", "not", "promt", "strata", "tag", "families", "notes",
         "mustnotinclude")
    ),
    st.text(max_size=5),
)  # fmt: skip


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Draws a line of a suite that is good as often as bad."""
    names = [
        *draw(st.permutations(("id", "stratum", "prompt"))),
        *draw(st.lists(st.sampled_from(sorted(FIELD_VALUES)), max_size=5, unique=True)),
    ]
    if draw(st.integers(0, 3)):
        names = list(dict.fromkeys(names))
    members = [(name, draw(FIELD_VALUES[name])) for name in names]
    if not draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(members) - 1))
        members[at] = (members[at][0], draw(raw_values))
    if not draw(st.integers(0, 3)):
        value = draw(st.one_of(raw_values, strings, st.integers()))
        members.insert(draw(st.integers(0, len(members))), (draw(UNKNOWN_NAMES), value))
    blanks = st.sampled_from(("", "", " ", "\t", "\r"))
    inner = ",".join(
        f"{draw(blanks)}{draw(spelled(name))}{draw(blanks)}:{draw(blanks)}{draw(spelled_values(value))}"
        for name, value in members
    )
    return f"{draw(blanks)}{{{inner}}}{draw(blanks)}".encode("utf-8", "surrogatepass")


def check_readers(line: bytes) -> None:
    expected = naive.read_row(line)
    slow = slow_case(line, 7)
    if expected is None:
        assert isinstance(slow, tuple)
        assert slow
        assert all(error.line == 7 and error.problem and len(error.text) < 400 for error in slow)
        assert fast_case(line, 7) is None
    else:
        assert isinstance(slow, Case), slow
        assert msgspec.structs.asdict(slow) == {**expected, "line": 7}
        assert fast_case(line, 7) in (slow, None)


@given(lines())
@example(b'{"id": "a", "\\u0069d": "b", "stratum": "easy", "prompt": "p"}')
@example(b'{"id": "a", "id": "b\\u003a", "stratum": "easy", "prompt": "p"}')
@example(b'{"id":"a","stratum":"easy","prompt":"p","max_chars":' + b"9" * 65 + b"}")
@example(b'{"id":"a","stratum":"easy","prompt":"p","\\ud800":1}')
@example(b'{"id":"a","stratum":"easy","prompt":"p","tags":[],"tags":[]}')
@example(b'{"id":"a","stratum":"easy","prompt":":","tags":null,"tags":null}')
@settings(max_examples=400)
def test_both_readers_read_what_the_naive_reader_reads(line: bytes):
    check_readers(line)


@given(lines(), st.data())
@settings(max_examples=200)
def test_both_readers_take_or_refuse_a_damaged_line_alike(line: bytes, data: st.DataObject):
    at = data.draw(st.integers(0, len(line)))
    junk = data.draw(
        st.one_of(st.binary(max_size=3), st.sampled_from((b'"', b"}", b",", b"\\", b":")))
    )
    damaged = line[:at] + junk + line[at + data.draw(st.integers(0, 3)) :]
    assume(damaged.strip() and b"\n" not in damaged)
    check_readers(damaged)


def test_most_good_lines_are_read_fast():
    """Guards the properties above against a fast reader that never answers."""
    line = '{"id": "a", "stratum": "easy", "prompt": "p: q", "completion": "é:"}'.encode()
    assert fast_case(line, 1) == slow_case(line, 1)


# -- suites --------------------------------------------------------------------


@st.composite
def good_rows(draw: st.DrawFn, number: int) -> dict[str, Any]:
    completion = draw(st.one_of(texts, texts, st.none()))
    needles = st.lists(needles_for(completion or ""), max_size=3)
    row = {
        "id": f"{number}" + draw(st.sampled_from(("", "é", "/?#%", " "))),
        "stratum": draw(st.sampled_from(naive.STRATA)),
        "prompt": draw(strings),
        "completion": completion,
        "must_include": draw(needles),
        "must_include_any": draw(
            st.lists(st.lists(needles_for(completion or ""), min_size=1, max_size=2), max_size=2)
        ),
        "must_not_include": draw(needles),
        "max_chars": draw(st.integers(1, 60)),
        "family": draw(st.sampled_from((None, "f", "g"))),
    }
    absent = draw(
        st.sets(st.sampled_from([name for name in row if name not in ("id", "stratum", "prompt")]))
    )
    return {name: value for name, value in row.items() if name not in absent or value}


@st.composite
def suites(draw: st.DrawFn) -> list[dict[str, Any]]:
    return [draw(good_rows(number)) for number in range(draw(st.integers(1, 8)))]


def as_jsonl(rows: list[dict[str, Any]], *, ascii_only: bool = False, end: str = "\n") -> bytes:
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + end for row in rows).encode()


def graded(data: bytes) -> dict[str, Any] | None:
    try:
        report = json.loads(grade_suite(BytesIO(data)).to_bytes())
    except SuiteError:
        return None
    return {
        **{key: report[key] for key in ("n", "rates", "failures")},
        **{key: report["suite"][key] for key in ("sha256", "instrument_hash")},
    }


@given(suites())
def test_a_suite_is_graded_as_the_naive_grader_grades_it(rows: list[dict[str, Any]]):
    data = as_jsonl(rows)
    assert graded(data) == naive.grade_suite(data)


@given(st.lists(lines(), min_size=1, max_size=4), st.booleans())
def test_a_suite_is_refused_where_the_naive_grader_refuses_it(rows: list[bytes], ends: bool):
    assume(all(b"\n" not in row for row in rows))
    data = b"\n".join(rows) + b"\n" * ends
    assume(data.strip() and b"\0" not in data)
    assert graded(data) == naive.grade_suite(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_graded_or_refused_with_words(data: bytes):
    try:
        grade_suite(BytesIO(data))
    except SuiteError as error:
        assert str(error)  # noqa: PT017


@given(suites())
def test_marks_point_at_the_text_they_quote(rows: list[dict[str, Any]]):
    for case in SuiteReader(BytesIO(as_jsonl(rows))):
        text = case.completion or ""
        grade = grade_case(case)
        for mark in grade.marks:
            if mark.kind in ("near_miss", "forbidden"):
                assert mark.start is not None
                assert mark.end is not None
                assert mark.found == text[mark.start : mark.end] != ""
                assert f"[{mark.found}]" in mark.context
        hits = (mark.needle for mark in grade.marks if mark.kind == "forbidden")
        forbidden = list(dict.fromkeys(hits))
        assert forbidden == [
            reason.detail[0]
            for reason in grade.reasons
            if reason.kind == "forbidden" and case.completion is not None
        ]


@given(suites(), st.data())
def test_the_instrument_hash_does_not_see_how_a_suite_is_written(
    rows: list[dict[str, Any]], data: st.DataObject
):
    reader = SuiteReader(BytesIO(as_jsonl(rows)))
    list(reader)
    other_rows = [dict(data.draw(st.permutations(list(row.items())))) for row in rows]
    for row in other_rows:
        for name in ("must_include", "must_include_any", "must_not_include"):
            if not row.get(name):
                row[name] = data.draw(st.sampled_from((None, [])))
        row.setdefault("max_chars", data.draw(st.sampled_from((None, 1200))))
        row["note"] = row["tags"] = None
        row["completion"] = "another answer"
    other = SuiteReader(
        BytesIO(as_jsonl(data.draw(st.permutations(other_rows)), ascii_only=True, end="\r\n\n"))
    )
    list(other)
    assert other.instrument_hash == reader.instrument_hash
    assert other.sha256 != reader.sha256
    changed = [*rows[1:], {**rows[0], "prompt": rows[0]["prompt"] + "!"}]
    third = SuiteReader(BytesIO(as_jsonl(changed)))
    list(third)
    assert third.instrument_hash != reader.instrument_hash
