"""What one stratum's counts may say: interval, luck or real, size, and headroom.

Thresholds are compared as the fraction of their decimal text, so that 17 of 20 is not below 0.85.
"""

import math
from fractions import Fraction
from typing import Literal

import msgspec

from evalcore.binomial import log_rate, lower_tail, upper_tail, wilson
from evalcore.case import Stratum
from evalcore.job import Thresholds
from evalcore.percent import exact, exact_percent, percent

Side = Literal["low", "high"]
State = Literal["ok", "alarm", "refused"]
Label = Literal["fact", "supported", "could_be_luck", "clear", "close", "no_cases"]
ThresholdKey = Literal["easy_floor", "medium_floor", "stretch_high"]

CONFIDENCE = 0.95
SIGNIFICANCE = 0.05
SMALLEST_TOLD = 2
_P_DIGITS = 12
_MOST_CASES = 2**53  # the last integer that every reader of JSON holds exactly
_KEY_OF: dict[Stratum, ThresholdKey] = {
    "easy": "easy_floor",
    "medium": "medium_floor",
    "stretch": "stretch_high",
}
_STRATUM_OF: dict[ThresholdKey, Stratum] = {key: stratum for stratum, key in _KEY_OF.items()}
_GUIDANCE: dict[Stratum, tuple[int, int]] = {"easy": (5, 20), "stretch": (14, 30)}


