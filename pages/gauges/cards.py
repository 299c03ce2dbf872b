"""The three instruments, each a card of its own."""

from collections.abc import Iterator
from fractions import Fraction

import streamlit as st

from evalcore import charts
from evalcore.case import Stratum
from evalcore.evidence import Evidence, State
from evalcore.percent import percent
from evalcore.phrases import families_words, label_words, size_words, to_alarm_words
from pages.shared import chart
from pages.shared.markup import Html, definitions, element, show, text

ROLES: dict[Stratum, str] = {
    "easy": "smoke alarm",
    "medium": "product contract",
    "stretch": "headroom gauge",
}
HEALTHY: dict[Stratum, str] = {
    "easy": "Healthy at or above its floor.",
    "medium": "Healthy at or above its floor.",
    "stretch": "Healthy below its ceiling: full is an alarm.",
}
NEXT: dict[tuple[Stratum, State], str] = {
    ("easy", "ok"): "nothing to do here",
    ("easy", "alarm"): "debug this before anything else",
    ("easy", "refused"): "write more easy cases",
    ("medium", "ok"): "nothing to do here",
    ("medium", "alarm"): "find the change that broke it, and mend the prompt",
    ("medium", "refused"): "write more medium cases",
    ("stretch", "ok"): "read its misses below: they are the room left to improve",
    ("stretch", "alarm"): "mint harder stretch cases; do not tweak the prompt",
    ("stretch", "refused"): "write more stretch cases",
}
SHAPES: dict[State, str] = {"ok": "●", "alarm": "▲", "refused": "○"}


def draw(evidence: Evidence) -> None:
    """Draws one stratum's instrument with its words."""
    with st.container(border=True, height="stretch", key=f"gauge-{evidence.stratum}"):
        show(_head(evidence))
        chart.draw(charts.gauge(evidence, chart.palette()), charts.gauge_text(evidence))
        show(definitions(_said(evidence)))


def _head(evidence: Evidence) -> Html:
    stratum, state = evidence.stratum, evidence.state
    return element(
        "div",
        element(
            "div",
            element("h3", text(stratum.capitalize())),
            element("span", text(ROLES[stratum]), style="quiet"),
            element("span", text(f"{SHAPES[state]} "), text(state), style=f"state {state}"),
            style="gauge-head",
        ),
        element("p", text(HEALTHY[stratum]), style="quiet"),
        element(
            "p",
            text(f"{evidence.passed} of {evidence.n} passed"),
            element("span", text(_rate(evidence)), style="quiet"),
            style="count",
        ),
        *(
            element("p", text(words), style="quiet")
            for words in [families_words(evidence)]
            if words
        ),
    )


def _rate(evidence: Evidence) -> str:
    return percent(Fraction(evidence.passed, evidence.n)) if evidence.n else "no cases"


def _said(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yields what a reader should know of a gauge, most important first, each with its name."""
    if evidence.interval:
        low, high = percent(evidence.interval.low), percent(evidence.interval.high)
        yield "Range", f"for similar cases {low.removesuffix(' %')} to {high} is plausible"
    yield "Evidence", label_words(evidence)
    yield "Headroom", to_alarm_words(evidence)
    yield "Next", NEXT[evidence.stratum, evidence.state]
    yield "Size", size_words(evidence)
