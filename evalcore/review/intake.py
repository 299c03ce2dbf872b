"""One line of exported entries, read strictly: every rule of the journal, with words for faults."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from evalcore.entry import VERDICTS, Entry
from evalcore.errors import RowError
from evalcore.parsing import Fault
from evalcore.records import (
    Form,
    check_at,
    check_case_id,
    check_change,
    check_who,
    check_words,
    hex_digits,
    one_of,
)

_MAX_RUN = (1 << 63) - 1
_MOST_AHEAD = timedelta(days=1)
_KINDS = ("verdict", "change", "takes_back")


def entry_of(line: bytes, number: int) -> Entry | list[RowError]:
    """Returns the entry on a line, or every problem that it has."""
    return _FORM.record_of(line, number)


def _contradictions(entry: Entry) -> Iterator[Fault]:
    """Yields what is wrong with values that are good by themselves."""
    kinds = [kind for kind in _KINDS if getattr(entry, kind) is not None]
    if len(kinds) != 1:
        named = f"{'more than one' if kinds else 'none'} of {', '.join(_KINDS)}"
        yield {"problem": named, "wanted": "an entry is exactly one of them"}
        return
    if not entry.fixture_hash and not _may_lack_a_fixture(entry):
        yield {"field": "fixture_hash", "problem": "blank", "wanted": "only a minted case has none"}
    if entry.settles and not entry.verdict:
        wanted = "leave it as it was exported"
        yield {"field": "settles", "problem": "true without a verdict", "wanted": wanted}
    elif entry.settles and not entry.note.strip():
        yield {"field": "note", "problem": "blank", "wanted": "say what settles it"}
    if entry.takes_back == entry.key:
        wanted = "name the entry that it takes back"
        yield {"field": "takes_back", "problem": "the entry itself", "wanted": wanted}


def _may_lack_a_fixture(entry: Entry) -> bool:
    return entry.takes_back is not None or (
        entry.change is not None and entry.change.kind == "mint"
    )


def _check_past(value: Any) -> Iterator[Fault]:
    """Takes a time that has come, or nearly: what is said later here must come after it."""
    if faults := list(check_at(value)):
        yield from faults
    elif datetime.fromisoformat(value) > datetime.now(UTC) + _MOST_AHEAD:
        wanted = "correct the time; a clock was wrong where it was made"
        yield {"problem": "more than a day ahead of now", "wanted": wanted}


def _check_run(value: Any) -> Iterator[Fault]:
    if type(value) is not int or not 1 <= value <= _MAX_RUN:
        yield {"problem": "no number of a run", "wanted": "write a whole number of 1 or more"}


def _check_flag(value: Any) -> Iterator[Fault]:
    if not isinstance(value, bool):
        yield {"problem": "neither true nor false", "wanted": "write true or false"}


_FORM = Form(
    Entry,
    {
        "key": hex_digits(32),
        "at": _check_past,
        "who": check_who,
        "run": _check_run,
        "suite_sha256": hex_digits(64),
        "case_id": check_case_id,
        "fixture_hash": hex_digits(64, may_be_blank=True),
        "completion_hash": hex_digits(64),
        "verdict": one_of(VERDICTS),
        "settles": _check_flag,
        "change": check_change,
        "takes_back": hex_digits(32),
        "note": check_words,
    },
    _contradictions,
)
