"""What changed between two texts, word by word."""

from collections.abc import Iterator

from evalcore.difference import MAX_CHARS, Piece, is_cut, word_diff
from pages.shared.markup import Html, element, prose, text

_TAGS = {"same": "span", "gone": "del", "new": "ins"}


def difference(title: str, old: str, new: str) -> Iterator[Html]:
    """Yields both texts as one, what is gone struck out and what is new underlined."""
    yield element("h4", text(title))
    if old == new:
        yield element("p", text("Nothing: both are the same, letter for letter."), style="quiet")
        return
    yield element("div", *map(_piece, word_diff(old, new)), style="completion")
    if is_cut(old, new):
        words = f"Only the first {MAX_CHARS:,} characters are compared."
        yield element("p", text(words), style="quiet")


def _piece(piece: Piece) -> Html:
    return element(_TAGS[piece.kind], prose(piece.text, MAX_CHARS))
