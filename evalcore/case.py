"""The frozen values that flow through the project: a case, its reasons, marks and grade."""

from typing import Literal

import msgspec

Stratum = Literal["easy", "medium", "stretch"]
STRATA: tuple[Stratum, ...] = ("easy", "medium", "stretch")

ReasonKind = Literal["empty_completion", "over_budget", "missing", "missing_any", "forbidden"]
MarkKind = Literal[
    "near_miss", "forbidden", "not_recorded", "truncated", "refused", "reasoning_removed"
]

DEFAULT_MAX_CHARS = 1200


class Case(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Holds one golden case with its recorded completion."""

    id: str
    """Unique in its suite, letter for letter as written."""
    stratum: Stratum
    """The instrument that the case belongs to."""
    prompt: str
    """The case's input."""
    completion: str | None = None
    """The recorded answer, or None where none was recorded."""
    must_include: tuple[str, ...] = ()
    """Needles that must all be in the completion."""
    must_include_any: tuple[tuple[str, ...], ...] = ()
    """Lists of accepted wordings; of each at least one must be in the completion."""
    must_not_include: tuple[str, ...] = ()
    """Needles of which none may be in the completion."""
    max_chars: int = DEFAULT_MAX_CHARS
    """Budget of the completion in Unicode code points."""
    tags: tuple[str, ...] = ()
    """Words for filters."""
    family: str | None = None
    """The template that the case was written from; such cases are not independent."""
    note: str | None = None
    """Words for people."""
    unknown: tuple[str, ...] = ()
    """Names of the row's fields that the contract does not know."""
    line: int = 0
    """Physical line of the suite file, from 1; 0 where the case came from elsewhere."""


class Reason(msgspec.Struct, frozen=True, gc=False):
    """Says why a case failed, as data."""

    kind: ReasonKind
    """Which rule was broken."""
    detail: tuple[str, ...] = ()
    """The needle, the accepted wordings, or `LEN>MAX`; nothing for an empty completion."""

    @property
    def text(self) -> str:
        """Renders the reason as every report and page shows it."""
        return f"{self.kind}:{'|'.join(self.detail)}" if self.detail else self.kind


class Mark(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Says something about a completion that does not change its grade."""

    kind: MarkKind
    """What was noticed; `forbidden` gives the place of a forbidden hit."""
    needle: str = ""
    """The needle spoken of, as the row has it."""
    differs: str = ""
    """For a near miss: what keeps the needle from being found."""
    found: str = ""
    """The text that stands in the completion."""
    start: int | None = None
    """Where `found` begins, in code points of the completion."""
    end: int | None = None
    """Where `found` ends, exclusive."""
    context: str = ""
    """The place with its surroundings, `found` in brackets."""


class Grade(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Holds what grading one case gave."""

    case_id: str
    """The case's id."""
    stratum: Stratum
    """The case's stratum."""
    reasons: tuple[Reason, ...] = ()
    """Why it failed, in the contract's order; none when it passed."""
    marks: tuple[Mark, ...] = ()
    """What a reviewer should see beside the grade."""

    @property
    def passed(self) -> bool:
        """Tells whether the case has no reason to fail."""
        return not self.reasons
