"""A completion as text, with the places that its checks speak of marked in it."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from evalcore.case import Case, Mark
from evalcore.grading import found_needles
from pages.shared.markup import Html, element, prose, text

SHOWN_CHARS = 20_000

Kind = Literal["forbidden", "near-miss", "found"]
_WORDS: dict[Kind, str] = {
    "forbidden": "forbidden",
    "near-miss": "near miss",
    "found": "found",
}
_ORDER: tuple[Kind, ...] = ("forbidden", "near-miss", "found")


class Span(NamedTuple):
    """Is a marked piece of a text."""

    start: int
    """Where it begins, in code points."""
    end: int
    """Where it ends, exclusive."""
    kind: Kind
    """What it is; of two that overlap, the more alarming one is shown."""
    title: str
    """What there is to say of it."""


def completion(case: Case, marks: Iterable[Mark]) -> Html:
    """Shows a completion with its hits, near misses and found needles."""
    if case.completion is None:
        return element("p", text("No completion was recorded."), style="quiet")
    if not case.completion:
        return element("p", text("The completion is empty."), style="quiet")
    return element("div", *_pieces(case.completion, _spans(case, marks)), style="completion")


def legend(case: Case, marks: Iterable[Mark]) -> Html:
    """Lists what is marked, in the order of the text, with what a near miss differs in."""
    items = (
        element(
            "li",
            element("mark", text(_WORDS[span.kind]), style=span.kind),
            text(f" at {span.start} to {span.end}: "),
            text(span.title),
        )
        for span in sorted(_spans(case, marks))
    )
    return element("ul", *items, style="legend")


def _spans(case: Case, marks: Iterable[Mark]) -> list[Span]:
    spans = [
        Span(mark.start, mark.end, kind, title)
        for mark in marks
        for kind, title in _told(mark)
        if mark.start is not None and mark.end is not None
    ]
    return spans + [
        Span(found.start, found.end, "found", found.needle) for found in found_needles(case)
    ]


def _told(mark: Mark) -> Iterator[tuple[Kind, str]]:
    if mark.kind == "forbidden":
        yield "forbidden", mark.needle
    elif mark.kind == "near_miss":
        yield "near-miss", f"{mark.needle} ({mark.differs})"


def _pieces(whole: str, spans: list[Span]) -> Iterator[Html]:
    """Cuts the text at every border of a span and marks each piece by its first kind."""
    shown = whole[:SHOWN_CHARS]
    borders = {0, len(shown)}
    for span in spans:
        borders |= {min(span.start, len(shown)), min(span.end, len(shown))}
    places = sorted(borders)
    for start, end in pairwise(places):
        piece = prose(shown[start:end], SHOWN_CHARS)
        inside = [span for span in spans if span.start <= start and end <= span.end]
        if inside:
            top = min(inside, key=lambda span: _ORDER.index(span.kind))
            yield element("mark", piece, style=top.kind)
        else:
            yield piece
    if len(whole) > len(shown):
        rest = text(f"… {len(whole) - len(shown):,} more characters")
        yield element("span", rest, style="cut")
