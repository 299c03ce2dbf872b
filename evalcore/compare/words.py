"""What a comparison of two runs says in words, the same on a page and on a terminal."""

from collections.abc import Iterator, Sequence

from evalcore.alerts import Count
from evalcore.case import STRATA, Stratum
from evalcore.compare.comparison import (
    Change,
    Comparison,
    Flips,
    NoAnswer,
    Regraded,
    Sentences,
    Side,
    StratumComparison,
)
from evalcore.excerpt import excerpt
from evalcore.flips import NOISE_UNKNOWN
from evalcore.matching import MATCHING

SHOWN_IDS = 50
NOISE_LIMIT = 0.05
_RARE = 0.001
_MINUS = "−"
_SIDES: dict[Side, str] = {"baseline": "the baseline", "run": "the run"}


def sentences_of(found: StratumComparison) -> Sentences:
    """Says what the numbers of one stratum mean."""
    return Sentences(
        headline=headline(found),
        fixtures=_fixtures_words(found),
        order=_order_words(found),
        flips=flips_words(found.flips),
        noise=noise_words(found),
        unanswered=_unanswered_words(found.unanswered),
        regraded=tuple(_regraded_words(found.stratum, regraded) for regraded in found.regraded),
    )


def headline(found: StratumComparison) -> str:
    """Says what moved: "stretch fell from 9 of 20 to 6 of 20: answers +1, new fixtures −4"."""
    return f"{found.stratum} {_change_words(found)}{_cause_words(found)}"


def _change_words(found: StratumComparison) -> str:
    before, after = found.baseline, found.run
    if not before.n and not after.n:
        graded = "graded " if found.flips.of else ""
        return f"has no {graded}cases in either run"
    if before == after:
        return f"stayed at {_count_words(after)}"
    verb = "went"
    if before.n == after.n:
        verb = "fell" if after.passed < before.passed else "rose"
    return f"{verb} from {_count_words(before)} to {_count_words(after)}"


def _count_words(count: Count) -> str:
    return f"{count.passed} of {count.n}" if count.n else "no graded cases"


def _cause_words(found: StratumComparison) -> str:
    """Says what the answers did and what the fixtures did."""
    if not found.baseline.n and not found.run.n:
        return ""
    parts = [_answers_words(found), "same fixtures"]
    if any(found.changes.values()):
        parts[1] = f"new fixtures {signed(found.split.fixtures)}"
    if found.split.unanswered:
        parts.append(f"unanswered cases {signed(found.split.unanswered)}")
    return f": {', '.join(parts)}"


def _answers_words(found: StratumComparison) -> str:
    if not found.answered_in_both:
        return "no case answered in both"
    return f"answers {signed(found.split.answers)}" if found.answers_changed else "same answers"


def signed(passes: int) -> str:
    """Returns a difference with its sign: "+1", "0", or "−4" with a minus sign."""
    return f"{passes:+d}".replace("-", _MINUS) if passes else "0"


def _fixtures_words(found: StratumComparison) -> str:
    """Says which kind of change to the suite moved how many passes."""
    parts = [
        f"{_cases(len(changes))} {part.replace('_', ' ')} {signed(getattr(found.split, part))}"
        for part, changes in found.changes.items()
        if changes
    ]
    return f"new fixtures {signed(found.split.fixtures)}: {', '.join(parts)}" if parts else ""


def _order_words(found: StratumComparison) -> str:
    """Says how the split comes out the other way round, where that makes a difference."""
    other = found.split_fixtures_first
    if other.answers == found.split.answers:
        return ""
    return (
        "the order matters: with the new fixtures first and the new answers second it is "
        f"answers {signed(other.answers)}, new fixtures {signed(other.fixtures)}"
    )


def flips_words(flips: Flips) -> str:
    """Says how many cases changed sides, and how often chance alone splits them so unevenly.

    Mid-p is the chance of a more uneven split plus half the chance of one just as uneven, if each
    change could as well have gone the other way.
    """
    if not flips.of:
        return ""
    if not flips.n:
        return "no case can be compared like for like"
    if flips.p is None:
        return (
            f"{flips.n} of {_cases(flips.of)} can be compared like for like, under half: "
            "there are only the lists to go by"
        )
    alike = f"of {_cases(flips.n)} compared like for like"
    if not flips.changed:
        return f"{alike} none changed sides"
    fell, rose = _quantity(flips.passed_to_failed), _quantity(flips.failed_to_passed)
    return (
        f"{alike} {fell} went from passed to failed and {rose} the other way; "
        f"{_chance_words(flips.p)} chance alone, a coin toss for each, gives a split this uneven "
        f"or more, just as uneven ones counted half ({_p_words('mid-p', flips.p)})"
    )


