"""Every row error and framing fault of the contract: a small file each, and what is said of it."""

import json
import unicodedata
from io import BytesIO
from pathlib import Path

import pytest

from evalcore import suite
from evalcore.case import Case
from evalcore.cli import main
from evalcore.errors import RowError, SuiteError
from evalcore.pipeline import grade_suite
from evalcore.suite import SuiteReader

ROWS_FOLDER = Path(__file__).parent / "rows"

# File -> line, field and problem of each fault; what follows a colon is the JSON reader's own.
ROWS = {
    "bare_cr": [
        (1, "", "this is text with bare CR line ends, not JSONL"),
    ],
    "blank": [
        (1, "", "no cases"),
    ],
    "byte_order_mark_alone": [
        (1, "", "no cases"),
    ],
    "byte_order_mark_inside": [
        (2, "", "a byte order mark inside the file"),
    ],
    "bzip2": [
        (1, "", "this is bzip2, not JSONL"),
    ],
    "comma_after_each_object": [
        (1, "", "this is a list of objects with a comma after each, not JSONL"),
    ],
    "comments": [
        (2, "", "a comment; JSONL has none"),
        (4, "", "a comment; JSONL has none"),
        (5, "", "a comment; JSONL has none"),
    ],
    "completion_of_another_type": [
        (1, "completion", "a number where text should be"),
        (2, "completion", "true or false where text should be"),
        (3, "completion", "a list where text should be"),
        (4, "completion", "an object where text should be"),
    ],
    "constant_that_json_lacks": [
        (1, "extra", "not a JSON number"),
        (2, "extra", "not a JSON number"),
    ],
    "control_character_in_text": [
        (2, "", "not JSON"),
        (3, "", "not JSON"),
        (4, "", "not JSON"),
    ],
    "cut_off": [
        (2, "", "not JSON"),
        (3, "", "not JSON"),
        (4, "", "not JSON"),
    ],
    "empty": [
        (1, "", "no cases"),
    ],
    "family_of_another_type": [
        (1, "family", "a number where text should be"),
        (2, "family", "a list where text should be"),
    ],
    "field_misspelt": [
        (1, "must_includes", "unknown field"),
        (2, "must_inlcude", "unknown field"),
        (3, "mustInclude", "unknown field"),
        (4, "MUST_NOT_INCLUDE", "unknown field"),
        (5, "must_include_anyof", "unknown field"),
        (6, "maxChars", "unknown field"),
        (7, "max_char", "unknown field"),
        (8, "completions", "unknown field"),
        (9, "Prompt", "unknown field"),
        (10, "ID", "unknown field"),
        (11, "notes", "unknown field"),
        (12, "familly", "unknown field"),
    ],
    "field_twice": [
        (1, "must_include", "the same key twice in one object"),
        (2, "completion", "the same key twice in one object"),
        (3, "must_include", "the same key twice in one object"),
        (4, "a", "the same key twice in one object"),
        (5, "b", "the same key twice in one object"),
    ],
    "gzip": [
        (1, "", "this is gzip, not JSONL"),
    ],
    "html": [
        (1, "", "this is a web page or XML, not JSONL"),
    ],
    "id_blank": [
        (1, "id", "a blank id"),
        (2, "id", "a blank id"),
        (3, "id", "a blank id"),
    ],
    "id_missing": [
        (1, "id", "missing"),
    ],
    "id_of_another_type": [
        (1, "id", "null where an id should be"),
        (2, "id", "a number where an id should be"),
        (3, "id", "true or false where an id should be"),
        (4, "id", "a list where an id should be"),
        (5, "id", "an object where an id should be"),
        (6, "id", "a number where an id should be"),
        (7, "id", "a number where an id should be"),
    ],
    "id_of_too_many_digits": [
        (2, "id", "a number of 65 characters"),
    ],
    "id_twice": [
        (3, "id", "duplicate id, already used on line 1"),
        (4, "id", "duplicate id, already used on line 2"),
        (5, "id", "duplicate id, already used on line 1"),
    ],
    "id_twice_as_number_and_text": [
        (2, "id", "duplicate id, already used on line 1"),
        (4, "id", "duplicate id, already used on line 3"),
    ],
    "json_array": [
        (1, "", "this is a JSON array (a list), not JSONL"),
    ],
    "json_array_after_blank_lines": [
        (3, "", "this is a JSON array (a list), not JSONL"),
    ],
    "json_array_empty": [
        (1, "", "this is a JSON array (a list), not JSONL"),
    ],
    "json_array_pretty": [
        (1, "", "this is a JSON array (a list), not JSONL"),
    ],
    "max_chars_below_1": [
        (1, "max_chars", "a budget below 1"),
        (2, "max_chars", "a budget below 1"),
    ],
    "max_chars_not_a_number": [
        (1, "max_chars", "not a JSON number"),
        (2, "max_chars", "not a JSON number"),
        (3, "max_chars", "not a JSON number"),
    ],
    "max_chars_of_another_type": [
        (1, "max_chars", "text where a whole number should be"),
        (2, "max_chars", "true or false where a whole number should be"),
        (3, "max_chars", "a list where a whole number should be"),
        (4, "max_chars", "a number where a whole number should be"),
        (5, "max_chars", "a number where a whole number should be"),
        (6, "max_chars", "a number where a whole number should be"),
    ],
    "max_chars_of_too_many_digits": [
        (2, "max_chars", "a number of 65 characters"),
    ],
    "must_include_any_blank": [
        (1, "must_include_any[0][0]", "an empty or blank needle, which says nothing"),
        (2, "must_include_any[1][1]", "an empty or blank needle, which says nothing"),
    ],
    "must_include_any_empty": [
        (1, "must_include_any[0]", "an empty list, which nothing can satisfy"),
        (2, "must_include_any[1]", "an empty list, which nothing can satisfy"),
    ],
    "must_include_any_of_another_type": [
        (1, "must_include_any", "text where a list should be"),
        (2, "must_include_any[0]", "text where a list should be"),
        (3, "must_include_any[0]", "text where a list should be"),
        (3, "must_include_any[1]", "text where a list should be"),
        (4, "must_include_any[1]", "null where a list should be"),
        (5, "must_include_any[0][1]", "null in a list of texts"),
        (6, "must_include_any[0][1]", "a number in a list of texts"),
        (7, "must_include_any[0][0]", "a list in a list of texts"),
        (8, "must_include_any", "an object where a list should be"),
    ],
    "must_include_blank": [
        (1, "must_include[0]", "an empty or blank needle, which says nothing"),
        (2, "must_include[1]", "an empty or blank needle, which says nothing"),
        (3, "must_include[0]", "an empty or blank needle, which says nothing"),
        (4, "must_include[0]", "an empty or blank needle, which says nothing"),
        (5, "must_include[1]", "an empty or blank needle, which says nothing"),
        (5, "must_include[2]", "an empty or blank needle, which says nothing"),
    ],
    "must_include_of_another_type": [
        (1, "must_include", "text where a list should be"),
        (2, "must_include", "a number where a list should be"),
        (3, "must_include", "true or false where a list should be"),
        (4, "must_include", "an object where a list should be"),
        (5, "must_include[1]", "null in a list of texts"),
        (6, "must_include[1]", "a number in a list of texts"),
        (7, "must_include[0]", "a list in a list of texts"),
        (8, "must_include[0]", "an object in a list of texts"),
    ],
    "must_not_include_blank": [
        (1, "must_not_include[0]", "an empty or blank needle, which says nothing"),
        (2, "must_not_include[1]", "an empty or blank needle, which says nothing"),
        (3, "must_not_include[0]", "an empty or blank needle, which says nothing"),
        (4, "must_not_include[0]", "an empty or blank needle, which says nothing"),
        (5, "must_not_include[1]", "an empty or blank needle, which says nothing"),
        (5, "must_not_include[2]", "an empty or blank needle, which says nothing"),
    ],
    "must_not_include_of_another_type": [
        (1, "must_not_include", "text where a list should be"),
        (2, "must_not_include", "a number where a list should be"),
        (3, "must_not_include", "true or false where a list should be"),
        (4, "must_not_include", "an object where a list should be"),
        (5, "must_not_include[1]", "null in a list of texts"),
        (6, "must_not_include[1]", "a number in a list of texts"),
        (7, "must_not_include[0]", "a list in a list of texts"),
        (8, "must_not_include[0]", "an object in a list of texts"),
    ],
    "nested_too_deep": [
        (2, "extra", "brackets nested more than 100 deep"),
        (3, "extra", "brackets nested more than 100 deep"),
    ],
    "not_an_object": [
        (2, "", "not an object"),
        (3, "", "not an object"),
        (4, "", "not an object"),
        (5, "", "not an object"),
        (6, "", "not an object"),
        (7, "", "not an object"),
    ],
    "not_utf8": [
        (2, "", "not valid UTF-8"),
        (3, "", "not valid UTF-8"),
        (4, "", "not valid UTF-8"),
        (5, "", "not valid UTF-8"),
    ],
    "note_of_another_type": [
        (1, "note", "a number where text should be"),
        (2, "note", "an object where text should be"),
    ],
    "nul_among_text": [
        (2, "", "a NUL byte, not JSON"),
    ],
    "nul_block_after_one_row": [
        (2, "", "200 NUL bytes, not JSON"),
    ],
    "nul_block_at_the_end": [
        (3, "", "600 NUL bytes, not JSON"),
    ],
    "nul_block_at_the_start": [
        (1, "", "300 NUL bytes, not JSON"),
    ],
    "number_of_5000_digits": [
        (2, "extra", "a number of 5000 characters"),
        (3, "extra", "a number of 5002 characters"),
    ],
    "office_file": [
        (1, "", "this is a spreadsheet or another office file, not JSONL"),
    ],
    "parquet": [
        (1, "", "this is a Parquet file, not JSONL"),
    ],
    "pdf": [
        (1, "", "this is a PDF, not JSONL"),
    ],
    "pretty_printed": [
        (1, "", "this is pretty-printed JSON, not JSONL"),
    ],
    "pretty_printed_with_crlf_and_mark": [
        (1, "", "this is pretty-printed JSON, not JSONL"),
    ],
    "prompt_missing": [
        (1, "prompt", "missing"),
    ],
    "prompt_of_another_type": [
        (1, "prompt", "null where text should be"),
        (2, "prompt", "a number where text should be"),
        (3, "prompt", "a list where text should be"),
        (4, "prompt", "a list where text should be"),
    ],
    "python_literal": [
        (2, "", "not JSON"),
    ],
    "several_faults_in_one_row": [
        (1, "notes", "unknown field"),
        (1, "prompt", "missing"),
        (1, "id", "a blank id"),
        (1, "stratum", "no such stratum"),
        (1, "completion", "a number where text should be"),
        (1, "must_include[1]", "null in a list of texts"),
        (1, "must_include[2]", "an empty or blank needle, which says nothing"),
        (1, "max_chars", "a budget below 1"),
    ],
    "sqlite": [
        (1, "", "this is a SQLite database, not JSONL"),
    ],
    "stratum_missing": [
        (1, "stratum", "missing"),
    ],
    "stratum_of_another_name": [
        (1, "stratum", "no such stratum"),
        (2, "stratum", "no such stratum"),
        (3, "stratum", "no such stratum"),
        (4, "stratum", "no such stratum"),
        (5, "stratum", "no such stratum"),
        (6, "stratum", "no such stratum"),
        (7, "stratum", "no such stratum"),
        (8, "stratum", "no such stratum"),
    ],
    "table_with_commas": [
        (1, "", "this is a table (CSV), not JSONL"),
    ],
    "table_with_tabs": [
        (1, "", "this is a table (CSV), not JSONL"),
    ],
    "tags_of_another_type": [
        (1, "tags", "text where a list should be"),
        (2, "tags[1]", "null in a list of texts"),
        (3, "tags[1]", "a number in a list of texts"),
    ],
    "trailing_commas": [
        (2, "", "not JSON"),
        (3, "", "not JSON"),
        (4, "", "not JSON"),
    ],
    "two_objects_on_a_line": [
        (2, "", "more than one object on the line"),
        (3, "", "more than one object on the line"),
    ],
    "unpaired_surrogate": [
        (1, "note", "an unpaired surrogate (half a character)"),
        (2, "extra", "an unpaired surrogate (half a character)"),
        (3, "ex\\ud83dtra", "an unpaired surrogate (half a character)"),
        (4, "must_include", "an unpaired surrogate (half a character)"),
    ],
    "utf16_be": [
        (1, "", "this is UTF-16 or UTF-32 text, not JSONL"),
    ],
    "utf16_be_with_mark": [
        (1, "", "this is UTF-16 or UTF-32 text, not JSONL"),
    ],
    "utf16_le": [
        (1, "", "this is UTF-16 or UTF-32 text, not JSONL"),
    ],
    "utf16_le_with_mark": [
        (1, "", "this is UTF-16 or UTF-32 text, not JSONL"),
    ],
    "utf32_be": [
        (1, "", "this is UTF-16 or UTF-32 text, not JSONL"),
    ],
    "utf32_le_with_mark": [
        (1, "", "this is UTF-16 or UTF-32 text, not JSONL"),
    ],
    "words": [
        (1, "", "not JSON"),
        (3, "", "not JSON"),
    ],
    "xz": [
        (1, "", "this is xz, not JSONL"),
    ],
    "zip": [
        (1, "", "this is a zip archive or a spreadsheet, not JSONL"),
    ],
    "zstd": [
        (1, "", "this is zstd, not JSONL"),
    ],
}


