"""A team's past: recorded suites, each with the time, the config and the model it stands for."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from itertools import islice
from pathlib import Path

import msgspec

from evalcore.characters import CONTROL
from evalcore.errors import MAX_PROBLEMS, ArchiveError, problems_of
from evalcore.excerpt import excerpt
from evalcore.matching import is_blank
from evalcore.stamp import MAX_NAME_CHARS, MAX_NOTE_CHARS

MAX_INDEX_BYTES = 8 << 20

_NAME = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?P<time>T[0-9]{2}[-:]?[0-9]{2}(?:[-:]?[0-9]{2}(?=Z?[_-]))?Z?)?"
    r"[_-](?P<config>.+)\.jsonl",
    re.ASCII | re.DOTALL | re.IGNORECASE,
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9].*)?")
_NAME_ADVICE = "name it like 2024-08-06_gpt-4o.jsonl, or list it in a CSV index"
_DATE_ADVICE = "write it like 2024-08-06 or 2024-08-06T14:30Z"
_UNFIT = re.compile(f"[{CONTROL}\u2028\u2029\ud800-\udfff]")
_BREAKS = re.compile(r"[\n\r\t]")

REQUIRED = ("file", "date", "config")
OPTIONAL = ("model", "note")
COLUMNS = (*REQUIRED, *OPTIONAL)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Names one recorded suite of the past and what it stands for."""

    path: Path
    """The suite file."""
    at: datetime
    """When its completions were made, in UTC."""
    config: str
    """What was graded, in the team's words."""
    model: str = ""
    """The model asked for; blank where nobody said."""
    note: str = ""
    """Words for people."""


def entry_of(path: Path) -> Entry:
    """Returns the entry that a file's name spells: a date, maybe a time, and the config.

    `2024-08-06_gpt-4o.jsonl` and `2024-08-06T14-30_gpt-4o.jsonl` are such names. Times are in UTC,
    a date alone is its midnight. The file itself is not looked at.

    Raises:
        ArchiveError: the name spells no date of the calendar or no usable config.
    """
    name = _NAME.fullmatch(path.name)
    if name is None:
        raise _fault(str(path), f"its name is no date with a config behind it; {_NAME_ADVICE}")
    config = name["config"].strip()
    if fault := _name_fault(config):
        raise _fault(str(path), f"config: {fault}")
    digits = re.sub(r"[^0-9]", "", name["time"] or "0000")
    try:
        at = datetime.strptime(name["date"] + digits.ljust(6, "0"), "%Y-%m-%d%H%M%S")
    except ValueError as error:
        found = name["date"] + (name["time"] or "")
        problem = f'not a date and time of the calendar (found "{found}"); {_NAME_ADVICE}'
        raise _fault(str(path), problem) from error
    return Entry(path=path, at=at.replace(tzinfo=UTC), config=config)


def read_index(path: Path) -> list[Entry]:
    """Returns the entries that a CSV lists, in its order.

    Its first line names the columns: file (relative to the CSV), date (ISO 8601, UTC where it names
    no zone) and config, and maybe model and note.

    Raises:
        ArchiveError: one message with every problem found, its line and column, and what to do.
    """
    where = str(path)
    rows = _rows(_text(path), where)
    header = next(rows, None)
    if header is None:
        raise _fault(where, f"empty; its first line names the columns: {','.join(REQUIRED)}")
    names = [cell.strip() for cell in header[1]]
    if problems := list(islice(_header_problems(names, header[0]), MAX_PROBLEMS + 1)):
        raise _fault(where, *problems)
    entries: list[Entry] = []
    for line, cells in rows:
        found = _entry(names, cells, path.parent)
        if isinstance(found, Entry):
            entries.append(found)
        else:
            problems += [f"line {line}{problem}" for problem in found]
            if len(problems) > MAX_PROBLEMS:
                break
    if problems:
        raise _fault(where, *problems)
    if not entries:
        raise _fault(where, "lists no run; write one a line, below the names of the columns")
    return entries


