import pytest

from evalcore.case import DEFAULT_MAX_CHARS, Case
from evalcore.diagnosis import slow_case
from evalcore.parsing import MAX_DEPTH
from evalcore.row import fast_case

GOOD = '"id": "a", "stratum": "easy", "prompt": "p"'


def read(members: str) -> tuple[Case | None, object]:
    line = "{" + members + "}"
    return fast_case(line.encode(), 3), slow_case(line.encode(), 3)


def words_for(line: bytes) -> list[str]:
    assert fast_case(line, 3) is None
    faults = slow_case(line, 3)
    assert isinstance(faults, tuple)
    return [fault.text for fault in faults]


def test_a_full_row():
    case, same = read(
        GOOD + ', "completion": "c", "must_include": ["x"], "must_include_any": [["y", "z"]],'
        ' "must_not_include": ["n"], "max_chars": 5, "tags": ["t"], "family": "f", "note": "w"'
    )
    assert case == same
    assert case == Case(
        id="a",
        stratum="easy",
        prompt="p",
        completion="c",
        must_include=("x",),
        must_include_any=(("y", "z"),),
        must_not_include=("n",),
        max_chars=5,
        tags=("t",),
        family="f",
        note="w",
        line=3,
    )


@pytest.mark.parametrize(
    "more",
    [
        "",
        ', "completion": null, "max_chars": null, "family": null, "note": null, "tags": null',
        ', "must_include": null, "must_include_any": null, "must_not_include": null',
        ', "must_include": [], "must_include_any": [], "must_not_include": [], "tags": []',
    ],
)
def test_absent_null_and_empty_are_the_same(more: str):
    case, same = read(GOOD + more)
    assert case == same
    assert case == Case(id="a", stratum="easy", prompt="p", max_chars=DEFAULT_MAX_CHARS, line=3)


def test_an_empty_completion_is_recorded():
    case, same = read(GOOD + ', "completion": ""')
    assert case == same
    assert case is not None
    assert case.completion == ""


@pytest.mark.parametrize(
    ("written", "case_id"),
    [
        ('"007"', "007"), ("7", "7"), ('"7.0"', "7.0"), ('"1e3"', "1e3"), ('"null"', "null"),
        ('"None"', "None"), ('"true"', "true"), ('"-0"', "-0"), ("-0", "-0"), ("0", "0"),
        ("9" * 64, "9" * 64), ('"a/b?c#d%e"', "a/b?c#d%e"), ('" x "', " x "), ('"\\u00e9"', "é"),
    ],
)  # fmt: skip
def test_an_id_is_kept_letter_for_letter(written: str, case_id: str):
    fast, slow = read(f'"id": {written}, "stratum": "easy", "prompt": "p"')
    assert isinstance(slow, Case)
    assert slow.id == case_id
    assert fast in (slow, None)


def test_an_unknown_field_is_kept_by_name():
    fast, slow = read(GOOD + ', "owner": {"deep": [1, null, "x"]}')
    assert fast is None
    assert isinstance(slow, Case)
    assert slow.unknown == ("owner",)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ('"stratum": "easy", "prompt": "p"',
         "line 3, field id: missing;"
         " every case needs an id: text that is not blank, or a whole number"),
        (GOOD.replace('"a"', "null"),
         "line 3, field id: null where an id should be (found null);"
         " write an id: text that is not blank, or a whole number"),
        (GOOD.replace('"a"', "7.0"),
         "line 3, field id: a number where an id should be (found 7.0);"
         " write an id: text that is not blank, or a whole number"),
        (GOOD.replace('"a"', '" \\u200b"'),
         'line 3, field id: a blank id (found " \\u200b");'
         " write an id: text that is not blank, or a whole number"),
        (GOOD.replace("easy", "Easy"),
         'line 3, field stratum: no such stratum (found "Easy");'
         " write one of easy, medium, stretch"),
        (GOOD.replace('"p"', "5"),
         "line 3, field prompt: a number where text should be (found 5); write a prompt in quotes"),
        (GOOD + ', "completion": ["x"]',
         "line 3, field completion: a list where text should be (found a list of 1);"
         " write the recorded text in quotes, or null where none was recorded"),
        (GOOD + ', "must_include": "x"',
         'line 3, field must_include: text where a list should be (found "x");'
         ' write needles in quotes: ["…"]'),
        (GOOD + ', "must_include": ["x", null]',
         "line 3, field must_include[1]: null in a list of texts (found null);"
         ' write needles in quotes: ["…"]'),
        (GOOD + ', "must_not_include": ["\\u00a0"]',
         "line 3, field must_not_include[0]: an empty or blank needle, which says nothing"
         ' (found "\xa0"); write needles in quotes: ["…"]'),
        (GOOD + ', "must_include_any": [["x"], []]',
         "line 3, field must_include_any[1]: an empty list, which nothing can satisfy"
         ' (found a list of 0); write lists of accepted wordings: [["…", "…"]]'),
        (GOOD + ', "must_include_any": [["x", ""]]',
         "line 3, field must_include_any[0][1]: an empty or blank needle, which says nothing"
         ' (found ""); write lists of accepted wordings: [["…", "…"]]'),
        (GOOD + ', "max_chars": true',
         "line 3, field max_chars: true or false where a whole number should be (found true);"
         " write a whole number of 1 or more"),
        (GOOD + ', "max_chars": 0',
         "line 3, field max_chars: a budget below 1 (found 0); write a whole number of 1 or more"),
        (GOOD + ', "max_chars": NaN',
         "line 3, field max_chars: not a JSON number (found NaN); write a number"),
        (GOOD + ', "other": [{"x": -Infinity}]',
         "line 3, field other: not a JSON number (found -Infinity); write a number"),
        (GOOD + ', "max_chars": ' + "9" * 5000,
         "line 3, field max_chars: a number of 5000 characters (found 9999999999999999999…);"
         " numbers have at most 64; write text in quotes"),
        (GOOD + ', "max_chars": ' + "9" * 65,
         "line 3, field max_chars: a number of 65 characters (found 9999999999999999999…);"
         " numbers have at most 64; write text in quotes"),
        (GOOD + ', "note": "\\ud83d"',
         "line 3, field note: an unpaired surrogate (half a character) (found \\ud83d);"
         " write the whole character"),
        (GOOD + ', "\\ud83d": 1',
         "line 3, field \\ud83d: an unpaired surrogate (half a character) (found \\ud83d);"
         " write the whole character"),
        (GOOD + ', "other": ' + "[" * 5000 + "]" * 5000,
         f"line 3, field other: brackets nested more than {MAX_DEPTH} deep;"
         " flatten the value or delete the field"),
        (GOOD + ', "other": ' + "[" * 99999 + "]" * 99999,
         f"line 3: brackets nested more than {MAX_DEPTH} deep;"
         " flatten the value or delete the field"),
    ],
)  # fmt: skip
def test_what_a_row_error_says(members: str, words: str):
    found = words_for(("{" + members + "}").encode())
    if "5000 deep" in words or "[" * 5000 in members:  # how deep json itself goes varies
        assert found[0].endswith(words.partition(": ")[2])
    else:
        assert found == [words]


