"""Tables as CSV that a spreadsheet shows and does not obey."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

_COMMANDS = ("=", "+", "-", "@", "\t", "\r")


def csv_bytes(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Returns a table as CSV in UTF-8 with a byte order mark, which spreadsheets ask for.

    A cell that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP
    advises against CSV injection.
    """
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows([_defused(cell) for cell in row] for row in rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _defused(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_COMMANDS) else cell
