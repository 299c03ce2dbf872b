"""An edited case on the completions of past runs: what would they have given?"""

from collections.abc import Iterable

import msgspec

from evalcore.case import Case
from evalcore.grading import grade_case


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Is what one run recorded of a case."""

    completion: str | None
    """The recorded completion; None where none was recorded."""
    prompt: str
    """The prompt that it answers."""
    passed: bool
    """Whether the case passed then."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """Counts what an edited case gives on stored completions."""

    n: int
    """How many runs were compared."""
    would_fail: int
    """How many of them fail the edited case."""
    failed: int
    """How many of them failed as recorded."""
    other_prompt: int
    """How many runs answer another prompt; they are in no other count."""

    @property
    def words(self) -> str:
        """Says it: "with this change 3 of the last 10 runs would have failed"."""
        if self.other_prompt == 0:
            return self._own_words
        others = "1 run answers" if self.other_prompt == 1 else f"{self.other_prompt} runs answer"
        return f"{self._own_words}; {others} another prompt"

    @property
    def _own_words(self) -> str:
        if self.n == 0:
            return "no stored completion answers this prompt"
        if self.n == 1:
            verb = "failed" if self.would_fail else "passed"
            return f"with this change the last run would have {verb}"
        count = self.would_fail or "none"
        return f"with this change {count} of the last {self.n} runs would have failed"


def replayed(case: Case, answers: Iterable[Answer]) -> Replay:
    """Grades an edited case on the completions that answer its prompt."""
    n = would_fail = failed = other_prompt = 0
    for answer in answers:
        if answer.prompt != case.prompt:
            other_prompt += 1
            continue
        n += 1
        failed += not answer.passed
        grade = grade_case(msgspec.structs.replace(case, completion=answer.completion))
        would_fail += not grade.passed
    return Replay(n=n, would_fail=would_fail, failed=failed, other_prompt=other_prompt)
