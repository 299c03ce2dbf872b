import hashlib
import json
from io import BytesIO
from typing import Any

import pytest

from evalcore import suite
from evalcore.case import Case
from evalcore.errors import SuiteError
from evalcore.suite import IdPlace, SuiteReader


def row(case_id: Any, **more: Any) -> bytes:
    fields = {"id": case_id, "stratum": "easy", "prompt": "p", "completion": "c", **more}
    return json.dumps(fields, ensure_ascii=False).encode()


def ids_and_lines(data: bytes) -> list[tuple[str, int]]:
    return [(case.id, case.line) for case in SuiteReader(BytesIO(data))]


def refusal(data: bytes) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        list(SuiteReader(BytesIO(data)))
    return str(caught.value).split("\n")


@pytest.fixture(params=[16, 100, 1 << 16])
def _any_block_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "_BLOCK_BYTES", request.param)


@pytest.mark.parametrize(
    "data",
    [
        row("a") + b"\n" + row("b") + b"\n",
        row("a") + b"\n" + row("b"),
        row("a") + b"\r\n" + row("b") + b"\r\n",
        b"  " + row("a") + b" \t\n" + row("b") + b"\r",
    ],
)
@pytest.mark.usefixtures("_any_block_size")
def test_line_ends(data: bytes):
    assert ids_and_lines(data) == [("a", 1), ("b", 2)]


@pytest.mark.usefixtures("_any_block_size")
def test_blank_lines_are_skipped_and_counted():
    data = b"\n \t\n" + row("a") + b"\n\r\n\n" + row("b") + b"\n\n"
    assert ids_and_lines(data) == [("a", 3), ("b", 6)]


def test_only_lf_ends_a_line():
    data = row("a", prompt="x\u2028y\x85z\u2029") + b"\n" + row("b")
    assert ids_and_lines(data) == [("a", 1), ("b", 2)]


def test_a_byte_order_mark_at_the_start_is_accepted():
    assert ids_and_lines(b"\xef\xbb\xbf" + row("a")) == [("a", 1)]


def test_a_byte_order_mark_further_on_is_not():
    (words,) = refusal(row("a") + b"\n\xef\xbb\xbf" + row("b"))
    assert words.startswith("line 2: a byte order mark inside the file")


@pytest.mark.parametrize("data", [b"", b"\n\n", b" \r\n", b"\xef\xbb\xbf"])
def test_a_file_without_cases_is_refused(data: bytes):
    assert refusal(data) == ["line 1: no cases; write one case a line"]


@pytest.mark.usefixtures("_any_block_size")
def test_all_row_errors_are_told_in_the_order_of_their_lines():
    data = b"\n".join([row("a"), row("a"), b"{", row("b", max_chars=0), row("c"), row("b")])
    assert [words.partition(": ")[0] for words in refusal(data)] == [
        "line 2, field id",
        "line 3",
        "line 4, field max_chars",
    ]


def test_the_list_of_row_errors_is_capped_and_the_rest_counted():
    lines = refusal(row("a") + b"\n" + b'{"id": "x", "stratum": "easy"}\n' * 70)
    assert len(lines) == 51
    assert lines[0].startswith("line 2, field prompt: missing")
    assert lines[-1] == "and 20 more row errors"


@pytest.mark.parametrize(
    ("one", "other"), [("1", 1), ("a", "a"), (10**40, str(10**40)), ("é", "é")]
)
def test_an_id_used_twice_is_refused(one: Any, other: Any):
    assert refusal(row(one) + b"\n" + row("z") + b"\n" + row(other)) == [
        f'line 3, field id: duplicate id, already used on line 1 (found "{other}");'
        " give each case an id of its own"
    ]


def test_ids_that_look_alike_are_cases_of_their_own_and_told():
    data = b"\n".join(map(row, ["Ab", "x", "ab ", "é", "e\u0301", "007", "7", "7.0"]))
    reader = SuiteReader(BytesIO(data))
    assert len(list(reader)) == 8
    assert reader.similar_ids == (
        (IdPlace("Ab", "easy", 1), IdPlace("ab ", "easy", 3)),
        (IdPlace("é", "easy", 4), IdPlace("e\u0301", "easy", 5)),
    )


def test_a_line_without_end_is_refused_in_constant_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(suite, "_BLOCK_BYTES", 1 << 10)
    monkeypatch.setattr(suite, "MAX_LINE_BYTES", 1 << 20)
    stream = BytesIO(row("a") + b"\n" + b"x" * (1 << 22))
    with pytest.raises(SuiteError, match="line 2: a line of more than 1 MiB; write one case"):
        list(SuiteReader(stream))
    assert stream.tell() < 1 << 21


def test_a_suite_with_an_error_yields_nothing_after_it():
    seen: list[Case] = []
    with pytest.raises(SuiteError):
        seen.extend(SuiteReader(BytesIO(b"{\n" + row("a"))))
    assert seen == []


def test_reading_starts_where_the_stream_stands_and_tells_how_far_it_is():
    stream = BytesIO(b"skipped\n" + row("a") + b"\n" + row("A"))
    stream.seek(8)
    told: list[int] = []
    reader = SuiteReader(stream, told.append)
    assert [case.id for case in reader] == ["a", "A"]
    assert reader.similar_ids
    assert reader.sha256 == hashlib.sha256(stream.getvalue()[8:]).hexdigest()
    assert told == [len(stream.getvalue()) - 8]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x1f\x8b\x08\x00", "line 1: this is gzip, not JSONL; unpack it first (gunzip)"),
        (
            '{"id": "a"}'.encode("utf-16"),
            "line 1: this is UTF-16 or UTF-32 text, not JSONL; save the file as UTF-8",
        ),
        (
            b"[" + row("a") + b"]",
            "line 1: this is a JSON array (a list), not JSONL;"
            " write one object a line (jq -c '.[]' does it)",
        ),
        (
            b'{\n  "id": "a"\n}',
            "line 1: this is pretty-printed JSON, not JSONL;"
            " write each object on one line (jq -c . does it)",
        ),
        (
            row("a") + b"\r" + row("b") + b"\r",
            "line 1: this is text with bare CR line ends, not JSONL; save it with LF line ends",
        ),
        (
            row("a") + b",\n" + row("b") + b",\n",
            "line 1: this is a list of objects with a comma after each, not JSONL;"
            " delete the comma at the end of lines",
        ),
    ],
)
def test_what_is_no_jsonl_at_all_is_named_once(data: bytes, words: str):
    assert refusal(data) == [words]
