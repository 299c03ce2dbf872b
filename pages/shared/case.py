"""One case in one run: what was asked, what came back, and what grading says of it."""

from collections.abc import Iterable, Iterator, Mapping

from evalcore.run import Outcome, Run
from evalcore.store import History, KeptCase
from pages.shared.completion import completion, legend
from pages.shared.markup import Html, element, prose, show, text

STRIP_RUNS = 60
PROMPT_CHARS = 5_000
_SIGNS: dict[Outcome, str] = {"passed": "●", "failed": "▲", "unanswered": "○"}
_STYLES: dict[Outcome, str] = {"passed": "ok", "failed": "alarm", "unanswered": "refused"}


def draw(history: History, run: Run, case_id: str) -> None:
    """Shows the case with its outcomes over the runs of its job."""
    kept = history.case(run.id, case_id)
    of_job = [other for other in history.runs() if other.yardstick == run.yardstick]
    show(
        element("h3", element("code", text(case_id)), text(f" in run {run.id}")),
        *outcome(kept),
        *asked(kept),
        *answered(kept),
        *strip(outcomes(history, run, of_job, case_id), run),
    )


def outcome(kept: KeptCase) -> Iterator[Html]:
    """Yields the outcome with its reasons."""
    yield element(
        "p",
        element(
            "span", text(f"{_SIGNS[kept.outcome]} {kept.outcome}"), style=_STYLES[kept.outcome]
        ),
        text(f" · {kept.case.stratum}"),
        *([text(f" · {', '.join(kept.case.tags)}")] if kept.case.tags else []),
    )
    reasons = [reason.text for reason in kept.explanation.reasons]
    if kept.explanation.cause:
        reasons.append(f"no answer: {kept.explanation.cause}")
    if reasons:
        yield element("ul", *(element("li", text(reason)) for reason in reasons))
    if kept.case.note:
        yield element("p", text(f"Note: {kept.case.note}"), style="quiet")


def asked(kept: KeptCase) -> Iterator[Html]:
    """Yields the prompt."""
    yield element("h4", text("Prompt"))
    yield element("div", prose(kept.case.prompt, PROMPT_CHARS), style="completion")


def answered(kept: KeptCase, part: int = 1) -> Iterator[Html]:
    """Yields a part of the completion, marked, with its length against the budget."""
    length = len(kept.case.completion or "")
    yield element("h4", text("Completion"))
    yield element(
        "p", text(f"{length:,} of at most {kept.case.max_chars:,} characters"), style="quiet"
    )
    yield completion(kept.case, kept.explanation.marks, part)
    yield legend(kept.case, kept.explanation.marks)


def strip(outcomes: Mapping[int, Outcome], run: Run) -> Iterator[Html]:
    """Yields a case's outcomes by run, oldest first, as signs."""
    signs = (
        element(
            "span",
            text(_SIGNS[outcome]),
            style=f"{_STYLES[outcome]}{' here' if run_id == run.id else ''}",
            attributes=f'title="run {run_id}: {outcome}"',
        )
        for run_id, outcome in outcomes.items()
    )
    title = "Its only run" if len(outcomes) == 1 else f"Its last {len(outcomes)} runs, oldest first"
    yield element("h4", text(title))
    yield element("p", *signs, style="outcomes")


def outcomes(history: History, run: Run, runs: Iterable[Run], case_id: str) -> dict[int, Outcome]:
    """Returns the case's outcomes in the newest runs that count and hold it, oldest first.

    The run itself, which holds it, is always among them.
    """
    counting = [other.id for other in runs if other.id == run.id or not other.exclusion]
    found = history.case_outcomes(case_id, counting)
    held = [run_id for run_id in counting if run_id in found]
    newest = held[-STRIP_RUNS:]
    if run.id not in newest:  # an old run is looked at with what came before it
        newest = held[: held.index(run.id) + 1][-STRIP_RUNS:]
    return {run_id: found[run_id] for run_id in newest}
