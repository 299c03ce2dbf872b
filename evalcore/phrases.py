"""What a gauge says in words, the same on a page and on a terminal."""

import math

from evalcore.evidence import SMALLEST_TOLD, Evidence
from evalcore.percent import exact, exact_percent


def label_words(evidence: Evidence) -> str:
    """Says in plain words whether luck could explain where the rate lies."""
    if evidence.n == 0:
        return "no cases"
    if evidence.state == "refused":
        return f"too few cases to tell: it takes {SMALLEST_TOLD}"
    mark = exact_percent(evidence.threshold.value)
    high = evidence.threshold.side == "high"
    if evidence.label == "fact":
        return f"a fact: any result reaches {mark}" if high else _miss_words(evidence, mark)
    if evidence.label == "supported":
        results = "passes" if high else "misses"
        return f"supported: luck alone rarely gives so many {results} at a rate of {mark}"
    if evidence.label == "clear":
        return _clear_words(evidence, mark)
    word = "close" if evidence.label == "close" else "could be luck"
    if evidence.size.smallest_n_to_support is None:
        return f"{word}: no number of cases can show a rate above {mark}"
    if not evidence.can_ever_support:
        return f"{word}: too few cases to ever settle it"
    if evidence.label == "close":
        return f"close: within luck of {mark}"
    return f"could be luck: a true rate {'below' if high else 'of at least'} {mark} can give this"


def to_alarm_words(evidence: Evidence) -> str:
    """Says how far the alarm is away: "1 more pass trips the alarm"."""
    if evidence.n == 0:
        return "no cases"
    if evidence.state == "refused":
        return f"no alarm below {SMALLEST_TOLD} cases"
    if evidence.state == "alarm":
        return "already tripped"
    if evidence.to_alarm is None:
        return "nothing falls below a floor of 0 %"
    noun = "more pass" if evidence.threshold.side == "high" else "more miss"
    verb = "trips" if evidence.to_alarm == 1 else "trip"
    return f"{_counted(evidence.to_alarm, noun)} {verb} the alarm"


def families_words(evidence: Evidence) -> str:
    """Says how many cases were written from templates; blank where none was."""
    families = evidence.families
    if not families.count:
        return ""
    source = "one family" if families.count == 1 else f"{families.count} families"
    return f"{families.cases} of the cases come from {source}, so they are not independent"


def size_words(evidence: Evidence) -> str:
    """Says what a stratum of this size can show at all."""
    mark = exact_percent(evidence.threshold.value)
    if evidence.threshold.side == "low":
        return _floor_words(evidence, mark)
    needed = evidence.size.smallest_n_to_support
    if needed is None:
        return f"no number of cases can support a rate above {mark}"
    if evidence.n < needed:
        cases = _counted(needed, "all-pass case")
        return f"needs {cases} before it can support a rate above {mark}"
    return f"enough cases to support a rate above {mark}"


def _miss_words(evidence: Evidence, mark: str) -> str:
    misses = evidence.n - evidence.passed
    if misses == 0:
        return f"no miss; at a floor of {mark} one would be a fact"
    return f"{_counted(misses, 'miss')}: a fact, not luck, at a floor of {mark}"


def _clear_words(evidence: Evidence, mark: str) -> str:
    if evidence.threshold.side == "high":
        return f"clear: below {mark} by more than luck"
    if evidence.threshold.value == 0:
        return f"clear: nothing falls below a floor of {mark}"
    return f"clear: above {mark} by more than luck"


def _floor_words(evidence: Evidence, mark: str) -> str:
    """Says how many misses a floor allows at this size."""
    floor = evidence.threshold.value
    limit = evidence.size.one_miss_breaks_up_to
    if limit is None:
        text = f"a floor of {mark} means no miss at any size"
    elif floor == 0:
        text = f"nothing falls below a floor of {mark}"
    elif evidence.n <= limit:
        text = f"below {limit + 1} {evidence.stratum} cases a floor of {mark} means no miss"
    else:
        allowed = evidence.n - math.ceil(evidence.n * exact(floor))
        cases = f"{evidence.n} {evidence.stratum} cases"
        text = f"at {cases} a floor of {mark} allows {_counted(allowed, 'miss')}"
    if evidence.size.guidance and evidence.n < evidence.size.guidance[0]:
        low, high = evidence.size.guidance
        text += f"; {low} to {high} {evidence.stratum} cases are proposed"
    return text


def _counted(count: int, noun: str) -> str:
    """Returns the count with its noun in the right number."""
    return f"{count} {noun}{'' if count == 1 else 'es' if noun.endswith('s') else 's'}"
