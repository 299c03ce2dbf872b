"""What can go wrong, as one short tree; every message says what, where and the way out."""

from collections.abc import Sequence

import msgspec

from evalcore.excerpt import excerpt

MAX_REMARKS = 50
MAX_PROBLEMS = 50


def problems_of(where: str, problems: Sequence[str]) -> str:
    """Says what is wrong with a file: one problem on one line, several on a line each."""
    file = excerpt(where, 200)
    if len(problems) == 1:
        return f"{file}: {problems[0]}"
    shown = problems[:MAX_PROBLEMS]
    count = f"{len(shown)}" if len(shown) == len(problems) else f"more than {len(shown)}"
    return "\n".join([f"{file}: {count} problems", *shown])


class HeadroomError(Exception):
    """Says in plain words what could not be done, where, and what to do."""


class UsageError(HeadroomError):
    """Says that a command, flag or argument cannot be followed as given."""


class HistoryError(HeadroomError):
    """Says why the history of runs cannot be read or written."""


class NotInHistoryError(HistoryError):
    """Says that the history has no such run, or a run no such case."""


class JobError(HeadroomError):
    """Says why a job file cannot be used."""


class JournalError(HeadroomError):
    """Says why entries of another history's journal cannot be taken in."""


class ArchiveError(HeadroomError):
    """Says why recorded suites of the past cannot be told apart by time and config."""


class PatchError(HeadroomError):
    """Says why a suite cannot be changed as it was decided."""


class RowError(msgspec.Struct, frozen=True, kw_only=True):
    """Describes one fault of a suite file as data."""

    line: int
    """Physical line number, from 1."""
    problem: str
    """What is wrong, in a few words."""
    field: str = ""
    """The field it was found in, an item with its place (`must_include[1]`); blank for the row."""
    found: str = ""
    """What stood there, cut to a readable length, with unseen characters spelled out."""
    wanted: str = ""
    """What should stand there, or what to do."""

    @property
    def text(self) -> str:
        """Reads as one line for people."""
        place = f"line {self.line}" + (f", field {self.field}" if self.field else "")
        found = f" (found {self.found})" if self.found else ""
        wanted = f"; {self.wanted}" if self.wanted else ""
        return f"{place}: {self.problem}{found}{wanted}"


class SuiteError(HeadroomError):
    """Says why a suite cannot be graded, with its row errors in the order of their lines.

    `errors` holds at most 50 row errors and `total` counts all of them; `remarks` says what is odd
    beside them, in at most 50 lines and a count of the rest.
    """

    def __init__(
        self, errors: tuple[RowError, ...], total: int, remarks: tuple[str, ...] = ()
    ) -> None:
        """Keeps the row errors and renders them one a line."""
        self.errors = errors
        self.total = total
        if len(remarks) > MAX_REMARKS:
            rest = len(remarks) - MAX_REMARKS
            remarks = (*remarks[:MAX_REMARKS], f"and {rest} more remarks")
        self.remarks = remarks
        lines = [error.text for error in errors]
        if total > len(errors):
            lines.append(f"and {total - len(errors)} more row errors")
        super().__init__("\n".join([*lines, *remarks]))

    @property
    def count(self) -> str:
        """Says how many row errors there are: "3 row errors"."""
        return f"{self.total} row error{'' if self.total == 1 else 's'}"
