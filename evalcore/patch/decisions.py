"""Decisions as a file: JSONL, one decision a line, read strictly and written without loss."""

from collections.abc import Iterable, Iterator

import msgspec

from evalcore.decision import Decision
from evalcore.errors import PatchError, problems_of
from evalcore.parsing import Fault
from evalcore.patch.changes import change_fault
from evalcore.records import (
    Form,
    check_at,
    check_case_id,
    check_change,
    check_who,
    check_words,
    hex_digits,
    read_records,
)
from evalcore.report import tamed

MAX_DECISIONS_BYTES = 64 << 20


def decisions_jsonl(decisions: Iterable[Decision]) -> bytes:
    """Returns a decisions file, in which control and direction characters are escaped."""
    return tamed(b"".join(msgspec.json.encode(one) + b"\n" for one in decisions))


def read_decisions(data: bytes, name: str) -> list[Decision]:
    """Returns the decisions of a file's bytes, in its order; `name` names it in messages.

    Blank lines, CRLF and a byte order mark are accepted.

    Raises:
        PatchError: one message with every problem found, its line and field, and what to do.
    """
    if len(data) > MAX_DECISIONS_BYTES:
        size = MAX_DECISIONS_BYTES >> 20
        problem = f"larger than {size} MiB; it holds a line for each decision, is it the suite?"
        raise PatchError(problems_of(name, [problem]))
    return read_records(data, name, _FORM.record_of, PatchError)


def _contradictions(decision: Decision) -> Iterator[Fault]:
    """Yields where a decision contradicts itself."""
    if fault := change_fault(decision.case_id, decision.change):
        yield {"field": "change", "problem": fault}
    if (decision.fixture_hash == "") != (decision.change.kind == "mint"):
        problem = "blank for mint and for nothing else; export the decisions anew"
        yield {"field": "fixture_hash", "problem": problem}


_FORM = Form(
    Decision,
    {
        "case_id": check_case_id,
        "fixture_hash": hex_digits(64, may_be_blank=True),
        "change": check_change,
        "who": check_who,
        "at": check_at,
        "why": check_words,
    },
    _contradictions,
)
