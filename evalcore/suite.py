"""A suite in: bytes of JSONL to cases in one pass and constant memory, nothing misread."""

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import chain
from typing import BinaryIO, NamedTuple

from evalcore.case import Case, Stratum
from evalcore.diagnosis import slow_case
from evalcore.errors import RowError, SuiteError
from evalcore.excerpt import excerpt
from evalcore.framing import file_fault
from evalcore.identity import InstrumentHash
from evalcore.matching import fold
from evalcore.row import fast_case

MAX_ERRORS = 50
MAX_ALIKE = 10
MAX_LINE_BYTES = 64 << 20
# Small enough for a block's cases to stay in a processor's cache from step to step.
_BLOCK_BYTES = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class IdPlace(NamedTuple):
    """Is where an id was used."""

    case_id: str
    stratum: Stratum
    line: int


class SuiteReader:
    """Yields the cases of a suite, once, and knows afterwards what there is to say of the file.

    `stream` is a seekable binary stream; it is read from where it stands to its end, and a second
    time where ids look alike. `progress` is called with the number of bytes read so far. The
    cases stop at the first row error while reading goes on for the others; the iteration ends in
    a SuiteError when there was any, so that nothing is made of a suite that could be misread.
    """

    def __init__(self, stream: BinaryIO, progress: Callable[[int], None] | None = None) -> None:
        """Notes where the stream stands and reads nothing yet."""
        self._stream = stream
        self._start = stream.tell()
        self._progress = progress
        self._digest = hashlib.sha256()
        self._instrument = InstrumentHash()
        self._errors: list[RowError] = []
        self._error_count = 0
        self.similar_ids: tuple[tuple[IdPlace, ...], ...] = ()
        """Groups of ids that differ in nothing but blanks, letter case or Unicode form."""

    @property
    def sha256(self) -> str:
        """The hash of the bytes read, 64 hex digits."""
        return self._digest.hexdigest()

    @property
    def instrument_hash(self) -> str:
        """The hash of the cases read, 64 hex digits; their order does not matter."""
        return self._instrument.hexdigest()

    def __iter__(self) -> Iterator[Case]:
        """Yields each case of a suite without row errors."""
        for cases in self.blocks():
            yield from cases

    def blocks(self) -> Iterator[list[Case]]:
        """Yields the same cases some hundred at a time, so that a caller can work step by step."""
        ids = _IdMarks()
        for lines in self._line_blocks(self._digest.update, self._progress):
            rows = [fast_case(line, number) or slow_case(line, number) for number, line in lines]
            cases = [row for row in rows if isinstance(row, Case)]
            ids.add(cases)
            if len(cases) < len(rows):
                self._refuse(error for row in rows if not isinstance(row, Case) for error in row)
            if not self._error_count:
                self._instrument.add(cases)
                yield cases
        self._compare(ids.shared())
        if not len(ids) and not self._error_count:
            self._refuse([RowError(line=1, problem="no cases", wanted="write one case a line")])
        if self._error_count:
            self._errors.sort(key=lambda error: error.line)
            remarks = tuple(f"ids that look alike: {alike(ids)}" for ids in self.similar_ids)
            raise SuiteError(tuple(self._errors[:MAX_ERRORS]), self._error_count, remarks)

    def _refuse(self, errors: Iterable[RowError]) -> None:
        for error in errors:
            self._error_count += 1
            if len(self._errors) < MAX_ERRORS:
                self._errors.append(error)

    def _line_blocks(
        self, took: Callable[[bytes], None], progress: Callable[[int], None] | None
    ) -> Iterator[list[tuple[int, bytes]]]:
        """Yields number and bytes of the lines that are not blank, block by block."""
        done = 0
        number = 1
        pieces: list[bytes] = []  # of the line that goes on in the next block
        while block := self._stream.read(_BLOCK_BYTES):
            took(block)
            if not done:
                block = block.removeprefix(_BYTE_ORDER_MARK)
                fault = file_fault(block)
                if fault:
                    raise SuiteError((fault,), 1)
            done += len(block)
            if b"\n" in block:
                lines = BytesIO(block).readlines()
                lines[0] = b"".join((*pieces, lines[0]))
                pieces = [] if block.endswith(b"\n") else [lines.pop()]
                yield _numbered(lines, number)
                number += len(lines)
            else:
                pieces.append(block)
                if sum(map(len, pieces)) > MAX_LINE_BYTES:
                    raise SuiteError((_too_long(number),), 1)
            if progress:
                progress(done)
        yield _numbered([b"".join(pieces)], number)

    def _compare(self, marks: set[int]) -> None:
        """Looks closely, in a second reading, at ids that the first could not tell apart."""
        if not marks:
            return
        groups: dict[str, dict[str, IdPlace]] = {}
        repeats: list[RowError] = []
        self._stream.seek(self._start)
        for number, line in chain.from_iterable(self._line_blocks(lambda block: None, None)):
            case = fast_case(line, number) or slow_case(line, number)
            if isinstance(case, tuple) or hash(_loose(case.id)) not in marks:
                continue
            group = groups.setdefault(_loose(case.id), {})
            first = group.setdefault(case.id, IdPlace(case.id, case.stratum, number))
            if first.line != number:
                self._error_count += 1
                if len(repeats) < MAX_ERRORS:
                    repeats.append(_repeated(first, number))
        self._errors += repeats
        self.similar_ids = tuple(
            tuple(group.values()) for group in groups.values() if len(group) > 1
        )


def _numbered(lines: list[bytes], start: int) -> list[tuple[int, bytes]]:
    """Numbers the lines and leaves the blank ones out."""
    return [
        (number, line)
        for number, line in enumerate(lines, start=start)
        if line and not line.isspace()
    ]


class _IdMarks:
    """Remembers 8 bytes of each id, so that the ids of a million cases fit into 8 MB."""

    def __init__(self) -> None:
        # In parts, so that looking for marks that occur twice needs a small set at a time.
        self._parts = tuple(array("q") for _ in range(64))

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def add(self, cases: Iterable[Case]) -> None:
        for mark in [hash(_loose(case.id)) for case in cases]:
            self._parts[mark & 63].append(mark)

    def shared(self) -> set[int]:
        """Returns the marks that occur more than once."""
        return {
            mark
            for part in self._parts
            if len(set(part)) < len(part)
            for mark, count in Counter(part).items()
            if count > 1
        }


def _loose(case_id: str) -> str:
    """Folds an id so far that two which a reader could not tell apart become equal."""
    return fold(case_id.strip())


def alike(places: Iterable[IdPlace]) -> str:
    """Names ids that look alike, the first ten with their lines."""
    names = [f'"{excerpt(place.case_id, 40)}" (line {place.line})' for place in places]
    rest = len(names) - MAX_ALIKE
    return ", ".join(names[:MAX_ALIKE]) + (f" and {rest} more" if rest > 0 else "")


def _repeated(first: IdPlace, line: int) -> RowError:
    return RowError(
        line=line,
        field="id",
        problem=f"duplicate id, already used on line {first.line}",
        found=f'"{excerpt(first.case_id)}"',
        wanted="give each case an id of its own",
    )


def _too_long(line: int) -> RowError:
    return RowError(
        line=line,
        problem=f"a line of more than {MAX_LINE_BYTES >> 20} MiB",
        wanted="write one case a line, with LF between cases",
    )
