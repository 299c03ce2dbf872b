"""HTML in which text from people, models and files stays data: `text` is its only way in."""

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NewType

import streamlit as st

from evalcore.excerpt import spelled_out

Html = NewType("Html", str)

READABLE = 500
"""Characters that are shown of one text."""

_BEYOND_ASCII_PRINT = re.compile(r"[^ -~]")


def text(value: str, limit: int = READABLE) -> Html:
    """Shows a text letter for letter, cut to `limit` characters, unseen ones as named chips."""
    escaped = _BEYOND_ASCII_PRINT.sub(_shown, html.escape(value[:limit]))
    return Html(f"<bdi>{escaped}</bdi>{_rest(value, limit)}")


def prose(value: str, limit: int = READABLE) -> Html:
    """Shows a text of several lines like `text`, its line breaks and tabs as they are."""
    pieces = re.split("([\n\t])", value[:limit])
    lines = "".join(piece if piece in "\n\t" else text(piece, limit) for piece in pieces)
    return Html(lines + _rest(value, limit))


def element(tag: str, *parts: Html, style: str = "", attributes: str = "") -> Html:
    """Wraps the parts in one element with a CSS class of `style.css`."""
    opening = " ".join(filter(None, (tag, style and f'class="{style}"', attributes)))
    return Html(f"<{opening}>{''.join(parts)}</{tag}>")


def table(heads: Sequence[str], rows: Iterable[Sequence[Html]]) -> Html:
    """Lays out rows under their heads; on a phone each row is a card with the heads inside."""
    head = element("tr", *(element("th", text(name)) for name in heads))
    body = (element("tr", *map(_cell, heads, row)) for row in rows)
    return element("table", element("thead", head), element("tbody", *body), style="cases")


def definitions(pairs: Iterable[tuple[str, str]]) -> Html:
    """Lays out words, each under its name."""
    parts = (element("dt", text(name)) + element("dd", text(words)) for name, words in pairs)
    return element("dl", *map(Html, parts), style="words")


def alert(words: str) -> Html:
    """Sets words off from all else, each line a paragraph."""
    return element("div", *(element("p", text(line)) for line in words.splitlines()), style="alert")


def show(*parts: Html) -> None:
    """Draws the parts on the page, if there are any."""
    if parts:
        st.html("".join(parts))


def _cell(head: str, part: Html) -> Html:
    return element("td", part, attributes=f'data-head="{html.escape(head)}"')


def _rest(value: str, limit: int) -> str:
    """Says how much of a text is left out, if any of it is."""
    more = len(value) - limit
    return f'<span class="cut">… {more:,} more</span>' if more > 0 else ""


def _shown(match: re.Match[str]) -> str:
    char = match[0]
    if spelled_out(char) == char:
        return char
    name = unicodedata.name(char, "control character").lower()
    return f'<span class="chip" title="{name}">U+{ord(char):04X}</span>'
