"""A long list of JSON values, kept on disk where memory would not do."""

from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import BinaryIO

import msgspec

_MEMORY_BYTES = 4 << 20
_encode = msgspec.json.Encoder().encode


class Spool:
    """Keeps values in the order they came in, one JSON text a line."""

    def __init__(self) -> None:
        """Starts empty and in memory."""
        self._file = SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115
        self._count = 0

    def __len__(self) -> int:
        """Counts the values."""
        return self._count

    def extend(self, values: Iterable[msgspec.Struct]) -> None:
        """Appends more values."""
        lines = [_encode(value) for value in values]
        if lines:
            self._count += len(lines)
            self._file.write(b"\n".join(lines) + b"\n")

    def __iter__(self) -> Iterator[bytes]:
        """Yields the JSON text of each value."""
        self._file.seek(0)
        yield from self._file

    def write_array(self, out: BinaryIO, indent: int) -> None:
        """Writes the values as one JSON array whose closing bracket stands at `indent` spaces."""
        if not self._count:
            out.write(b"[]")
            return
        line_start = b"\n" + b" " * (indent + 2)
        separator = b"["
        for text in self:
            item = msgspec.json.format(text, indent=2)
            out.write(separator + line_start + item.replace(b"\n", line_start))
            separator = b","
        out.write(b"\n" + b" " * indent + b"]")
