"""Is headroom going? The word, the pace and the count for one stratum's newest segment."""

import math
from typing import Literal

import msgspec

from evalcore.evidence import SIGNIFICANCE
from evalcore.phrases import to_alarm_words
from evalcore.trends.series import Series

Word = Literal["rising", "falling", "no clear trend", "too few versions"]

FEWEST_VERSIONS = 8


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the trend of one stratum over distinct configs on the same cases."""

    word: Word
    """What may be said."""
    versions: int
    """How many distinct configs there are."""
    tau: float | None = None
    """Kendall's tau-b; None with too few versions or where all rates are equal."""
    p: float | None = None
    """Its two-sided p-value; None where there is no tau."""
    slope: float | None = None
    """The Theil-Sen slope, as a share of the cases a version; only where rising or falling."""
    n: int = 0
    """How many cases the newest version was graded on."""

    @property
    def words(self) -> str:
        """Says it for people: "rising over the last 12 versions"."""
        if self.word == "too few versions":
            return f"{self.word}: {self.versions} of {FEWEST_VERSIONS} needed"
        return f"{self.word} over the last {self.versions:,} versions"

    @property
    def pace(self) -> str:
        """Says how fast: "about 0.6 more cases of 20 a version"; blank without a direction."""
        if self.slope is None:
            return ""
        # Rounded before it is cut, since a slope of 0.3 comes as 0.29999999999999993.
        tenths = math.floor(round(abs(self.slope) * self.n * 10, 6))
        direction = "more" if self.word == "rising" else "fewer"
        count = f"about {tenths / 10:g}" if tenths else "less than 0.1"
        return f"{count} {direction} {'case' if tenths == 10 else 'cases'} of {self.n} a version"


def trend(series: Series) -> Trend:
    """Returns the trend over the newest segment's distinct configs, however many are drawn.

    Sources: M. G. Kendall, Biometrika 33 (1945), for tau-b; P. K. Sen, J. Am. Stat. Assoc. 63
    (1968), for the slope. No date and no number of runs left is ever derived from them.
    """
    versions = len(series.versions)
    if versions < FEWEST_VERSIONS:
        return Trend(word="too few versions", versions=versions)
    rates = [point.sums.passed / point.sums.n for point in series.versions]
    if min(rates) == max(rates):
        return Trend(word="no clear trend", versions=versions)
    from scipy.stats import kendalltau, theilslopes

    tau, p = map(float, kendalltau(range(versions), rates))
    if p > SIGNIFICANCE:
        return Trend(word="no clear trend", versions=versions, tau=tau, p=p)
    return Trend(
        word="rising" if tau > 0 else "falling",
        versions=versions,
        tau=tau,
        p=p,
        slope=float(theilslopes(rates).slope),
        n=series.versions[-1].sums.n,
    )


def since_words(series: Series) -> str:
    """Says since when the newest segment runs, and what began it."""
    if not series.versions:
        return ""
    first = series.versions[0]
    causes = "; ".join(change.text for change in first.changes if change.breaks)
    return f"{first.at:%Y-%m-%d} UTC on the same cases" + (f" ({causes})" if causes else "")


def headroom_words(series: Series) -> str:
    """Says how far the newest version is from the alarm: "1 more pass trips the alarm"."""
    if not series.versions:
        if series.points:
            return f"the newest run has no {series.stratum} cases"
        return f"no complete run with {series.stratum} cases"
    return to_alarm_words(series.versions[-1].evidence)