def refusal(data: bytes) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        list(SuiteReader(BytesIO(data)))
    return caught.value


def problems(error: SuiteError):
    return [(row.line, row.field, row.problem.partition(":")[0]) for row in error.errors]


def acting(text: str) -> set[str]:
    """Returns what is in a message for people that a terminal would obey or could not show."""
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return {char for char in text if unicodedata.category(char) in unseen} - {"\n"}


def row(**fields) -> bytes:
    return json.dumps({"id": "a", "stratum": "easy", "prompt": "p"} | fields).encode() + b"\n"


def raw_row(members: bytes) -> bytes:
    """Returns a row that ends in members written as they are, for what json.dumps cannot write."""
    return b'{"id": "a", "stratum": "easy", "prompt": "p", %s}\n' % members


@pytest.fixture(params=sorted(ROWS))
def name(request):
    return request.param


def test_the_table_knows_every_file_of_the_folder():
    assert sorted(path.stem for path in ROWS_FOLDER.glob("*.jsonl")) == sorted(ROWS)


def test_every_fault_is_told_by_line_field_and_problem(name):
    error = refusal((ROWS_FOLDER / f"{name}.jsonl").read_bytes())
    assert (problems(error), error.total) == (ROWS[name], len(ROWS[name]))


def test_the_command_line_says_the_same_and_nothing_on_standard_output(name, capsys):
    path = ROWS_FOLDER / f"{name}.jsonl"
    codes = [main([command, str(path)]) for command in ("grade", "check")]
    shown = capsys.readouterr()
    error = refusal(path.read_bytes())
    count = "1 row error" if error.total == 1 else f"{error.total} row errors"
    said = f", so nothing was graded\n{error}\n"
    assert (codes, shown.out) == ([1, 1], "")
    assert shown.err.count(f"{name}.jsonl: {count}{said}") == 2
    assert max(map(len, str(error).split("\n"))) < 300
    assert "Traceback" not in shown.err
    assert acting(shown.err) == set()


