"""Cases that changed sides between two runs: could chance alone do that, and how often does it?

Sources: S4 and S5 of the statistics, that is McNemar's test with the mid-p correction (Q. McNemar,
Psychometrika 12, 1947; M. W. Fagerland et al., BMC Med. Res. Methodol. 13:91, 2013) and Fisher's
exact test.
"""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from operator import attrgetter

import msgspec

from evalcore.binomial import lower_tail
from evalcore.run import Run

NOISE_UNKNOWN = "noise unknown: no repeats"
_HALF = Fraction(1, 2)


class Noise(msgspec.Struct, frozen=True, kw_only=True):
    """Counts how often the team's own repeats disagree, in one stratum."""

    flips: int
    """How many cases changed sides between a run and its repeat."""
    pairs: int
    """How many cases were graded in both, over all pairs of runs."""

    @property
    def words(self) -> str:
        """Says it for people: "our own repeats flip 1 case in 60", the noise never understated."""
        if self.pairs == 0:
            return NOISE_UNKNOWN
        if self.flips == 0:
            cases = "case" if self.pairs == 1 else "cases"
            return f"our own repeats flipped none of {self.pairs} {cases}"
        one_in = self.pairs // self.flips
        if one_in > 1:
            return f"our own repeats flip 1 case in {one_in}"
        return f"our own repeats flip {self.flips} of {self.pairs} cases"


def mid_p(b: int, c: int) -> float:
    """Returns the two-sided mid-p of McNemar's test for b flips one way and c the other.

    The plain form is 2 P(X <= min) - P(X = min) for X binomial with b + c trials at one half; it
    is summed here as P(X <= min) + P(X < min), which cancels nothing. Where b = c it is
    1 - P(X = b) / 2, which is 1/2 + P(X < b); without a flip it is 1.
    """
    fewer, flips = min(b, c), b + c
    if flips == 0:
        return 1.0
    below = lower_tail(fewer - 1, flips, _HALF)
    if b == c:
        return 0.5 + below
    return lower_tail(fewer, flips, _HALF) + below


def noise_p(flips: int, n: int, noise: Noise) -> float | None:
    """Returns the chance of so many flips or more among n cases if there were noise alone.

    Fisher's exact test, one-sided, on [[f, n - f], [D, P - D]]. None without repeats, where
    nothing can be said.

    Raises:
        ValueError: there are more flips than cases.
    """
    if noise.pairs == 0:
        return None
    from scipy.stats import fisher_exact

    table = [[flips, n - flips], [noise.flips, noise.pairs - noise.flips]]
    return float(fisher_exact(table, alternative="greater").pvalue)


def repeat_pairs(runs: Iterable[Run], limit: int) -> list[tuple[Run, Run]]:
    """Returns pairs of runs of one config and model on one instrument, at most `limit`.

    They come oldest first, and where there are more than `limit`, the newest are kept. No run
    stands in two pairs. Unfinished and excluded runs are left out, and so is a copy of the same
    bytes: the same recorded answers cannot disagree.
    """
    groups: defaultdict[tuple[str, ...], dict[str, Run]] = defaultdict(dict)
    for run in sorted(runs, key=attrgetter("order")):
        if run.counted:
            alike = (run.yardstick, run.config, run.model, run.instrument_hash, run.matching)
            groups[alike].setdefault(run.suite_sha256, run)
    pairs = [
        pair
        for group in map(list, map(dict.values, groups.values()))
        for pair in zip(group[::2], group[1::2], strict=False)
    ]
    pairs.sort(key=lambda pair: pair[1].order)
    return pairs[max(0, len(pairs) - limit) :]
