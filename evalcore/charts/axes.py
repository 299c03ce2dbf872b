"""The time and the share of a trend, as axes that all its layers have in common."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import altair as alt
import msgspec

from evalcore.charts.moments import Values, iso

LANE = 1.1
"""Where marks stand on the share's axis: above 100 %."""
_BOTTOM, _TOP = -0.04, 1.16  # beyond 0 and 100 %, so that a mark there stays whole
_EDGE = 0.03  # the share of the time that is left free at both ends
_FEW_DAYS = timedelta(days=10)


class Span(msgspec.Struct, frozen=True):
    """Is the time that a chart shows."""

    start: datetime
    """Where the axis begins, in UTC."""
    end: datetime
    """Where it ends."""

    def share(self, share: float) -> timedelta:
        """Returns how long a share of the span is."""
        return (self.end - self.start) * share


def span_of(times: Iterable[datetime]) -> Span:
    """Returns the span that shows all times, with room for whole marks; there is one at least."""
    ordered = sorted(times)
    first, last = ordered[0], ordered[-1]
    room = (last - first) * _EDGE or timedelta(hours=12)
    return Span(first - room, last + room)


def layer(values: list[Values]) -> alt.Chart:
    """Returns a layer with values of its own."""
    return alt.Chart(alt.InlineData(values=values))


def time_axis(span: Span) -> alt.X:
    """Returns the axis of the field `at`, which is in ISO 8601."""
    short = span.end - span.start <= _FEW_DAYS
    axis = alt.Axis(
        title="time of run (UTC)",
        titlePadding=6,
        format="%m-%d %H:%M" if short else "%Y-%m-%d",
        tickCount=alt.ExprRef("max(2, floor(width / 120))"),
        labelOverlap=True,
        domain=False,
        grid=False,
    )
    scale = alt.Scale(type="utc", domain=[iso(span.start), iso(span.end)], nice=False)
    return alt.X("at", type="temporal", axis=axis, scale=scale)


def share_axis(field: str = "rate") -> alt.Y:
    """Returns the axis from 0 to 100 %, for a field that holds shares from 0 to 1."""
    axis = alt.Axis(
        values=[0, 0.25, 0.5, 0.75, 1],
        labelExpr="datum.value * 100 + ' %'",
        domain=False,
        ticks=False,
    )
    scale = alt.Scale(domain=(_BOTTOM, _TOP), nice=False)
    return alt.Y(field, type="quantitative", axis=axis, scale=scale, title=None)
