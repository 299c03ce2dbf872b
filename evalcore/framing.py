"""What a file or line that is no JSONL really is, and what to do about it."""

import json
import re

from evalcore.errors import RowError
from evalcore.excerpt import excerpt

_CONTAINERS = (
    (b"\x1f\x8b", "gzip", "unpack it first (gunzip)"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or export it as JSONL"),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet or another office file", "export it as JSONL"),
    (b"BZh", "bzip2", "unpack it first (bunzip2)"),
    (b"\xfd7zXZ\x00", "xz", "unpack it first (unxz)"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unpack it first (unzstd)"),
    (b"PAR1", "a Parquet file", "export it as JSONL"),
    (b"SQLite format 3\x00", "a SQLite database", "export it as JSONL"),
    (b"%PDF", "a PDF", "export it as JSONL"),
)
_UTF_16_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_TABLE = re.compile(rb"\"?(?:id|stratum|prompt)\"?[ ]*[,;\t]", re.IGNORECASE)
_BARE_CR = re.compile(rb"\}[ \t]*\r[ \t\r]*\{")


def file_fault(head: bytes) -> RowError | None:
    """Returns the one message for a file whose beginning shows that it is no JSONL at all.

    `head` is the beginning of the file, without a UTF-8 byte order mark.
    """
    for magic, name, remedy in _CONTAINERS:
        if head.startswith(magic):
            return _whole_file(1, name, remedy)
    if _is_wide(head):
        return _whole_file(1, "UTF-16 or UTF-32 text", "save the file as UTF-8")
    line, first = _first_line(head)
    if first.startswith(b"["):
        return _whole_file(
            line, "a JSON array (a list)", "write one object a line (jq -c '.[]' does it)"
        )
    if first in (b"{", b"{,"):
        return _whole_file(
            line, "pretty-printed JSON", "write each object on one line (jq -c . does it)"
        )
    if first.startswith(b"<"):
        return _whole_file(line, "a web page or XML", "look for the data it was made from")
    if _TABLE.match(first):
        return _whole_file(line, "a table (CSV)", "write each row as a JSON object on one line")
    if b"\n" not in head and _BARE_CR.search(head):
        return _whole_file(line, "text with bare CR line ends", "save it with LF line ends")
    if _is_object(first.removesuffix(b",")) and first.endswith(b","):
        return _whole_file(
            line,
            "a list of objects with a comma after each",
            "delete the comma at the end of lines",
        )
    return None


def malformed_line(text: str, error: json.JSONDecodeError) -> dict[str, str]:
    """Returns the words for a line that is no JSON, as a row error's problem, found and wanted."""
    bare = text.strip()
    if bare.startswith(("#", "//", "/*")):
        return {
            "problem": "a comment; JSONL has none",
            "found": excerpt(bare),
            "wanted": "delete the line (words for people go into a case's note)",
        }
    if "\x00" in bare:
        return {
            "problem": f"{_nul_bytes(bare)}, not JSON: the file is damaged here",
            "found": excerpt(bare[max(0, bare.index("\x00") - 20) :], 40),
            "wanted": "look for lost cases, then delete the bytes",
        }
    if bare.startswith("\ufeff"):
        return {
            "problem": "a byte order mark inside the file",
            "found": excerpt(bare, 40),
            "wanted": "delete it (files were probably joined here)",
        }
    if re.search(r"\}\s*\{", bare):
        return {
            "problem": "more than one object on the line",
            "found": excerpt(text[max(0, error.pos - 20) :], 40),
            "wanted": "write one object a line, with LF between them",
        }
    return _syntax_fault(text, bare, error)


def _syntax_fault(text: str, bare: str, error: json.JSONDecodeError) -> dict[str, str]:
    place = f"{error.msg.lower().removesuffix(' at')} at column {error.pos + 1}"
    found = excerpt(text[max(0, error.pos - 20) :], 40) or "the end of the line"
    wanted = "write one whole JSON object on the line"
    if bare.endswith(","):
        wanted = "delete the comma at the end of the line"
    elif re.search(r",\s*[\]}]", bare):
        wanted = "delete the comma before the closing bracket"
    elif bare.startswith("{'"):
        wanted = "write JSON, with double quotes (this looks like Python)"
    return {"problem": f"not JSON: {place}", "found": found, "wanted": wanted}


def _nul_bytes(text: str) -> str:
    count = text.count("\x00")
    return "a NUL byte" if count == 1 else f"{count} NUL bytes"


def _whole_file(line: int, name: str, remedy: str) -> RowError:
    return RowError(line=line, problem=f"this is {name}, not JSONL", wanted=remedy)


def _is_wide(head: bytes) -> bool:
    """Tells UTF-16 and UTF-32 by their mark, or by NULs beside nearly every ASCII character.

    Such text never has four NULs in a row; a damaged file has nothing else.
    """
    sample = head[:512]
    return head.startswith(_UTF_16_32) or (
        sample.count(0) > len(sample) / 3 and b"\0\0\0\0" not in sample
    )


def _first_line(head: bytes) -> tuple[int, bytes]:
    """Returns number and content of the first line that is not blank."""
    for number, line in enumerate(head.split(b"\n"), start=1):
        if line.strip():
            return number, line.strip()
    return 1, b""


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
