"""What a graded suite asks for: alerts that decide, notices that explain."""

from collections.abc import Iterable, Iterator, Mapping

import streamlit as st

from evalcore.alerts import AlertDetail
from evalcore.case import STRATA, Stratum
from evalcore.notices import Notice
from pages.shared.markup import Html, element, show, text

OPEN_UP_TO = 10
NO_ALERT = "No alert. Every stratum is populated and nothing fired; not “the product is finished”."


def draw_alerts(alerts: Iterable[AlertDetail]) -> None:
    """Lists the alerts with what each one asks for."""
    with st.container(key="alerts"):
        parts = [_alert(alert) for alert in alerts]
        show(*parts or [element("div", text(NO_ALERT), style="alert calm")])


def draw_notices(notices: Iterable[Notice]) -> None:
    """Lists the notices, each with its cases."""
    with st.container(key="notices"):
        parts = [_notice(notice) for notice in notices]
        show(*parts or [element("p", text("No notices."), style="quiet")])


def _alert(alert: AlertDetail) -> Html:
    return element(
        "div",
        element(
            "p",
            element("strong", text(f"▲ {alert.alert}"), style="alarm"),
            text(f" {alert.text}"),
        ),
        element("p", text(f"Next: {alert.next_step}")),
        style="alert",
    )


def _notice(notice: Notice) -> Html:
    """Shows one notice, with its cases unfolded where they are few."""
    sentence = text(("▲ " if notice.level == "warning" else "") + notice.text)
    cases = [*map(_line, notice.details)] or [*_cases(notice.cases)]
    if notice.unnamed:
        cases.append(_line(f"and {notice.unnamed:,} more"))
    if not cases:
        return element("p", sentence, style="notice")
    return element(
        "details",
        element("summary", sentence),
        element("ul", *cases),
        style="notice",
        attributes="open" if notice.count <= OPEN_UP_TO else "",
    )


def _cases(cases: Mapping[Stratum, list[str]]) -> Iterator[Html]:
    """Yields a line for each stratum that has a case."""
    for stratum in STRATA:
        if cases[stratum]:
            names = ", ".join(element("code", text(name)) for name in cases[stratum])
            yield element("li", text(f"{stratum}: "), Html(names))


def _line(words: str) -> Html:
    return element("li", text(words))
