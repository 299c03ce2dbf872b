"""Charts on a page, in the palette of its theme."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from evalcore import charts
from evalcore.charts import Palette

if TYPE_CHECKING:
    import altair as alt


def palette() -> Palette:
    """Returns the colours of the visitor's theme."""
    return charts.DARK if st.context.theme.type == "dark" else charts.LIGHT


def draw(chart: "alt.LayerChart", words: str) -> None:
    """Draws a chart; the words are for those who cannot see it."""
    st.vega_lite_chart(spec=charts.spec(chart), alt=words)


def draw_to_click(
    chart: "alt.LayerChart", words: str, *, key: str, selection: str
) -> list[dict[str, Any]]:
    """Draws a chart and returns what was clicked in it, by the fields of its selection."""
    picked = st.vega_lite_chart(
        spec=charts.spec(chart), alt=words, key=key, on_select="rerun", selection_mode=selection
    )
    return list(picked["selection"][selection])
