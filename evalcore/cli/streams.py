"""Standard streams and files: what is read, what is written whole, and words for people."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from evalcore.errors import UsageError
from evalcore.excerpt import excerpt

_PROGRESS_BYTES = 16 << 20


@contextmanager
def opened(suite: str) -> Iterator[BinaryIO]:
    """Opens a suite so that it can be read twice; a pipe is kept on disk meanwhile."""
    with _binary(sys.stdin) if suite == "-" else Path(suite).open("rb") as stream:
        if stream.seekable():
            yield stream
            return
        from shutil import copyfileobj
        from tempfile import TemporaryFile

        with TemporaryFile() as kept:
            copyfileobj(stream, kept)
            kept.seek(0)
            yield kept


@contextmanager
def progress(stream: BinaryIO) -> Iterator[Callable[[int], None] | None]:
    """Shows a bar while a long file is read on a terminal."""
    start = stream.tell()
    size = stream.seek(0, os.SEEK_END) - start
    stream.seek(start)
    if size < _PROGRESS_BYTES or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from evalcore.terminal import progress_bar

    with progress_bar(size) as update:
        yield update


@contextmanager
def destination(output: str | None = None) -> Iterator[BinaryIO]:
    """Opens standard output, or a file that appears only when it is whole."""
    path = None if output is None else Path(output)
    try:
        if path is None:
            with _standard_output() as out:
                yield out
        elif path.exists() and not path.is_file():
            with path.open("wb") as out:  # a device or a pipe cannot be put in place
                yield out
        else:
            with _whole_file(Path(os.path.realpath(path))) as out:
                yield out
    except OSError as error:
        error.filename = output or "standard output"
        raise


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    out = _binary(sys.stdout)
    try:
        yield out
        out.flush()
    except BrokenPipeError:
        _give_up(sys.stdout)  # The reader has gone, which is its right.


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with part.open("xb") as out:
            yield out
        if path.exists():
            part.chmod(path.stat().st_mode)  # what was private stays so
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _binary(stream: TextIO | None) -> BinaryIO:
    if stream is None:
        raise UsageError("a standard stream is closed; leave it open, or name a file")
    return stream.buffer


def say(text: str) -> None:
    """Prints words for people; that nobody listens changes no verdict."""
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr)
        except OSError:
            _give_up(sys.stderr)


def _give_up(stream: TextIO) -> None:
    """Turns a stream away from a reader that has gone, or Python complains of it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def reason(error: OSError) -> str:
    """Says what a file or stream would not do, and what to check."""
    name = excerpt(str(error.filename), 200) if error.filename is not None else "input or output"
    return f"{name}: {error.strerror or type(error).__name__}; check the path and its permissions"
