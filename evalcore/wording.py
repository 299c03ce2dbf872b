"""A report in plain lines for people, the same on a terminal and in a log."""

from collections.abc import Iterator
from itertools import islice

from evalcore.alerts import AlertDetail
from evalcore.case import STRATA
from evalcore.excerpt import excerpt
from evalcore.notices import Notice
from evalcore.report import Report

PROPOSALS = "defaults: proposals, not measured constants; recalibrate them from your own history"
SHOWN_UNANSWERED = 20


def report_lines(report: Report) -> Iterator[str]:
    """Yields what a report says: each instrument by itself, then alerts, then notices."""
    for stratum in STRATA:
        evidence = report.evidence[stratum]
        yield f"{stratum}: {evidence.state}; {evidence.sentence}"
    yield f"thresholds: {thresholds_line(report)}"
    for detail in report.alert_details:
        yield alert_line(detail)
    yield from unanswered_lines(report)
    if report.ok:
        yield "no alert"
    for notice in report.notices:
        yield notice_line(notice)


def thresholds_line(report: Report) -> str:
    """Says where the thresholds in force come from, and which of them are mere proposals."""
    if report.job.source == "defaults":
        return PROPOSALS
    source = f"job {excerpt(report.job.name or '')}" if report.job.source == "job" else "flags"
    if not report.job.proposed:
        return source
    return f"{source}; {', '.join(report.job.proposed)} from {PROPOSALS}"


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
    if notice.unnamed:
        yield f"  and {notice.unnamed} more"


def unanswered_lines(report: Report) -> Iterator[str]:
    """Yields the cases without an answer, with their causes."""
    unanswered = report.unanswered
    for case in islice(unanswered, SHOWN_UNANSWERED):
        yield f"unanswered {case.stratum} {excerpt(case.case_id)}: {excerpt(case.cause)}"
    rest = sum(1 for _ in unanswered)
    if rest:
        yield f"and {rest} more unanswered cases; the JSON report lists them all"
