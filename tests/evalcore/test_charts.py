"""The gauge as a specification: what is drawn, where, and what it says in words."""

from typing import Any

import pytest

from evalcore.charts import DARK, LIGHT, Palette, gauge, gauge_text
from evalcore.evidence import evidence_of
from evalcore.job import Thresholds

DEFAULTS = Thresholds()


def drawn(stratum, passed, n, thresholds=DEFAULTS, palette=LIGHT) -> dict[str, Any]:
    return gauge(evidence_of(stratum, passed, n, thresholds), palette).to_dict()


def row(spec):
    (only,) = spec["datasets"][spec["data"]["name"]]
    return only


def marks(spec, kind) -> list[dict[str, Any]]:
    return [layer["mark"] for layer in spec["layer"] if layer["mark"]["type"] == kind]


def test_a_gauge_shows_value_interval_and_threshold_on_one_scale():
    spec = drawn("medium", 17, 20)
    assert row(spec)["rate"] == 0.85
    assert row(spec)["threshold"] == 0.85
    assert (round(row(spec)["low"], 6), round(row(spec)["high"], 6)) == (0.639581, 0.947631)
    assert {tuple(layer["encoding"]["x"]["scale"]["domain"]) for layer in spec["layer"]} == {
        (-0.05, 1.05)
    }


def test_a_gauge_names_itself_and_its_unit():
    spec = drawn("stretch", 9, 20)
    assert spec["title"] == "Share of stretch cases passed"
    assert spec["layer"][0]["encoding"]["x"]["axis"]["labelExpr"].endswith("' %'")


@pytest.mark.parametrize(
    ("stratum", "zone"), [("easy", (0, 1.0)), ("medium", (0, 0.85)), ("stretch", (0.8, 1))]
)
def test_the_alarm_zone_lies_on_the_alarm_side(stratum, zone):
    spec = drawn(stratum, 5, 10)
    assert (row(spec)["zone_low"], row(spec)["zone_high"]) == zone


def test_the_alarm_zone_is_a_thin_strip_below_the_track():
    track, zone, _ = marks(drawn("medium", 18, 20), "rect")
    assert zone["y"] > track["y2"]
    assert zone["y2"] - zone["y"] < (track["y2"] - track["y"]) / 3


def test_nothing_is_filled_up_to_the_value():
    spec = drawn("easy", 8, 8)
    bars = [layer["encoding"] for layer in spec["layer"] if layer["mark"]["type"] == "rect"]
    assert "rate" not in {bar[channel]["field"] for bar in bars for channel in ("x", "x2")}


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("passed", "n", "shape", "filled"),
    [(9, 20, "circle", True), (19, 20, "triangle-up", True), (1, 1, "circle", False)],
    ids=["ok", "alarm", "refused"],
)
def test_the_value_changes_its_shape_with_the_state(palette, passed, n, shape, filled):
    (value,) = marks(drawn("stretch", passed, n, palette=palette), "point")
    assert value["shape"] == shape
    assert (value["fill"] != palette.paper) is filled


def test_without_cases_there_is_no_value_and_the_gauge_says_so():
    spec = drawn("medium", 0, 0)
    assert not marks(spec, "point")
    assert "rate" not in row(spec)
    assert [mark["text"] for mark in marks(spec, "text")] == ["floor 85 %", "no cases"]


@pytest.mark.parametrize(
    ("ceiling", "name", "align"),
    [
        (0.8, "ceiling 80 %", "center"),
        (0.995, "ceiling 99.5 %", "right"),
        (0.05, "ceiling 5 %", "left"),
    ],
)
def test_the_threshold_has_a_name_that_stays_inside(ceiling, name, align):
    spec = drawn("stretch", 1, 20, Thresholds(stretch_high=ceiling))
    (text,) = marks(spec, "text")
    assert (text["text"], text["align"]) == (name, align)


def test_a_gauge_can_be_read_aloud():
    words = gauge_text(evidence_of("stretch", 18, 20, DEFAULTS))
    assert words.startswith("stretch gauge, alarm: 18 of 20 passed;")
    assert "The alarm zone lies at or above the ceiling 80 %." in words
    assert "below the floor 100 %" in gauge_text(evidence_of("easy", 0, 0, DEFAULTS))


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_ink_and_states_stand_out_from_the_paper(palette: Palette):
    for colour in (palette.ink, palette.quiet, palette.ok, palette.alarm, palette.refused):
        assert contrast(colour, palette.paper) >= 3.0


def contrast(one: str, other: str) -> float:
    """Returns the contrast ratio of WCAG 2.2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
