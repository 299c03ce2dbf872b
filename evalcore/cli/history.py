"""The commands of the history: `history`, `history import`, `show`, `compare` and `exclude`."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.cli.opening import RUN, WHERE, add_format, open_history, wants_text, write_json
from evalcore.cli.options import Commands, whole_number
from evalcore.cli.streams import destination, say
from evalcore.errors import UsageError
from evalcore.excerpt import excerpt

if TYPE_CHECKING:
    from evalcore.archive import Entry
    from evalcore.recording import Recording
    from evalcore.report import Report
    from evalcore.stamp import Stamp


def add_commands(commands: Commands) -> None:
    """Adds the commands of the history."""
    _add_history(commands)
    show = commands.add_parser("show", help="show a run's report again", epilog=WHERE)
    show.add_argument("run_id", metavar="RUN", type=whole_number, help=RUN)
    add_format(show)
    show.set_defaults(run=_show)
    compare = commands.add_parser("compare", help="say what changed between runs", epilog=WHERE)
    compare.add_argument("baseline", metavar="A", type=whole_number, help=RUN)
    compare.add_argument("run_id", metavar="B", type=whole_number, help=RUN)
    add_format(compare)
    compare.set_defaults(run=_compare)
    exclude = commands.add_parser("exclude", help="leave a run out of trends", epilog=WHERE)
    exclude.add_argument("run_id", metavar="RUN", type=whole_number, help=RUN)
    exclude.add_argument("--why", metavar="TEXT", default="", help="the reason, for the others")
    exclude.add_argument("--who", metavar="NAME", help="who says so; else the system's user")
    exclude.add_argument("--undo", action="store_true", help="let the run count again")
    exclude.set_defaults(run=_exclude)


def _add_history(commands: Commands) -> None:
    history = commands.add_parser("history", help="list the runs", epilog=WHERE)
    history.add_argument(
        "--job", metavar="J", dest="only", help="only runs of this job, or of this suite"
    )
    add_format(history)
    history.set_defaults(run=_list)
    past = history.add_subparsers(prog=history.prog, metavar="").add_parser(
        "import", help="make a team's recorded suites a history", epilog=WHERE
    )
    past.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="suites named like 2024-08-06_gpt-4o.jsonl, or a CSV with the columns file, date, "
        "config and, if wanted, model and note",
    )
    past.add_argument("--job", metavar="F", help="their job file; else evalcore.toml beside each")
    past.add_argument(
        "--suite-name", metavar="NAME", default="", help="their name; else that of their folder"
    )
    past.add_argument("--again", action="store_true", help="keep the same bytes as repeats")
    past.set_defaults(run=_import)


def keep(recording: "Recording", report: "Report", stamp: "Stamp", *, again: bool) -> None:
    """Keeps a graded suite and says where it went."""
    saved = open_history(begin=True).save(recording, report, stamp, again=again)
    if saved.new:
        say(f"saved as run {saved.run_id}")
        return
    verdict = "" if saved.judged_alike else ", judged by other thresholds: that verdict stands"
    say(f"in the history already as run {saved.run_id}{verdict}; --again keeps a copy beside it")


def _list(options: argparse.Namespace) -> int:
    every = open_history().runs()
    runs = [run for run in every if options.only in (None, run.yardstick)]
    if every and not runs:
        names = ", ".join(sorted({excerpt(run.yardstick) for run in every}))
        say(f'no run of a job or suite "{excerpt(options.only)}"; there are: {names}')
    if wants_text(options):
        from evalcore.terminal import write_history

        with destination() as out:
            write_history(runs, out, sys.stdout.encoding)
    else:
        write_json(runs)
    return 0


def _show(options: argparse.Namespace) -> int:
    history = open_history()
    report = history.report(options.run_id)
    with destination() as out:
        if not wants_text(options):
            out.write(report)
            return 0
        from evalcore.report import read_report
        from evalcore.terminal import write_report

        head = history.run(options.run_id).line
        write_report(read_report(report), out, sys.stdout.encoding, head)
    return 0


def _compare(options: argparse.Namespace) -> int:
    from evalcore.pipeline import compare_runs

    comparison = compare_runs(open_history(), options.baseline, options.run_id)
    if not wants_text(options):
        write_json(comparison)
        return 0
    from evalcore.compare import compare_lines

    with destination() as out:
        out.writelines(f"{line}\n".encode() for line in compare_lines(comparison))
    return 0


def _exclude(options: argparse.Namespace) -> int:
    history = open_history()
    who = options.who or _user()
    if options.undo:
        history.include(options.run_id, who=who, why=options.why)
        say(f"run {options.run_id} counts again")
    else:
        history.exclude(options.run_id, who=who, why=options.why)
        say(f"run {options.run_id} no longer counts in trends; --undo takes it back")
    return 0


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container need not know who runs it
        raise UsageError("the system has no name for this user; add --who NAME") from None


def _import(options: argparse.Namespace) -> int:
    from evalcore.job import read_job
    from evalcore.pipeline import import_past

    if options.only is not None or options.format is not None:
        raise UsageError("options of import stand behind the word import; the list has its own")
    job = read_job(Path(options.job)) if options.job else None
    entries = _entries(map(Path, options.files))
    code = 0
    for one in import_past(
        open_history(begin=True),
        entries,
        source="import",
        job=job,
        suite=options.suite_name,
        again=options.again,
    ):
        name = excerpt(str(one.entry.path), 200)
        if one.remark:
            say(one.remark)
        if one.saved is None:
            code = 1
            say(f"{name}: not imported: {one.refusal}")
        elif one.saved.new:
            say(f"{name}: run {one.saved.run_id}")
        else:
            say(f"{name}: in the history already as run {one.saved.run_id}")
    return code


def _entries(paths: Iterable[Path]) -> "list[Entry]":
    """Returns what to import, or raises one error with all that is wrong with the names."""
    from evalcore.archive import entry_of, read_index
    from evalcore.errors import ArchiveError

    entries: list[Entry] = []
    faults: list[str] = []
    for path in paths:
        try:
            entries += read_index(path) if path.suffix.lower() == ".csv" else [entry_of(path)]
        except ArchiveError as error:
            faults.append(str(error))
    if faults:
        raise ArchiveError("\n".join(faults))
    return entries
