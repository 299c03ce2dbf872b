"""Grades a suite of golden cases on three instruments that can still alarm.

Names are imported when they are first used, so that a program which needs little starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.alerts import AlertDetail, AlertKind, Count
    from evalcore.binomial import wilson
    from evalcore.case import STRATA, Case, Grade, Mark, Reason, Stratum
    from evalcore.compare import Comparison
    from evalcore.database import history_url
    from evalcore.errors import (
        HeadroomError,
        HistoryError,
        JobError,
        NotInHistoryError,
        RowError,
        SuiteError,
        UsageError,
    )
    from evalcore.evidence import Evidence
    from evalcore.grading import grade_case
    from evalcore.identity import InstrumentHash, completion_hash, fixture_hash
    from evalcore.job import Job, Override, Thresholds, find_job, parse_job, read_job
    from evalcore.matching import MATCHING, fold, locate, soft_fold
    from evalcore.notices import Notice
    from evalcore.pipeline import compare_runs, grade_suite, import_past, keep_suite
    from evalcore.report import SCHEMA, Failure, MarkEntry, Report, SavedReport, Unanswered
    from evalcore.run import Run, RunCase
    from evalcore.selfcheck import self_check
    from evalcore.stamp import Stamp
    from evalcore.store import History, KeptCase, Saved
    from evalcore.suite import SuiteReader

__version__ = "0.1.0"

_MODULES = {
    "alerts": ("AlertDetail", "AlertKind", "Count"),
    "binomial": ("wilson",),
    "case": ("STRATA", "Case", "Grade", "Mark", "Reason", "Stratum"),
    "compare": ("Comparison",),
    "database": ("history_url",),
    "errors": (
        "HeadroomError",
        "HistoryError",
        "JobError",
        "NotInHistoryError",
        "RowError",
        "SuiteError",
        "UsageError",
    ),
    "evidence": ("Evidence",),
    "grading": ("grade_case",),
    "identity": ("InstrumentHash", "completion_hash", "fixture_hash"),
    "job": ("Job", "Override", "Thresholds", "find_job", "parse_job", "read_job"),
    "matching": ("MATCHING", "fold", "locate", "soft_fold"),
    "notices": ("Notice",),
    "pipeline": ("compare_runs", "grade_suite", "import_past", "keep_suite"),
    "report": ("SCHEMA", "Failure", "MarkEntry", "Report", "SavedReport", "Unanswered"),
    "run": ("Run", "RunCase"),
    "selfcheck": ("self_check",),
    "stamp": ("Stamp",),
    "store": ("History", "KeptCase", "Saved"),
    "suite": ("SuiteReader",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "MATCHING", "SCHEMA", "STRATA", "AlertDetail", "AlertKind", "Case", "Comparison", "Count",
    "Evidence", "Failure", "Grade", "HeadroomError", "History", "HistoryError", "InstrumentHash",
    "Job", "JobError", "KeptCase", "Mark", "MarkEntry", "NotInHistoryError", "Notice", "Override",
    "Reason", "Report", "RowError", "Run", "RunCase", "Saved", "SavedReport", "Stamp",
    "Stratum", "SuiteError", "SuiteReader", "Thresholds", "Unanswered", "UsageError",
    "compare_runs", "completion_hash", "find_job", "fixture_hash", "fold", "grade_case",
    "grade_suite", "history_url", "import_past", "keep_suite", "locate", "parse_job", "read_job",
    "self_check", "soft_fold", "wilson",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Imports a public name's module when the name is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
