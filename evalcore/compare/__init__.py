"""Two runs compared: which cases flipped, and whether the answers or the yardstick moved."""

from evalcore.compare.comparison import Change, Comparison, Corners, Flips, Split, StratumComparison
from evalcore.compare.runs import compare
from evalcore.compare.words import change_words, compare_lines, listed

__all__ = [
    "Change",
    "Comparison",
    "Corners",
    "Flips",
    "Split",
    "StratumComparison",
    "change_words",
    "compare",
    "compare_lines",
    "listed",
]