def test_every_row_error_names_a_way_out(name):
    error = refusal((ROWS_FOLDER / f"{name}.jsonl").read_bytes())
    assert all(row.wanted for row in error.errors)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (RowError(line=3, problem="no cases"), "line 3: no cases"),
        (
            RowError(line=3, field="id", problem="a blank id", found='""', wanted="write an id"),
            'line 3, field id: a blank id (found ""); write an id',
        ),
    ],
)
def test_a_row_error_reads_as_one_line(error, text):
    assert error.text == text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            row(id="a", must_include=["x", None]),
            "line 1, field must_include[1]: null in a list of texts (found null); "
            'write needles in quotes: ["…"]',
        ),
        (
            row(stratum="hard\u202e"),
            "line 1, field stratum: no such stratum "
            r'(found "hard\u202e"); write one of easy, medium, stretch',
        ),
        (
            row(must_inlcude=["x"]),
            "line 1, field must_inlcude: unknown field (found must_inlcude); "
            "did you mean must_include? A check under another name is never made",
        ),
        (
            raw_row(b'"max_chars": ' + b"9" * 5000),
            "line 1, field max_chars: a number of 5000 characters (found 9999999999999999999…); "
            "numbers have at most 64; write text in quotes",
        ),
        (
            row(completion=["x"] * 4),
            "line 1, field completion: a list where text should be (found a list of 4); "
            "write the recorded text in quotes, or null where none was recorded",
        ),
        (
            row(family=None, tags="x" * 100),
            f'line 1, field tags: text where a list should be (found "{"x" * 59}…"); '
            'write words in quotes: ["…"]',
        ),
        (
            b"\n\n\xff\n",
            "line 3: not valid UTF-8 (found byte 0xff as byte 1 of the line); "
            "save the file as UTF-8",
        ),
    ],
)
def test_a_message_says_where_what_was_found_and_what_is_wanted(line, text):
    assert str(refusal(line)) == text


