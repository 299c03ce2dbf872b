"""What an alert is, when it fires, and what it asks for."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from evalcore.case import STRATA, Stratum
from evalcore.evidence import SMALLEST_TOLD, is_at_or_above, is_below
from evalcore.job import InForce, Override, Thresholds
from evalcore.percent import exact_percent

AlertKind = Literal[
    "thin_stratum",
    "missing_stratum",
    "ceiling",
    "stretch_too_easy",
    "easy_regression",
    "medium_regression",
    "threshold_override",
    "incomplete",
]
ALERT_KINDS: tuple[AlertKind, ...] = AlertKind.__args__  # type: ignore[attr-defined]


class Count(msgspec.Struct, frozen=True):
    """Counts the graded cases of one stratum."""

    passed: int
    """How many passed."""
    n: int
    """How many were graded."""


Counts = Mapping[Stratum, Count]


class AlertDetail(msgspec.Struct, frozen=True, kw_only=True):
    """Says what one alert speaks of."""

    alert: AlertKind
    """Which alert it is."""
    strata: tuple[Stratum, ...]
    """The strata spoken of."""
    counts: dict[Stratum, Count]
    """Their counts."""
    thresholds: dict[str, float]
    """The thresholds that were reached or missed."""
    text: str
    """What happened, in one sentence."""
    next_step: str
    """What it asks for."""


def alert_details(
    counts: Counts, in_force: InForce, unanswered: Mapping[Stratum, int]
) -> list[AlertDetail]:
    """Returns the alerts on graded counts, in the contract's order.

    `unanswered` counts the cases of each stratum that got no answer; they are in no count.
    """
    thresholds = in_force.thresholds
    return [
        *_too_few(counts),
        *_too_easy(counts, thresholds),
        *_regressions(counts, thresholds),
        *_overridden(in_force.overrides),
        *_incomplete(unanswered),
    ]


def _too_few(counts: Counts) -> Iterator[AlertDetail]:
    thin = tuple(stratum for stratum in STRATA if counts[stratum].n < SMALLEST_TOLD)
    missing = tuple(stratum for stratum in thin if counts[stratum].n == 0)
    if thin:
        held = _listed(
            f"{stratum} holds {_cases(counts[stratum].n, 'graded case')}" for stratum in thin
        )
        text = f"{held}; below {SMALLEST_TOLD}, luck cannot be told from coverage."
        yield _detail("thin_stratum", thin, counts, {}, text, "Write more cases for it.")
    if missing:
        text = f"No graded case in {_listed(missing)}."
        yield _detail("missing_stratum", missing, counts, {}, text, "Write cases for it.")


def _too_easy(counts: Counts, thresholds: Thresholds) -> Iterator[AlertDetail]:
    stretch = counts["stretch"]
    if any(counts[stratum].n < SMALLEST_TOLD for stratum in STRATA) or not is_at_or_above(
        stretch.passed, stretch.n, thresholds.stretch_high
    ):
        return
    marks = {
        "ceiling_easy": thresholds.ceiling_easy,
        "ceiling_medium": thresholds.ceiling_medium,
        "stretch_high": thresholds.stretch_high,
    }
    if _reaches(counts["easy"], thresholds.ceiling_easy) and _reaches(
        counts["medium"], thresholds.ceiling_medium
    ):
        passed = _listed(f"{stratum} {_passed(counts[stratum])}" for stratum in STRATA)
        text = f"{passed} passed, all at their ceilings: this suite can no longer rank prompts."
        yield _detail("ceiling", STRATA, counts, marks, text, "Mint harder stretch cases.")
    text = (
        f"stretch {_passed(stretch)} passed, at or above its ceiling of "
        f"{exact_percent(thresholds.stretch_high)}: the yardstick has slipped."
    )
    yield _detail(
        "stretch_too_easy",
        ("stretch",),
        counts,
        {"stretch_high": thresholds.stretch_high},
        text,
        "Mint harder stretch cases; do not tweak the prompt.",
    )


def _regressions(counts: Counts, thresholds: Thresholds) -> Iterator[AlertDetail]:
    easy, medium = counts["easy"], counts["medium"]
    if is_below(easy.passed, easy.n, thresholds.easy_floor):
        yield _detail(
            "easy_regression",
            ("easy",),
            counts,
            {"easy_floor": thresholds.easy_floor},
            f"easy {_passed(easy)} passed, below its floor of "
            f"{exact_percent(thresholds.easy_floor)}: the smoke alarm.",
            "Debug this before anything else.",
        )
    if is_below(medium.passed, medium.n, thresholds.medium_floor):
        yield _detail(
            "medium_regression",
            ("medium",),
            counts,
            {"medium_floor": thresholds.medium_floor},
            f"medium {_passed(medium)} passed, below its floor of "
            f"{exact_percent(thresholds.medium_floor)}: the contract with the product is broken.",
            "Find the change that broke it, and mend the prompt.",
        )


def _overridden(overrides: tuple[Override, ...]) -> Iterator[AlertDetail]:
    laxer = [override for override in overrides if override.laxer]
    if laxer:
        flags = _listed(
            f"{override.key} {override.flag} (the job says {override.job})" for override in laxer
        )
        yield AlertDetail(
            alert="threshold_override",
            strata=(),
            counts={},
            thresholds={override.key: override.job for override in laxer},
            text=f"A laxer threshold than the job's was asked for: {flags}.",
            next_step="Nothing: the job's verdict stands; thresholds change in the job file.",
        )


def _incomplete(unanswered: Mapping[Stratum, int]) -> Iterator[AlertDetail]:
    strata = tuple(stratum for stratum in STRATA if unanswered.get(stratum))
    if strata:
        listed = _listed(f"{_cases(unanswered[stratum])} of {stratum}" for stratum in strata)
        yield AlertDetail(
            alert="incomplete",
            strata=strata,
            counts={},
            thresholds={},
            text=f"No answer for {listed}; nothing is said about the prompt there.",
            next_step="Fill again.",
        )


def _detail(
    alert: AlertKind,
    strata: tuple[Stratum, ...],
    counts: Counts,
    thresholds: dict[str, float],
    text: str,
    next_step: str,
) -> AlertDetail:
    return AlertDetail(
        alert=alert,
        strata=strata,
        counts={stratum: counts[stratum] for stratum in strata},
        thresholds=thresholds,
        text=text,
        next_step=next_step,
    )


def _reaches(count: Count, ceiling: float) -> bool:
    return is_at_or_above(count.passed, count.n, ceiling)


def _passed(count: Count) -> str:
    return f"{count.passed} of {count.n}"


def _cases(count: int, noun: str = "case") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _listed(items: Iterator[str] | tuple[str, ...]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
