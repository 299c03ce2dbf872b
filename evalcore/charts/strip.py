"""One stratum's cases run by run, as a strip of cells."""

from collections.abc import Sequence

import altair as alt

from evalcore.charts.moments import Values, moment, run_values, tooltip
from evalcore.charts.palette import Palette, surroundings
from evalcore.excerpt import distinct_excerpts, excerpt
from evalcore.run import Outcome, Run
from evalcore.trends import Strip

_ROW_HEIGHT = 17
_WIDEST = 34  # pixels that a run takes at most
_CELLS = "cells"
_ID_CHARS = 32
_ID_PIXELS = 150
_SAYS = {"case_words": "case", "outcome": "outcome", "config": "config", "when": "run at (UTC)"}


def strip(strip: Strip, palette: Palette) -> alt.LayerChart:
    """Draws cases as rows and runs as columns, in the strip's order.

    A failed case is a full square, a passed one an outline, an unanswered one a small circle, and
    one that the run does not have is nothing. The selection `cell` holds the clicked cell's `run`
    and `case`.

    Raises:
        ValueError: there is no cell to draw.
    """
    if not strip.cells:
        raise ValueError("no case in any run to draw")
    rows = distinct_excerpts((row.case_id for row in strip.rows), _ID_CHARS)
    x, y = _columns(strip.runs), _rows(list(rows.values()))
    of_run = {run.id: run_values(run) | {"column": _column_name(run)} for run in strip.runs}
    of_case = {
        case_id: {"row": row, "case": case_id, "case_words": excerpt(case_id)}
        for case_id, row in rows.items()
    }
    values = [
        of_run[cell.run.id] | of_case[cell.case_id] | _outcome_values(cell.outcome, palette)
        for cell in strip.cells
    ]
    return alt.LayerChart(
        layer=[_circles(palette, x, y), _squares(x, y)],
        datasets={_CELLS: values},
        title="Full: failed, outline: passed, circle: no answer",
        height=_ROW_HEIGHT * len(rows),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        padding=0,
        config=surroundings(palette),
    )


def strip_text(strip: Strip) -> str:
    """Says in words what the strip shows, for those who cannot see it."""
    if not strip.cells:
        return "No case in any run."
    worst = strip.rows[0]
    return (
        f"Cases by run, {len(strip.rows)} by {len(strip.runs)}, worst case first: "
        f"{excerpt(worst.case_id)} passed {worst.passed} of {worst.graded} times."
    )


def _squares(x: alt.X, y: alt.Y) -> alt.Chart:
    clicked = alt.selection_point(
        name="cell", fields=["run", "case"], on="click", toggle=False, empty=False
    )
    square = _cells().mark_rect(strokeWidth=1.2, cornerRadius=1, cursor="pointer", aria=False)
    return square.encode(
        x,
        y,
        alt.Fill("fill", type="nominal", scale=None),
        alt.Stroke("stroke", type="nominal", scale=None),
        tooltip=tooltip(_SAYS),
    ).add_params(clicked)


def _circles(palette: Palette, x: alt.X, y: alt.Y) -> alt.Chart:
    unanswered = _cells().transform_filter(alt.datum["outcome"] == "unanswered")
    circle = unanswered.mark_point(
        shape="circle", color=palette.refused, size=16, opacity=1, tooltip=None
    )
    return circle.encode(x, y)


def _cells() -> alt.Chart:
    return alt.Chart(alt.NamedData(name=_CELLS))


def _columns(runs: Sequence[Run]) -> alt.X:
    axis = alt.Axis(
        title="time of run (UTC)",
        titlePadding=6,
        labelExpr="slice(datum.value, 0, 10)",
        labelAngle=-90,
        labelOverlap="greedy",
        domain=False,
        ticks=False,
    )
    scale = alt.Scale(
        domain=list(map(_column_name, runs)),
        rangeMax=alt.ExprRef(f"min(width, {_WIDEST * len(runs)})"),
        paddingInner=0.18,
        paddingOuter=0.05,
    )
    return alt.X("column", type="ordinal", axis=axis, scale=scale)


def _rows(names: list[str]) -> alt.Y:
    axis = alt.Axis(
        title=None,
        labelLimit=_ID_PIXELS,
        labelOverlap=False,
        labelFlush=False,
        domain=False,
        ticks=False,
    )
    scale = alt.Scale(domain=names, paddingInner=0.18, paddingOuter=0.05)
    return alt.Y("row", type="ordinal", axis=axis, scale=scale)


def _outcome_values(outcome: Outcome, palette: Palette) -> Values:
    fill, stroke = _colours(outcome, palette)
    return {"outcome": outcome, "fill": fill, "stroke": stroke}


def _colours(outcome: Outcome, palette: Palette) -> tuple[str, str]:
    if outcome == "failed":
        return palette.alarm, palette.alarm
    if outcome == "passed":
        return palette.paper, palette.ok
    return "transparent", "transparent"  # lets the circle below be seen, and is still clicked


def _column_name(run: Run) -> str:
    return f"{moment(run.at)} run {run.id}"
