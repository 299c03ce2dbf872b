"""What all charts share: the colours of a theme, and quiet surroundings."""

import altair as alt
import msgspec

from evalcore.evidence import Threshold
from evalcore.percent import exact_percent


class Palette(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the colours of one theme, as CSS colours."""

    ok: str
    """A value that trips nothing."""
    alarm: str
    """A tripped value, and the zone that trips."""
    refused: str
    """A value of too few cases."""
    track: str
    """The empty scale."""
    ink: str
    """What is read first."""
    quiet: str
    """What is read last."""
    paper: str
    """What lies behind the chart."""


LIGHT = Palette(
    ok="#0072B2",
    alarm="#D55E00",
    refused="#6B6F76",
    track="#E4E5E9",
    ink="#2F2D2B",
    quiet="#63666D",
    paper="#FFFFFF",
)
DARK = Palette(
    ok="#56B4E9",
    alarm="#FF8A3D",
    refused="#A6A9B0",
    track="#3A3D45",
    ink="#ECEBE8",
    quiet="#A6A9B0",
    paper="#181715",
)


def threshold_name(threshold: Threshold) -> str:
    """Returns what a chart calls a threshold: "ceiling 80 %"."""
    name = "floor" if threshold.side == "low" else "ceiling"
    return f"{name} {exact_percent(threshold.value)}"


def surroundings(palette: Palette) -> alt.Config:
    """Returns the look of all that is not data: no frame, title and axes in quiet ink."""
    return alt.Config(
        view=alt.ViewConfig(stroke=None),
        title=alt.TitleConfig(
            anchor="start",
            frame="bounds",
            color=palette.quiet,
            fontSize=13,
            fontWeight="normal",
            offset=4,
        ),
        axis=alt.AxisConfig(
            labelColor=palette.quiet,
            labelFontSize=12,
            labelPadding=4,
            titleColor=palette.quiet,
            titleFontSize=12,
            titleFontWeight="normal",
        ),
    )
