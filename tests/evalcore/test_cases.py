"""Faults seen in the wild, each with siblings of its kind; tests/evalcore/cases holds the inputs.

A test is named after its folder.
"""

import gzip
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.errors import SuiteError
from evalcore.phrases import label_words
from evalcore.pipeline import grade_suite
from evalcore.report import MarkEntry, Report, Unanswered
from evalcore.suite import SuiteReader

FOLDER = Path(__file__).parent / "cases"
HANDED = Path(__file__).parents[3] / "shared" / "cases"


def data_of(folder: str, name: str = "fixtures.jsonl") -> bytes:
    return (FOLDER / folder / name).read_bytes()


def suite(*rows: Mapping[str, object]) -> bytes:
    known = {"stratum": "easy", "prompt": "Say the order status."}
    lines = [
        json.dumps({"id": f"c{number}"} | known | dict(row), ensure_ascii=False)
        for number, row in enumerate(rows, start=1)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def grade(data: bytes, **options) -> Report:
    return grade_suite(BytesIO(data), **options)


def refusal(data: bytes) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        grade(data)
    return caught.value


def places(data: bytes):
    return [(error.line, error.field) for error in refusal(data).errors]


def failed(report: Report):
    return {failure.case_id: failure.reasons for failure in report.failures}


def marks(report: Report):
    return {
        mark.case_id: (mark.kind, mark.differs, mark.found, mark.context) for mark in report.marks
    }


def noticed(report: Report, kind: str):
    """Returns the ids that a notice names, by stratum."""
    return next(
        (
            {stratum: ids for stratum, ids in notice.cases.items() if ids}
            for notice in report.notices
            if notice.kind == kind
        ),
        None,
    )


def counts(report: Report):
    return {stratum: (of.passed, of.n) for stratum, of in report.evidence.items()}


def test_the_inputs_are_those_that_were_handed_over():
    if not HANDED.is_dir():
        pytest.skip(f"no folder {HANDED.name} beside the project")
    meant = {
        (path.parent.name, path.name): path.read_bytes()
        for case in HANDED.glob("*/case.json")
        if {"loader", "grader", "report"} & set(json.loads(case.read_text())["surface"].split("+"))
        for path in case.parent.glob("*.jsonl")
    }
    copied = {(path.parent.name, path.name): path.read_bytes() for path in FOLDER.glob("*/*.jsonl")}
    assert copied == meant


# -- encodings -----------------------------------------------------------------


def test_enc_cp1252_byte():
    error = refusal(data_of("enc-cp1252-byte"))
    assert str(error) == (
        "line 3: not valid UTF-8 (found byte 0xe9 as byte 61 of the line); save the file as UTF-8"
    )


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        (b"caf\xe9", "0xe9"),
        (b"\x93quoted\x94", "0x93"),
        (b"\xc3", "0xc3"),
        (b"\xc0\xaf", "0xc0"),
        (b"\xf5\x80\x80\x80", "0xf5"),
        (b"\xff", "0xff"),
        (b"\xed\xa0\x80", "0xed"),
    ],
)
def test_enc_cp1252_byte_and_its_kind_never_match_as_replacement_characters(bad, found):
    good = suite({}, {"completion": "SAME", "must_include": ["SAME"]})
    (error,) = refusal(good.replace(b"SAME", bad)).errors
    assert (error.line, error.problem) == (2, "not valid UTF-8")
    assert error.found.startswith(f"byte {found} as byte ")


def test_enc_cp1252_byte_replaced_by_somebody_else_is_text_like_any_other():
    report = grade(suite({"completion": "caf\ufffd", "must_include": ["café"]}))
    assert failed(report) == {"c1": ["missing:café"]}


def test_enc_gzip_noext():
    unpacked = suite({}, {})
    for data in (
        data_of("enc-gzip-noext"),
        gzip.compress(unpacked),
        gzip.compress(b""),
        b"\xef\xbb\xbf" + gzip.compress(unpacked),
    ):
        assert str(refusal(data)) == "line 1: this is gzip, not JSONL; unpack it first (gunzip)"


def test_enc_nul_padding():
    (error,) = refusal(data_of("enc-nul-padding")).errors
    assert (error.line, error.problem) == (
        7,
        "512 NUL bytes, not JSON: the file is damaged here",
    )
    assert error.wanted == "look for lost cases, then delete the bytes"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (suite({}) + bytes(1), 2),
        (suite({}) + bytes(64) + b"\n" + suite({"id": "z"}), 2),
        (suite({}) + bytes(64) + suite({"id": "z"}), 2),
        (suite({}) + b"   " + bytes(300_000) + b"\r\n", 2),
        (bytes(100) + suite({}), 1),
        (bytes(100), 1),
    ],
)
def test_enc_nul_padding_anywhere_is_damage_and_neither_blank_nor_the_end(data, line):
    (error,) = refusal(data).errors
    assert (error.line, "NUL byte" in error.problem) == (line, True)


