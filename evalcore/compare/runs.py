"""Two runs side by side: which cases flipped, and whether the answers or the yardstick moved."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from evalcore.alerts import Count
from evalcore.case import STRATA, Stratum
from evalcore.compare.comparison import (
    FIXTURE_PARTS,
    Change,
    Comparison,
    Corners,
    FixturePart,
    Flips,
    NoAnswer,
    Regraded,
    Side,
    Split,
    StratumComparison,
)
from evalcore.compare.corners import Pair, Texts, graded_today, is_answered, is_pass, pairs_of
from evalcore.compare.words import sentences_of
from evalcore.flips import Noise, mid_p, noise_p
from evalcore.matching import MATCHING
from evalcore.run import Run, RunCase


class _Place(msgspec.Struct, frozen=True, gc=False):
    """Is a pair seen from one stratum: a side is None where its case is not in the stratum."""

    pair: Pair
    old: RunCase | None
    new: RunCase | None

    @property
    def part(self) -> FixturePart | None:
        """Names what happened to the fixture; None where both sides ask and check the same."""
        if self.pair.before is None:
            return "added"
        if self.pair.after is None:
            return "removed"
        if self.old is None:
            return "moved_in"
        if self.new is None:
            return "moved_out"
        return None if self.old.fixture == self.new.fixture else "edited"


def compare(
    baseline: Run,
    run: Run,
    before: Sequence[RunCase],
    after: Sequence[RunCase],
    texts: Texts,
    noise: Mapping[Stratum, Noise],
) -> Comparison:
    """Compares a run with a baseline, each stratum by itself.

    `before` and `after` are the cases of the two runs in file order. `texts` gives texts of the
    history by number: canonical JSON of a fixture, UTF-8 of a completion. It is asked for the few
    that recorded outcomes do not settle; where another version of the folds had graded a run, for
    all of that run, which is then graded again. `noise` counts flips among our own repeats.
    """
    before_today = graded_today(baseline, before, texts)
    after_today = graded_today(run, after, texts)
    pairs = pairs_of(before_today, after_today, texts)
    strata = {}
    for stratum in STRATA:
        regraded = (
            *_regraded("baseline", baseline, _of(stratum, before), _of(stratum, before_today)),
            *_regraded("run", run, _of(stratum, after), _of(stratum, after_today)),
        )
        places = list(_places(pairs, stratum))
        found = _in_stratum(stratum, places, noise.get(stratum), regraded)
        strata[stratum] = msgspec.structs.replace(found, sentences=sentences_of(found))
    return Comparison(strata=strata, baseline=baseline, run=run)


def _of(stratum: Stratum, cases: Sequence[RunCase]) -> list[RunCase]:
    return [case for case in cases if case.stratum == stratum]


def _places(pairs: Sequence[Pair], stratum: Stratum) -> Iterator[_Place]:
    for pair in pairs:
        old = pair.before if pair.before and pair.before.stratum == stratum else None
        new = pair.after if pair.after and pair.after.stratum == stratum else None
        if old or new:
            yield _Place(pair, old, new)


def _in_stratum(
    stratum: Stratum,
    places: Sequence[_Place],
    noise: Noise | None,
    regraded: tuple[Regraded, ...],
) -> StratumComparison:
    alike = [place for place in places if place.part is None and place.pair.answered_in_both]
    fell, rose = _ids(alike, (True, False)), _ids(alike, (False, True))
    flips = _flips(places, len(fell), len(rose), len(alike))
    noise = noise if noise and noise.pairs else None
    changes = _changes(places)
    return StratumComparison(
        stratum=stratum,
        baseline=_count(is_pass(place.old) for place in places if is_answered(place.old)),
        run=_count(is_pass(place.new) for place in places if is_answered(place.new)),
        passed_to_failed=fell,
        failed_to_passed=rose,
        still_failing=_ids(alike, (False, False)),
        removed=changes["removed"],
        added=changes["added"],
        edited=changes["edited"],
        moved_in=changes["moved_in"],
        moved_out=changes["moved_out"],
        unanswered=tuple(_unanswered(places)),
        flips=flips,
        noise=noise,
        noise_p=_noise_p(flips, noise),
        answered_in_both=sum(place.pair.answered_in_both for place in places),
        answers_changed=sum(place.pair.has_other_answer for place in places),
        corners=_corners(places),
        split=_split(places, fixtures_first=False),
        split_fixtures_first=_split(places, fixtures_first=True),
        regraded=regraded,
    )


def _ids(alike: Iterable[_Place], passes: tuple[bool, bool]) -> tuple[str, ...]:
    """Returns the ids of the cases that passed or failed before and after as given."""
    return tuple(
        place.pair.case_id for place in alike if (is_pass(place.old), is_pass(place.new)) == passes
    )


def _flips(places: Sequence[_Place], fell: int, rose: int, n: int) -> Flips:
    larger = max(
        sum(place.old is not None for place in places),
        sum(place.new is not None for place in places),
    )
    flips = Flips(passed_to_failed=fell, failed_to_passed=rose, n=n, of=larger, p=None)
    return msgspec.structs.replace(flips, p=mid_p(fell, rose)) if flips.comparable else flips


def _noise_p(flips: Flips, noise: Noise | None) -> float | None:
    if noise is None or not flips.comparable:
        return None
    if not flips.changed:
        return 1.0  # certain; working it out would import scipy, which takes a second
    return noise_p(flips.changed, flips.n, noise)


def _changes(places: Iterable[_Place]) -> dict[FixturePart, tuple[Change, ...]]:
    found: defaultdict[FixturePart, list[Change]] = defaultdict(list)
    for place in places:
        if place.part:
            found[place.part].append(_change(place.pair))
    return {part: tuple(found[part]) for part in FIXTURE_PARTS}


def _change(pair: Pair) -> Change:
    return Change(
        case_id=pair.case_id,
        from_stratum=pair.before.stratum if pair.before else None,
        to_stratum=pair.after.stratum if pair.after else None,
        before=pair.before.outcome if pair.before else None,
        after=pair.after.outcome if pair.after else None,
        changed=pair.changed,
    )


def _unanswered(places: Iterable[_Place]) -> Iterator[NoAnswer]:
    for place in places:
        sides: list[Side] = []
        if place.old and not is_answered(place.old):
            sides.append("baseline")
        if place.new and not is_answered(place.new):
            sides.append("run")
        if sides:
            yield NoAnswer(case_id=place.pair.case_id, runs=tuple(sides))


def _corners(places: Sequence[_Place]) -> Corners:
    return Corners(
        old_answers_old_fixtures=_count(
            is_pass(place.old) for place in places if is_answered(place.old)
        ),
        new_answers_old_fixtures=_count(
            place.pair.new_on_old for place in places if place.old and is_answered(place.pair.after)
        ),
        old_answers_new_fixtures=_count(
            place.pair.old_on_new
            for place in places
            if place.new and is_answered(place.pair.before)
        ),
        new_answers_new_fixtures=_count(
            is_pass(place.new) for place in places if is_answered(place.new)
        ),
    )


def _count(passes: Iterable[bool | None]) -> Count:
    found = list(passes)
    return Count(passed=sum(map(bool, found)), n=len(found))


def _split(places: Iterable[_Place], *, fixtures_first: bool) -> Split:
    """Splits the change in passes, case by case, into what the answers did and what the suite did.

    Answers first: old answer to new answer by the old fixture, then old fixture to new fixture
    for the new answer; fixtures first: the other way round. A case that is not in the stratum
    counts as no pass there. One without an answer in either run is no step of either kind.
    """
    parts: Counter[str] = Counter()
    for place in places:
        start, end = is_pass(place.old), is_pass(place.new)
        part = place.part
        if place.pair.answered_in_both:
            through = _halfway(place, fixtures_first=fixtures_first)
            by_answers = end - through if fixtures_first else through - start
            parts["answers"] += by_answers
            parts[part or "unchanged"] += end - start - by_answers
        else:
            parts[part if part in ("added", "removed") else "unanswered"] += end - start
    return Split(
        answers=parts["answers"],
        fixtures=sum(parts[part] for part in FIXTURE_PARTS),
        edited=parts["edited"],
        moved_in=parts["moved_in"],
        moved_out=parts["moved_out"],
        added=parts["added"],
        removed=parts["removed"],
        unanswered=parts["unanswered"],
    )


def _halfway(place: _Place, *, fixtures_first: bool) -> bool:
    """Tells whether the case passes in the stratum when only the one of the two has changed."""
    if fixtures_first:
        return place.new is not None and bool(place.pair.old_on_new)
    return place.old is not None and bool(place.pair.new_on_old)


def _regraded(
    side: Side, run: Run, recorded: Sequence[RunCase], today: Sequence[RunCase]
) -> Iterator[Regraded]:
    """Yields what grading again changed in a stratum, where the folds are others today."""
    if run.matching == MATCHING or not recorded:
        return
    yield Regraded(
        side=side,
        matching=run.matching,
        recorded=_count(is_pass(case) for case in recorded if is_answered(case)),
        today=_count(is_pass(case) for case in today if is_answered(case)),
        cases=tuple(
            case.case_id
            for case, again in zip(recorded, today, strict=True)
            if case.outcome != again.outcome
        ),
    )
