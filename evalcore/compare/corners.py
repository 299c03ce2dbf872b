"""Either run's answers on either suite's fixtures, graded as today's folds grade."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from evalcore.compare.comparison import FIXTURE_FIELDS, FixtureField
from evalcore.grading import grade_case
from evalcore.identity import case_of
from evalcore.matching import MATCHING, Haystack
from evalcore.run import Run, RunCase

Texts = Callable[[Collection[int]], Mapping[int, bytes]]


class Pair(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Is one id in two runs, with either answer graded by the other's fixture."""

    case_id: str
    """The id."""
    before: RunCase | None
    """The case in the baseline; None where it is not there."""
    after: RunCase | None
    """The case in the run; None where it is not there."""
    new_on_old: bool | None = None
    """Whether the run's answer passes the baseline's fixture; None without one of the two."""
    old_on_new: bool | None = None
    """Whether the baseline's answer passes the run's fixture; None without one of the two."""
    changed: tuple[FixtureField, ...] = ()
    """The fields, beside the stratum, in which the fixtures differ."""

    @property
    def answered_in_both(self) -> bool:
        """Tells whether both runs hold an answer."""
        return is_answered(self.before) and is_answered(self.after)

    @property
    def has_other_answer(self) -> bool:
        """Tells whether both runs hold an answer, and not the same one."""
        if not (self.before and self.after and self.answered_in_both):
            return False
        return self.before.completion != self.after.completion


def is_answered(case: RunCase | None) -> bool:
    """Tells whether a run holds an answer to the case."""
    return case is not None and case.outcome != "unanswered"


def is_pass(case: RunCase | None) -> bool:
    """Tells whether the case passed; one that is not there or has no answer did not."""
    return case is not None and case.outcome == "passed"


def graded_today(run: Run, cases: Sequence[RunCase], texts: Texts) -> Sequence[RunCase]:
    """Returns the cases with the outcomes that today's folds give."""
    if run.matching == MATCHING:
        return cases
    answered = [case for case in cases if is_answered(case)]
    held = texts(
        {case.fixture for case in answered}
        | {case.completion for case in answered if case.completion is not None}
    )
    return [_regraded(case, held) if is_answered(case) else case for case in cases]


def pairs_of(before: Sequence[RunCase], after: Sequence[RunCase], texts: Texts) -> list[Pair]:
    """Pairs the cases by id: those of the run in file order, then those of the baseline only.

    Only texts that the known outcomes do not make superfluous are asked for, once.
    """
    old = {case.case_id: case for case in before}
    new = {case.case_id: case for case in after}
    numbers = set(_asked_for((old[case_id], new[case_id]) for case_id in old.keys() & new.keys()))
    held = texts(numbers) if numbers else {}
    return [_pair(key, old.get(key), new.get(key), held) for key in new | old]


def _pair(
    case_id: str, old: RunCase | None, new: RunCase | None, held: Mapping[int, bytes]
) -> Pair:
    if old is None or new is None:
        return Pair(case_id=case_id, before=old, after=new)
    return Pair(
        case_id=case_id,
        before=old,
        after=new,
        new_on_old=_crossed(new, old, held),
        old_on_new=_crossed(old, new, held),
        changed=_changed(old, new, held),
    )


def _asked_for(common: Iterable[tuple[RunCase, RunCase]]) -> Iterator[int]:
    for old, new in common:
        if old.fixture == new.fixture:
            continue
        yield from (old.fixture, new.fixture)
        for answer, asked in ((old, new), (new, old)):
            if answer.completion is not None and not _is_settled(answer, asked):
                yield answer.completion


def _is_settled(answer: RunCase, asked: RunCase) -> bool:
    """Tells whether known outcomes say what an answer gives on the other's fixture."""
    return (
        not is_answered(answer)
        or answer.fixture == asked.fixture
        or (is_answered(asked) and answer.completion == asked.completion)
    )


def _crossed(answer: RunCase, asked: RunCase, held: Mapping[int, bytes]) -> bool | None:
    """Tells whether an answer passes the other's fixture; None without an answer."""
    if not is_answered(answer):
        return None
    if not _is_settled(answer, asked):
        return _passes(answer, asked, held)
    return is_pass(answer if answer.fixture == asked.fixture else asked)


def _regraded(case: RunCase, held: Mapping[int, bytes]) -> RunCase:
    return msgspec.structs.replace(
        case, outcome="passed" if _passes(case, case, held) else "failed"
    )


def _passes(answer: RunCase, asked: RunCase, held: Mapping[int, bytes]) -> bool:
    """Grades the completion of one case by the fixture of another."""
    text = b"" if answer.completion is None else held[answer.completion]
    # A case without a completion of its own is graded alike and spends no time on marks.
    case = case_of(held[asked.fixture], asked.case_id, None)
    return grade_case(case, Haystack(text.decode("utf-8", "surrogatepass"))).passed


def _changed(old: RunCase, new: RunCase, held: Mapping[int, bytes]) -> tuple[FixtureField, ...]:
    if old.fixture == new.fixture:
        return ()
    was, now = (case_of(held[case.fixture], case.case_id, None) for case in (old, new))
    return tuple(name for name in FIXTURE_FIELDS if getattr(was, name) != getattr(now, name))
