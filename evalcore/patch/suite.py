"""A suite with the decisions of people carried out on its bytes, all of them or none."""

import hashlib
from collections.abc import Sequence
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import BinaryIO

import msgspec

from evalcore.case import Case
from evalcore.decision import Decision, DecisionKind
from evalcore.errors import SuiteError
from evalcore.patch.changes import noted
from evalcore.patch.line import edited
from evalcore.patch.plan import Plan, about, plan_of, refusal
from evalcore.patch.row import checked
from evalcore.suite import SuiteReader

FEWEST_STRETCH = 10
"""A suite with fewer stretch cases should get new ones."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Touched(msgspec.Struct, frozen=True, kw_only=True):
    """Is one line of a suite that a decision has changed."""

    case_id: str
    """The case's id."""
    kind: DecisionKind
    """What was decided."""
    line: int
    """Physical line in the old suite, from 1; of a minted case in the new one."""
    before: bytes
    """The line as it was, with its end; nothing for a minted case."""
    after: bytes
    """The line as it is, with its end; nothing for a retired case."""


class Patched(msgspec.Struct, frozen=True, kw_only=True):
    """Says what decisions have done to a suite."""

    touched: tuple[Touched, ...]
    """The lines that changed in the order of the suite, then the minted ones."""
    kept: tuple[str, ...]
    """The ids of the cases that were decided to stay as they are."""
    overruled: tuple[Decision, ...]
    """The decisions that a newer one on the same case has replaced."""
    lines: int
    """How many physical lines the old suite has."""
    stretch_before: int
    """How many stretch cases the suite had."""
    stretch_after: int
    """How many it has now."""

    @property
    def stretch_words(self) -> str:
        """Says that too few stretch cases are left; blank where there are enough."""
        left = self.stretch_after
        if left >= FEWEST_STRETCH:
            return ""
        if left == 0:
            return "leaves no stretch cases; mint new ones"
        cases = f"{left} stretch case{'' if left == 1 else 's'}"
        return f"leaves {cases}, fewer than {FEWEST_STRETCH}; mint new ones"


def patch_suite(source: BinaryIO, decisions: Sequence[Decision], out: BinaryIO) -> Patched:
    """Writes a suite in which only the lines that were decided on differ.

    Of several decisions on one case the newest holds, the later in the list where they are of the
    same time. A changed row says in its note who decided what, when and why. A retired case's
    line is taken out whole (with the byte order mark, where it stands on that line). Minted cases
    come last, with the suite's line end; where its last line has none, that line gets one.

    Args:
        source: the suite, seekable, from where it stands; read in constant memory but for the
            lines that change.
        decisions: what shall be done; their times have a zone.
        out: takes the new suite, once it is known to be good.

    Raises:
        SuiteError: the suite has row errors.
        PatchError: at least one decision cannot be carried out; one message with every problem.
    """
    start = source.tell()
    plan = plan_of(source, decisions)
    source.seek(start)
    with TemporaryFile() as draft:
        touched, lines = _rewritten(source, plan, draft)
        stretch = _stretch_cases(draft)
        draft.seek(0)
        copyfileobj(draft, out)
    return Patched(
        touched=touched,
        kept=plan.kept,
        overruled=plan.overruled,
        lines=lines,
        stretch_before=plan.stretch,
        stretch_after=stretch,
    )


def _rewritten(source: BinaryIO, plan: Plan, file: BinaryIO) -> tuple[tuple[Touched, ...], int]:
    """Writes the new suite and returns what changed, and the number of the old lines."""
    draft = _Draft(file)
    digest = hashlib.sha256()
    number = 0
    for number, line in enumerate(source, start=1):
        digest.update(line)
        if number in plan.edits:
            draft.edit(line, *plan.edits[number])
        else:
            draft.keep(line)
    for decision in plan.minted:
        draft.mint(decision)
    if digest.hexdigest() != plan.sha256:
        raise refusal(["the suite was changed while it was read; try again"])
    if draft.problems:
        raise refusal(draft.problems)
    return tuple(draft.touched), number


class _Draft:
    """Is a new suite in the making, with what changes in it and what is wrong with that."""

    def __init__(self, file: BinaryIO) -> None:
        self.touched: list[Touched] = []
        self.problems: list[str] = []
        self._file = file
        self._lines = 0
        self._end = b"\n"
        self._is_open = False  # whether the last line still lacks its end

    def keep(self, line: bytes) -> None:
        """Takes a line of the old suite over."""
        self._take_end(line)
        self._write(line)

    def edit(self, line: bytes, case: Case, decision: Decision) -> None:
        """Takes a line over as it was decided; nothing of a retired case."""
        self._take_end(line)
        after = b""
        if decision.change.kind != "retire":
            fields = decision.change.fields
            note = noted(fields.get("note", case.note), decision)
            after = edited(line, {**fields, "note": note})
            bare = after.removeprefix(_BYTE_ORDER_MARK) if case.line == 1 else after
            self._check(bare, case.line, decision)
            self._write(after)
        self._touch(decision, case.line, line, after)

    def mint(self, decision: Decision) -> None:
        """Adds a new case, and its end to a last line that has none."""
        fields = decision.change.fields
        row = edited(b"{}", {**fields, "note": noted(fields.get("note"), decision)})
        if self._is_open:
            self._file.write(self._end)
        self._write(row + self._end)
        self._check(row, self._lines, decision)
        self._touch(decision, self._lines, b"", row + self._end)

    def _take_end(self, line: bytes) -> None:
        if line.endswith(b"\n"):
            self._end = b"\r\n" if line.endswith(b"\r\n") else b"\n"

    def _write(self, line: bytes) -> None:
        self._lines += 1
        self._is_open = not line.endswith(b"\n")
        self._file.write(line)

    def _check(self, row: bytes, number: int, decision: Decision) -> None:
        found = checked(row, number)
        if isinstance(found, tuple):
            self.problems += [about(decision, f"the new row, {error.text}") for error in found]

    def _touch(self, decision: Decision, line: int, before: bytes, after: bytes) -> None:
        one = Touched(
            case_id=decision.case_id,
            kind=decision.change.kind,
            line=line,
            before=before,
            after=after,
        )
        self.touched.append(one)


def _stretch_cases(draft: BinaryIO) -> int:
    """Reads the new suite as any other, and counts its stretch cases."""
    draft.seek(0)
    try:
        return sum(case.stratum == "stretch" for case in SuiteReader(draft))
    except SuiteError as error:
        raise refusal([f"the suite would have {error.count}; {error}"]) from error
