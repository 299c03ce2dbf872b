"""The fixture patch: decisions on cases become a suite in which only the touched lines differ."""

from evalcore.patch.changes import (
    DONE,
    accepted,
    combined,
    fixed,
    kept,
    minted,
    promoted,
    retired,
)
from evalcore.patch.decisions import MAX_DECISIONS_BYTES, decisions_jsonl, read_decisions
from evalcore.patch.diff import unified_diff
from evalcore.patch.line import edited
from evalcore.patch.replay import Answer, Replay, replayed
from evalcore.patch.row import checked, line_of
from evalcore.patch.suite import FEWEST_STRETCH, Patched, Touched, patch_suite

__all__ = [
    "DONE",
    "FEWEST_STRETCH",
    "MAX_DECISIONS_BYTES",
    "Answer",
    "Patched",
    "Replay",
    "Touched",
    "accepted",
    "checked",
    "combined",
    "decisions_jsonl",
    "edited",
    "fixed",
    "kept",
    "line_of",
    "minted",
    "patch_suite",
    "promoted",
    "read_decisions",
    "replayed",
    "retired",
    "unified_diff",
]
