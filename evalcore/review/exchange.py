"""What people said, on its way out and in: JSONL that loses nothing, and CSV for a spreadsheet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from evalcore.decision import Decision
from evalcore.entry import Entry
from evalcore.errors import JournalError, RowError, problems_of
from evalcore.excerpt import spelled_out
from evalcore.journal import Numbered
from evalcore.records import read_records
from evalcore.report import tamed
from evalcore.review.intake import entry_of
from evalcore.review.ledger import Ledger
from evalcore.spreadsheet import csv_bytes

CSV_HEADS = (
    "when (UTC)", "who", "run", "case", "entry", "says", "holds", "note", "change",
    "fixture hash", "completion hash", "suite hash", "key",
)  # fmt: skip

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_CSV_HEAD = ",".join(CSV_HEADS[:4]).encode()

_encode = msgspec.json.Encoder().encode


# -- out -----------------------------------------------------------------------


def entries_jsonl(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yields a line of JSON for each entry, which `read_entries` reads back as it was.

    Control and direction characters are escaped, so that a terminal does not obey them.
    """
    for entry in entries:
        yield tamed(_encode(entry)) + b"\n"


def entries_csv(entries: Sequence[Entry]) -> bytes:
    """Returns a table of the entries under CSV_HEADS, safe to open in a spreadsheet.

    Under "holds" stands whether an entry counts now: "no" where it was taken back or overtaken.
    """
    by_key = {entry.key: entry for entry in entries}
    holding = _holding(entries)
    return csv_bytes(CSV_HEADS, (_csv_row(entry, by_key, holding) for entry in entries))


def decisions_of(entries: Iterable[Entry]) -> list[Decision]:
    """Returns the decisions among the entries as a decisions file holds them."""
    return [
        Decision(
            case_id=entry.case_id,
            fixture_hash=entry.fixture_hash,
            change=entry.change,
            who=entry.who,
            at=entry.at,
            why=entry.note,
        )
        for entry in entries
        if entry.change
    ]


def _csv_row(entry: Entry, by_key: Mapping[str, Entry], holding: set[str]) -> tuple[str, ...]:
    return (
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        spelled_out(entry.who),
        str(entry.run),
        spelled_out(entry.case_id),
        _kind(entry),
        _says(by_key.get(entry.takes_back or "", entry)),
        "" if entry.takes_back else "yes" if entry.key in holding else "no",
        _text(entry.note),
        spelled_out(tamed(_encode(entry.change.fields)).decode()) if entry.change else "",
        entry.fixture_hash,
        entry.completion_hash or "",
        entry.suite_sha256,
        entry.key,
    )


def _kind(entry: Entry) -> str:
    if entry.takes_back:
        return "taken back"
    if entry.change:
        return "decision"
    return "settlement" if entry.settles else "verdict"


def _says(entry: Entry) -> str:
    return entry.change.kind if entry.change else entry.verdict or ""


def _text(note: str) -> str:
    """Returns words with their lines kept and nothing unseen left in them."""
    return "\n".join(map(spelled_out, note.replace("\r\n", "\n").split("\n")))


def _holding(entries: Sequence[Entry]) -> set[str]:
    """Returns the keys of what counts now: current verdicts, settlements and decisions."""
    ledger = Ledger(lambda _: [Numbered(*numbered) for numbered in enumerate(entries, start=1)])
    ledger.refresh()
    holding = {entry.key for entry in ledger.decisions()}
    for _, standing in ledger.judged():
        holding |= {entry.key for entry in standing.verdicts.values()}
        if standing.settlement:
            holding.add(standing.settlement.key)
    return holding


# -- in ------------------------------------------------------------------------


def read_entries(data: bytes, name: str) -> list[Entry]:
    """Returns the entries that `entries_jsonl` wrote; `name` is what the file is called.

    A byte order mark, CRLF and blank lines do no harm.

    Raises:
        JournalError: one message with every problem found, its line and field, and what to do.
    """
    if data.removeprefix(_BYTE_ORDER_MARK).startswith(_CSV_HEAD):
        problem = "this is the CSV, which is for spreadsheets; import what was exported as JSONL"
        raise JournalError(problems_of(name, [problem]))
    first: dict[str, tuple[int, Entry]] = {}

    def once(line: bytes, number: int) -> Entry | list[RowError]:
        found = entry_of(line, number)
        if isinstance(found, Entry):
            earlier, same = first.setdefault(found.key, (number, found))
            if found != same:
                return [_reused(found.key, number, earlier)]
        return found

    return read_records(data, name, once, JournalError)


def _reused(key: str, line: int, earlier: int) -> RowError:
    return RowError(
        line=line,
        field="key",
        problem=f"on line {earlier} already, for something else",
        found=key,
        wanted="import the file as it was exported",
    )