class Threshold(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the one threshold that trips a stratum's own alarm."""

    key: ThresholdKey
    """Its name in the job file."""
    value: float
    """The rate, from 0 to 1."""
    side: Side
    """`low` trips below the value, `high` at or above it."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the rates that are plausible for similar cases."""

    low: float
    """The smallest plausible rate."""
    high: float
    """The largest plausible rate."""
    confidence: float = CONFIDENCE
    """The share of such intervals that hold the true rate."""


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """Holds what a stratum of some size can show at all."""

    smallest_n_to_support: int | None
    """The number of cases from which on all pass (low side: all miss) is more than luck."""
    one_miss_breaks_up_to: int | None
    """The number of cases up to which one miss breaks the floor; None for any, or a high side."""
    guidance: tuple[int, int] | None
    """The proposed number of cases, from and to; None where none is proposed."""


class Families(msgspec.Struct, frozen=True, kw_only=True):
    """Counts cases written from one template, which are not independent."""

    count: int = 0
    """How many families there are."""
    cases: int = 0
    """How many cases belong to one."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Holds what one stratum's counts say; it explains an alert and never changes one."""

    passed: int
    """How many graded cases passed."""
    n: int
    """How many cases were graded."""
    state: State
    """`refused` below two graded cases, else whether the stratum's own threshold is tripped."""
    threshold: Threshold
    """The stratum's own threshold."""
    interval: Interval | None
    """The Wilson interval; None without cases."""
    label: Label
    """Whether luck could explain the side of the threshold that the rate is on."""
    p: float | None
    """Chance of such a result or one further in the alarm at the threshold's rate, 12 digits."""
    can_ever_support: bool
    """Whether the most extreme result at this n would be more than luck."""
    to_alarm: int | None
    """Passes (low side: misses) left before the alarm; None where no alarm lies ahead."""
    size: Size
    """What a stratum of this threshold can show at which size."""
    families: Families
    """Cases that are not independent."""
    sentence: str
    """Counts and interval in words."""

    @property
    def stratum(self) -> Stratum:
        """Names the stratum."""
        return _STRATUM_OF[self.threshold.key]


class SizeNotice(msgspec.Struct, frozen=True, kw_only=True):
    """Says that a stratum holds more cases than serve it."""

    level: Literal["notice", "warning"]
    """`warning` where a miss is hidden."""
    text: str
    """The sentence for people."""


def is_below(passed: int, n: int, floor: float) -> bool:
    """Tells whether passed / n lies below the floor; False without cases."""
    return n > 0 and passed < n * exact(floor)


def is_at_or_above(passed: int, n: int, ceiling: float) -> bool:
    """Tells whether passed / n reaches the ceiling; False without cases."""
    return n > 0 and passed >= n * exact(ceiling)


def threshold_of(stratum: Stratum, thresholds: Thresholds) -> Threshold:
    """Returns the threshold that trips the stratum's own alarm."""
    key = _KEY_OF[stratum]
    side: Side = "high" if stratum == "stretch" else "low"
    return Threshold(key=key, value=getattr(thresholds, key), side=side)


def is_tripped(passed: int, n: int, threshold: Threshold) -> bool:
    """Tells whether the counts are on the alarm side of the threshold; False without cases."""
    compare = is_at_or_above if threshold.side == "high" else is_below
    return compare(passed, n, threshold.value)


def headroom(passed: int, n: int, threshold: Threshold) -> int | None:
    """Returns how many more passes (low side: misses) trip the alarm at this n.

    High side: ceil(W n) - k. Low side: k - ceil(F n) + 1. None where it is tripped already, where
    there is no case, and at a floor of 0, which nothing can trip.
    """
    if n == 0 or is_tripped(passed, n, threshold):
        return None
    mark = math.ceil(n * exact(threshold.value))
    if threshold.side == "high":
        return mark - passed
    return passed - mark + 1 if mark > 0 else None


def _rounded(p: float) -> float:
    """Returns a probability whose last, machine-dependent digits can decide nothing."""
    return float(f"{p:.{_P_DIGITS}g}")


def _chances(passed: int, n: int, threshold: Threshold) -> tuple[float, float]:
    """Returns the chance of the counts or further into the alarm, and or further out of it."""
    rate = exact(threshold.value)
    upper = _rounded(upper_tail(passed, n, rate))
    lower = _rounded(lower_tail(passed, n, rate))
    return (upper, lower) if threshold.side == "high" else (lower, upper)


def _is_certain(threshold: Threshold) -> bool:
    """Tells whether no luck is in the alarm: a floor of 1, or a ceiling of 0."""
    return threshold.value == (0 if threshold.side == "high" else 1)


def _label_and_p(passed: int, n: int, threshold: Threshold) -> tuple[Label, float | None]:
    """Returns the label and the p-value of the exact binomial test at the threshold's rate.

    A floor of 1 and a ceiling of 0 have no test: "fact". A floor of 0 cannot be tripped: "clear".
    """
    if n == 0:
        return "no_cases", None
    if _is_certain(threshold):
        return "fact", None
    into, out_of = _chances(passed, n, threshold)
    if is_tripped(passed, n, threshold):
        return ("supported" if into <= SIGNIFICANCE else "could_be_luck"), into
    is_clear = out_of <= SIGNIFICANCE or (threshold.side == "low" and threshold.value == 0)
    return ("clear" if is_clear else "close"), into


def _extreme_rate(threshold: Threshold) -> Fraction:
    """Returns the chance of one case on the alarm side at the threshold's rate."""
    rate = exact(threshold.value)
    return rate if threshold.side == "high" else 1 - rate


def can_ever_support(n: int, threshold: Threshold) -> bool:
    """Tells whether n cases, all on the alarm side, would be more than luck.

    High side: W^n <= .05. Low side: (1 - F)^n <= .05.
    """
    return n > 0 and _rounded(upper_tail(n, n, _extreme_rate(threshold))) <= SIGNIFICANCE


def size_of(stratum: Stratum, threshold: Threshold) -> Size:
    """Returns what a stratum with this threshold can show at which size."""
    return Size(
        smallest_n_to_support=smallest_n_to_support(threshold),
        one_miss_breaks_up_to=one_miss_breaks_up_to(threshold),
        guidance=_GUIDANCE.get(stratum),
    )


def smallest_n_to_support(threshold: Threshold) -> int | None:
    """Returns the smallest n that `can_ever_support`; None where no n up to 2^53 can."""
    rate = _extreme_rate(threshold)
    if rate == 0:
        return 1
    wanted = math.log(SIGNIFICANCE) / log_rate(rate) if rate < 1 else math.inf
    if wanted > _MOST_CASES:
        return None
    n = max(1, math.ceil(wanted))
    return n - 1 if n > 1 and can_ever_support(n - 1, threshold) else n


def one_miss_breaks_up_to(threshold: Threshold) -> int | None:
    """Returns the largest n at which one miss falls below the floor.

    That is the largest n with (n - 1) / n < F; 0 at a floor of 0. None for a floor of 1, where it
    is any n, and for a high side.
    """
    if threshold.side == "high" or threshold.value == 1:
        return None
    return math.ceil(1 / (1 - exact(threshold.value))) - 1


def size_notice(stratum: Stratum, n: int, thresholds: Thresholds) -> SizeNotice | None:
    """Returns what to say of an easy stratum that holds too many cases, or None.

    A notice above 20; a warning from where `ceiling_easy` is reached with a miss, 100 at 0.99.
    """
    if stratum != "easy":
        return None
    low, high = _GUIDANCE["easy"]
    if n > 1 and is_at_or_above(n - 1, n, thresholds.ceiling_easy):
        text = (
            f"at {n} easy cases the ceiling of {exact_percent(thresholds.ceiling_easy)} hides a "
            f"miss; keep {low} to {high}"
        )
        return SizeNotice(level="warning", text=text)
    if n > high:
        text = f"{n} easy cases, more than the {low} to {high} that serve; mint harder ones instead"
        return SizeNotice(level="notice", text=text)
    return None


def evidence_of(
    stratum: Stratum, passed: int, n: int, thresholds: Thresholds, families: Families | None = None
) -> Evidence:
    """Returns what the counts of one stratum say; n counts graded cases only.

    Raises:
        ValueError: passed does not lie between 0 and n.
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} passed is no count")
    threshold = threshold_of(stratum, thresholds)
    state = _state(passed, n, threshold)
    bounds = wilson(passed, n)
    label, p = _label_and_p(passed, n, threshold)
    return Evidence(
        passed=passed,
        n=n,
        state=state,
        threshold=threshold,
        interval=Interval(low=bounds[0], high=bounds[1]) if bounds else None,
        label=label,
        p=p,
        can_ever_support=can_ever_support(n, threshold),
        to_alarm=None if state == "refused" else headroom(passed, n, threshold),
        size=size_of(stratum, threshold),
        families=families or Families(),
        sentence=_sentence(passed, n),
    )


def _state(passed: int, n: int, threshold: Threshold) -> State:
    if n < SMALLEST_TOLD:
        return "refused"
    return "alarm" if is_tripped(passed, n, threshold) else "ok"


def _sentence(passed: int, n: int) -> str:
    bounds = wilson(passed, n)
    if bounds is None:
        return "no cases"
    low, high = (percent(bound) for bound in bounds)
    return (
        f"{passed} of {n} passed; for similar cases anything from about {low} to {high} "
        "is plausible."
    )
