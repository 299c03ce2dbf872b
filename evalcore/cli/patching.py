"""The command that carries decisions out on a suite: `patch`."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from evalcore.cli.options import Commands
from evalcore.cli.streams import destination, opened, say
from evalcore.errors import HeadroomError, UsageError
from evalcore.excerpt import excerpt

if TYPE_CHECKING:
    from evalcore.decision import Decision
    from evalcore.patch import Patched

_EXIT_CODES = """\
All decisions are carried out or none; every other line stays byte for byte. Exit codes: 0 done;
1 nothing was changed."""


def add_commands(commands: Commands) -> None:
    """Adds the command that patches."""
    patch = commands.add_parser(
        "patch", help="carry decisions on cases out in a suite", epilog=_EXIT_CODES
    )
    patch.add_argument("suite", metavar="SUITE", help="the JSONL of golden cases, or - for stdin")
    patch.add_argument(
        "--decisions",
        metavar="F",
        required=True,
        help="the JSONL of decisions, one a line, or - for stdin",
    )
    patch.add_argument("--in-place", action="store_true", help="replace SUITE, whole or not at all")
    patch.add_argument("--output", metavar="F", help="write there, whole or not at all")
    patch.add_argument("--diff", action="store_true", help="write a unified diff, not the suite")
    patch.set_defaults(run=_patch)


def _patch(options: argparse.Namespace) -> int:
    _refuse_contradictions(options)
    _refuse_overwriting(options)
    from shutil import copyfileobj
    from tempfile import TemporaryFile

    from evalcore.patch import unified_diff

    decisions = _decisions(options.decisions)
    with opened(options.suite) as source, TemporaryFile() as new:
        start = source.tell()
        patched = _patched(options.suite, source, decisions, new)
        source.seek(start)
        new.seek(0)
        with destination(options.suite if options.in_place else options.output) as out:
            if options.diff:
                out.writelines(unified_diff(source, patched, _name_in_diff(options.suite)))
            else:
                copyfileobj(new, out)
    for line in _lines(patched):
        say(line)
    return 0


def _refuse_contradictions(options: argparse.Namespace) -> None:
    if options.suite == "-" and options.decisions == "-":
        raise UsageError("SUITE and --decisions cannot both be standard input; name a file")
    if not options.in_place:
        return
    if options.output is not None:
        raise UsageError("--in-place and --output name two places; give one of them")
    if options.diff:
        raise UsageError("--diff shows what would change and --in-place changes it; give one")
    if options.suite == "-":
        raise UsageError("--in-place replaces a file and standard input is none; name the file")
    suite = Path(options.suite)
    if suite.exists() and not suite.is_file():
        name = excerpt(options.suite, 200)
        raise UsageError(f"--in-place replaces a file and {name} is none; name the file")


def _refuse_overwriting(options: argparse.Namespace) -> None:
    if options.output is None:
        return
    output = Path(options.output)
    name = f"--output {excerpt(options.output, 200)}"
    if output.is_dir():
        raise UsageError(f"{name}: a folder; name a file in it")
    read = [Path("/dev/stdin" if one == "-" else one) for one in (options.suite, options.decisions)]
    if output.is_file() and any(output.samefile(path) for path in read if path.exists()):
        raise UsageError(
            f"{name}: that is the suite or the decisions; name another file, or use --in-place"
        )


def _decisions(name: str) -> "list[Decision]":
    from evalcore.patch import MAX_DECISIONS_BYTES, read_decisions

    with opened(name) as stream:
        return read_decisions(stream.read(MAX_DECISIONS_BYTES + 1), name)


def _patched(suite: str, source: BinaryIO, decisions: "list[Decision]", out: BinaryIO) -> "Patched":
    from evalcore.errors import SuiteError
    from evalcore.patch import patch_suite

    try:
        return patch_suite(source, decisions, out)
    except SuiteError as error:
        raise HeadroomError(
            f"{excerpt(suite, 200)}: {error.count}, so nothing was changed\n{error}"
        ) from None


def _name_in_diff(suite: str) -> str:
    """Returns the suite's path from the folder where a diff would be applied: this one."""
    if suite == "-":
        return "suite.jsonl"
    path = Path(os.path.relpath(suite))
    return path.name if ".." in path.parts else path.as_posix()


def _lines(patched: "Patched") -> Iterator[str]:
    """Yields what was done, a line a case."""
    from evalcore.patch import DONE

    for one in patched.touched:
        place = f"as line {one.line}" if one.kind == "mint" else f"(line {one.line})"
        yield f'"{excerpt(one.case_id)}": {DONE[one.kind]} {place}'
    for case_id in patched.kept:
        yield f'"{excerpt(case_id)}": {DONE["keep"]}'
    for decision in patched.overruled:
        named = f'"{excerpt(decision.case_id)}": {decision.change.kind} by {excerpt(decision.who)}'
        yield f"{named} is left out; a newer decision holds"
    if not patched.touched:
        yield "nothing to change"
    if patched.stretch_words:
        yield patched.stretch_words
