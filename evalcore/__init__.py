"""Grades a suite of golden cases on three instruments that can still alarm.

Names are imported when they are first used, so that a program which needs little starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.alerts import AlertDetail, AlertKind, Count
    from evalcore.binomial import wilson
    from evalcore.case import STRATA, Case, Grade, Mark, Reason, Stratum
    from evalcore.errors import HeadroomError, JobError, RowError, SuiteError, UsageError
    from evalcore.evidence import Evidence
    from evalcore.grading import grade_case
    from evalcore.identity import InstrumentHash, completion_hash, fixture_hash
    from evalcore.job import Job, Override, Thresholds, find_job, parse_job, read_job
    from evalcore.matching import MATCHING, fold, locate, soft_fold
    from evalcore.notices import Notice
    from evalcore.pipeline import grade_suite
    from evalcore.report import SCHEMA, Failure, MarkEntry, Report, Unanswered
    from evalcore.selfcheck import self_check
    from evalcore.suite import SuiteReader

__version__ = "0.1.0"

_MODULES = {
    "alerts": ("AlertDetail", "AlertKind", "Count"),
    "binomial": ("wilson",),
    "case": ("STRATA", "Case", "Grade", "Mark", "Reason", "Stratum"),
    "errors": ("HeadroomError", "JobError", "RowError", "SuiteError", "UsageError"),
    "evidence": ("Evidence",),
    "grading": ("grade_case",),
    "identity": ("InstrumentHash", "completion_hash", "fixture_hash"),
    "job": ("Job", "Override", "Thresholds", "find_job", "parse_job", "read_job"),
    "matching": ("MATCHING", "fold", "locate", "soft_fold"),
    "notices": ("Notice",),
    "pipeline": ("grade_suite",),
    "report": ("SCHEMA", "Failure", "MarkEntry", "Report", "Unanswered"),
    "selfcheck": ("self_check",),
    "suite": ("SuiteReader",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "MATCHING", "SCHEMA", "STRATA", "AlertDetail", "AlertKind", "Case", "Count", "Evidence",
    "Failure", "Grade", "HeadroomError", "InstrumentHash", "Job", "JobError", "Mark", "MarkEntry",
    "Notice", "Override", "Reason", "Report", "RowError", "Stratum", "SuiteError", "SuiteReader",
    "Thresholds", "Unanswered", "UsageError", "completion_hash", "find_job", "fixture_hash",
    "fold", "grade_case", "grade_suite", "locate", "parse_job", "read_job", "self_check",
    "soft_fold", "wilson",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Imports a public name's module when the name is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
