"""Untrusted text on its way to the page."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.excerpt import spelled_out
from pages.shared.markup import READABLE, Html, element, table, text

HOSTILE = [
    '![x](http://127.0.0.1:9/p.png) <img src="http://127.0.0.1:9/i.png">',
    "<script>alert(1)</script>",
    "</bdi></td></table><svg onload=alert(1)>",
    "$x^2$ and $y$ :red[not red] # no heading [click](javascript:alert(1))",
    "two  blanks & an &amp;",
]


def read(shown: Html) -> str:
    """Returns what a reader sees: a chip as its code point's name."""
    return html.unescape(re.sub(r"<[^>]*>", "", shown))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_markup_is_shown_letter_for_letter(hostile: str):
    shown = text(hostile)
    assert read(shown) == hostile
    assert re.findall(r"<(/?\w+)", shown) == ["bdi", "/bdi"]


@pytest.mark.parametrize(
    ("char", "chip"),
    [
        ("\u202e", '<span class="chip" title="right-to-left override">U+202E</span>'),
        ("\u200b", '<span class="chip" title="zero width space">U+200B</span>'),
        ("\x1b", '<span class="chip" title="control character">U+001B</span>'),
        ("\n", '<span class="chip" title="control character">U+000A</span>'),
        ("\U000e0041", '<span class="chip" title="tag latin capital letter a">U+E0041</span>'),
        ("é", "é"),
        ("東", "東"),
        ("\U0001f642", "\U0001f642"),
    ],
)
def test_unseen_characters_become_named_chips(char: str, chip: str):
    assert text(f"a{char}b") == f"<bdi>a{chip}b</bdi>"


@given(st.text(max_size=READABLE))
def test_any_text_gains_no_element_and_keeps_what_can_be_seen(value: str):
    shown = text(value)
    assert set(re.findall(r"<(\w+)", shown)) <= {"bdi", "span"}
    assert spelled_out(read(shown)) == read(shown)
    without_chips = Html(re.sub(r"<span.*?</span>", "", shown))
    assert read(without_chips) == "".join(char for char in value if spelled_out(char) == char)


def test_a_long_text_is_cut_and_says_by_how_much():
    shown = text("x" * 1_000_000)
    assert read(shown) == "x" * READABLE + "… 999,500 more"


def test_a_table_carries_its_heads_into_each_cell():
    shown = table(("case", 'a "head"'), [(text("<b>"), text("2"))])
    assert '<td data-head="case"><bdi>&lt;b&gt;</bdi></td>' in shown
    assert '<td data-head="a &quot;head&quot;"><bdi>2</bdi></td>' in shown


def test_an_element_takes_a_class_and_attributes():
    assert element("p", text("a"), text("b")) == "<p><bdi>a</bdi><bdi>b</bdi></p>"
    assert element("p", style="quiet", attributes="open") == '<p class="quiet" open></p>'
