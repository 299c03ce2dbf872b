"""What people say of a case, entry by entry: nothing is overwritten, and undo is an entry too."""

from datetime import datetime
from typing import Literal, NamedTuple, get_args

import msgspec

from evalcore.decision import Change

Verdict = Literal["real_miss", "acceptable", "bad_fixture", "wrong_reason", "unsure"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class CaseText(NamedTuple):
    """Is what a verdict is on: it holds as long as neither the checks nor the answer change."""

    case_id: str
    """The case's id."""
    fixture_hash: str
    """Hash of its prompt, stratum and checks, 64 hex digits."""
    completion_hash: str | None
    """Hash of its completion, 64 hex digits; None where none was recorded."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Is one entry of the journal: a verdict, a settlement, a decision, or one taken back."""

    key: str
    """Tells it from every other entry in any history, 32 hex digits."""
    at: datetime
    """When it was made, in UTC."""
    who: str
    """The person who made it."""
    run: int
    """Number of the run that was looked at."""
    suite_sha256: str
    """Hash of that run's suite, 64 hex digits; run numbers repeat in other histories."""
    case_id: str
    """The case's id."""
    fixture_hash: str
    """Hash of its prompt, stratum and checks, 64 hex digits; blank for a case still to be added."""
    completion_hash: str | None = None
    """Hash of its completion, 64 hex digits; None where none was recorded."""
    verdict: Verdict | None = None
    """What the person thinks of the grade; None for other kinds of entry."""
    settles: bool = False
    """Whether the verdict ends a disagreement of several people."""
    change: Change | None = None
    """What shall become of the case in the suite; None for other kinds of entry."""
    takes_back: str | None = None
    """The key of the entry that this one takes back; None for other kinds of entry."""
    note: str = ""
    """Words for the others."""

    @property
    def text(self) -> CaseText:
        """Names what it is on."""
        return CaseText(self.case_id, self.fixture_hash, self.completion_hash)
