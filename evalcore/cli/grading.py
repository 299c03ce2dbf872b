"""The commands that grade: `grade`, `check` and `self-check`."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.cli.options import EPILOG, Commands, Parser
from evalcore.cli.streams import destination, opened, progress, say
from evalcore.errors import HeadroomError, UsageError
from evalcore.excerpt import excerpt

if TYPE_CHECKING:
    from evalcore.job import Job
    from evalcore.recording import Recording
    from evalcore.report import Report
    from evalcore.stamp import Stamp

_FLAGS = {"easy_floor": "1.0", "medium_floor": "0.85", "stretch_high": "0.80"}


def add_commands(commands: Commands) -> None:
    """Adds the commands that grade."""
    _add_grade(commands)
    check = commands.add_parser("check", help="show row errors and notices, without a verdict")
    _add_suite(check)
    check.set_defaults(run=_check)
    self_check = commands.add_parser(
        "self-check", help="raise every alert on small built-in suites", epilog=EPILOG
    )
    self_check.set_defaults(run=_self_check)


def _add_suite(parser: Parser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="the JSONL of golden cases, or - for stdin")
    parser.add_argument("--job", metavar="F", help="the job file; else evalcore.toml beside SUITE")


def _add_grade(commands: Commands) -> None:
    grade = commands.add_parser("grade", help="grade recorded completions", epilog=EPILOG)
    _add_suite(grade)
    for flag, proposal in _FLAGS.items():
        grade.add_argument(
            f"--{flag.replace('_', '-')}",
            metavar="X",
            help=f"a rate from 0 to 1 (proposed: {proposal}); beside a job it only adds alerts",
        )
    grade.add_argument("--format", choices=("json", "text"), default="json")
    grade.add_argument("--output", metavar="F", help="write the report there, whole or not at all")
    kept = grade.add_argument_group("the history")
    kept.add_argument("--save", action="store_true", help="keep the run in the history too")
    kept.add_argument("--config", metavar="NAME", help="what was graded, in a few words")
    kept.add_argument(
        "--suite-name", metavar="NAME", help="what the suite is called; else its file's name"
    )
    kept.add_argument("--model", metavar="NAME", help="the model asked for")
    kept.add_argument("--note", metavar="TEXT", help="words for people")
    kept.add_argument(
        "--again", action="store_true", help="keep the same bytes once more, as a repeat"
    )
    grade.set_defaults(run=_grade)


def _grade(options: argparse.Namespace) -> int:
    given = {flag: getattr(options, flag) for flag in _FLAGS}
    flags = {flag: _rate(flag, text) for flag, text in given.items() if text is not None}
    _refuse_overwriting(options)
    stamp = _stamp(options)
    recording = None
    if stamp:
        from evalcore.recording import Recording

        recording = Recording()
    report = _report(options.suite, _job(options), flags, recording)
    with destination(options.output) as out:
        if options.format == "text":
            from evalcore.terminal import write_report

            write_report(report, out, sys.stdout.encoding if options.output is None else "utf-8")
        else:
            report.write(out)
    if options.format == "json":
        from evalcore.wording import report_lines

        for line in report_lines(report):
            say(line)
    if stamp and recording:
        from evalcore.cli.history import keep

        keep(recording, report, stamp, again=options.again)
    return report.exit_code


def _stamp(options: argparse.Namespace) -> "Stamp | None":
    """Returns what the history shall know of the run beside its grades; None without --save."""
    if not options.save:
        for name in ("config", "suite_name", "model", "note", "again"):
            if getattr(options, name):
                flag = f"--{name.replace('_', '-')}"
                raise UsageError(f"{flag} speaks of the history; add --save, or leave it out")
        return None
    if options.config is None:
        raise UsageError("--save asks what was graded; add --config NAME")
    from evalcore.database import history_url
    from evalcore.stamp import Stamp

    history_url(os.environ)  # says now what would else be said after all the grading
    return Stamp(
        config=options.config,
        suite=options.suite_name or _name_of(options.suite),
        source="command line",
        model=options.model or "",
        note=options.note or "",
    )


def _name_of(suite: str) -> str:
    return "standard input" if suite == "-" else Path(suite).stem


def _check(options: argparse.Namespace) -> int:
    from evalcore.wording import notice_lines

    notices = _report(options.suite, _job(options), {}).notices
    with destination() as out:
        for notice in notices:
            out.writelines(f"{line}\n".encode() for line in notice_lines(notice))
        counted = "1 notice" if len(notices) == 1 else f"{len(notices)} notices"
        out.write(f"no row errors; {counted}\n".encode())
    return 0


def _self_check(options: argparse.Namespace) -> int:
    from evalcore.selfcheck import self_check

    fired = self_check()
    with destination() as out:
        for alert, did in fired.items():
            out.write(f"{'fired' if did else 'SILENT'}  {alert}\n".encode())
    if all(fired.values()):
        return 0
    say("evalcore: an alert stayed silent; do not trust this installation")
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
        say(remark)
    return job


def _report(
    suite: str,
    job: "Job | None",
    flags: dict[str, float],
    recording: "Recording | None" = None,
) -> "Report":
    from evalcore.errors import SuiteError
    from evalcore.pipeline import grade_suite

    with opened(suite) as stream, progress(stream) as update:
        try:
            return grade_suite(stream, job=job, flags=flags, progress=update, recording=recording)
        except SuiteError as error:
            raise HeadroomError(
                f"{excerpt(suite, 200)}: {error.count}, so nothing was graded\n{error}"
            ) from None


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