def test_enc_utf16_powershell():
    said = "line 1: this is UTF-16 or UTF-32 text, not JSONL; save the file as UTF-8"
    text = suite({}, {}).decode().replace("\n", "\r\n")
    assert str(refusal(data_of("enc-utf16-powershell"))) == said
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
        assert str(refusal(text.encode(encoding))) == said


# -- line framing --------------------------------------------------------------


def test_fr_comment_lines():
    error = refusal(data_of("fr-comment-lines"))
    assert [(row.line, row.problem) for row in error.errors] == [
        (3, "a comment; JSONL has none"),
        (6, "a comment; JSONL has none"),
    ]


def test_fr_comment_lines_after_a_row_or_in_a_block_are_not_skipped_either():
    row = suite({}).rstrip()
    data = b"%s // fine\n/* off:\n%s\n*/\n" % (row, row)
    assert [error.line for error in refusal(data).errors] == [1, 2, 4]


def test_fr_cr_only(capsys):
    said = "line 1: this is text with bare CR line ends, not JSONL; save it with LF line ends"
    assert str(refusal(data_of("fr-cr-only"))) == said
    assert main(["grade", str(FOLDER / "fr-cr-only" / "fixtures.jsonl")]) == 1
    assert capsys.readouterr().err.endswith(f"1 row error, so nothing was graded\n{said}\n")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (suite({}, {}).replace(b"\n", b"\r") + b"\n", 1),
        (suite({}) + suite({}, {}).replace(b"\n", b"\r"), 2),
        (suite({}, {}).replace(b"\n", b"\r\r"), 1),
    ],
)
def test_fr_cr_only_in_part_of_a_file_is_never_one_row(data, line):
    assert [error.line for error in refusal(data).errors] == [line]


def test_fr_crlf():
    crlf = data_of("fr-crlf")
    lf = crlf.replace(b"\r\n", b"\n")
    read, same = list(SuiteReader(BytesIO(crlf))), list(SuiteReader(BytesIO(lf)))
    report, plain = grade(crlf), grade(lf)
    assert (len(read), read) == (6, same)
    assert report.suite.instrument_hash == plain.suite.instrument_hash
    assert report.suite.sha256 != plain.suite.sha256
    assert failed(report) == failed(plain)
    assert (report.ok, report.exit_code) == (True, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"\r\n",
        lambda data: data.replace(b"\r\n", b"\n", 2),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\r\n", b"\r\n\r\n \t\r\n"),
        lambda data: b"\r\n".join(reversed(data.split(b"\r\n"))),
        lambda data: data.replace(b'": ', b'" :\t'),
    ],
)
def test_fr_crlf_and_other_changes_of_form_are_no_edit_of_the_instrument(change):
    data = data_of("fr-crlf")
    assert grade(change(data)).suite.instrument_hash == grade(data).suite.instrument_hash


