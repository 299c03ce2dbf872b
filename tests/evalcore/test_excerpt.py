"""Untrusted text made fit to show."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.characters import INVISIBLE
from evalcore.excerpt import distinct_excerpts, excerpt, spelled_out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain words, größer: 中文 \U0001f642", "plain words, größer: 中文 \U0001f642"),
        ("a\tb\nc\rd", "a\\tb\\nc\\rd"),
        ("\x00\x07\x1b[2J\x7f", "\\x00\\x07\\x1b[2J\\x7f"),
        ("\x85\x9b", "\\x85\\x9b"),
        ("\u200b\u200e\u202e\u2066\ufeff\u00ad", "\\u200b\\u200e\\u202e\\u2066\\ufeff\\xad"),
        ("\u2028\u2029\u2800\u3164", "\\u2028\\u2029\\u2800\\u3164"),
        ("\ufff9a\ufffb", "\\ufff9a\\ufffb"),
        ("\ud800", "\\ud800"),
        ("\U000e0041\U000e0100", "\\U000e0041\\U000e0100"),
        ("\\n is two characters", "\\n is two characters"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text, shown):
    assert spelled_out(text) == excerpt(text) == shown


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("x" * 80, 80, "x" * 80),
        ("x" * 81, 80, "x" * 79 + "…"),
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("\n\n", 4, "\\n\\n"),
        ("\n\n\n", 4, "\\n…"),
        ("a\x1bb", 6, "a\\x1bb"),
        ("a\x1bb", 5, "a…"),
        ("\U000e0041", 10, "\\U000e0041"),
        ("\U000e0041", 9, "…"),
        ("\u202e" * 10**6, 20, "\\u202e\\u202e\\u202e…"),
    ],
)
def test_what_is_long_is_cut_between_characters_and_escapes(text, limit, shown):
    assert excerpt(text, limit) == shown


@given(st.text(st.characters(codec=None), max_size=60), st.integers(1, 60))
@example("\U000e0041" * 60, 60)
def test_an_excerpt_is_never_longer_than_asked_and_never_acts(text, limit):
    shown = excerpt(text, limit)
    unseen = {"Cc", "Cs", "Zl", "Zp"}
    assert len(shown) <= limit
    assert [char for char in shown if unicodedata.category(char) in unseen] == []
    assert re.search(f"[{INVISIBLE}]", shown) is None
    assert shown.endswith("…") or shown == spelled_out(text)
    assert spelled_out(text).startswith(shown.removesuffix("…"))


def test_texts_that_are_cut_alike_get_names_of_their_own():
    texts = ["a" * 90 + "1", "a" * 90 + "2", "b"]
    assert distinct_excerpts(texts, 10) == {
        texts[0]: "aaaaaaaaa…",
        texts[1]: "aaaaaaaaa… (2)",
        "b": "b",
    }


def test_a_text_that_reads_like_a_number_of_ours_still_gets_a_name_of_its_own():
    texts = ["\\x1b (3)", "\x1b", "\\x1b"]
    assert list(distinct_excerpts(texts).values()) == ["\\x1b (3)", "\\x1b", "\\x1b (3) (3)"]
