"""What a person says of a run: what was graded, of which suite, when, and any words beside it."""

import re
from datetime import datetime
from typing import Literal, get_args

import msgspec

from evalcore.errors import UsageError
from evalcore.excerpt import excerpt

Source = Literal["upload", "command line", "import", "live", "example"]
SOURCES: tuple[Source, ...] = get_args(Source)

MAX_NAME_CHARS = 200
MAX_NOTE_CHARS = 20_000
# A time at the ends of the calendar would be none in another zone, and stop all reading.
_YEARS = range(1970, 2200)
# PostgreSQL's text holds no NUL, and no encoding holds a half of a pair.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """Says of a run what its grading cannot tell.

    Raises:
        UsageError: a text is blank, too long, or holds control characters, or the time has no zone
            or cannot be meant.
    """

    config: str
    """What was graded, in the team's words; the same words mean the same thing graded again."""
    suite: str
    """What the suite is called, for people."""
    source: Source
    """How the run comes into the history."""
    model: str = ""
    """The model asked for, if it is known."""
    note: str = ""
    """Words for people."""
    at: datetime | None = None
    """When the completions were made; None for now."""

    def __post_init__(self) -> None:
        for field in ("config", "suite", "model"):
            check_name(field, getattr(self, field))
        check_note("note", self.note)
        if self.at is not None:
            _check_time(self.at)


def check_name(field: str, text: str) -> None:
    """Raises a UsageError where a short text is blank, too long, or cannot be seen."""
    if field != "model" and not text.strip():
        raise UsageError(f"{field}: blank; say it in a few words")
    if len(text) > MAX_NAME_CHARS or not text.isprintable():
        raise UsageError(
            f"{field}: more than {MAX_NAME_CHARS} characters, or some that cannot be seen "
            f'(found "{excerpt(text, 60)}"); write it shorter and plainly'
        )


def _check_time(at: datetime) -> None:
    if at.tzinfo is None:
        raise UsageError(f"at: a time without a zone (found {at}); give it one")
    if at.year not in _YEARS:
        raise UsageError(
            f"at: not from {_YEARS.start} to {_YEARS.stop - 1} (found {at:%Y-%m-%d}); "
            "correct the date"
        )


def check_note(field: str, text: str) -> None:
    """Raises a UsageError where a longer text is too long, or is no text."""
    if len(text) > MAX_NOTE_CHARS or _NO_TEXT.search(text):
        raise UsageError(
            f"{field}: more than {MAX_NOTE_CHARS:,} characters, or some that no text holds; "
            "write it shorter and plainly"
        )
