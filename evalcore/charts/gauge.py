"""One stratum of one run as an instrument."""

from typing import Literal

import altair as alt

from evalcore.charts.palette import Palette, surroundings, threshold_name
from evalcore.evidence import Evidence
from evalcore.phrases import label_words

_HEIGHT = 62
_NAME_Y = 8
_TICK_Y = (17, 58)
_TRACK_Y = (22, 44)
_INTERVAL_Y = (27, 39)
_VALUE_Y = 33
_ZONE_Y = (50, 55)
_MARGIN = 0.05  # beyond 0 and 100 %, so that a mark there stays whole
_EDGE = 0.12  # nearer to an end than this, the threshold's name would be cut off


def gauge(evidence: Evidence, palette: Palette) -> alt.LayerChart:
    """Draws one stratum as an instrument on a scale from 0 to 100 %.

    The Wilson interval is a bar, the pass rate a mark whose shape says its state: circle ok,
    triangle alarm, hollow refused. The threshold is a named tick; the strip below the scale is
    the zone that trips the alarm. Nothing is filled up to the value, since fullness is good news
    on two instruments and bad news on the third.
    """
    zone_opacity = 1 if evidence.state == "alarm" else 0.5
    layers = [
        _bar(("start", "end"), _TRACK_Y, palette.track, radius=3),
        _bar(("zone_low", "zone_high"), _ZONE_Y, palette.alarm, opacity=zone_opacity),
    ]
    if evidence.interval:
        colour = _colour(evidence, palette)
        layers.append(_bar(("low", "high"), _INTERVAL_Y, colour, opacity=0.42, radius=2))
    layers += [_tick(palette), _tick_name(evidence, palette), _value(evidence, palette)]
    return alt.LayerChart(
        layer=layers,
        data=alt.InlineData(values=[_row(evidence)]),
        title=f"Share of {evidence.stratum} cases passed",
        height=_HEIGHT,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        padding=0,
        config=surroundings(palette),
    )


def gauge_text(evidence: Evidence) -> str:
    """Says in words what the gauge shows, for those who cannot see it."""
    zone = "below" if evidence.threshold.side == "low" else "at or above"
    return (
        f"{evidence.stratum} gauge, {evidence.state}: {evidence.sentence.rstrip('.')}. "
        f"The alarm zone lies {zone} the {threshold_name(evidence.threshold)}. "
        f"Evidence: {label_words(evidence)}."
    )


def _row(evidence: Evidence) -> dict[str, float | str]:
    """Returns all numbers of the gauge, each a share from 0 to 1, and the words of its tooltip."""
    threshold, low_side = evidence.threshold.value, evidence.threshold.side == "low"
    row: dict[str, float | str] = {
        "start": 0,
        "middle": 0.5,
        "end": 1,
        "threshold": threshold,
        "zone_low": 0 if low_side else threshold,
        "zone_high": threshold if low_side else 1,
        "says": evidence.sentence,
    }
    if evidence.interval:
        row |= {"low": evidence.interval.low, "high": evidence.interval.high}
        row["rate"] = evidence.passed / evidence.n
    return row


def _x(field: str) -> alt.X:
    scale = alt.Scale(domain=(-_MARGIN, 1 + _MARGIN), nice=False)
    axis = alt.Axis(
        values=[0, 0.25, 0.5, 0.75, 1],
        labelExpr="datum.value * 100 + ' %'",
        domain=False,
        grid=False,
        ticks=False,
    )
    return alt.X(field, type="quantitative", scale=scale, axis=axis, title=None)


def _bar(
    fields: tuple[str, str], y: tuple[int, int], colour: str, opacity: float = 1, radius: int = 0
) -> alt.Chart:
    mark = alt.Chart().mark_rect(
        color=colour, opacity=opacity, cornerRadius=radius, y=y[0], y2=y[1]
    )
    return mark.encode(_x(fields[0]), alt.X2(fields[1]))


def _tick(palette: Palette) -> alt.Chart:
    mark = alt.Chart().mark_rule(color=palette.ink, strokeWidth=2, y=_TICK_Y[0], y2=_TICK_Y[1])
    return mark.encode(_x("threshold"))


def _tick_name(evidence: Evidence, palette: Palette) -> alt.Chart:
    place = evidence.threshold.value
    align: Literal["left", "center", "right"] = "center"
    if place < _EDGE:
        align = "left"
    elif place > 1 - _EDGE:
        align = "right"
    mark = alt.Chart().mark_text(
        text=threshold_name(evidence.threshold),
        align=align,
        color=palette.ink,
        fontSize=13,
        y=_NAME_Y,
    )
    return mark.encode(_x("threshold"))


def _value(evidence: Evidence, palette: Palette) -> alt.Chart:
    """Draws the pass rate, or says that there is none."""
    if not evidence.interval:
        words = alt.Chart().mark_text(text="no cases", color=palette.quiet, fontSize=13, y=_VALUE_Y)
        return words.encode(_x("middle"))
    colour = _colour(evidence, palette)
    hollow = evidence.state == "refused"
    mark = alt.Chart().mark_point(
        shape="triangle-up" if evidence.state == "alarm" else "circle",
        fill=palette.paper if hollow else colour,
        stroke=colour if hollow else palette.paper,
        strokeWidth=2.5 if hollow else 2,
        size=260,
        opacity=1,
        y=_VALUE_Y,
    )
    return mark.encode(_x("rate"), alt.Tooltip("says", type="nominal", title=" "))


def _colour(evidence: Evidence, palette: Palette) -> str:
    colour: str = getattr(palette, evidence.state)
    return colour
