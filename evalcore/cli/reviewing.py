"""The commands of the review: `review list`, `export`, `import` and `decisions`."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.cli.opening import RUN, WHERE, add_format, open_history, wants_text, write_json
from evalcore.cli.options import Commands, Parser, whole_number
from evalcore.cli.streams import destination, opened, say
from evalcore.errors import UsageError
from evalcore.excerpt import excerpt

if TYPE_CHECKING:
    from evalcore.review.ledger import Ledger
    from evalcore.store import History

_STATES = """\
Each case stands there once, as long as its checks and its completion are the same, with the
current verdict of each person. A verdict changes no grade, rate, alert or exit code.

"""


def add_commands(commands: Commands) -> None:
    """Adds the commands of the review."""
    review = commands.add_parser("review", help="what people say of failures", epilog=WHERE)
    parts = review.add_subparsers(prog=review.prog, metavar="COMMAND", required=True)
    listed = parts.add_parser("list", help="list what was judged", epilog=_STATES + WHERE)
    _add_run(listed, "only what holds for the cases of this run")
    add_format(listed)
    listed.set_defaults(run=_list)
    exported = parts.add_parser("export", help="write all entries", epilog=WHERE)
    exported.add_argument(
        "--format",
        choices=("jsonl", "csv"),
        default="jsonl",
        help="jsonl (proposed) loses nothing; csv is safe to open in a spreadsheet",
    )
    _add_output(exported)
    exported.set_defaults(run=_export)
    imported = parts.add_parser("import", help="take in entries of another history", epilog=WHERE)
    imported.add_argument("file", metavar="F", help="what export wrote as JSONL, or - for stdin")
    imported.set_defaults(run=_import)
    decided = parts.add_parser(
        "decisions", help="write the decisions in force, for evalcore patch", epilog=WHERE
    )
    _add_run(decided, "only those on cases of this run, as they were checked there")
    _add_output(decided)
    decided.set_defaults(run=_decisions)


def _add_run(parser: Parser, effect: str) -> None:
    parser.add_argument(
        "--run", metavar="RUN", dest="run_id", type=whole_number, help=f"{effect}: {RUN}"
    )


def _add_output(parser: Parser) -> None:
    parser.add_argument("--output", metavar="F", help="write there, whole or not at all")


def _list(options: argparse.Namespace) -> int:
    from evalcore.review.judged import judged_texts

    history = open_history()
    standings = _ledger(history).judged()
    cases = None
    if options.run_id is not None:
        cases = history.fixtures(options.run_id, {text.case_id for text, _ in standings})
    judged = judged_texts(standings, cases)
    if not judged:
        say(
            "no case was judged yet" if not standings else "no verdict holds for a case of this run"
        )
    if not wants_text(options):
        write_json(judged)
        return 0
    from evalcore.terminal import write_judged

    with destination() as out:
        write_judged(judged, out, sys.stdout.encoding)
    return 0


def _export(options: argparse.Namespace) -> int:
    from evalcore.review.exchange import entries_csv, entries_jsonl

    _refuse_overwriting(options.output)
    entries = [entry for _, entry in open_history().journal.entries()]
    if not entries:
        say("no entries: no case was judged yet")
    with destination(options.output) as out:
        if options.format == "csv":
            out.write(entries_csv(entries))
        else:
            out.writelines(entries_jsonl(entries))
    return 0


def _import(options: argparse.Namespace) -> int:
    from evalcore.review.exchange import read_entries

    with opened(options.file) as stream:
        data = stream.read()
    entries = read_entries(data, "standard input" if options.file == "-" else options.file)
    added = open_history(begin=True).journal.add(entries)
    words = f"{_counted(added.new)} imported"
    if added.known:
        words += f", {added.known} {'was' if added.known == 1 else 'were'} here already"
    say(words)
    return 0


def _decisions(options: argparse.Namespace) -> int:
    from evalcore.patch.decisions import decisions_jsonl
    from evalcore.pipeline import decided_on
    from evalcore.review.exchange import decisions_of

    _refuse_overwriting(options.output)
    history = open_history()
    decided = _ledger(history).decisions()
    if options.run_id is not None:
        decided = decided_on(history, history.run(options.run_id), decided).entries
    if not decided:
        say("no decision is in force")
    with destination(options.output) as out:
        out.write(decisions_jsonl(decisions_of(decided)))
    return 0


def _ledger(history: "History") -> "Ledger":
    from evalcore.review.ledger import Ledger

    ledger = Ledger(history.journal.entries)
    ledger.refresh()
    return ledger


def _counted(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"


def _refuse_overwriting(output: str | None) -> None:
    """Raises a UsageError where the file to be written is the history itself."""
    from evalcore.database import history_url

    url = history_url(os.environ)
    if output is None or url.drivername != "sqlite":
        return
    held = Path(url.database or "")
    if held.exists() and Path(output).exists() and Path(output).samefile(held):
        raise UsageError(f"--output {excerpt(output, 200)}: that is the history; name another file")
