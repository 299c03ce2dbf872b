"""What changed between two texts, word by word."""

from collections.abc import Iterator, Sequence

from evalcore.difference import MAX_CHARS, Piece, is_cut, word_diff
from pages.shared.markup import Html, element, prose, text

_TAGS = {"same": "span", "gone": "del", "new": "ins"}


def difference(title: str, old: str, new: str, *, folding: bool = False) -> Iterator[Html]:
    """Yields both texts as one, what is gone struck out and what is new underlined.

    With `folding`, texts that have little in common are folded up: reading two mixed texts helps
    nobody who did not ask for it.
    """
    if old == new:
        yield element("h4", text(title))
        yield element("p", text("Nothing: both are the same, letter for letter."), style="quiet")
        return
    pieces = word_diff(old, new)
    shown = [element("div", *map(_piece, pieces), style="completion")]
    if is_cut(old, new):
        words = f"Only the first {MAX_CHARS:,} characters are compared."
        shown.append(element("p", text(words), style="quiet"))
    if folding and _is_mostly_new(pieces):
        summary = element("summary", element("strong", text(title)), text(": most of it"))
        yield element("details", summary, *shown, style="folded")
    else:
        yield element("h4", text(title))
        yield from shown


def _is_mostly_new(pieces: Sequence[Piece]) -> bool:
    same = sum(len(piece.text) for piece in pieces if piece.kind == "same")
    return 2 * same < sum(len(piece.text) for piece in pieces if piece.kind != "gone")


def _piece(piece: Piece) -> Html:
    return element(_TAGS[piece.kind], prose(piece.text, MAX_CHARS))