def _text(path: Path) -> str:
    """Returns the text of a small file in UTF-8, with or without a byte order mark."""
    where = str(path)
    try:
        if path.exists() and not path.is_file():
            raise _fault(where, "not a regular file; give a CSV file")
        with path.open("rb") as file:
            data = file.read(MAX_INDEX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problem = f"cannot be read ({reason}); check the path and its permissions"
        raise _fault(where, problem) from error
    if len(data) > MAX_INDEX_BYTES:
        raise _fault(where, "larger than 8 MiB; an index holds a line for each run, is it a suite?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = f"found byte 0x{error.object[error.start]:02x}"
        problem = f'line {line}: not UTF-8 ({found}); save it as "CSV UTF-8"'
        raise _fault(where, problem) from error


def _rows(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the cells of each row that is not blank, with the line on which it begins."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            if not all(map(is_blank, cells)):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        problem = f"line {line}: not CSV ({error}); put a cell with a comma or a quote in quotes"
        raise _fault(where, problem) from error


def _header_problems(names: Sequence[str], line: int) -> Iterator[str]:
    """Yields what is wrong with the names of the columns."""
    if not set(names) & set(COLUMNS):
        wanted = f"write {','.join(REQUIRED)} above the runs, with commas between"
        yield f"line {line}: names none of the columns (found {_shown(','.join(names))}); {wanted}"
        return
    for number, name in enumerate(names, start=1):
        if not name:
            yield f"line {line}: column {number} has no name; name it or remove it"
        elif name in names[: number - 1]:
            yield f"line {line}: two columns of the name {_shown(name)}; remove one"
        elif name not in COLUMNS:
            yield f"line {line}: unknown column {_shown(name)}; {_meant(name)}"
    for name in REQUIRED:
        if name not in names:
            yield f"line {line}: no column {name}; the columns are {','.join(COLUMNS)}"


def _meant(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name[:MAX_NAME_CHARS].lower(), COLUMNS, n=1)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(COLUMNS)}"


def _entry(names: Sequence[str], cells: Sequence[str], folder: Path) -> Entry | list[str]:
    """Returns the entry of a row, or its problems, each to follow the number of its line."""
    if len(cells) != len(names):
        advice = "put a cell with a comma in quotes" if len(cells) > len(names) else "add the rest"
        return [f": {len(cells)} cells under {len(names)} columns; {advice}"]
    row = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
    problems = [f", column {name}: {fault}" for name, fault in _cell_faults(row, folder)]
    at = _time(row["date"])
    if at is None or problems:
        return problems
    texts = {name: row.get(name, "") for name in ("config", *OPTIONAL)}
    return Entry(path=folder / row["file"], at=at, **texts)


def _cell_faults(row: Mapping[str, str], folder: Path) -> Iterator[tuple[str, str]]:
    """Yields column and fault of each cell that cannot be used."""
    if fault := _file_fault(row["file"], folder):
        yield "file", fault
    if _time(row["date"]) is None:
        yield "date", f"not a date (found {_shown(row['date'])}); {_DATE_ADVICE}"
    if fault := _name_fault(row["config"]):
        yield "config", fault
    if fault := _text_fault(row.get("model", ""), MAX_NAME_CHARS):
        yield "model", fault
    if fault := _text_fault(_BREAKS.sub(" ", row.get("note", "")), MAX_NOTE_CHARS):
        yield "note", fault


def _file_fault(name: str, folder: Path) -> str | None:
    if is_blank(name):
        return "blank; name the suite's file, relative to this one"
    try:
        if (folder / name).is_file():
            return None
    except OSError as error:
        return f"cannot be read ({error.strerror}: {_shown(name)}); check the name"
    return f"no such file (found {_shown(name)}); name it relative to this one"


def _name_fault(config: str) -> str | None:
    """Says why a text cannot name a config; None where it can."""
    if is_blank(config):
        return "blank; say what was graded"
    return _text_fault(config, MAX_NAME_CHARS)


def _text_fault(text: str, limit: int) -> str | None:
    if len(text) > limit:
        return f"longer than {limit:,} characters (found {_shown(text)}); shorten it"
    if _UNFIT.search(text):
        return f"holds a control character (found {_shown(text)}); remove it"
    return None


def _time(text: str) -> datetime | None:
    """Returns the time in UTC that ISO 8601 spells, or None."""
    if not _DATE.fullmatch(text):
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _shown(text: str) -> str:
    return f'"{excerpt(text)}"'


def _fault(where: str, *problems: str) -> ArchiveError:
    return ArchiveError(problems_of(where, problems))
