"""What the entries on one case text amount to: who thinks what of it, and whether they agree."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from evalcore.entry import Entry, Verdict


class Subject(NamedTuple):
    """Is what a decision is on: a case with its checks, or a case to be added to one suite."""

    case_id: str
    """The case's id."""
    fixture_hash: str
    """Hash of its prompt, stratum and checks, 64 hex digits; blank for a case still to be added."""
    suite_sha256: str = ""
    """Hash of the suite that a case shall be added to, 64 hex digits; blank for one that is."""


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
    gone = taken_back(ordered)
    return [entry for entry in ordered if entry.key not in gone and entry.takes_back is None]


def taken_back(entries: Sequence[Entry]) -> set[str]:
    """Returns the keys of those entries that others among them took back."""
    by_key = {entry.key: entry for entry in entries}
    undos = ((entry, by_key.get(entry.takes_back)) for entry in entries if entry.takes_back)
    return {entry.key for undo, entry in undos if entry and undoes(undo, entry)}


def undoes(undo: Entry, entry: Entry) -> bool:
    """Tells whether one entry takes back another, which must be on the same text.

    A verdict is taken back by its own person only, a settlement or a decision by anybody, and an
    undoing by nobody.
    """
    return (
        undo.takes_back == entry.key
        and undo.text == entry.text
        and entry.takes_back is None
        and (entry.verdict is None or entry.settles or undo.who == entry.who)
    )


def subject_of(decision: Entry) -> Subject:
    """Names what a decision is on: decisions on one subject replace each other."""
    is_mint = decision.change is not None and decision.change.kind == "mint"
    suite = decision.suite_sha256 if is_mint else ""
    return Subject(decision.case_id, decision.fixture_hash, suite)


def decisions_among(entries: Iterable[Entry]) -> dict[Subject, Entry]:
    """Returns what was decided last on each subject, and not taken back."""
    return {subject_of(entry): entry for entry in in_force(entries) if entry.change}


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
        return decisions_among(entries).get(subject_of(entry))
    standing = standing_of(entries)
    if entry.settles:
        return standing.settlement
    if standing.settlement and _reopens(entry, standing.settlement):
        return None
    return standing.verdicts.get(entry.who)


def _reopens(entry: Entry, settlement: Entry) -> bool:
    """Tells whether a verdict after a settlement says otherwise; `unsure` does not."""
    return entry.verdict not in (settlement.verdict, "unsure")