@pytest.mark.parametrize("name", ["id", "\\u0069d", "i\\u0064"])
def test_a_key_twice_is_refused_however_it_is_written(name: str):
    line = f'{{{GOOD}, "{name}": "b"}}'.encode()
    assert words_for(line) == [
        "line 3, field id: the same key twice in one object; keep one of the two"
    ]


def test_a_key_twice_is_refused_at_any_depth_and_behind_colons():
    assert words_for(f'{{{GOOD}, "x": [{{"k": 1, "k": 2}}]}}'.encode()) == [
        "line 3, field k: the same key twice in one object; keep one of the two"
    ]
    assert words_for(f'{{{GOOD}, "note": "a", "note": "\\u003a"}}'.encode()) == [
        "line 3, field note: the same key twice in one object; keep one of the two"
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("must_includes", "must_include"),
        ("must_inlcude", "must_include"),
        ("mustNotInclude", "must_not_include"),
        ("maxChars", "max_chars"),
        ("MAX-CHARS", "max_chars"),
        ("Completion", "completion"),
        ("promt", "prompt"),
        ("ID", "id"),
        ("tags_", "tags"),
    ],
)
def test_a_misspelt_field_is_refused_with_the_nearest_name(name: str, meant: str):
    assert words_for(f'{{{GOOD}, "{name}": null}}'.encode()) == [
        f"line 3, field {name}: unknown field (found {name});"
        f" did you mean {meant}? A check under another name is never made"
    ]


@pytest.mark.parametrize("name", ["owner", "source", "not", "expected", "line", "unknown", ""])
def test_a_name_unlike_any_field_is_no_error(name: str):
    case = slow_case(f'{{{GOOD}, "{name}": 1}}'.encode(), 3)
    assert isinstance(case, Case)
    assert case.unknown == (name,)


def test_all_faults_of_a_row_are_told_at_once():
    words = words_for(b'{"id": 1.5, "stratum": "hard", "must_include": ["", 2], "max_chars": "x"}')
    assert [text.partition(":")[0] for text in words] == [
        "line 3, field prompt",
        "line 3, field id",
        "line 3, field stratum",
        "line 3, field must_include[1]",
        "line 3, field must_include[0]",
        "line 3, field max_chars",
    ]


@pytest.mark.parametrize(
    ("line", "start"),
    [
        (b"not json", "line 3: not JSON: "),
        (b'{"id": "a"', "line 3: not JSON: "),
        (b"{'id': 'a'}", "line 3: not JSON: "),
        (b"[1]", "line 3: not an object (found a list of 1); write one JSON object a line"),
        (b'"x"', 'line 3: not an object (found "x"); write one JSON object a line'),
        (b'{"id": "\xff"}', "line 3: not valid UTF-8 (found byte 0xff as byte 9 of the line);"),
        (b'{"id": "\xed\xa0\x80"}', "line 3: not valid UTF-8 (found byte 0xed as byte 9"),
        (b"# words", "line 3: a comment; JSONL has none"),
        (b"\x00\x00\x00", "line 3: 3 NUL bytes, not JSON: the file is damaged here"),
        (b"{} {}", "line 3: more than one object on the line"),
    ],
)
def test_what_is_no_object_is_told_in_one_line(line: bytes, start: str):
    (words,) = words_for(line)
    assert words.startswith(start)
    assert len(words) < 250
    assert "\n" not in words
