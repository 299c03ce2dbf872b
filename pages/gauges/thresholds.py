"""The thresholds that decided, and where they come from."""

from evalcore.percent import exact_percent
from evalcore.report import Report, SavedReport
from evalcore.wording import thresholds_line
from pages.shared.markup import element, show, text


def draw(report: Report | SavedReport) -> None:
    """Says in one paragraph which thresholds are in force and whose they are."""
    rates = report.job.thresholds
    stretch = exact_percent(rates.stretch_high)
    words = (
        f"Thresholds in force: easy floor {exact_percent(rates.easy_floor)}, "
        f"medium floor {exact_percent(rates.medium_floor)}, stretch ceiling {stretch}; "
        f"all at their ceilings from {exact_percent(rates.ceiling_easy)}, "
        f"{exact_percent(rates.ceiling_medium)} and {stretch}. From "
    )
    show(element("p", text(words), text(f"{thresholds_line(report)}.")))
