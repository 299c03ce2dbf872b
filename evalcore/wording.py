"""Reports and runs in plain lines for people, the same on a terminal and in a log."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from evalcore.alerts import AlertDetail
from evalcore.case import STRATA
from evalcore.excerpt import excerpt
from evalcore.notices import Notice
from evalcore.report import Report, SavedReport

if TYPE_CHECKING:
    from evalcore.run import Run, Sums

PROPOSALS = "defaults: proposals, not measured constants; recalibrate them from your own history"
SHOWN_UNANSWERED = 20
RUN_HEADS = ("run", "when (UTC)", "job or suite", "config", *STRATA, "remarks")


def report_lines(report: Report | SavedReport) -> Iterator[str]:
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


def thresholds_line(report: Report | SavedReport) -> str:
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


def unanswered_lines(report: Report | SavedReport) -> Iterator[str]:
    """Yields the cases without an answer, with their causes."""
    unanswered = iter(report.unanswered)
    for case in islice(unanswered, SHOWN_UNANSWERED):
        yield f"unanswered {case.stratum} {excerpt(case.case_id)}: {excerpt(case.cause)}"
    rest = sum(1 for _ in unanswered)
    if rest:
        yield f"and {rest} more unanswered cases; the JSON report lists them all"


def run_cells(run: "Run") -> tuple[str, ...]:
    """Returns what stands under each of the RUN_HEADS."""
    return (
        str(run.id),
        f"{run.at:%Y-%m-%d %H:%M}",
        excerpt(run.yardstick),
        excerpt(run.config),
        *(_count(run.strata[stratum]) for stratum in STRATA),
        "; ".join(run_remarks(run)),
    )


def run_remarks(run: "Run") -> Iterator[str]:
    """Yields what is special about a run: its alerts, and why it might not count."""
    if run.alerts:
        yield ", ".join(run.alerts)
    if run.repeat:
        yield f"repeat {run.repeat}"
    if run.source == "example":
        yield "example"
    if run.exclusion:
        yield f"excluded by {excerpt(run.exclusion.who)}: {excerpt(run.exclusion.why)}"


def _count(sums: "Sums") -> str:
    """Returns counts first, with the cases that got no answer beside them."""
    if not sums.n + sums.unanswered:
        return "no cases"
    rest = f", {sums.unanswered} unanswered" if sums.unanswered else ""
    return f"{sums.passed} of {sums.n}{rest}"
