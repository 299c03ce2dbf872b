"""What a file or line that is no JSONL really is; tests/evalcore/rows holds a file of each."""

import json

import pytest

from evalcore.diagnosis import slow_case
from evalcore.errors import RowError
from evalcore.framing import file_fault

ROW = b'{"id": "a", "stratum": "easy", "prompt": "p"}'
WORDS = "\u0417\u0430\u043a\u0430\u0437 1842"


def told(fault: RowError | None):
    return fault and (fault.line, fault.problem, fault.wanted)


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        (b"\x1f\x8b\x08", (1, "this is gzip, not JSONL", "unpack it first (gunzip)")),
        (
            b"[%s" % ROW,
            (
                1,
                "this is a JSON array (a list), not JSONL",
                "write one object a line (jq -c '.[]' does it)",
            ),
        ),
        (
            b"\n\r\n{\r\n",
            (
                3,
                "this is pretty-printed JSON, not JSONL",
                "write each object on one line (jq -c . does it)",
            ),
        ),
        (
            b"%s,\n%s" % (ROW, ROW),
            (
                1,
                "this is a list of objects with a comma after each, not JSONL",
                "delete the comma at the end of lines",
            ),
        ),
        (
            b"%s\r%s" % (ROW, ROW),
            (1, "this is text with bare CR line ends, not JSONL", "save it with LF line ends"),
        ),
        (
            b"id,stratum\n",
            (
                1,
                "this is a table (CSV), not JSONL",
                "write each row as a JSON object on one line",
            ),
        ),
        (
            b"<?xml version='1.0'?>",
            (1, "this is a web page or XML, not JSONL", "look for the data it was made from"),
        ),
    ],
)
def test_one_message_says_what_the_file_is_and_what_to_do(head, fault):
    assert told(file_fault(head)) == fault


@pytest.mark.parametrize(
    "encoding",
    ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
@pytest.mark.parametrize("text", [ROW.decode(), "\n" * 3, "{}", ROW.decode() * 100])
def test_wide_text_is_told_with_and_without_its_mark(encoding, text):
    fault = file_fault(text.encode(encoding))
    assert told(fault) == (1, "this is UTF-16 or UTF-32 text, not JSONL", "save the file as UTF-8")


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\n\n",
        ROW,
        b"%s\n" % ROW,
        ROW[:-20],
        b"%s\n%s," % (ROW, ROW),
        b"%s\n[" % ROW,
        b"%s\r\n%s\r\n" % (ROW, ROW),
        b'{"a": "}\\r{"}',
        b'{"id,": 1}',
        b"{}",
        b"# %s" % ROW,
        WORDS.encode(),
        ("é" * 600).encode(),
        bytes(600),
        bytes(300) + ROW,
        ROW + bytes(200),
    ],
)
def test_a_file_that_may_be_jsonl_is_read_line_by_line(head):
    assert file_fault(head) is None


@pytest.mark.parametrize(
    ("line", "problem", "wanted"),
    [
        (
            b"// off: %s" % ROW,
            "a comment; JSONL has none",
            "delete the line (words for people go into a case's note)",
        ),
        (
            b"%s,\r\n" % ROW,
            "not JSON",
            "delete the comma at the end of the line",
        ),
        (b'{"tags": ["a", ]}', "not JSON", "delete the comma before the closing bracket"),
        (b"{'id': 'a'}", "not JSON", "write JSON, with double quotes (this looks like Python)"),
        (ROW[:-9], "not JSON", "write one whole JSON object on the line"),
        (
            ROW + ROW,
            "more than one object on the line",
            "write one object a line, with LF between them",
        ),
        (
            b"\xef\xbb\xbf%s" % ROW,
            "a byte order mark inside the file",
            "delete it (files were probably joined here)",
        ),
        (
            b"\0\0\0%s" % ROW,
            "3 NUL bytes, not JSON",
            "look for lost cases, then delete the bytes",
        ),
        (
            b'{"id": "a\0"}',
            "a NUL byte, not JSON",
            "look for lost cases, then delete the bytes",
        ),
    ],
)
def test_a_line_that_is_no_json_is_told_by_what_it_looks_like(line, problem, wanted):
    (fault,) = refused(line)
    assert (fault.line, fault.problem.partition(":")[0], fault.wanted) == (7, problem, wanted)


def refused(line: bytes) -> tuple[RowError, ...]:
    read = slow_case(line, 7)
    assert isinstance(read, tuple)
    return read


@pytest.mark.parametrize("cut", range(1, len(ROW)))
def test_a_line_cut_off_anywhere_is_not_json(cut):
    with pytest.raises(json.JSONDecodeError):
        json.loads(ROW[:cut])
    assert [fault.problem.partition(":")[0] for fault in refused(ROW[:cut])] == ["not JSON"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"{", "{"),
        (b'{"id": "a"', '{"id": "a"'),
        (b"%s\x1b[2J" % ROW, 'asy", "prompt": "p"}\\x1b[2J'),
        (
            b"not json at all, but words and words and words",
            "not json at all, but words and words an…",
        ),
    ],
)
def test_what_was_found_is_the_place_of_the_fault(line, found):
    assert [fault.found for fault in refused(line)] == [found]