@pytest.mark.parametrize("name", ["array_one_line.jsonl", "array_pretty.jsonl"])
def test_fr_json_array(name):
    said = (
        "line 1: this is a JSON array (a list), not JSONL; "
        "write one object a line (jq -c '.[]' does it)"
    )
    data = data_of("fr-json-array", name)
    crlf = data.replace(b"\n", b"\r\n")
    for variant in (data, b"\xef\xbb\xbf" + data, b"  " + data, crlf, data[: len(data) // 2]):
        assert str(refusal(variant)) == said


def test_fr_trailing_comma():
    data = data_of("fr-trailing-comma")
    for variant in (data, data.replace(b"\n", b"\r\n"), data.replace(b",\n", b" , \n")):
        assert str(refusal(variant)) == (
            "line 1: this is a list of objects with a comma after each, not JSONL; "
            "delete the comma at the end of lines"
        )


def test_fr_trailing_comma_on_some_lines_only():
    error = refusal(suite({}, {}, {}).replace(b"}\n", b"},\n").replace(b"},", b"}", 1))
    assert [(row.line, row.wanted) for row in error.errors] == [
        (2, "delete the comma at the end of the line"),
        (3, "delete the comma at the end of the line"),
    ]


# -- length and emptiness ------------------------------------------------------


@pytest.mark.parametrize(
    "folder", ["len-blank-completion", "len-empty-passes-forbid", "len-invisible-completion"]
)
def test_len(folder):
    report = grade(data_of(folder))
    assert report.n > 0
    assert set(map(tuple, failed(report).values())) == {("empty_completion",)}
    assert len(failed(report)) == report.n


@pytest.mark.parametrize(
    "completion",
    [
        "",
        "\r\n \v\f",
        "\x1c\x1d\x1e\x1f\x00",
        "\x85\u1680\u2003\u2028\u2029\u202f\u205f\u3000",
        "\u200d\u200c\u200e\u200f",
        "\u202a\u202e\u2066\u2069",
        "\u115f\u1160\u3164\uffa0",
        "\u180e\u034f\u061c",
        "\ufe0f\U000e0100",
        "\U000e0020\U000e007f",
        "\u2800 \u00ad\t\u200b",
    ],
)
def test_len_invisible_completion_and_whatever_else_a_reader_cannot_see(completion):
    report = grade(suite({"completion": completion, "must_not_include": ["sorry"]}))
    assert failed(report) == {"c1": ["empty_completion"]}


@pytest.mark.parametrize("completion", [".", "\u200b.", "\u0301", "\u0000\u00b7", "\U0001f642"])
def test_len_invisible_completion_with_one_visible_sign_is_an_answer(completion):
    assert failed(grade(suite({"completion": completion, "must_not_include": ["sorry"]}))) == {}


# -- runs and their alerts -----------------------------------------------------


def test_run_all_alerts_shown():
    report = grade(data_of("run-all-alerts-shown"))
    assert (report.alerts, report.exit_code) == (["thin_stratum", "easy_regression"], 2)
    assert [detail.strata for detail in report.alert_details] == [("stretch",), ("easy",)]
    stretch = report.evidence["stretch"]
    assert (stretch.passed, stretch.n, stretch.state) == (1, 1, "refused")
    assert label_words(stretch) == "too few cases to tell: it takes 2"


def test_run_all_alerts_shown_whichever_stratum_is_thin():
    report = grade(
        suite(
            {"completion": "no", "must_include": ["a"]},
            {"completion": "no", "must_include": ["a"], "stratum": "medium"},
            {"completion": "no", "must_include": ["a"], "stratum": "medium"},
        ),
        flags={"easy_floor": 0.5},
    )
    assert report.alerts == [
        "thin_stratum",
        "missing_stratum",
        "easy_regression",
        "medium_regression",
    ]


@pytest.mark.parametrize("name", ["empty.jsonl", "blank.jsonl"])
def test_run_empty_set_is_never_green(name, capsys):
    assert str(refusal(data_of("run-empty-set", name))) == "line 1: no cases; write one case a line"
    assert main(["grade", str(FOLDER / "run-empty-set" / name)]) == 1
    assert capsys.readouterr().out == ""


def test_run_empty_set_without_stretch():
    report = grade(data_of("run-empty-set", "no_stretch.jsonl"))
    assert (report.alerts, report.exit_code) == (["thin_stratum", "missing_stratum"], 2)
    assert json.loads(report.to_bytes())["rates"]["stretch"] == {"n": 0, "pass_rate": None}


def answered(data: bytes, completions: dict[str, str]) -> bytes:
    """Returns a suite as it stands once a live fill has recorded what it got."""
    rows = [json.loads(line) for line in data.splitlines()]
    return suite(*(row | {"completion": completions.get(row["id"])} for row in rows))


def test_run_errors_apart():
    filled = answered(data_of("run-errors-apart"), {"m1": "SKU-9", "m2": "SKU-9 is packed."})
    causes = {"m3": "HTTP 500", "m4": "HTTP 500"}
    report = grade(filled, unanswered=causes)
    assert counts(report)["medium"] == (2, 2)
    assert (report.n, failed(report)) == (2, {})
    assert list(report.unanswered) == [
        Unanswered(case_id=case_id, stratum="medium", cause=cause)
        for case_id, cause in causes.items()
    ]
    assert report.alerts == ["thin_stratum", "missing_stratum", "incomplete"]
    assert (report.ok, report.exit_code) == (False, 1)
    incomplete = report.alert_details[-1]
    assert incomplete.strata == ("medium",)
    assert incomplete.text == (
        "No answer for 2 cases of medium; nothing is said about the prompt there."
    )


def test_run_errors_apart_from_a_miss_of_the_model():
    filled = answered(data_of("run-errors-apart"), {"m1": "SKU-9", "m2": "No idea."})
    report = grade(filled, unanswered={"m4": "timeout", "m3": "timeout"})
    assert counts(report)["medium"] == (1, 2)
    assert failed(report) == {"m2": ["missing:SKU-9"]}
    assert report.alerts[-2:] == ["medium_regression", "incomplete"]
    assert [entry.case_id for entry in report.unanswered] == ["m3", "m4"]


def test_run_stretch_all_errors():
    answers = {"e1": "SKU-9", "e2": "SKU-9", "m1": "SKU-9", "m2": "SKU-9"}
    filled = answered(data_of("run-stretch-all-errors"), answers)
    report = grade(filled, unanswered={"s1": "HTTP 500", "s2": "HTTP 500"})
    written = json.loads(report.to_bytes())
    assert written["rates"]["stretch"] == {"n": 0, "pass_rate": None}
    assert report.alerts == ["thin_stratum", "missing_stratum", "incomplete"]
    assert (report.ok, report.exit_code) == (False, 1)
    assert report.evidence["stretch"].interval is None
    assert noticed(report, "not_recorded") is None


# -- shapes of a row -----------------------------------------------------------


def test_sch_id_int_vs_str():
    assert str(refusal(data_of("sch-id-int-vs-str"))) == (
        'line 2, field id: duplicate id, already used on line 1 (found "1"); '
        "give each case an id of its own"
    )


def test_sch_id_int_vs_str_only_where_the_letters_are_the_same():
    ids = [1, "01", "1.0", " 1", -1, "1 ", 10, "٣", 3, "１"]
    read = SuiteReader(BytesIO(suite(*({"id": case_id} for case_id in ids))))
    assert [case.id for case in read] == list(map(str, ids))


def test_sch_misspelt_field():
    assert str(refusal(data_of("sch-misspelt-field"))) == (
        "line 1, field must_includes: unknown field (found must_includes); "
        "did you mean must_include? A check under another name is never made"
    )


def test_sch_misspelt_field_that_is_like_no_other_is_told_and_so_is_the_lack_of_checks():
    without_first = data_of("sch-misspelt-field").split(b"\n", 1)[1]
    report = grade(without_first)
    assert noticed(report, "unknown_fields") == {"stretch": ["s2"]}
    assert noticed(report, "no_checks") == {"stretch": ["s2"]}
    assert [n.details for n in report.notices if n.kind == "unknown_fields"] == [["s2: expected"]]


def test_sch_near_duplicate_id():
    error = refusal(data_of("sch-near-duplicate-id"))
    assert places(data_of("sch-near-duplicate-id")) == [(7, "id")]
    assert error.remarks == (
        'ids that look alike: "order-1" (line 1), "order-1 " (line 2), "Order-1" (line 3)',
        'ids that look alike: "café-1" (line 4), "cafe\u0301-1" (line 5)',
    )


def test_sch_near_duplicate_id_in_a_suite_that_loads():
    data = b"\n".join(data_of("sch-near-duplicate-id").splitlines()[:6])
    report = grade(data)
    assert noticed(report, "similar_ids") == {
        "easy": ["order-1", "order-1 ", "Order-1", "café-1", "cafe\u0301-1"]
    }


def test_sch_near_duplicate_id_with_signs_of_links_and_paths_is_kept():
    ids = ["a/b?c#d", "a%2Fb", "../a", "a&b=c", "a b", "C:\\a", "a\tb", "."]
    report = grade(suite(*({"id": case_id, "completion": ""} for case_id in ids)))
    assert [entry["case_id"] for entry in json.loads(report.to_bytes())["failures"]] == ids


def test_sch_null_in_list():
    data = data_of("sch-null-in-list")
    error = refusal(data)
    assert [(row.line, row.field, row.found) for row in error.errors] == [
        (1, "must_include[1]", "null"),
        (2, "must_not_include[0]", "null"),
    ]
    assert failed(grade(data.splitlines()[2])) == {}


def test_sch_null_in_list_and_other_holes_of_an_export():
    assert places(
        suite(
            {"must_include": ["a", "", "b", None]},
            {"must_include_any": [["a", None], None]},
            {"tags": [None]},
        )
    ) == [
        (1, "must_include[3]"),
        (1, "must_include[1]"),
        (2, "must_include_any[0][1]"),
        (2, "must_include_any[1]"),
        (3, "tags[0]"),
    ]


def test_sch_stratum_spelling():
    error = refusal(data_of("sch-stratum-spelling"))
    assert [(row.line, row.found, row.wanted) for row in error.errors] == [
        (1, '"Easy"', "write one of easy, medium, stretch"),
        (2, '" easy"', "write one of easy, medium, stretch"),
        (3, '"MEDIUM"', "write one of easy, medium, stretch"),
        (5, '"hard"', "write one of easy, medium, stretch"),
    ]


@pytest.mark.parametrize(
    "stratum",
    ["easy\u200b", "e\u0430sy", "easy\n", "", "medium ", "Stretch", 1, None, True, ["easy"]],
)
def test_sch_stratum_spelling_is_exact(stratum):
    assert places(suite({"stratum": stratum})) == [(1, "stratum")]


# -- what a substring means ----------------------------------------------------


def test_sub_forbidden_inside_word():
    report = grade(data_of("sub-forbidden-inside-word"))
    assert failed(report) == {"m1": ["forbidden:hell"], "m2": ["forbidden:ass"]}
    assert marks(report) == {
        "m1": ("forbidden", "", "hell", "The s[hell] is ready, as agreed."),
        "m2": ("forbidden", "", "ass", "Class p[ass]ed."),
    }


def test_sub_forbidden_inside_word_with_long_surroundings_shows_the_place():
    completion = "x" * 500 + "s\u200bh\u00adell is" + "y" * 500
    (mark,) = grade(suite({"completion": completion, "must_not_include": ["HELL"]})).marks
    assert (mark.found, mark.start, mark.end) == ("h\u00adell", 502, 507)
    assert mark.context == f"{'x' * 22}s\u200b[h\u00adell] is{'y' * 21}"


def test_sub_forbidden_inside_word_is_shown_for_each_needle():
    report = grade(
        suite({"completion": "The shell passed.", "must_not_include": ["hell", "ass", "no"]})
    )
    assert [(mark.needle, mark.start, mark.end) for mark in report.marks] == [
        ("hell", 5, 9),
        ("ass", 11, 14),
    ]


def test_sub_forbidden_inside_word_is_shown_at_each_hit_of_many_the_first():
    report = grade(suite({"completion": "Class passed.", "must_not_include": ["ass"]}))
    assert [(mark.start, mark.end) for mark in report.marks] == [(2, 5), (7, 10)]
    report = grade(suite({"completion": "no " * 40, "must_not_include": ["no"]}))
    assert [mark.start for mark in report.marks] == [3 * at for at in range(10)]


def test_sub_markdown_inside():
    report = grade(data_of("sub-markdown-inside"))
    differs = "matches after removing Markdown"
    assert failed(report) == {
        "m1": ["missing:SKU-9"],
        "m2": ["missing:restock-window"],
        "m3": ["missing:SKU-9"],
    }
    assert marks(report) == {
        "m1": ("near_miss", differs, "SKU**-9", "**[SKU**-9] ships"),
        "m2": ("near_miss", differs, "restock`-window", "the `[restock`-window] rule"),
        "m3": ("near_miss", differs, "SKU\\-9", "[SKU\\-9]"),
    }


@pytest.mark.parametrize(
    ("completion", "needle", "found"),
    [
        ("the _restock_ window", "restock window", "restock_ window"),
        ("~~no~~ refund", "no refund", "no~~ refund"),
        ("[the rule](#r) holds", "the rule holds", "the rule](#r) holds"),
        ("1\\. First", "1. First", "1\\. First"),
        ("plain words", "*plain* words", "plain words"),
    ],
)  # fmt: skip
def test_sub_markdown_inside_in_other_forms(completion, needle, found):
    report = grade(suite({"completion": completion, "must_include": [needle]}))
    assert failed(report) == {"c1": [f"missing:{needle}"]}
    assert [(mark.differs, mark.found) for mark in report.marks] == [
        ("matches after removing Markdown", found)
    ]


def test_sub_markdown_inside_a_forbidden_phrase_is_not_removed():
    report = grade(suite({"completion": "rm **-rf** /", "must_not_include": ["rm -rf"]}))
    assert failed(report) == {}


def test_sub_number_inside():
    report = grade(data_of("sub-number-inside"))
    assert failed(report) == {}
    assert noticed(report, "short_needle") == {"medium": ["m1", "m2"]}


@pytest.mark.parametrize(
    ("needle", "completion", "told"),
    [
        ("18", "Order 1842 packed", True),
        ("18", "Order 1842 packed on the 18th", True),
        ("18", "Order 1842 packed on 18 May", True),
        ("18", "18", False),
        ("18", "(18)", False),
        ("9", "2031-04-09", True),
        ("no", "not now", True),
        ("no", "No, never", False),
        ("sku", "SKU-9", False),
        ("sku", "SKU9", True),
        ("1842", "Order 18421", False),
        ("は", "これはペンです", False),
        ("—", "a—b", False),
    ],
)
def test_sub_number_inside_is_told_where_it_stands_inside_a_word(needle, completion, told):
    report = grade(suite({"completion": completion, "must_include": [needle]}))
    assert failed(report) == {}
    assert (noticed(report, "short_needle") == {"easy": ["c1"]}) is told


# -- Unicode -------------------------------------------------------------------


def test_uni_curly_apostrophe():
    report = grade(data_of("uni-curly-apostrophe"))
    assert failed(report) == {
        "m1": ["forbidden:can't help"],
        "m2": ["missing:don't ship"],
        "m3": ['missing:"weekday only"'],
    }
    assert marks(report) == {
        "m1": ("forbidden", "", "can’t help", "I’m sorry, but I [can’t help] with that."),
        "m2": ("near_miss", "typographic apostrophe", "don’t ship", "Please [don’t ship] it."),
        "m3": (
            "near_miss",
            "typographic quotation mark",
            "“weekday only”",
            "He said [“weekday only”].",
        ),
    }
    assert json.loads(report.to_bytes())["matching"] == "matching/1"


@pytest.mark.parametrize(
    ("completion", "needle", "differs"),
    [
        ("don’t ship", "don't ship", "typographic apostrophe"),
        ("don't ship", "don’t ship", "typographic apostrophe"),
        ("don′t ship", "don't ship", "typographic apostrophe"),
        ("„nur“", '"nur"', "typographic quotation mark"),
        ("«oui»", '"oui"', "typographic quotation mark"),
        ("SKU\u20119", "SKU-9", "hyphen or dash"),
        ("\u221240 °C", "-40 °C", "hyphen or dash"),
        ("5–7 days", "5-7 days", "hyphen or dash"),
        ("114\u00a0EUR", "114 EUR", "no-break space"),
        ("114\u202fEUR", "114 EUR", "no-break space"),
        ("two\nlines", "two lines", "white space"),
        ("two  blanks", "two blanks", "white space"),
        ("pass\u200bword", "password", "invisible character"),
        ("Zu\u00adsatz", "Zusatz", "invisible character"),
        ("\uff33\uff2b\uff35-9", "SKU-9", "full-width form"),
        ("don’t\u00a0ship", "don't ship", "typographic apostrophe, no-break space"),
    ],
)
def test_uni_curly_apostrophe_and_other_typography_is_a_near_miss_and_hides_nothing(
    completion, needle, differs
):
    required = grade(suite({"completion": completion, "must_include": [needle]}))
    forbidden = grade(suite({"completion": completion, "must_not_include": [needle]}))
    assert failed(required) == {"c1": [f"missing:{needle}"]}
    assert marks(required) == {"c1": ("near_miss", differs, completion, f"[{completion}]")}
    assert failed(forbidden) == {"c1": [f"forbidden:{needle}"]}
    assert marks(forbidden) == {"c1": ("forbidden", "", completion, f"[{completion}]")}


def test_uni_final_sigma():
    assert failed(grade(data_of("uni-final-sigma"))) == {}


@pytest.mark.parametrize(
    ("completion", "needle"),
    [
        ("οδός", "ΟΔΌΣ"),
        ("ΟΔΌΣ", "οδός"),
        ("ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
        ("σς", "ΣΣ"),
        ("ΣΑΣ", "σας"),
    ],
)
def test_uni_final_sigma_is_a_sigma_in_both_directions(completion, needle):
    assert failed(grade(suite({"completion": completion, "must_include": [needle]}))) == {}
    assert failed(grade(suite({"completion": completion, "must_not_include": [needle]}))) == {
        "c1": [f"forbidden:{needle}"]
    }


def test_uni_homoglyph():
    report = grade(data_of("uni-homoglyph"))
    alike = "letters of another script that look the same"
    assert failed(report) == {"m1": ["missing:paypal"], "m2": ["missing:Oslo"]}
    assert marks(report) == {
        "m1": ("near_miss", alike, "p\u0430ypal", "[p\u0430ypal] accepted"),
        "m2": ("near_miss", alike, "\u039fslo", "[\u039fslo] depot"),
    }


@pytest.mark.parametrize(
    ("completion", "needle"),
    [
        ("\u0405KU-9", "SKU-9"),
        ("\u041c\u043e\u0441k\u0432a paypal".replace("a", "\u0430"), "paypal"),
        ("\u03a1PARTS", "PPARTS"),
        ("paypal", "p\u0430ypal"),
        ("Qu\u0456llby", "QUILLBY"),
    ],
)
def test_uni_homoglyph_is_hinted_in_either_direction_and_never_folded(completion, needle):
    report = grade(suite({"completion": completion, "must_include": [needle]}))
    assert failed(report) == {"c1": [f"missing:{needle}"]}
    assert [mark.differs for mark in report.marks] == [
        "letters of another script that look the same"
    ]
    assert failed(grade(suite({"completion": completion, "must_not_include": [needle]}))) == {}


def test_uni_nfkc_trap():
    report = grade(data_of("uni-nfkc-trap"))
    assert failed(report) == {"m1": ["missing:102"], "m2": ["missing:1842"], "m3": ["missing:x5"]}
    assert marks(report) == {}


@pytest.mark.parametrize(
    ("completion", "needle"),
    [
        ("10²", "102"),
        ("①", "1"),
        ("½", "1⁄2"),
        ("㎏", "kg"),
        ("ª", "a"),
        ("™", "TM"),
        ("…", "..."),
        ("Ⅷ", "VIII"),
        ("x₅", "x5"),
        ("ℌ", "H"),
    ],
)
def test_uni_nfkc_trap_holds_for_every_compatibility_form(completion, needle):
    assert needle.casefold() in unicodedata.normalize("NFKC", completion).casefold()
    rows = (
        {"completion": completion, check: [needle]}
        for check in ("must_include", "must_not_include")
    )
    assert failed(grade(suite(*rows))) == {"c1": [f"missing:{needle}"]}


def test_uni_sharp_s():
    report = grade(data_of("uni-sharp-s"))
    assert failed(report) == {"m3": ["forbidden:Masse"]}
    assert list(report.marks) == [
        MarkEntry(
            case_id="m3",
            stratum="medium",
            kind="forbidden",
            needle="Masse",
            found="Maße",
            start=4,
            end=8,
            context="Die [Maße] stimmen",
        )
    ]


@pytest.mark.parametrize(
    ("completion", "needle", "found"),
    [
        ("GROẞE Straße", "strasse", "Straße"),
        ("ﬃ ﬁle saved", "FILE", "ﬁle"),
        ("ŉ or ǰ", "ʼn", "ŉ"),
        ("ΐ", "\u03b9\u0308\u0301", "ΐ"),
        ("aßb", "sb", "ßb"),
        ("e\u0301te\u0301", "ÉTÉ", "e\u0301te\u0301"),
    ],
)
def test_uni_sharp_s_and_other_letters_that_grow_show_the_text_as_it_stands(
    completion, needle, found
):
    report = grade(suite({"completion": completion, "must_not_include": [needle]}))
    (mark,) = report.marks
    assert (mark.kind, mark.found) == ("forbidden", found)
    assert mark.start is not None
    assert completion[mark.start : mark.end] == found


def test_uni_turkish_i():
    report = grade(data_of("uni-turkish-i"))
    assert failed(report) == {"m3": ["missing:ışık"]}
    assert marks(report) == {
        "m3": ("near_miss", "letters of another script that look the same", "IŞIK", "[IŞIK]")
    }


def test_uni_turkish_i_is_folded_alike_in_every_locale():
    path = FOLDER / "uni-turkish-i" / "fixtures.jsonl"
    for locale in ("tr_TR.UTF-8", "C", "POSIX"):
        run = subprocess.run(
            [sys.executable, "-m", "evalcore", "grade", str(path)],
            capture_output=True,
            env=os.environ | {"LC_ALL": locale, "LANG": locale},
            check=False,
        )
        assert (run.returncode, run.stdout) == (2, grade(path.read_bytes()).to_bytes())


def test_uni_turkish_i_counts_lengths_and_places_in_the_text_as_recorded():
    completion = "İİİ ΐΐ ßß: SORRY"
    report = grade(
        suite({"completion": completion, "must_not_include": ["sorry"], "max_chars": 15})
    )
    assert failed(report) == {"c1": ["over_budget:16>15", "forbidden:sorry"]}
    (mark,) = report.marks
    assert (mark.found, mark.start, mark.end) == ("SORRY", 11, 16)


# -- checks that check nothing -------------------------------------------------


def test_vac_contradiction():
    report = grade(data_of("vac-contradiction"))
    assert noticed(report, "cannot_pass") == {"medium": ["m1"], "stretch": ["s1", "s2"]}
    assert [notice.details for notice in report.notices if notice.kind == "cannot_pass"] == [
        [
            's1: forbidden "fund" is in required "refund"',
            's2: forbidden "weekday" is in required "Weekday"',
            'm1: required "a needle longer than ten" does not fit into 10 characters',
        ]
    ]


@pytest.mark.parametrize(
    ("checks", "told"),
    [
        ({"must_include": ["don't"], "must_not_include": ["don’t"]}, True),
        ({"must_include": ["don’t"], "must_not_include": ["don't"]}, True),
        ({"must_include": ["STRASSE"], "must_not_include": ["straße"]}, True),
        ({"must_include": ["a—b"], "must_not_include": ["—"]}, True),
        ({"must_include": ["a-b"], "must_not_include": ["—"]}, False),
        ({"must_include": ["fund"], "must_not_include": ["refund"]}, False),
        ({"must_include_any": [["refund", "fund"]], "must_not_include": ["fund"]}, True),
        ({"must_include_any": [["refund", "money"]], "must_not_include": ["fund"]}, False),
        ({"must_include_any": [["ok"], ["refund"]], "must_not_include": ["fund"]}, True),
        ({"must_include": ["abcde"], "max_chars": 5}, False),
        ({"must_include": ["abcde"], "max_chars": 4}, True),
        ({"must_include": ["ffi"], "max_chars": 1}, False),
        ({"must_include": ["ﬃ"], "max_chars": 1}, False),
        ({"must_include": ["Straße"], "max_chars": 6}, False),
        ({"must_include": ["e\u0301e\u0301"], "max_chars": 2}, False),
        ({"must_include_any": [["abcde", "abc"]], "max_chars": 4}, False),
        ({"must_include_any": [["abcde", "abcdf"]], "max_chars": 4}, True),
    ],
)
def test_vac_contradiction_is_told_exactly_where_no_answer_can_pass(checks, told):
    report = grade(suite({"completion": "x"} | checks))
    assert (noticed(report, "cannot_pass") == {"easy": ["c1"]}) is told


def test_vac_empty_needle():
    error = refusal(data_of("vac-empty-needle"))
    assert [(row.line, row.field, row.problem) for row in error.errors] == [
        (1, "must_include[0]", "an empty or blank needle, which says nothing"),
        (2, "must_not_include[0]", "an empty or blank needle, which says nothing"),
    ]


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u00a0", "\u3000", "\u200b", "\u00ad \u2800"])
def test_vac_empty_needle_in_any_list_and_of_any_blank(blank):
    data = suite(
        {"must_include": ["a", blank]},
        {"must_not_include": [blank, "a"]},
        {"must_include_any": [["a"], ["b", blank]]},
    )
    assert places(data) == [
        (1, "must_include[1]"),
        (2, "must_not_include[0]"),
        (3, "must_include_any[1][1]"),
    ]


@pytest.mark.parametrize("checks", [{}, {"must_include": []}, {"must_include_any": []}])
def test_vac_empty_needle_lists_are_no_checks_and_that_is_told(checks):
    report = grade(suite({"completion": "x"} | checks))
    assert noticed(report, "no_checks") == {"easy": ["c1"]}


# -- values that JSON readers differ on ----------------------------------------


def row_ending_in(members: str) -> bytes:
    return f'{{"id": "a", "stratum": "easy", "prompt": "p", {members}}}\n'.encode()


def test_val_deep_nesting():
    # Whether the field can be told depends on how deep this Python's own JSON reader goes.
    (error,) = refusal(row_ending_in(f'"note": {"[" * 100_000}{"]" * 100_000}')).errors
    assert (error.line, error.problem, error.wanted) == (
        1,
        "brackets nested more than 100 deep",
        "flatten the value or delete the field",
    )


def test_val_int_5000_digits():
    error = refusal(data_of("val-int-5000-digits"))
    assert str(error) == (
        "line 2, field max_chars: a number of 5000 characters (found 9999999999999999999…); "
        "numbers have at most 64; write text in quotes"
    )


@pytest.mark.parametrize(
    "number",
    ["9" * 65, "9" * 5000, "-" + "9" * 64, "0." + "1" * 5000, "1e" + "0" * 5000, "9" * 10**6],
)
@pytest.mark.parametrize("member", ['"max_chars": %s', '"extra": [{"a": %s}]', '"note": %s'])
def test_val_int_5000_digits_in_any_form_and_field(number, member):
    (error,) = refusal(row_ending_in(member % number)).errors
    assert error.problem == f"a number of {len(number)} characters"
    assert len(error.text) < 200


@pytest.mark.parametrize("name", ["nan.jsonl", "inf.jsonl"])
def test_val_nan_budget(name):
    assert places(data_of("val-nan-budget", name)) == [(1, "max_chars")]


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize(
    ("member", "field"),
    [
        ('"note": %s', "note"),
        ('"extra": %s', "extra"),
        ('"extra": {"a": [1, %s]}', "extra"),
        ('"must_include": ["a", %s]', "must_include"),
    ],
)
def test_val_nan_budget_in_any_field(constant, member, field):
    errors = refusal(row_ending_in(member % constant)).errors
    assert [(error.field, error.problem, error.found) for error in errors] == [
        (field, "not a JSON number", constant)
    ]


def test_val_nan_budget_never_reaches_the_report():
    def forbid(constant):
        raise AssertionError(constant)

    report = grade(data_of("val-nan-budget", "empty_band.jsonl"))
    written = json.loads(report.to_bytes(), parse_constant=forbid)
    assert written["rates"]["stretch"] == {"n": 0, "pass_rate": None}
    assert (report.n, report.exit_code) == (4, 2)


def test_val_text_looks_like_number():
    ids = ["007", "7", "7.0", "1e3", "2031-01-02", "true", "null", "nan", "None", "-0"]
    data = data_of("val-text-looks-like-number")
    assert [case.id for case in SuiteReader(BytesIO(data))] == ids
    emptied = data.replace(b'"completion": "code 007 1e3 nan"', b'"completion": ""')
    written = json.loads(grade(emptied).to_bytes())
    assert [failure["case_id"] for failure in written["failures"]] == ids


def test_val_text_looks_like_number_as_needles_are_text_too():
    report = grade(
        suite(
            {"completion": "7", "must_include": ["007"]},
            {"completion": "007", "must_include": ["7"]},
            {"completion": "1000", "must_include": ["1e3"]},
            {"completion": "NaN", "must_include": ["nan"]},
        )
    )
    assert failed(report) == {"c1": ["missing:007"], "c3": ["missing:1e3"]}
