"""One stratum's pass rate, run by run."""

from collections import Counter
from collections.abc import Iterator

import altair as alt

from evalcore.charts import signs
from evalcore.charts.axes import share_axis, span_of, time_axis
from evalcore.charts.moments import Values, changed_words, day, point_values, tooltip
from evalcore.charts.palette import Palette, surroundings, threshold_name
from evalcore.evidence import State
from evalcore.excerpt import excerpt
from evalcore.trends import Point, Series

HEIGHT = 260
MANY_POINTS = 60
_SIZE, _SIZE_AMONG_MANY = 110, 40
_RUNS = "runs"
_TOLD_MARKS = 5
_SAYS = {
    "config": "config",
    "when": "run at (UTC)",
    "counts": "passed",
    "plausible": "similar cases",
    "state": "state",
    "changed": "changed here",
}
_CROSS = "M-.6,-.6L.6,.6M.6,-.6L-.6,.6"


def trend(series: Series, palette: Palette, *, height: int = HEIGHT) -> alt.LayerChart:
    """Draws one stratum's series over time.

    A line joins what may be joined, the Wilson intervals are a band behind it, and the dashed
    line is the threshold as it was. Circles are fine, triangles alarm, hollow marks are too thin
    or unfinished, crosses are excluded, short strokes are repeats. A diamond above says that
    something changed, a dotted upright line that the rates before and after do not compare. The
    strip at the right edge is the alarm zone. The selection `run` holds the id of a clicked run.

    Raises:
        ValueError: there is no run with a rate to show.
    """
    if not series.shown:
        raise ValueError(f"no run with {series.stratum} cases to draw")
    span = span_of(point.at for point in (*series.shown, *series.marks))
    x = time_axis(span)
    return alt.LayerChart(
        layer=[
            signs.breaks(series, palette, x),
            _band(palette, x),
            _lone_intervals(palette, x),
            signs.alarm_zone(series, palette),
            signs.threshold(series, palette, x, span),
            _line(palette, x),
            signs.marks(series, palette, x),
            _points(x),
            *signs.names(series, palette, x, span),
        ],
        datasets={_RUNS: _rows(series, palette)},
        title=f"Share of {series.stratum} cases passed, by run",
        height=height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        padding=0,
        config=surroundings(palette),
    )


def trend_text(series: Series) -> str:
    """Says in words what the chart shows, for those who cannot see it."""
    return " ".join(_sentences(series))


def _sentences(series: Series) -> Iterator[str]:
    yield f"Share of {series.stratum} cases passed, by run."
    if not series.shown:
        yield "No run has a rate to show."
        return
    if series.points:
        first, newest = series.points[0], series.points[-1]
        if newest is not first:
            yield f"{len(series.points)} points from {day(first.at)} to {day(newest.at)} (UTC)."
        yield f"{day(newest.at)}: {excerpt(newest.run.config)}, {newest.evidence.state};"
        yield newest.evidence.sentence
    threshold = series.threshold or series.steps[-1].threshold
    zone = "below" if threshold.side == "low" else "at or above"
    yield f"The alarm zone lies {zone} the {threshold_name(threshold)}."
    for kind in ("repeats", "unfinished", "excluded"):
        if beside := getattr(series, kind):
            yield f"Not joined, {kind}: {len(beside)}."
    for point in series.marks[-_TOLD_MARKS:]:
        yield f"{day(point.at)}: {changed_words(point)}."


def _line(palette: Palette, x: alt.X) -> alt.Chart:
    line = _runs("joined").mark_line(color=palette.ok, strokeWidth=1.5, opacity=0.8)
    return line.encode(x, share_axis(), alt.Detail("segment", type="nominal"))


def _band(palette: Palette, x: alt.X) -> alt.Chart:
    band = _runs("joined").mark_area(color=palette.ok, opacity=0.18)
    return band.encode(x, share_axis("low"), alt.Y2("high"), alt.Detail("segment", type="nominal"))


def _lone_intervals(palette: Palette, x: alt.X) -> alt.Chart:
    """Draws the interval of a point that has a segment to itself, where a band has no width."""
    bar = _runs("lone").mark_rule(color=palette.ok, opacity=0.3, strokeWidth=10)
    return bar.encode(x, share_axis("low"), alt.Y2("high"))


def _points(x: alt.X) -> alt.Chart:
    """Draws every run with a rate in one layer, so that each can be clicked."""
    clicked = alt.selection_point(name="run", fields=["run"], on="click", toggle=False, empty=False)
    points = _runs().mark_point(opacity=1, cursor="pointer")
    return points.encode(
        x,
        share_axis(),
        alt.Shape("shape", type="nominal", scale=None),
        alt.Fill("fill", type="nominal", scale=None),
        alt.Stroke("stroke", type="nominal", scale=None),
        alt.StrokeWidth("weight", type="quantitative", scale=None),
        alt.Size("size", type="quantitative", scale=None),
        tooltip=tooltip(_SAYS),
    ).add_params(clicked)


def _runs(which: str = "") -> alt.Chart:
    """Returns a layer of the runs, or of those whose field of that name is true."""
    # By name, since Altair copies a layer's own rows again with every method called on it.
    chart = alt.Chart(alt.NamedData(name=_RUNS))
    return chart.transform_filter(alt.datum[which]) if which else chart


def _rows(series: Series, palette: Palette) -> list[Values]:
    """Returns one row a run, those to be drawn on top last."""
    size = _SIZE_AMONG_MANY if len(series.points) > MANY_POINTS else _SIZE
    joined = {point.run.id for point in series.points}
    sizes = Counter(point.segment for point in series.points)
    rows = []
    for point in reversed(series.shown):
        evidence, is_joined = point.evidence, point.run.id in joined
        lone = is_joined and sizes[point.segment] == 1
        place = {"segment": point.segment, "joined": is_joined, "lone": lone}
        look = _look(point, evidence.state, is_joined, palette, size)
        rows.append(point_values(point, evidence) | place | look)
    return rows


def _look(point: Point, state: State, joined: bool, palette: Palette, size: int) -> Values:
    """Returns the shape that says what a run is, and a colour that repeats it."""
    colour: str = getattr(palette, state)
    if point.run.exclusion:
        return _mark(_CROSS, "transparent", palette.refused, size)
    if not point.run.complete:
        return _mark("circle", palette.paper, palette.refused, size * 0.8)
    if not joined:
        return _mark("stroke", "transparent", colour, size * 0.8)
    if state == "refused":
        return _mark("circle", palette.paper, colour, size)
    shape = "triangle-up" if state == "alarm" else "circle"
    return _mark(shape, colour, palette.paper, size, weight=1)


def _mark(shape: str, fill: str, stroke: str, size: float, weight: int = 2) -> Values:
    return {"shape": shape, "fill": fill, "stroke": stroke, "size": size, "weight": weight}
