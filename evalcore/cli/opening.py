"""What commands of the history share: how it is opened, and in which form an answer is given."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from evalcore.cli.options import Parser
from evalcore.cli.streams import destination
from evalcore.errors import HistoryError

if TYPE_CHECKING:
    from evalcore.store import History

WHERE = """\
The history is .evalcore/history.db, or where the environment's EVAL_HISTORY_URL says: a file, or
postgresql://USER:PASSWORD@HOST/NAME."""
RUN = "the number of a run, as `evalcore history` lists it"


def open_history(*, begin: bool = False) -> "History":
    """Opens the history; only a command that adds to it begins a new one."""
    from evalcore.database import exists, history_url, shown
    from evalcore.store import History

    url = history_url(os.environ)
    if not begin and not exists(url):
        raise HistoryError(
            f"no history at {shown(url)} yet; `evalcore grade SUITE --save --config NAME` begins "
            "one, and EVAL_HISTORY_URL names another"
        )
    return History(url)


def add_format(parser: Parser) -> None:
    """Adds the choice between JSON and text."""
    parser.add_argument(
        "--format",
        choices=("json", "text"),
        help="text on a terminal, JSON elsewhere, unless given",
    )


def wants_text(options: argparse.Namespace) -> bool:
    """Tells whether text is asked for."""
    if options.format is None:
        return sys.stdout is not None and sys.stdout.isatty()
    return bool(options.format == "text")


def write_json(value: object) -> None:
    """Writes JSON to standard output, with nothing in it that a terminal would obey."""
    import msgspec

    from evalcore.report import tamed

    with destination() as out:
        out.write(tamed(msgspec.json.format(msgspec.json.encode(value), indent=2)) + b"\n")
