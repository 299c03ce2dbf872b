"""Series over runs: one stratum through time, its trend, and its cases run by run."""

from evalcore.trends.alike import alike_runs
from evalcore.trends.changes import Change, changes_between
from evalcore.trends.series import MOST_POINTS, Point, Series, Step, series
from evalcore.trends.strip import Cell, Row, Strip, strip, strip_rows
from evalcore.trends.trend import FEWEST_VERSIONS, Trend, headroom_words, since_words, trend

__all__ = [
    "FEWEST_VERSIONS",
    "MOST_POINTS",
    "Cell",
    "Change",
    "Point",
    "Row",
    "Series",
    "Step",
    "Strip",
    "Trend",
    "alike_runs",
    "changes_between",
    "headroom_words",
    "series",
    "since_words",
    "strip",
    "strip_rows",
    "trend",
]
