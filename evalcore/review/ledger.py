"""The journal as memory holds it, kept up to date entry by entry."""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from threading import Lock

from evalcore.entry import CaseText, Entry
from evalcore.journal import Numbered
from evalcore.standing import Standing, in_force, standing_of

_NOBODY = Standing()


class Ledger:
    """Knows at once what people say of any case; several threads may share one."""

    def __init__(self, read: Callable[[int], Iterable[Numbered]]) -> None:
        """Takes what reads the journal beyond a number, and reads nothing yet."""
        self._read = read
        self._number = 0
        self._lock = Lock()
        self._of_case: dict[str, list[Entry]] = {}
        self._of_text: dict[CaseText, list[Entry]] = {}
        self._of_person: dict[str, list[Entry]] = {}
        self._standings: dict[CaseText, Standing] = {}
        self._taken_back: set[str] = set()

    def refresh(self) -> None:
        """Reads what was written since the last time."""
        with self._lock:
            for number, entry in self._read(self._number):
                self._add(entry)
                self._number = number

    def standing(self, text: CaseText) -> Standing:
        """Says where the judgement of a case text stands."""
        return self._standings.get(text, _NOBODY)

    def judged(self) -> Sequence[tuple[CaseText, Standing]]:
        """Returns every case text that somebody has judged, with where that stands."""
        with self._lock:
            return list(self._standings.items())

    def of_case(self, case_id: str) -> Sequence[Entry]:
        """Returns all entries on a case, whatever its text was, oldest first."""
        return tuple(self._of_case.get(case_id, ()))

    def newest_verdicts_of(self, who: str) -> Iterator[Entry]:
        """Yields a person's verdicts that are in force, newest first."""
        for entry in reversed(tuple(self._of_person.get(who, ()))):
            if entry.verdict and not entry.settles and entry.key not in self._taken_back:
                yield entry

    def is_taken_back(self, entry: Entry) -> bool:
        """Tells whether another entry has undone this one."""
        return entry.key in self._taken_back

    def decision(self, text: CaseText) -> Entry | None:
        """Returns what shall become of a case with these checks, as decided last."""
        mine = [
            entry
            for entry in in_force(self._of_case.get(text.case_id, ()))
            if entry.change and entry.fixture_hash == text.fixture_hash
        ]
        return mine[-1] if mine else None

    def decisions(self) -> list[Entry]:
        """Returns the decisions in force, one a case and checks, oldest first."""
        with self._lock:
            texts = {
                (entry.case_id, entry.fixture_hash): entry.text
                for entries in self._of_case.values()
                for entry in entries
                if entry.change
            }
        found = filter(None, map(self.decision, texts.values()))
        return sorted(found, key=lambda entry: entry.at)

    def _add(self, entry: Entry) -> None:
        self._of_text.setdefault(entry.text, []).append(entry)
        # By time, since entries from elsewhere may be older than those that are here.
        insort(self._of_case.setdefault(entry.case_id, []), entry, key=_time)
        insort(self._of_person.setdefault(entry.who, []), entry, key=_time)
        if entry.takes_back:
            self._taken_back.add(entry.takes_back)
        standing = standing_of(self._of_text[entry.text])
        if standing.verdicts or standing.settlement:
            self._standings[entry.text] = standing
        else:
            self._standings.pop(entry.text, None)


def _time(entry: Entry) -> tuple[datetime, str]:
    return entry.at, entry.key
