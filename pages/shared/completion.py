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


def parts(case: Case) -> int:
    """Counts the parts that a completion is shown in, 0 where there is none."""
    return -(-len(case.completion or "") // SHOWN_CHARS)


def completion(case: Case, marks: Iterable[Mark], part: int = 1) -> Html:
    """Shows a part of a completion with its hits, near misses and found needles."""
    if case.completion is None:
        return element("p", text("No completion was recorded."), style="quiet")
    if not case.completion:
        return element("p", text("The completion is empty."), style="quiet")
    return element("div", *_pieces(case.completion, _spans(case, marks), part), style="completion")


def legend(case: Case, marks: Iterable[Mark]) -> Html:
    """Lists what is marked, each needle once at its first place, in the order of the text."""
    places: dict[tuple[Kind, str], list[Span]] = {}
    for span in sorted(_spans(case, marks)):
        places.setdefault((span.kind, span.title), []).append(span)
    items = (
        element(
            "li",
            element("mark", text(_WORDS[kind]), style=kind),
            text(f" at {spans[0].start} to {spans[0].end}{_more(len(spans) - 1)}: "),
            text(title),
        )
        for (kind, title), spans in places.items()
    )
    return element("ul", *items, style="legend")


def _more(places: int) -> str:
    if not places:
        return ""
    return f" and {places} more place{'' if places == 1 else 's'}"


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


def _pieces(whole: str, spans: list[Span], part: int) -> Iterator[Html]:
    """Cuts a part of the text at every border of a span and marks each piece by its first kind."""
    first, last = (part - 1) * SHOWN_CHARS, min(part * SHOWN_CHARS, len(whole))
    borders = {first, last}
    for span in spans:
        borders |= {min(max(place, first), last) for place in (span.start, span.end)}
    if first:
        yield element("span", text(f"{first:,} characters before …"), style="cut")
    for start, end in pairwise(sorted(borders)):
        piece = prose(whole[start:end], SHOWN_CHARS)
        inside = [span for span in spans if span.start <= start and end <= span.end]
        if inside:
            top = min(inside, key=lambda span: _ORDER.index(span.kind))
            yield element("mark", piece, style=top.kind)
        else:
            yield piece
    if last < len(whole):
        yield element("span", text(f"… {len(whole) - last:,} more characters"), style="cut")
