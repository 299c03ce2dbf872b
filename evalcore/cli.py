"""The command line: parses, calls one library function, prints, exits.

Exit codes are 0, 2 and 1 and nothing else: no alert; at least one alert; could not be judged.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TextIO

from evalcore import __version__
from evalcore.errors import HeadroomError, UsageError
from evalcore.excerpt import excerpt

if TYPE_CHECKING:
    from evalcore.job import Job
    from evalcore.report import Report

_FLAGS = {"easy_floor": "1.0", "medium_floor": "0.85", "stretch_high": "0.80"}
_PROGRESS_BYTES = 16 << 20
_EPILOG = """\
exit codes: 0 graded, no alert (not "the product is finished"); 2 graded, at least one alert, be it
a regression or a ceiling; 1 could not be judged. The report goes to standard output, words for
people to standard error. No safety certificate: string checks do not measure harm or tone."""


class _Parser(argparse.ArgumentParser):
    """Takes options in full only, and raises where argparse exits with 2, which means alerts."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{excerpt(message, 300)}; see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0, 2 or 1."""
    try:
        options = _parser().parse_args(arguments)
        code: int = options.run(options)
    except HeadroomError as error:
        _say(f"evalcore: {error}")
    except KeyboardInterrupt:
        _say("evalcore: stopped before there was a verdict")
    except OSError as error:
        _say(f"evalcore: {_reason(error)}")
    except Exception as error:
        name = type(error).__name__
        _say(f"evalcore: a fault of this program ({name}: {excerpt(str(error))}); please report it")
    else:
        return code
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="evalcore",
        description="Grades a suite of golden cases on three instruments that can still alarm.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"evalcore {__version__}")
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND", required=True)
    _add_grade(commands)
    _add_check(commands)
    self_check = commands.add_parser(
        "self-check", help="raise every alert on small built-in suites", epilog=_EPILOG
    )
    self_check.set_defaults(run=_self_check)
    return parser


def _add_grade(commands: "argparse._SubParsersAction[_Parser]") -> None:
    grade = commands.add_parser("grade", help="grade recorded completions", epilog=_EPILOG)
    grade.add_argument("suite", metavar="SUITE", help="the JSONL of golden cases, or - for stdin")
    grade.add_argument("--job", metavar="F", help="the job file; else evalcore.toml beside SUITE")
    for flag, proposal in _FLAGS.items():
        grade.add_argument(
            f"--{flag.replace('_', '-')}",
            metavar="X",
            help=f"a rate from 0 to 1 (proposed: {proposal}); beside a job it only adds alerts",
        )
    grade.add_argument("--format", choices=("json", "text"), default="json")
    grade.add_argument("--output", metavar="F", help="write the report there, whole or not at all")
    grade.set_defaults(run=_grade)


def _add_check(commands: "argparse._SubParsersAction[_Parser]") -> None:
    check = commands.add_parser("check", help="show row errors and notices, without a verdict")
    check.add_argument("suite", metavar="SUITE", help="the JSONL of golden cases, or - for stdin")
    check.add_argument("--job", metavar="F", help="the job file; else evalcore.toml beside SUITE")
    check.set_defaults(run=_check)


def _grade(options: argparse.Namespace) -> int:
    given = {flag: getattr(options, flag) for flag in _FLAGS}
    flags = {flag: _rate(flag, text) for flag, text in given.items() if text is not None}
    _refuse_overwriting(options)
    job = _job(options)
    report = _report(options.suite, job, flags)
    with _destination(options.output) as out:
        if options.format == "text":
            from evalcore.terminal import write_report

            write_report(report, out, sys.stdout.encoding if options.output is None else "utf-8")
        else:
            report.write(out)
    if options.format == "json":
        from evalcore.wording import report_lines

        for line in report_lines(report):
            _say(line)
    return report.exit_code


def _check(options: argparse.Namespace) -> int:
    from evalcore.wording import notice_lines

    notices = _report(options.suite, _job(options), {}).notices
    with _destination(None) as out:
        for notice in notices:
            out.writelines(f"{line}\n".encode() for line in notice_lines(notice))
        counted = "1 notice" if len(notices) == 1 else f"{len(notices)} notices"
        out.write(f"no row errors; {counted}\n".encode())
    return 0


def _self_check(options: argparse.Namespace) -> int:
    from evalcore.selfcheck import self_check

    fired = self_check()
    with _destination(None) as out:
        for alert, did in fired.items():
            out.write(f"{'fired' if did else 'SILENT'}  {alert}\n".encode())
    if all(fired.values()):
        return 0
    _say("evalcore: an alert stayed silent; do not trust this installation")
    return 1


def _rate(flag: str, text: str) -> float:
    try:
        # Python would read 0_1 as 1.
        return float(text.replace("_", "no digit"))
    except ValueError:
        name = flag.replace("_", "-")
        raise UsageError(
            f'--{name}: not a number (found "{excerpt(text, 40)}"); give a rate from 0 to 1'
        ) from None


def _job(options: argparse.Namespace) -> "Job | None":
    """Returns the job that applies: the one named, else the one beside the suite."""
    from evalcore.job import find_job, read_job

    if options.job is not None:
        return read_job(Path(options.job))
    if options.suite == "-":
        return None
    job, remark = find_job(Path(options.suite))
    if remark:
        _say(remark)
    return job


def _report(suite: str, job: "Job | None", flags: dict[str, float]) -> "Report":
    from evalcore.errors import SuiteError
    from evalcore.pipeline import grade_suite

    with _opened(suite) as stream, _progress(stream) as progress:
        try:
            return grade_suite(stream, job=job, flags=flags, progress=progress)
        except SuiteError as error:
            faults = f"{error.total} row error{'' if error.total == 1 else 's'}"
            raise HeadroomError(
                f"{excerpt(suite, 200)}: {faults}, so nothing was graded\n{error}"
            ) from None


@contextmanager
def _opened(suite: str) -> Iterator[BinaryIO]:
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
def _progress(stream: BinaryIO) -> Iterator[Callable[[int], None] | None]:
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


def _refuse_overwriting(options: argparse.Namespace) -> None:
    if options.output is None:
        return
    output = Path(options.output)
    if output.is_dir():
        raise UsageError(f"--output {excerpt(options.output, 200)}: a folder; name a file in it")
    if output.is_file() and any(map(output.samefile, _read_files(options))):
        raise UsageError(
            f"--output {excerpt(options.output, 200)}: that is the suite or its job; "
            "name another file"
        )


def _read_files(options: argparse.Namespace) -> Iterator[Path]:
    """Yields the files that decide the verdict: the suite, and any job named or beside it."""
    from evalcore.job import JOB_FILE

    suite = Path("/dev/stdin" if options.suite == "-" else options.suite)
    for path in (suite, Path(options.suite).parent / JOB_FILE, Path(options.job or os.devnull)):
        if path.exists():
            yield path


@contextmanager
def _destination(output: str | None) -> Iterator[BinaryIO]:
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


def _say(text: str) -> None:
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


def _reason(error: OSError) -> str:
    name = excerpt(str(error.filename), 200) if error.filename is not None else "input or output"
    return f"{name}: {error.strerror or type(error).__name__}; check the path and its permissions"
