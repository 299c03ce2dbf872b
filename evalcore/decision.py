"""What shall become of a case in its suite, decided by a person after reviewing it."""

from datetime import datetime
from typing import Any, Literal, get_args

import msgspec

DecisionKind = Literal["promote", "accept_wording", "fix_check", "retire", "keep", "mint"]
DECISION_KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Says what shall be done to one line of a suite."""

    kind: DecisionKind
    """`promote` to medium, accept a wording, fix the check, retire the case, keep it as it is, or
    mint a new one."""
    fields: dict[str, Any] = {}
    """The row's fields that get a new value, JSON as in the file; for `mint` the whole row. None
    for `retire` and `keep`."""


class Decision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Is one decision as a decisions file holds it, one a line."""

    case_id: str
    """The case's id."""
    fixture_hash: str
    """Hash of the prompt, stratum and checks that were decided on, 64 hex digits; blank for
    `mint`."""
    change: Change
    """What shall be done."""
    who: str
    """The person who decided."""
    at: datetime
    """When, in UTC."""
    why: str = ""
    """The reason, which goes into the row's note."""
