"""The command line: parses, calls one library function, prints, exits.

Exit codes are 0, 2 and 1 and nothing else: no alert; at least one alert; could not be judged.
"""

from collections.abc import Sequence

from evalcore import __version__
from evalcore.cli import grading, history, patching, reviewing
from evalcore.cli.options import EPILOG, Parser
from evalcore.cli.streams import reason, say
from evalcore.errors import HeadroomError
from evalcore.excerpt import excerpt


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0, 2 or 1."""
    try:
        options = _parser().parse_args(arguments)
        code: int = options.run(options)
    except HeadroomError as error:
        say(f"evalcore: {error}")
    except KeyboardInterrupt:
        say("evalcore: stopped before there was a verdict")
    except OSError as error:
        say(f"evalcore: {reason(error)}")
    except Exception as error:
        name = type(error).__name__
        say(f"evalcore: a fault of this program ({name}: {excerpt(str(error))}); please report it")
    else:
        return code
    return 1


def _parser() -> Parser:
    parser = Parser(
        prog="evalcore",
        description="Grades a suite of golden cases on three instruments that can still alarm.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"evalcore {__version__}")
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND", required=True)
    grading.add_commands(commands)
    history.add_commands(commands)
    patching.add_commands(commands)
    reviewing.add_commands(commands)
    return parser
