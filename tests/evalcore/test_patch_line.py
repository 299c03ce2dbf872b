"""One line edited: the value that was meant is new, every other byte is the old one."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.case import Case
from evalcore.errors import RowError
from evalcore.patch import checked, edited, line_of

ROW = b'{"id": "a", "stratum": "easy", "prompt": "p"}'


def faults_of(line: bytes) -> tuple[RowError, ...]:
    found = checked(line)
    assert not isinstance(found, Case)
    return found


@pytest.mark.parametrize(
    ("line", "fields", "expected"),
    [
        (ROW, {}, ROW),
        (ROW, {"stratum": "medium"}, b'{"id": "a", "stratum": "medium", "prompt": "p"}'),
        (b'{"a": 1}\n', {"note": "n"}, b'{"a": 1, "note": "n"}\n'),
        (b'{"a":1,"b":2}\r\n', {"n": [1, 2]}, b'{"a":1,"b":2,"n":[1,2]}\r\n'),
        (b'{"a": 1,"b": 2}', {"n": {"k": [1, 2]}}, b'{"a": 1,"b": 2,"n": {"k": [1,2]}}'),
        (b'{"a":1, "b":2}', {"n": {"k": [1, 2]}}, b'{"a":1, "b":2, "n":{"k":[1, 2]}}'),
        (b' \t{ "a" :  1 , "b":2  } \t\n', {"a": 3}, b' \t{ "a" :  3 , "b":2  } \t\n'),
        (b'{  "a" : 1  }', {"n": None}, b'{  "a" : 1, "n": null  }'),
        (b"{}", {"a": 1, "b": "x"}, b'{"a": 1, "b": "x"}'),
        (b"{ }", {"a": 1}, b'{"a": 1 }'),
        (b'{"a": [1, {"a": 2}], "b": "a"}', {"a": 0}, b'{"a": 0, "b": "a"}'),
        (b'{"b": {"a": 1}}', {"a": 0}, b'{"b": {"a": 1}, "a": 0}'),
        (b'{"\\u0061": 1}', {"a": 2}, b'{"\\u0061": 2}'),
        (
            b'{"x": 7.0, "y": 1e3, "z": -0, "a": 1}',
            {"a": 2},
            b'{"x": 7.0, "y": 1e3, "z": -0, "a": 2}',
        ),
        (b'{"x": "\\u00e9\\/", "a": "b"}', {"a": "c"}, b'{"x": "\\u00e9\\/", "a": "c"}'),
        (b'{"a": "}\\"", "b": 1}', {"b": 2}, b'{"a": "}\\"", "b": 2}'),
        (b'\xef\xbb\xbf{"a": 1}\n', {"a": 2}, b'\xef\xbb\xbf{"a": 2}\n'),
        ('{"a": "\u2028", "b": 1}\n'.encode(), {"b": 2}, '{"a": "\u2028", "b": 2}\n'.encode()),
        (b'{"a": null, "b": true}', {"a": False, "b": None}, b'{"a": false, "b": null}'),
        (b'{"x": ' + b"9" * 5000 + b', "a": 1}', {"a": 2}, b'{"x": ' + b"9" * 5000 + b', "a": 2}'),
    ],
)
def test_only_what_is_set_changes(line, fields, expected):
    assert edited(line, fields) == expected


@pytest.mark.parametrize(
    ("line", "written"),
    [
        (b'{"a": 1}', '"é\u2028🙂"'.encode()),
        ('{"a": 1, "x": "ü"}'.encode(), '"é\u2028🙂"'.encode()),
        ('{"a": 1, "x": "ü \\u00fc"}'.encode(), '"é\u2028🙂"'.encode()),
        (b'{"a": 1, "x": "\\u00fc"}', b'"\\u00e9\\u2028\\ud83d\\ude42"'),
        (b'\xef\xbb\xbf{"a": 1, "x": "\\u00fc"}', b'"\\u00e9\\u2028\\ud83d\\ude42"'),
        (b'{"a": 1, "\\u00fc": ""}', b'"\\u00e9\\u2028\\ud83d\\ude42"'),
        (b'{"a": 1, "x": "\\u000a"}', '"é\u2028🙂"'.encode()),
        (b'{"a": 1, "x": "\\\\u00fc"}', '"é\u2028🙂"'.encode()),
    ],
)
def test_new_text_is_spelled_as_the_line_spells_its_own(line, written):
    assert edited(line, {"a": "é\u2028🙂"}) == line.replace(b'"a": 1', b'"a": ' + written)


def test_half_a_character_becomes_an_escape_that_the_loader_refuses():
    line = edited(ROW, {"prompt": "half \ud83d"})
    assert line == b'{"id": "a", "stratum": "easy", "prompt": "half \\ud83d"}'
    (error,) = faults_of(line)
    assert error.problem == "an unpaired surrogate (half a character)"


@pytest.mark.parametrize(
    "line", [b"", b" \n", b"[1]", b'{"a": 1', b'{"a": 1} {}', b"x{}", b"\xff{}"]
)
def test_what_is_no_object_is_refused(line):
    with pytest.raises(ValueError, match=r"."):
        edited(line, {"a": 1})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
objects = st.dictionaries(st.text(max_size=4), json_values, max_size=5)
spaces = st.sampled_from(["", " ", "  ", "\t", " \r"])


@st.composite
def lines(draw):
    """Draws an object and one of the many ways to write it."""
    fields = draw(objects)
    dump = draw(st.sampled_from([True, False]))

    def written(value):
        separators = (f",{draw(spaces)}", f"{draw(spaces)}:{draw(spaces)}")
        return json.dumps(value, ensure_ascii=dump, separators=separators)

    members = [
        f"{draw(spaces)}{written(name)}{draw(spaces)}:{draw(spaces)}{written(value)}{draw(spaces)}"
        for name, value in fields.items()
    ]
    end = draw(st.sampled_from(["", "\n", "\r\n"]))
    text = f"{draw(spaces)}{{{','.join(members)}{draw(spaces)}}}{end}"
    return fields, text.encode(errors="surrogatepass" if not dump else "strict")


@given(lines(), objects)
def test_an_edited_line_reads_as_the_object_with_the_fields_set(drawn, fields):
    old, line = drawn
    new = edited(line, fields)
    assert json.loads(new) == old | fields
    assert list(json.loads(new)) == list(old | fields)
    assert edited(line, {}) == line
    assert new.endswith(b"\n") == line.endswith(b"\n")
    assert b"\n" not in new.rstrip(b"\n")


# -- one row by itself ---------------------------------------------------------


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b" \n"])
def test_a_good_row_gives_its_case(end):
    case = Case(id="a", stratum="easy", prompt="p", line=3)
    assert checked(ROW + end, 3) == case


def test_a_row_with_unknown_fields_gives_its_case():
    case = Case(id="7", stratum="easy", prompt="p", unknown=("owner",), line=1)
    assert checked(b'{"id": 7, "stratum": "easy", "prompt": "p", "owner": 1e3}') == case


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        (b"", ["line 1: not JSON: expecting value at column 1 (found the end of the line); "
               "write one whole JSON object on the line"]),
        (ROW.replace(b", ", b",\n"), ["line 1: a line break inside the row; write the whole case "
                                      "on one line, breaks in text as \\n"]),
        (b'{"id": "", "stratum": "hard"}', [
            "line 1, field prompt: missing; every case needs a prompt in quotes",
            'line 1, field id: a blank id (found ""); write an id: text that is not blank, or a '
            "whole number",
            'line 1, field stratum: no such stratum (found "hard"); write one of easy, medium, '
            "stretch",
        ]),
    ],
)  # fmt: skip
def test_a_bad_row_gives_every_fault(line, texts):
    assert [error.text for error in faults_of(line)] == texts


@pytest.mark.parametrize(
    ("case", "line"),
    [
        (Case(id="a", stratum="easy", prompt="p", completion="c", line=9), ROW),
        (
            Case(
                id="ü\u2028",
                stratum="medium",
                prompt="",
                must_include=("x",),
                must_include_any=(("y", "z"),),
                must_not_include=("é",),
                max_chars=7,
                tags=("t",),
                family="f",
                note="n",
            ),
            '{"id": "ü\u2028", "stratum": "medium", "prompt": "", "must_include": ["x"], '
            '"must_include_any": [["y", "z"]], "must_not_include": ["é"], "max_chars": 7, '
            '"tags": ["t"], "family": "f", "note": "n"}'.encode(),
        ),
    ],
)
def test_a_case_is_written_as_the_row_that_reads_as_it(case, line):
    assert line_of(case) == line
    assert checked(line) == msgspec.structs.replace(case, completion=None, line=1)
