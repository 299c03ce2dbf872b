"""The journal of what people say of cases: verdicts, settlements, decisions, and their undoing.

It is append-only. A verdict never changes a grade, a rate, an alert or an exit code.
"""

import uuid
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from evalcore.database import Database, portions
from evalcore.decision import Change
from evalcore.entry import CaseText, Entry, Verdict
from evalcore.errors import UsageError
from evalcore.excerpt import excerpt
from evalcore.run import Run
from evalcore.stamp import check_name, check_note
from evalcore.standing import repeated, standing_of, undoes
from evalcore.tables import journal

PATIENCE_SECONDS = 4
"""How long a person waits for another writer before being told."""

_encode = msgspec.json.Encoder().encode
_decode_change = msgspec.json.Decoder(Change).decode
_OWN_COLUMNS = ("key", "at", "who", "suite_sha256", "fixture_hash", "completion_hash", "verdict",
                "settles", "takes_back", "note")  # fmt: skip
"""Columns that hold a field of the same name as it is."""


class Numbered(NamedTuple):
    """Is an entry with its place in the journal."""

    number: int
    """Grows with every entry; whoever has read up to one misses none."""
    entry: Entry
    """The entry."""


class Added(NamedTuple):
    """Counts what became of entries from elsewhere."""

    new: int
    """Entries that the journal did not have."""
    known: int
    """Entries that it had already, word for word."""


class Journal:
    """Keeps the entries of one history; every method may raise a HistoryError."""

    def __init__(self, database: Database) -> None:
        """Takes the database that the history has opened."""
        self._database = database

    def entries(self, after: int = 0) -> list[Numbered]:
        """Returns the entries beyond a number, in the order they came in."""
        query = sa.select(journal).where(journal.c.id > after).order_by(journal.c.id)
        with self._database.reading() as connection:
            return [Numbered(row.id, _entry(row)) for row in connection.execute(query)]

    def judge(self, run: Run, text: CaseText, *, who: str, verdict: Verdict, note: str) -> Entry:
        """Keeps a person's verdict on a case of a run.

        Said a second time in the same words it is not kept again: the entry in force is returned.
        """
        return self._write(_new(run, text, who, note, verdict=verdict))

    def settle(self, run: Run, text: CaseText, *, who: str, verdict: Verdict, note: str) -> Entry:
        """Ends a disagreement of several people.

        Raises:
            UsageError: there is no disagreement any more, or no note says why.
        """
        if not note.strip():
            raise UsageError("note: blank; say what settles it")
        return self._write(_new(run, text, who, note, verdict=verdict, settles=True))

    def decide(self, run: Run, text: CaseText, *, who: str, change: Change, why: str) -> Entry:
        """Keeps what shall become of a case in the suite."""
        plain = _decode_change(_encode(change))  # as it will be read, or it never equals itself
        return self._write(_new(run, text, who, why, change=plain))

    def take_back(self, run: Run, entry: Entry, *, who: str) -> Entry:
        """Undoes an entry by another one; both stay.

        Raises:
            UsageError: the entry is another person's verdict.
        """
        if entry.verdict is not None and not entry.settles and entry.who != who:
            raise UsageError(f"that verdict is {excerpt(entry.who)}'s; nobody else takes it back")
        return self._write(_new(run, entry.text, who, "", takes_back=entry.key))

    def add(self, entries: Sequence[Entry]) -> Added:
        """Takes in entries of a journal elsewhere, all of them or none.

        Raises:
            UsageError: an entry is here already in other words.
        """
        with self._database.writing(PATIENCE_SECONDS) as connection:
            known = _by_key(connection, {entry.key for entry in entries})
            new: dict[str, Entry] = {}
            for entry in entries:
                if known.get(entry.key, new.setdefault(entry.key, entry)) != entry:
                    raise UsageError(
                        f"entry {excerpt(entry.key)} is here already and says something else; "
                        "import the file as it was exported"
                    )
            rows = [_row(entry) for key, entry in new.items() if key not in known]
            if rows:
                connection.execute(sa.insert(journal), rows)
        return Added(len(rows), len(entries) - len(rows))

    def _write(self, entry: Entry) -> Entry:
        """Appends an entry unless it says again what is in force."""
        check_name("who", entry.who)
        check_note("note", entry.note)
        with self._database.writing(PATIENCE_SECONDS) as connection:
            others = list(_on(connection, entry.text))
            # A decision is on the checks, whatever the completion was.
            alike = others if entry.change else [o for o in others if o.text == entry.text]
            said = _said_before(entry, alike)
            if said:
                return said
            if entry.settles and not standing_of(alike).disagreement:
                raise UsageError("there is no disagreement here any more; look at the case again")
            if others:  # a clock set back must not put a newer entry before an older one
                latest = max(other.at for other in others)
                at = max(entry.at, latest + timedelta(microseconds=1))
                entry = msgspec.structs.replace(entry, at=at)
            connection.execute(sa.insert(journal).values(_row(entry)))
        return entry


def _new(run: Run, text: CaseText, who: str, note: str, **kind: Any) -> Entry:
    return Entry(
        key=uuid.uuid4().hex,
        at=datetime.now(UTC),
        who=who,
        run=run.id,
        suite_sha256=run.suite_sha256,
        case_id=text.case_id,
        fixture_hash=text.fixture_hash,
        completion_hash=text.completion_hash,
        note=note,
        **kind,
    )


def _said_before(entry: Entry, others: Sequence[Entry]) -> Entry | None:
    """Returns the entry that has said the same; of what was taken back, how it was."""
    if entry.takes_back is None:
        return repeated(entry, others)
    undone = next((other for other in others if undoes(entry, other)), None)
    if undone is None:
        raise UsageError("there is nothing to take back any more; look at the case again")
    return next((other for other in others if undoes(other, undone)), None)


def _on(connection: sa.Connection, text: CaseText) -> Iterator[Entry]:
    """Yields the entries on a case with these checks, whatever its completion was."""
    query = sa.select(journal).where(
        journal.c.fixture_hash == text.fixture_hash, journal.c.case_id == text.case_id.encode()
    )
    yield from map(_entry, connection.execute(query.order_by(journal.c.id)))


def _by_key(connection: sa.Connection, keys: Collection[str]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for some in portions(sorted(keys)):
        query = sa.select(journal).where(journal.c.key.in_(some))
        found.update((row.key, _entry(row)) for row in connection.execute(query))
    return found


def _entry(row: Any) -> Entry:
    return Entry(
        run=row.run_id,
        case_id=bytes(row.case_id).decode(),
        change=None if row.change is None else _decode_change(row.change),
        **{name: getattr(row, name) for name in _OWN_COLUMNS},
    )


def _row(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in _OWN_COLUMNS} | {
        "run_id": entry.run,
        "case_id": entry.case_id.encode(),
        "change": None if entry.change is None else _encode(entry.change),
    }
