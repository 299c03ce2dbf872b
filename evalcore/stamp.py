"""What a person says of a run: what was graded, of which suite, when, and any words beside it."""

import re
from datetime import UTC, datetime
from typing import Literal, get_args

import msgspec

from evalcore.errors import UsageError
from evalcore.excerpt import excerpt

Source = Literal["upload", "command line", "import", "live", "example"]
SOURCES: tuple[Source, ...] = get_args(Source)

MAX_NAME_CHARS = 200
MAX_NOTE_CHARS = 20_000
# A time at the ends of the calendar would be none in another zone, and stop all reading.
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_END = datetime(2200, 1, 1, tzinfo=UTC)
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
            check_time("at", self.at)


def check_name(field: str, text: str) -> None:
    """Raises a UsageError where a short text is blank, too long, or cannot be seen."""
    if field != "model" and not text.strip():
        raise UsageError(f"{field}: blank; say it in a few words")
    if len(text) > MAX_NAME_CHARS or not text.isprintable():
        raise UsageError(
            f"{field}: more than {MAX_NAME_CHARS} characters, or some that cannot be seen "
            f'(found "{excerpt(text, 60)}"); write it shorter and plainly'
        )


def check_time(field: str, at: datetime) -> None:
    """Raises a UsageError where a time has no zone, or a year that cannot be meant."""
    if at.tzinfo is None:
        raise UsageError(
            f"{field}: a time without a zone (found {at}); give it one, as in 2026-12-01T09:30:00Z"
        )
    if not _FIRST <= at < _END:
        raise UsageError(
            f"{field}: not from {_FIRST.year} to {_END.year - 1} (found {at:%Y-%m-%d}); "
            "correct the date"
        )


def check_note(field: str, text: str) -> None:
    """Raises a UsageError where a longer text is too long, or is no text."""
    if len(text) > MAX_NOTE_CHARS or _NO_TEXT.search(text):
        raise UsageError(
            f"{field}: more than {MAX_NOTE_CHARS:,} characters, or some that no text holds "
            f'(found "{excerpt(text, 60)}"); write it shorter and plainly'
        )
