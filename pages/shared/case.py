"""One case in one run: what was asked, what came back, and what grading says of it."""

from collections.abc import Iterator

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
    show(
        element("h3", element("code", text(case_id)), text(f" in run {run.id}")),
        *outcome(kept),
        *asked(kept),
        *answered(kept),
        *strip(history, run, case_id),
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


def answered(kept: KeptCase) -> Iterator[Html]:
    """Yields the completion, marked, with its length against the budget."""
    length = len(kept.case.completion or "")
    yield element("h4", text("Completion"))
    yield element(
        "p", text(f"{length:,} of at most {kept.case.max_chars:,} characters"), style="quiet"
    )
    yield completion(kept.case, kept.explanation.marks)
    yield legend(kept.case, kept.explanation.marks)


def strip(history: History, run: Run, case_id: str) -> Iterator[Html]:
    """Yields the outcomes of this case in the newest runs of the job, oldest first."""
    runs = [
        other
        for other in history.runs()
        if other.yardstick == run.yardstick and (other.id == run.id or not other.exclusion)
    ]
    outcomes = history.case_outcomes(case_id, [other.id for other in runs])
    newest = [other for other in runs if other.id in outcomes][-STRIP_RUNS:]
    signs = (
        element(
            "span",
            text(_SIGNS[outcomes[other.id]]),
            style=f"{_STYLES[outcomes[other.id]]}{' here' if other.id == run.id else ''}",
            attributes=f'title="run {other.id}: {outcomes[other.id]}"',
        )
        for other in newest
    )
    title = "Its only run" if len(newest) == 1 else f"Its last {len(newest)} runs, oldest first"
    yield element("h4", text(title))
    yield element("p", *signs, style="outcomes")
