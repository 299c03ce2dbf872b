import pytest

from evalcore.matching import (
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("STRASSE", "straße"),
        ("STRAẞE", "strasse"),
        ("ΟΔΟΣ", "οδός".replace("ό", "ο")),
        ("ΟΔΌΣ", "οδός"),
        ("café", "cafe\u0301"),
        ("CAFÉ", "cafe\u0301"),
        ("İstanbul", "istanbul"),
        ("\u212bngström", "Ångström"),
        ("\u212a", "k"),
        ("ﬃ", "FFI"),
        ("ŉ", "ʼN"),
        ("\u1112\u1161\u11ab", "한"),
        ("ᾳ", "ΑΙ"),
        ("𐐀", "𐐨"),
    ],
)
def test_fold_equates(one: str, other: str):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10²", "102"),
        ("½", "1/2"),
        ("Ａ", "A"),
        ("don’t", "don't"),
        ("a\xa0b", "a b"),
        ("a  b", "a b"),
        ("a\u200bb", "ab"),
        ("ı", "i"),
        ("e", "é"),
        ("а", "a"),  # Cyrillic
    ],
)
def test_fold_keeps_apart(one: str, other: str):
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("text", "soft"),
    [
        ("Don’t", "don't"),
        ("“Quoted” «so»", '"quoted" "so"'),
        ("5–7 — x−y ‑ z", "5-7 - x-y - z"),
        ("as\u200b an\xadAI", "as anai"),
        ("\u2800a\ufeffb\U000e0041", "ab"),
        ("a\xa0\u3000\t\r\nb", "a b"),
        ("a\x1cb", "a\x1cb"),
        ("ＡＢＣ！＇＂", "abc!'\""),
        ("ŉ", "'n"),
        ("e\u200b\u0301", "é"),
        ("10²", "10²"),
        ("  ", " "),
        ("", ""),
    ],
)
def test_soft_fold(text: str, soft: str):
    assert soft_fold(text) == soft


def test_bare_fold_drops_the_invisible_and_equates_nothing_else():
    assert bare_fold("A\u200b — “B”\xa0") == "a — “b”\xa0"


@pytest.mark.parametrize(
    ("text", "blank", "blank_needle"),
    [
        ("", True, True),
        (" \t\r\n", True, True),
        ("\xa0\u2003\u3000", True, True),
        ("\u200b\ufeff\u2060", True, True),
        ("\u3164\u2800\U000e0100", True, True),
        ("\x00\x1b", True, False),  # a control shows nothing, and can be looked for
        ("\x1c", True, False),
        (".", False, False),
        ("\u200b.", False, False),
        ("\u0301", False, False),
        ("東", False, False),
    ],
)
def test_blankness(text: str, blank: bool, blank_needle: bool):
    assert is_blank(text) is blank
    assert is_blank_needle(text) is blank_needle


@pytest.mark.parametrize(
    ("text", "needle", "held"),
    [
        ("I’m an AI", "i'm an ai", True),
        ("as\u200ban AI", "asan", True),
        ("as an\n\n  AI model", "an ai model", True),
        ("as an AI\tmodel ", "model ", True),
        ("well - known", "—", False),  # a dash is forbidden, not every hyphen
        ("well — known", "—", True),
        ("a\u200b—b", "—", True),
        ("a, b", "‚", False),
        ("‘x’", "'", False),
        ("５０％", "50%", True),
        ("102", "10²", False),
    ],
)
def test_a_forbidden_needle_is_looked_for_softly(text: str, needle: str, held: bool):
    assert Haystack(text).holds_softly(soft_needle(needle)) is held


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("a Straße b", "strasse", "Straße"),
        ("xSTRASSE", "straße", "STRASSE"),
        ("İİ ok", "ok", "ok"),
        ("a“B”c", '"b"', "“B”"),
        ("x a \t\n b", "a b", "a \t\n b"),
        ("ca\u200bfe\u0301!", "café", "ca\u200bfe\u0301"),
        ("ofﬁce", "fi", "fﬁ"[1:]),
        ("ﬃ", "f", "ﬃ"),
        ("no, no", "no", "no"),
        ("\u200b\u200bab", "ab", "ab"),
    ],
)
def test_a_place_is_told_in_the_original_text(text: str, needle: str, found: str):
    start, end = locate(text, soft_fold(needle), soft_fold)
    assert text[start:end] == found
    assert start == text.index(found)


@pytest.mark.parametrize(
    ("needle", "length"),
    [("abc", 3), ("ffi", 1), ("strasse", 5), ("ΐ", 1), ("é", 1), ("STAFF", 3)],
)
def test_shortest_length_knows_what_folds_to_more(needle: str, length: int):
    assert shortest_length(needle) == length
