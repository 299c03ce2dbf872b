"""A report drawn for a terminal: three instruments, each by itself, never one number."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from evalcore.case import STRATA
from evalcore.evidence import Evidence
from evalcore.excerpt import excerpt
from evalcore.percent import exact_percent
from evalcore.phrases import families_words, label_words, size_words, to_alarm_words
from evalcore.report import Report, SavedReport
from evalcore.review.judged import Judged
from evalcore.run import Run
from evalcore.wording import (
    RUN_HEADS,
    alert_line,
    notice_lines,
    run_cells,
    thresholds_line,
    unanswered_lines,
)

SHOWN_FAILURES = 20
_BAR_CELLS = 30
_COUNT_CHARS = 18
_FILE_WIDTH = 200
_STYLES = {"ok": "blue", "alarm": "dark_orange", "refused": "bright_black"}
_MARKS = {"ok": "●", "alarm": "▲", "refused": "○"}
_UNICODE = "●▲○┃━─…–"
_ASCII = str.maketrans(_UNICODE, "oA?|=-~-")


def write_report(
    report: Report | SavedReport, out: BinaryIO, encoding: str = "utf-8", head: str = ""
) -> None:
    """Writes the report as text, coloured where `out` is a terminal; `head` says what it is of."""
    with _drawing(out, encoding) as console:
        if head:
            console.print(Text(head, style="bold"))
        for line in _lines(report):
            console.print(line if _speaks(encoding) else _without_signs(line))


def write_history(runs: Iterable[Run], out: BinaryIO, encoding: str = "utf-8") -> None:
    """Writes a table of runs, the three counts each by itself."""
    table = Table(*RUN_HEADS, box=box.SIMPLE if _speaks(encoding) else box.ASCII, pad_edge=False)
    for run in runs:
        table.add_row(*map(Text, run_cells(run)))
    with _drawing(out, encoding) as console:
        if table.row_count:
            console.print(table)
        else:
            console.print("no runs")


def write_judged(judged: Sequence[Judged], out: BinaryIO, encoding: str = "utf-8") -> None:
    """Writes a table of judged cases; what a run says of them stands in it where one was given."""
    of_run = any(one.outcome for one in judged)
    heads = (
        "when (UTC)",
        "case",
        *(("stratum", "outcome") if of_run else ()),
        "verdicts",
        "stands",
    )
    table = Table(
        *heads, "note", box=box.SIMPLE if _speaks(encoding) else box.ASCII, pad_edge=False
    )
    for one in judged:
        graded = (one.stratum or "", one.outcome or "") if of_run else ()
        said = "; ".join(f"{excerpt(entry.who)}: {entry.verdict}" for entry in one.verdicts)
        notes = [entry.note for entry in one.entries if entry.note.strip()]
        cells = (excerpt(one.case_id), *graded, said, one.words, excerpt((notes or [""])[-1]))
        table.add_row(*map(Text, (f"{one.at:%Y-%m-%d %H:%M}", *cells)))
    with _drawing(out, encoding) as console:
        if table.row_count:
            console.print(table)


@contextmanager
def _drawing(out: BinaryIO, encoding: str) -> Iterator[Console]:
    """Yields a console whose text goes to `out` at the end, as far as the encoding speaks it."""
    drawn = io.StringIO()
    terminal = out.isatty()
    yield Console(
        file=drawn,
        force_terminal=terminal,
        width=None if terminal else _FILE_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )
    out.write(drawn.getvalue().encode(encoding, "backslashreplace"))


def _speaks(encoding: str) -> bool:
    try:
        _UNICODE.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _without_signs(line: Text) -> Text:
    return Text(line.plain.translate(_ASCII))


def _lines(report: Report | SavedReport) -> Iterator[Text]:
    counts = {stratum: _counts(report.evidence[stratum]) for stratum in STRATA}
    width = max(_COUNT_CHARS, *map(len, counts.values()))
    for stratum in STRATA:
        yield _instrument(report.evidence[stratum], counts[stratum].ljust(width))
    yield Text()
    for stratum in STRATA:
        yield from map(Text, _words(report.evidence[stratum]))
    yield Text(f"thresholds: {thresholds_line(report)}")
    yield Text()
    for detail in report.alert_details:
        yield Text(alert_line(detail), style=_STYLES["alarm"])
    yield from map(Text, unanswered_lines(report))
    if report.ok:
        yield Text("no alert", style=_STYLES["ok"])
    for notice in report.notices:
        yield from map(Text, notice_lines(notice))
    yield from _failures(report)


def _words(evidence: Evidence) -> Iterator[str]:
    yield f"{evidence.stratum}: {evidence.sentence}"
    yield f"  {label_words(evidence)}; {to_alarm_words(evidence)}"
    yield f"  {size_words(evidence)}"
    if evidence.families.count:
        yield f"  {families_words(evidence)}"


def _counts(evidence: Evidence) -> str:
    return f"{evidence.passed} of {evidence.n} passed"


def _instrument(evidence: Evidence, counts: str) -> Text:
    """Draws one gauge as a line: counts, bar, threshold and state."""
    side = "floor" if evidence.threshold.side == "low" else "ceiling"
    style = _STYLES[evidence.state]
    return Text.assemble(
        (f"{evidence.stratum:<8}", "bold"),
        f"{counts} ",
        (_bar(evidence), style),
        f"  {side:>7} {exact_percent(evidence.threshold.value):<7}",
        (evidence.state, f"bold {style}"),
    )


def _bar(evidence: Evidence) -> str:
    """Draws 0 to 100 %: the interval thick, the threshold upright, the value as a sign."""
    cells = ["─"] * _BAR_CELLS
    if evidence.interval:
        low, high = _cell(evidence.interval.low), _cell(evidence.interval.high)
        cells[low : high + 1] = "━" * (high + 1 - low)
    cells[_cell(evidence.threshold.value)] = "┃"
    if evidence.n:
        cells[_cell(evidence.passed / evidence.n)] = _MARKS[evidence.state]
    return "".join(cells)


def _cell(rate: float) -> int:
    return round(rate * (_BAR_CELLS - 1))


def _failures(report: Report | SavedReport) -> Iterator[Text]:
    """Yields the first failed cases with their reasons; the JSON report has all of them."""
    failures = iter(report.failures)
    for failure in islice(failures, SHOWN_FAILURES):
        reasons = "; ".join(excerpt(reason) for reason in failure.reasons)
        yield Text(f"failed {failure.stratum} {excerpt(failure.case_id)}: {reasons}")
    rest = sum(1 for _ in failures)
    if rest:
        cases = "case" if rest == 1 else "cases"
        yield Text(f"and {rest} more failed {cases}; --format json lists them all")


@contextmanager
def progress_bar(size: int) -> Iterator[Callable[[int], None]]:
    """Shows a bar on standard error and yields what moves it, by the bytes read of `size`."""
    columns = (
        TextColumn("grading"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("grading", total=size)
        yield lambda done: progress.update(task, completed=done)
