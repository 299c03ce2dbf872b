"""The journal as memory holds it, kept up to date entry by entry."""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from threading import Lock

from evalcore.entry import CaseText, Entry
from evalcore.journal import Numbered
from evalcore.standing import Standing, Subject, decisions_among, standing_of, taken_back

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
        """Reads what was written since the last time; nobody else waits meanwhile."""
        news = list(self._read(self._number))
        with self._lock:
            for number, entry in news:
                if number > self._number:  # or another thread has read it as well
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
        decided = decisions_among(self._of_case.get(text.case_id, ()))
        return decided.get(Subject(text.case_id, text.fixture_hash))

    def decisions(self) -> list[Entry]:
        """Returns the decisions in force, oldest first.

        There is one a case and checks, and of cases to be minted one an id and suite.
        """
        with self._lock:
            decided = [
                decisions_among(entries)
                for entries in self._of_case.values()
                if any(entry.change for entry in entries)
            ]
        return sorted((entry for some in decided for entry in some.values()), key=_time)

    def _add(self, entry: Entry) -> None:
        alike = self._of_text.setdefault(entry.text, [])
        alike.append(entry)
        # By time, since entries from elsewhere may be older than those that are here.
        insort(self._of_case.setdefault(entry.case_id, []), entry, key=_time)
        insort(self._of_person.setdefault(entry.who, []), entry, key=_time)
        self._taken_back |= taken_back(alike)
        standing = standing_of(alike)
        if standing.verdicts or standing.settlement:
            self._standings[entry.text] = standing
        else:
            self._standings.pop(entry.text, None)


def _time(entry: Entry) -> tuple[datetime, str]:
    return entry.at, entry.key
