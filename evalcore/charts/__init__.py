"""Numbers as Altair charts; the caller brings the palette of its theme."""

from evalcore.charts.gauge import gauge, gauge_text
from evalcore.charts.palette import DARK, LIGHT, Palette
from evalcore.charts.spec import spec
from evalcore.charts.strip import strip, strip_text
from evalcore.charts.trend import trend, trend_text

__all__ = [
    "DARK",
    "LIGHT",
    "Palette",
    "gauge",
    "gauge_text",
    "spec",
    "strip",
    "strip_text",
    "trend",
    "trend_text",
]