def _chance_words(p: float) -> str:
    """Says a probability as people count: "about 1 time in 8"."""
    if p < _RARE:
        return f"less than 1 time in {round(1 / _RARE)}"
    if p <= 1 / 3 or round(10 * p) == 5:
        return f"about 1 time in {round(1 / p)}"
    return f"about {round(10 * p)} times in 10" if p < 0.95 else "nearly every time"


def _p_words(name: str, p: float) -> str:
    return f"{name} below {_RARE}" if p < _RARE else f"{name} {round(p, 3):g}"


def noise_words(found: StratumComparison) -> str:
    """Says whether our own repeats could explain the flips: "within our own noise"."""
    if not found.flips.of:
        return ""
    if found.noise is None:
        return NOISE_UNKNOWN
    if found.noise_p is None:
        return found.noise.words
    flips = found.flips
    text = f"{found.noise.words}; here {_quantity(flips.changed)} of {flips.n} changed"
    if not flips.changed:
        return text
    beyond = found.noise_p <= NOISE_LIMIT
    verdict = "more than our noise explains" if beyond else "within our own noise"
    return f"{text}: {verdict} ({_p_words('p', found.noise_p)})"


def _unanswered_words(cases: Sequence[NoAnswer]) -> str:
    counts = [
        f"{sum(side in case.runs for case in cases)} in {name}"
        for side, name in _SIDES.items()
        if any(side in case.runs for case in cases)
    ]
    if not counts:
        return ""
    return f"cases without an answer: {', '.join(counts)}; neither pass nor miss, and in no flip"


def _regraded_words(stratum: Stratum, regraded: Regraded) -> str:
    text = f"{_SIDES[regraded.side]} was graded under {regraded.matching}; under {MATCHING}"
    if not regraded.cases:
        return f"{text} every {stratum} grade is the same"
    return (
        f"{text} {len(regraded.cases)} of its {stratum} grades changed, "
        f"{_count_words(regraded.recorded)} then and {_count_words(regraded.today)} now"
    )


def _quantity(count: int) -> str:
    return str(count) if count else "none"


def _cases(count: int) -> str:
    return f"{count} case{'' if count == 1 else 's'}"


# -- lines for a terminal --------------------------------------------------------------------


def compare_lines(comparison: Comparison) -> Iterator[str]:
    """Yields what a comparison says, each instrument by itself, its named lists first."""
    yield f"baseline: {comparison.baseline.line}"
    yield f"compared: {comparison.run.line}"
    for stratum in STRATA:
        found = comparison.strata[stratum]
        yield ""
        yield found.sentences.headline
        for title, entries in listed(found):
            yield from _list_lines(title, entries)
        yield from (f"  {sentence}" for sentence in found.sentences.further)


def listed(found: StratumComparison) -> Iterator[tuple[str, Sequence[str]]]:
    """Yields the named lists that hold a case: the title, and a line for each case."""
    lists: tuple[tuple[str, Sequence[str]], ...] = (
        ("passed → failed", [excerpt(case_id) for case_id in found.passed_to_failed]),
        ("failed → passed", [excerpt(case_id) for case_id in found.failed_to_passed]),
        ("still failing", [excerpt(case_id) for case_id in found.still_failing]),
        ("only in the baseline", [change_words(change) for change in found.removed]),
        ("only in the run", [change_words(change) for change in found.added]),
        ("prompt or checks changed", [change_words(change) for change in found.edited]),
        ("moved in", [change_words(change) for change in found.moved_in]),
        ("moved out", [change_words(change) for change in found.moved_out]),
        ("no answer", [_no_answer_words(case) for case in found.unanswered]),
    )
    return ((title, entries) for title, entries in lists if entries)


def change_words(change: Change) -> str:
    """Says what became of a case that the two suites do not hold alike."""
    words = []
    if change.from_stratum and change.to_stratum and change.from_stratum != change.to_stratum:
        words.append(f"{change.from_stratum} → {change.to_stratum}")
    if change.changed:
        words.append(f"{', '.join(change.changed)} changed")
    words.append(" → ".join(outcome for outcome in (change.before, change.after) if outcome))
    return f"{excerpt(change.case_id)}: {'; '.join(words)}"


def _no_answer_words(case: NoAnswer) -> str:
    return f"{excerpt(case.case_id)}: in {' and '.join(_SIDES[side] for side in case.runs)}"


def _list_lines(title: str, entries: Sequence[str]) -> Iterator[str]:
    yield f"  {title}: {len(entries)}"
    yield from (f"    {entry}" for entry in entries[:SHOWN_IDS])
    if len(entries) > SHOWN_IDS:
        yield f"    and {len(entries) - SHOWN_IDS} more"