@pytest.mark.parametrize(
    "line",
    [
        row(stratum="\U000e0041" * 500),
        row(**{"prompts" + "\U000e0041" * 500: 1, "stratum": "\U000e0041" * 500}),
        raw_row(b'"' + rb"\ud800" * 500 + b'": "' + rb"\ud800" * 500 + b'"'),
        b"\x7f" * 5000,
        b"# \x1b" + "\u202e".encode() * 5000,
        b'{"a": 1}' + b"\r" * 5000 + b"{",
    ],
)
def test_unseen_characters_spelled_out_do_not_make_a_message_long(line):
    texts = [error.text for error in refusal(line).errors]
    assert [text for text in texts if len(text) > 400 or acting(text)] == []


LINE_ENDS = "\u2028\u2029\x85\xa0\ufeff"
ODD_AND_FINE = [
    (b'{"id": "a", "stratum": "easy", "prompt": ""}', {"prompt": ""}),
    (b'\t {"stratum":"easy" ,"prompt":"p","id":"a"}\t ', {}),
    (row(completion=None, must_include=None, must_include_any=None, must_not_include=None), {}),
    (row(max_chars=None, tags=None, family=None, note=None), {}),
    (row(must_include=[], must_include_any=[], must_not_include=[], tags=[]), {}),
    (row(completion="", family="", note=""), {"completion": "", "family": "", "note": ""}),
    (row(completion="null"), {"completion": "null"}),
    (row(must_include=["None"]), {"must_include": ("None",)}),
    (row(must_include_any=[["a", "b"], ["c"]]), {"must_include_any": (("a", "b"), ("c",))}),
    (row(must_not_include=["—", ","]), {"must_not_include": ("—", ",")}),
    (row(max_chars=1), {"max_chars": 1}),
    (raw_row(b'"max_chars": 1' + b"0" * 30), {"max_chars": 10**30}),
    (row(id=0), {"id": "0"}),
    (row(id=-7), {"id": "-7"}),
    (row().replace(b'"a"', b"9" * 64), {"id": "9" * 64}),
    (row(id="007"), {"id": "007"}),
    (row(id="7.0"), {"id": "7.0"}),
    (row(id=" a "), {"id": " a "}),
    (row(id="a/b?c#d%20"), {"id": "a/b?c#d%20"}),
    (row(id="\x1b[2J"), {"id": "\x1b[2J"}),
    (row(expected=1, tag="x", must=[]), {"unknown": ("expected", "tag", "must")}),
    (raw_row(b'"extra": ' + b"[" * 100 + b"]" * 100), {"unknown": ("extra",)}),
    (raw_row(b'"extra": [1e999, 0.1, -0, {"a": [{"b": null}]}]'), {"unknown": ("extra",)}),
    (raw_row(rb'"note": "\ud83d\ude00"'), {"note": "\U0001f600"}),
    (raw_row(rb'"n\u006fte": "\u003a"'), {"note": ":"}),
    (raw_row(b'"note": "%s"' % LINE_ENDS.encode()), {"note": LINE_ENDS}),
    (raw_row(rb'"note": "a\r\nb\u0000c"'), {"note": "a\r\nb\0c"}),
    (raw_row(b'"note": "a: {\'x\': [1, 2,]}, }{ # //"'), {"note": "a: {'x': [1, 2,]}, }{ # //"}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "fields"), ODD_AND_FINE)
