"""A report in plain lines for people, the same on a terminal and in a log."""

from collections.abc import Iterator

from evalcore.alerts import AlertDetail
from evalcore.case import STRATA
from evalcore.excerpt import excerpt
from evalcore.notices import Notice
from evalcore.report import Report

PROPOSALS = "defaults: proposals, not measured constants; recalibrate them from your own history"


def report_lines(report: Report) -> Iterator[str]:
    """Yields what a report says: each instrument by itself, then alerts, then notices."""
    for stratum in STRATA:
        evidence = report.evidence[stratum]
        yield f"{stratum}: {evidence.state}; {evidence.sentence}"
    yield f"thresholds: {thresholds_line(report)}"
    for detail in report.alert_details:
        yield alert_line(detail)
    if report.ok:
        yield "no alert"
    for notice in report.notices:
        yield notice_line(notice)


def thresholds_line(report: Report) -> str:
    """Says where the thresholds in force come from."""
    if report.job.source == "job":
        return f"job {excerpt(report.job.name or '')}"
    return "flags, in place of defaults" if report.job.source == "flags" else PROPOSALS


def alert_line(detail: AlertDetail) -> str:
    """Says what an alert is about and what to do next."""
    return f"alert {detail.alert}: {detail.text} Next: {detail.next_step}"


def notice_line(notice: Notice) -> str:
    """Says what a notice is about."""
    return f"{notice.level} {notice.kind}: {notice.text}"


def notice_lines(notice: Notice) -> Iterator[str]:
    """Yields what a notice is about, with its cases."""
    yield notice_line(notice)
    for detail in notice.details:
        yield f"  {detail}"
    for stratum, ids in notice.cases.items():
        if ids:
            yield f"  {stratum}: {', '.join(map(excerpt, ids))}"
    named = sum(map(len, notice.cases.values()))
    if named and named < notice.count:
        yield f"  and {notice.count - named} more"
