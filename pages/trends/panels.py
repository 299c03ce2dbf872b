"""One panel a stratum: its rates over runs, and what may be said of them."""

from collections.abc import Iterator, Mapping

import streamlit as st

from evalcore import charts
from evalcore.case import Stratum
from evalcore.flips import Noise, repeat_pairs
from evalcore.pipeline import NOISE_PAIRS
from evalcore.trends import Series, headroom_words, series, since_words, trend
from pages.shared import address, chart, history
from pages.shared.markup import Html, definitions, element, show, text
from pages.trends.choice import View

FLOORS: tuple[Stratum, Stratum] = ("medium", "easy")
HEIGHTS: dict[Stratum, int] = {"stretch": 320, "medium": 200, "easy": 200}
NONE_LEFT = "No run is left by these choices. Choose another job, or let the dates and configs go."
LEGEND = (
    "● ok, ▲ alarm, hollow: unfinished or too few cases, ×: excluded, short stroke: a repeat of a "
    "config. The band is what is plausible for similar cases (Wilson, 95 %), the dashed line the "
    "threshold as it was. The line breaks where the stratum\u2019s cases or the matching changed; "
    "◆ marks a change of job, model or other cases. Click a point to open its run."
)


def draw(view: View) -> None:
    """Draws stretch first and largest, then the two floors beside each other."""
    if not view.runs:
        show(element("p", text(NONE_LEFT), style="alert calm"))
        return
    pairs = [(one.id, other.id) for one, other in repeat_pairs(view.of_job, NOISE_PAIRS)]
    noise = history.opened().noise(pairs)
    _draw_panel(view, "stretch", noise)
    for column, stratum in zip(st.columns(2), FLOORS, strict=True):
        with column:
            _draw_panel(view, stratum, noise)
    show(element("p", text(LEGEND), style="quiet"))


def _draw_panel(view: View, stratum: Stratum, noise: Mapping[Stratum, Noise]) -> None:
    shown = series(view.drawn, stratum, one_per_config=view.one_per_config)
    with st.container(border=True, key=f"trend-{stratum}", height="stretch"):
        show(_head(shown), definitions(_said(shown, noise[stratum])))
        if shown.shown:
            _draw_chart(shown)
        else:
            show(element("p", text(_nothing(view, stratum)), style="quiet"))
        if shown.left_out:
            show(element("p", text(shown.left_out_words), style="quiet"))


def _nothing(view: View, stratum: Stratum) -> str:
    """Says why there is no rate to draw."""
    if view.alike:
        return f"No {stratum} case is common to the shown runs with the same checks."
    return f"No run with {stratum} cases."


def _draw_chart(shown: Series) -> None:
    clicked = chart.draw_to_click(
        charts.trend(shown, chart.palette(), height=HEIGHTS[shown.stratum]),
        charts.trend_text(shown),
        key=f"trend-chart-{shown.stratum}",
        selection="run",
    )
    for point in clicked:
        address.open_run(int(point["run"]))


def _head(shown: Series) -> Html:
    newest = shown.versions[-1] if shown.versions else None
    parts = [element("h3", text(shown.stratum.capitalize()))]
    if newest:
        passed = f"{newest.sums.passed} of {newest.sums.n} passed"
        parts += [
            element("span", text(passed), style="newest"),
            element("span", text("in "), text(newest.run.config), style="quiet"),
        ]
    return element("div", *parts, style="gauge-head")


def _said(shown: Series, noise: Noise) -> Iterator[tuple[str, str]]:
    found = trend(shown)
    yield "Trend", f"{found.words}; {found.pace}" if found.pace else found.words
    if since := since_words(shown):
        yield "Since", since
    yield "Headroom", headroom_words(shown)
    yield "Noise", noise.words