def test_what_looks_odd_and_is_fine_is_read_letter_for_letter(line, fields):
    known = {"id": "a", "stratum": "easy", "prompt": "p", "line": 1}
    assert list(SuiteReader(BytesIO(line))) == [Case(**known | fields)]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"\xef\xbb\xbf%s" % row(), [1]),
        (b"%s%s" % (row(), row(id="b")), [1, 2]),
        (b"%s%s" % (row(), row(id="b").rstrip()), [1, 2]),
        (row().replace(b"\n", b"\r\n") + row(id="b").replace(b"\n", b"\r\n"), [1, 2]),
        (b"\n \t\r\n%s\n\n%s\n  " % (row(), row(id="b")), [3, 6]),
        (b"\xef\xbb\xbf\n%s" % row(), [2]),
    ],
)
def test_lines_are_counted_as_an_editor_counts_them(data, lines):
    assert [case.line for case in SuiteReader(BytesIO(data))] == lines


def test_at_most_fifty_row_errors_are_listed_and_the_rest_counted():
    error = refusal(row(stratum="hard") * 173)
    assert [row.line for row in error.errors] == list(range(1, 51))
    assert error.total == 173
    assert str(error).split("\n")[50:] == ["and 123 more row errors"]


def test_row_errors_of_all_kinds_come_in_the_order_of_their_lines():
    data = row(id="x") + b"{\n" + row(id="x") + row(id="y", stratum="hard") + row(id="x")
    assert [error.line for error in refusal(data).errors] == [2, 3, 4, 5]


