"""How options are read: in full only, and a usage error is exit code 1."""

import argparse
from typing import Any, NoReturn, TypeAlias

from evalcore.errors import UsageError
from evalcore.excerpt import excerpt

EPILOG = """\
exit codes: 0 graded, no alert (not "the product is finished"); 2 graded, at least one alert, be it
a regression or a ceiling; 1 could not be judged. The report goes to standard output, words for
people to standard error. No safety certificate: string checks do not measure harm or tone."""


class Parser(argparse.ArgumentParser):
    """Takes options in full only, and raises where argparse exits with 2, which means alerts."""

    def __init__(self, **settings: Any) -> None:
        """Takes what argparse takes."""
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Raises the usage error."""
        raise UsageError(f"{excerpt(message, 300)}; see {self.prog} --help")


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
"""What the parsers of single commands are added to."""


def whole_number(text: str) -> int:
    """Reads the number of a run, in plain digits."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise argparse.ArgumentTypeError(f'"{excerpt(text, 40)}" is no number of a run')
    return int(text)
