"""What the entries on one case text amount to: who thinks what of it, and whether they agree."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from evalcore.entry import Entry, Verdict


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Says where the judgement of one case text stands."""

    verdicts: Mapping[str, Entry] = {}
    """The current verdict of each person, by name."""
    settlement: Entry | None = None
    """The entry that settled a disagreement; None where none is in force."""

    @property
    def disagreement(self) -> bool:
        """Tells whether people disagree and nobody has settled it; `unsure` disagrees with none."""
        return self.settlement is None and len(self._stands()) > 1

    @property
    def verdict(self) -> Verdict | None:
        """Returns what they agree on: the settlement, or the one verdict that all sure ones share.

        `unsure` where nobody is sure; None where nobody judged or they disagree.
        """
        if self.settlement:
            return self.settlement.verdict
        stands = self._stands()
        if len(stands) == 1:
            return stands.pop()
        return None if stands or not self.verdicts else "unsure"

    def _stands(self) -> set[Verdict | None]:
        return {entry.verdict for entry in self.verdicts.values()} - {"unsure"}


def standing_of(entries: Iterable[Entry]) -> Standing:
    """Works out where the judgement stands from all entries on one case text, in any order.

    Of each person the newest verdict that was not taken back is the current one. A settlement
    holds until somebody judges otherwise after it.
    """
    verdicts: dict[str, Entry] = {}
    settlement: Entry | None = None
    for entry in in_force(entries):
        if entry.verdict is None:
            continue
        if entry.settles:
            settlement = entry
            continue
        verdicts[entry.who] = entry
        if settlement and _reopens(entry, settlement):
            settlement = None
    return Standing(verdicts=verdicts, settlement=settlement)


def in_force(entries: Iterable[Entry]) -> list[Entry]:
    """Returns the entries that nobody took back, in the order of their times."""
    ordered = sorted(entries, key=lambda entry: (entry.at, entry.key))
    gone = {entry.takes_back for entry in ordered}
    return [entry for entry in ordered if entry.key not in gone and entry.takes_back is None]


def repeated(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """Returns the entry that holds and says the same already, as a second press of a key does.

    What was overtaken does not hold: a verdict that was settled otherwise, a settlement that was
    reopened, a decision that another one replaced.
    """
    holding = _holding(entry, entries)
    if holding and all(
        getattr(holding, name) == getattr(entry, name)
        for name in ("who", "verdict", "change", "note")
    ):
        return holding
    return None


def _holding(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """Returns what holds now and would be overtaken by the entry."""
    if entry.change:
        decisions = [other for other in in_force(entries) if other.change]
        return decisions[-1] if decisions else None
    standing = standing_of(entries)
    if entry.settles:
        return standing.settlement
    if standing.settlement and _reopens(entry, standing.settlement):
        return None
    return standing.verdicts.get(entry.who)


def _reopens(entry: Entry, settlement: Entry) -> bool:
    """Tells whether a verdict after a settlement says otherwise; `unsure` does not."""
    return entry.verdict not in (settlement.verdict, "unsure")
