"""One stratum's cases run by run, worst first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import attrgetter

import msgspec

from evalcore.run import Outcome, Run

MOST_ROWS = 60
MOST_RUNS = 60

Outcomes = Mapping[int, Mapping[str, Outcome]]
"""What each case gave: run id to case id to outcome."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Counts one case over the runs of a strip."""

    case_id: str
    """The case's id."""
    passed: int
    """In how many runs it passed."""
    graded: int
    """In how many runs it was graded."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """Is one case in one run; a case that a run does not have is no cell."""

    case_id: str
    """The case's id."""
    run: Run
    """The run."""
    outcome: Outcome
    """What grading gave."""


class Strip(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the cells of some cases and runs."""

    runs: tuple[Run, ...] = ()
    """The columns, oldest first."""
    rows: tuple[Row, ...] = ()
    """The cases, the one with the smallest share of passes first."""
    cells: tuple[Cell, ...] = ()
    """Row by row, oldest run first."""
    runs_left_out: int = 0
    """How many older runs are not shown."""
    rows_left_out: int = 0
    """How many cases that pass more often are not shown."""

    @property
    def left_out_words(self) -> str:
        """Says what is not shown; blank where all is."""
        runs, rows = self.runs_left_out, self.rows_left_out
        parts = []
        if rows:
            cases = "case that passes" if rows == 1 else "cases that pass"
            parts.append(f"{rows:,} {cases} more often")
        if runs:
            parts.append(f"{runs:,} older {'run' if runs == 1 else 'runs'}")
        return f"not shown: {' and '.join(parts)}" if parts else ""


def strip(
    outcomes: Outcomes,
    runs: Sequence[Run],
    *,
    most_rows: int = MOST_ROWS,
    most_runs: int = MOST_RUNS,
) -> Strip:
    """Returns the newest runs with their worst cases; only the shown runs decide what is worst."""
    ordered = sorted(runs, key=attrgetter("order"))
    shown = ordered[max(0, len(ordered) - most_runs) :]
    rows, rows_left_out = strip_rows(outcomes, shown, most_rows)
    cells = (
        Cell(case_id=row.case_id, run=run, outcome=outcome)
        for row in rows
        for run in shown
        if (outcome := outcomes.get(run.id, {}).get(row.case_id))
    )
    return Strip(
        runs=tuple(shown),
        rows=rows,
        cells=tuple(cells),
        runs_left_out=len(ordered) - len(shown),
        rows_left_out=rows_left_out,
    )


def strip_rows(
    outcomes: Outcomes, runs: Sequence[Run], limit: int = MOST_ROWS
) -> tuple[tuple[Row, ...], int]:
    """Returns the `limit` worst cases and how many are left out.

    Worst is the smallest share of passes among the runs that graded the case; equal ones follow
    their ids, and cases that no run graded come last.
    """
    passed: Counter[str] = Counter()
    graded: Counter[str] = Counter()
    for run in runs:
        for case_id, outcome in outcomes.get(run.id, {}).items():
            passed[case_id] += outcome == "passed"
            graded[case_id] += outcome != "unanswered"
    rows = sorted(
        (
            Row(case_id=case_id, passed=passed[case_id], graded=graded[case_id])
            for case_id in graded
        ),
        key=_worst_first,
    )
    return tuple(rows[:limit]), max(0, len(rows) - limit)


def _worst_first(row: Row) -> tuple[Fraction, str]:
    # Cases without a share come after those with the greatest, which is 1.
    return Fraction(row.passed, row.graded) if row.graded else Fraction(2), row.case_id
