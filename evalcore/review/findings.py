"""What the verdicts on a run's stretch misses say, beside its rate and never merged into it."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from evalcore.binomial import wilson
from evalcore.entry import Verdict
from evalcore.percent import exact, exact_percent, percent


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Counts the verdicts that people agree on among the stretch misses of one run."""

    passed: int
    """How many stretch cases passed the string checks."""
    n: int
    """How many stretch cases were graded."""
    acceptable: int
    """How many misses a person would accept."""
    reviewed: int
    """How many misses have a verdict that people agree on and are sure of."""
    undecided: int
    """How many more were judged, without agreement or by people who are unsure."""
    ceiling: float
    """The stretch rate from which the alarm sounds."""

    @property
    def misses(self) -> int:
        """Counts the stretch cases that failed."""
        return self.n - self.passed

    @property
    def share(self) -> tuple[float, float] | None:
        """Gives the Wilson 95 % interval of the acceptable share; None before any verdict."""
        return wilson(self.acceptable, self.reviewed)

    @property
    def headroom_overstated(self) -> bool:
        """Tells whether the misses that may be acceptable would carry stretch to its ceiling.

        That is (passed + upper Wilson bound x misses) / n >= ceiling. A page's words, never the
        report's.
        """
        if self.share is None or self.n == 0:
            return False
        most = self.passed + exact(self.share[1]) * self.misses
        return most >= exact(self.ceiling) * self.n

    @property
    def sentence(self) -> str:
        """Says what was found so far."""
        if self.share is None:
            return "No stretch miss has a verdict yet."
        low, high = map(percent, self.share)
        were = "was an acceptable wording" if self.acceptable == 1 else "were acceptable wordings"
        sentence = (
            f"{self.acceptable} of {self.misses} misses judged acceptable: "
            f"{self.acceptable} of {self.reviewed} reviewed stretch misses {were} "
            f"({low.removesuffix(' %')} to {high})."
        )
        if self.undecided:
            sentence += f" {self.undecided} more without a clear verdict."
        return sentence

    @property
    def overstated_words(self) -> str:
        """Says what `headroom_overstated` means here."""
        assert self.share is not None
        most = int(self.passed + self.share[1] * self.misses)
        return (
            f"{self.passed} of {self.n} passed the string checks, and if up to "
            f"{percent(self.share[1])} of the {self.misses} misses are wordings that a person "
            f"accepts, as the verdicts so far allow, up to {most} of {self.n} are as good as "
            f"passed; the ceiling is {exact_percent(self.ceiling)}. Accept the wordings in the "
            "suite, and mint harder cases."
        )


def findings_of(
    passed: int, n: int, ceiling: float, agreed: Iterable[Verdict], disputed: int = 0
) -> Findings:
    """Counts the verdicts on the stretch misses of a run.

    Args:
        passed: how many stretch cases passed the string checks.
        n: how many were graded.
        ceiling: the stretch rate from which the alarm sounds.
        agreed: the verdict on each judged miss that people agree on.
        disputed: how many misses people disagree on.
    """
    counts = Counter(agreed)
    return Findings(
        passed=passed,
        n=n,
        acceptable=counts["acceptable"],
        reviewed=counts.total() - counts["unsure"],
        undecided=counts["unsure"] + disputed,
        ceiling=ceiling,
    )
