"""Runs and their times as the values of a chart: plain numbers, and text made fit to show."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import altair as alt

from evalcore.charts.palette import threshold_name
from evalcore.evidence import Evidence, Interval
from evalcore.excerpt import excerpt
from evalcore.percent import percent
from evalcore.run import Run
from evalcore.trends import Point

Values = dict[str, Any]

_CONFIG_CHARS = 80
_WORDS_CHARS = 200
_ANYTHING = Interval(low=0, high=1)  # without a case


def iso(at: datetime) -> str:
    """Returns a time as a chart reads it, in UTC; in a scale's domain a number would be a year."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(at: datetime) -> str:
    """Returns a time for people, in UTC: "2026-07-19 14:05"."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def day(at: datetime) -> str:
    """Returns a day in UTC: "2026-07-19"."""
    return f"{at.astimezone(UTC):%Y-%m-%d}"


def run_values(run: Run) -> Values:
    """Returns what names a run; its id is what a selection gives."""
    return {"run": run.id, "config": excerpt(run.config, _CONFIG_CHARS), "when": moment(run.at)}


def point_values(point: Point, evidence: Evidence) -> Values:
    """Returns where a point of a series stands, and what its tooltip says."""
    plausible = evidence.interval or _ANYTHING
    when = moment(point.run.at)
    if point.at != point.run.at:
        when += f", shown at its config's first run, {moment(point.at)}"
    return run_values(point.run) | {
        "at": iso(point.at),
        "rate": point.rate,
        "low": plausible.low,
        "high": plausible.high,
        "when": when,
        "counts": f"{evidence.passed} of {evidence.n} passed",
        "plausible": f"{percent(plausible.low)} to {percent(plausible.high)} is plausible",
        "state": _state_words(point.run, evidence),
        "changed": changed_words(point) or "nothing recorded",
    }


def changed_words(point: Point) -> str:
    """Says what changed at a point; blank where nothing did."""
    return "; ".join(change.text for change in point.changes)


def tooltip(fields: Mapping[str, str]) -> list[alt.Tooltip]:
    """Returns a tooltip of plain text, from field to title."""
    return [alt.Tooltip(field, type="nominal", title=title) for field, title in fields.items()]


def _state_words(run: Run, evidence: Evidence) -> str:
    if run.exclusion:
        why = excerpt(run.exclusion.why, _WORDS_CHARS) or "no reason given"
        return f"excluded, in no trend: {why}"
    if not run.complete:
        return "unfinished, in no trend: not every case has an answer"
    if evidence.state == "refused":
        return "refused: too few cases to tell"
    return f"{evidence.state}, by the {threshold_name(evidence.threshold)}"
