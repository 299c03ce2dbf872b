"""What stands around a trend's line: thresholds, the alarm zone, changes, and their names."""

from collections.abc import Iterator

import altair as alt

from evalcore.charts.axes import LANE, Span, layer, share_axis
from evalcore.charts.moments import Values, changed_words, iso, run_values, tooltip
from evalcore.charts.palette import Palette, threshold_name
from evalcore.trends import Series

_ROOM = 0.32  # the share of the time that a name takes on a phone
_BREAK_NAMES = {
    "cases": "cases changed",
    "no_cases": "no cases",
    "matching": "matching changed",
}
_SAYS = {"changed": "changed", "config": "in the run of", "when": "run at (UTC)"}


def threshold(series: Series, palette: Palette, x: alt.X, span: Span) -> alt.Chart:
    """Draws the threshold as it was at each run, from edge to edge."""
    first, *later = series.steps
    values = [{"at": iso(span.start), "rate": first.threshold.value}]
    values += [{"at": iso(step.at), "rate": step.threshold.value} for step in later]
    values.append({"at": iso(span.end), "rate": series.steps[-1].threshold.value})
    line = layer(values).mark_line(
        color=palette.ink, interpolate="step-after", strokeDash=[6, 4], strokeWidth=1.5
    )
    return line.encode(x, share_axis())


def alarm_zone(series: Series, palette: Palette) -> alt.Chart:
    """Draws where the newest version's threshold trips, as a thin strip at the newest end."""
    newest = series.threshold or series.steps[-1].threshold
    low, high = (newest.value, 1) if newest.side == "high" else (0, newest.value)
    tripped = bool(series.versions) and series.versions[-1].evidence.state == "alarm"
    strip = layer([{"low": low, "high": high}]).mark_rect(
        color=palette.alarm, opacity=1 if tripped else 0.5, x=alt.ExprRef("width - 5"), x2="width"
    )
    return strip.encode(share_axis("low"), alt.Y2("high"))


def breaks(series: Series, palette: Palette, x: alt.X) -> alt.Chart:
    """Draws where rates before and after do not compare."""
    values = [{"at": iso(point.at)} for point in series.marks if point.breaks]
    rule = layer(values).mark_rule(color=palette.quiet, strokeDash=[2, 3], strokeWidth=1.5)
    return rule.encode(x)


def marks(series: Series, palette: Palette, x: alt.X) -> alt.Chart:
    """Draws a diamond where anything but the config changed."""
    values = [
        run_values(point.run) | {"at": iso(point.at), "rate": LANE, "changed": changed_words(point)}
        for point in series.marks
    ]
    diamond = layer(values).mark_point(
        shape="diamond", filled=True, color=palette.ink, size=80, opacity=1
    )
    return diamond.encode(x, share_axis(), tooltip=tooltip(_SAYS))


def names(series: Series, palette: Palette, x: alt.X, span: Span) -> Iterator[alt.Chart]:
    """Yields the names of thresholds and breaks, as far as there is room for them."""
    for name in (*_threshold_names(series, span), *_break_names(series, span)):
        # Twice: a halo of paper first, so that the name can be read on top of a line.
        for halo in (True, False):
            text = layer([name]).mark_text(
                text=name["text"],
                align=name["align"],
                dx=-9 if name["align"] == "right" else 9,
                dy=name["dy"],
                color=palette.ink,
                fontSize=12,
                stroke=palette.paper if halo else "transparent",
                strokeWidth=4 if halo else 0,
                strokeJoin="round",
            )
            yield text.encode(x, share_axis())


def _threshold_names(series: Series, span: Span) -> Iterator[Values]:
    """Yields the newest threshold's name, and of the others those that held for long enough."""
    starts = [max(step.at, span.start) for step in series.steps]
    ends = [*starts[1:], span.end]
    for step, start, end in zip(series.steps, starts, ends, strict=True):
        newest = step is series.steps[-1]
        if newest or end - start >= span.share(_ROOM):
            yield {
                "at": iso(span.end if newest else start),
                "rate": step.threshold.value,
                "text": threshold_name(step.threshold),
                "align": "right" if newest else "left",
                "dy": -9 if step.threshold.side == "high" else 10,
            }


def _break_names(series: Series, span: Span) -> Iterator[Values]:
    """Yields what broke the line, the newest first, as far as names do not meet."""
    room = span.share(_ROOM)
    free = span.end + room
    for point in reversed(series.marks):
        if point.breaks and free - point.at >= room:
            free = point.at
            yield {
                "at": iso(point.at),
                "rate": 0,
                "text": _BREAK_NAMES[point.changes[0].kind],
                "align": "right" if point.at - span.start >= room else "left",
                "dy": -8,
            }
