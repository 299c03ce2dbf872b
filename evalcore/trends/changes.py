"""What is different between one run and the run before it, seen from one stratum."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from evalcore.case import Stratum
from evalcore.excerpt import excerpt
from evalcore.job import Thresholds
from evalcore.percent import exact_percent
from evalcore.report import JobStamp
from evalcore.run import Run

ChangeKind = Literal["cases", "no_cases", "matching", "other_cases", "job", "model"]

_BREAKS: frozenset[ChangeKind] = frozenset(("cases", "no_cases", "matching"))
_NAME_CHARS = 60
_NAMES = {
    "easy_floor": "easy floor",
    "medium_floor": "medium floor",
    "stretch_high": "stretch ceiling",
    "ceiling_easy": "easy rate of the ceiling alert",
    "ceiling_medium": "medium rate of the ceiling alert",
}


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Is one thing that is different from the run before."""

    kind: ChangeKind
    """What is different."""
    text: str
    """The same in words, with untrusted names made fit to show."""

    @property
    def breaks(self) -> bool:
        """Tells whether rates before and after do not measure the same thing."""
        return self.kind in _BREAKS


def changes_between(before: Run, run: Run, stratum: Stratum) -> tuple[Change, ...]:
    """Returns what changed but for the config; what breaks the stratum's line comes first."""
    return tuple(_changes(before, run, stratum))


def _changes(before: Run, run: Run, stratum: Stratum) -> Iterator[Change]:
    cases = _case_change(before, run, stratum)
    if cases:
        yield cases
    if before.matching != run.matching:
        yield Change(kind="matching", text=_from_to("matching", before.matching, run.matching))
    if not cases and before.instrument_hash != run.instrument_hash:
        yield Change(kind="other_cases", text="other cases of the suite changed")
    if job := _job_words(before.job, run.job):
        yield Change(kind="job", text=job)
    if before.model != run.model:
        yield Change(kind="model", text=_from_to("model", before.model, run.model))


def _case_change(before: Run, run: Run, stratum: Stratum) -> Change | None:
    old, new = before.strata[stratum], run.strata[stratum]
    had, has = old.n + old.unanswered, new.n + new.unanswered
    if not has:
        return Change(kind="no_cases", text=f"no {stratum} cases in this run") if had else None
    if not had:
        return Change(kind="no_cases", text=f"the run before had no {stratum} cases")
    if old.instrument_hash == new.instrument_hash:
        return None
    counts = f"{has} as before" if had == has else f"{had} before, {has} now"
    return Change(kind="cases", text=f"{stratum} cases changed: {counts}")


def _job_words(before: JobStamp, job: JobStamp) -> str:
    """Says how the job differs; blank where it does not."""
    parts = []
    if before.name != job.name:
        parts.append(_from_to("job", before.name or "", job.name or ""))
    parts += _threshold_words(before.thresholds, job.thresholds)
    if not parts and before.sha256 != job.sha256:
        parts.append("job file changed, its thresholds did not")
    return "; ".join(parts)


def _threshold_words(before: Thresholds, thresholds: Thresholds) -> Iterator[str]:
    for key, name in _NAMES.items():
        old, new = getattr(before, key), getattr(thresholds, key)
        if old != new:
            yield f"{name} from {exact_percent(old)} to {exact_percent(new)}"


def _from_to(noun: str, old: str, new: str) -> str:
    names = (excerpt(name, _NAME_CHARS) if name else "none named" for name in (old, new))
    return f"{noun} from {' to '.join(names)}"