def test_ids_that_look_alike_are_told_beside_row_errors():
    error = refusal(row() + row(id="A ") + row(id="") + row(id="é") + row(id="e\u0301"))
    assert error.remarks == (
        'ids that look alike: "a" (line 1), "A " (line 2)',
        'ids that look alike: "é" (line 4), "e\u0301" (line 5)',
    )
    assert str(error).split("\n")[1:] == list(error.remarks)


def test_remarks_stay_few_and_short_in_any_suite():
    pairs = b"".join(row(id=f"{letter}{number}") for number in range(60) for letter in "xX")
    group = b"".join(row(id=" " * blanks + "a") for blanks in range(30))
    lines = str(refusal(pairs + group + row(id=""))).split("\n")
    assert len(lines) == 1 + 50 + 1
    assert lines[-1] == "and 11 more remarks"
    assert "and 20 more" in refusal(group + row(id="")).remarks[0]


@pytest.mark.parametrize(
    "data",
    [
        raw_row(b'"note": ' + b"[" * 100_000 + b"]" * 100_000),
        raw_row(b'"extra": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        raw_row(b'"extra": ' + b"[" * 1_000_000),
        raw_row(b'"extra": ' + b'{"a":' * 200_000),
    ],
)
def test_brackets_without_end_are_a_row_error(data):
    # Whether the field can be told depends on how deep this Python's own JSON reader goes.
    (error,) = refusal(row(id="b") + data).errors
    assert (error.line, error.problem) == (2, "brackets nested more than 100 deep")


def test_a_line_without_end_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(suite, "MAX_LINE_BYTES", 1 << 20)
    endless = BytesIO(row() + b"x" * (5 << 20))
    with pytest.raises(SuiteError, match="line 2: a line of more than 1 MiB; write one case a"):
        list(SuiteReader(endless))
    assert endless.tell() < 3 << 20


@pytest.mark.parametrize("first", [b"", row(id="b"), b"\n" * 70_000])
def test_nothing_is_graded_of_a_suite_with_any_row_error(first):
    with pytest.raises(SuiteError):
        grade_suite(BytesIO(first + row() + row(id="c", stratum="hard")))
