"""The case in front: what was asked and answered, how it went before, and what people said."""

from collections.abc import Iterator

import streamlit as st

from evalcore.entry import Entry
from evalcore.excerpt import excerpt
from pages.failures import verdicts
from pages.failures.judging import key_of_text
from pages.failures.view import Desk, Front
from pages.failures.words import VERDICT_WORDS
from pages.shared import address, case
from pages.shared.completion import parts
from pages.shared.difference import difference
from pages.shared.markup import Html, alert, element, prose, show, text


def draw_head(desk: Desk, front: Front) -> None:
    """Says which case is in front and how it was graded."""
    kept, case_id = front.kept, front.text.case_id
    verdicts.bring_to_front(front.text)
    with st.container(horizontal=True, vertical_alignment="center", key="review-head"):
        show(element("h3", element("code", text(case_id))))
        where = {address.RUN: str(desk.run.id), address.CASE: case_id}
        st.page_link(address.FAILURES, label="Link to this case", query_params=where)
    show(*case.outcome(kept), *_standing(desk, front))


def draw_text(front: Front) -> None:
    """Shows what was asked and answered, a long answer in parts."""
    kept, count = front.kept, parts(front.kept.case)
    show(*case.asked(kept))
    if count < 2:
        show(*case.answered(kept))
        return
    place = st.empty()
    key = key_of_text("part", front.text)
    part = st.pagination(count, key=key, max_visible_pages=7)
    with place:
        show(*case.answered(kept, part))


def draw_past(desk: Desk, front: Front) -> None:
    """Shows how the case went before, and what people said of it."""
    outcomes = case.outcomes(desk.history, desk.run, desk.of_job, front.text.case_id)
    show(
        *_change(desk, front, list(outcomes)),
        *case.strip(outcomes, desk.run),
        *_earlier(desk, front),
    )


def _standing(desk: Desk, front: Front) -> Iterator[Html]:
    """Says what others think, once the reviewer has judged, and only that they do before."""
    standing = front.standing
    others = [entry for who, entry in standing.verdicts.items() if who != desk.who]
    if desk.who not in standing.verdicts:
        if others:
            words = "Somebody else has judged this; you see how once you have."
            yield element("p", text(words), style="quiet")
        return
    if standing.settlement:
        yield alert(f"Settled: {_said(standing.settlement)}")
    elif standing.disagreement:
        lines = "\n".join(map(_said, [standing.verdicts[desk.who], *others]))
        yield alert(f"Reviewers disagree.\n{lines}")


def _said(entry: Entry) -> str:
    note = f": {excerpt(entry.note, 300)}" if entry.note else ""
    verdict = VERDICT_WORDS[entry.verdict] if entry.verdict else ""
    return f"{entry.who}, {entry.at:%Y-%m-%d %H:%M} UTC, {verdict}{note}"


def _change(desk: Desk, front: Front, run_ids: list[int]) -> Iterator[Html]:
    """Yields what has changed in the completion since the last run that holds the case."""
    earlier = run_ids[: run_ids.index(desk.run.id)] if desk.run.id in run_ids else []
    if not earlier:
        return
    before = desk.history.case(earlier[-1], front.text.case_id)
    title = f"What changed in the completion since run {earlier[-1]}"
    old, new = before.case.completion or "", front.kept.case.completion or ""
    yield from difference(title, old, new, folding=True)


def _earlier(desk: Desk, front: Front) -> Iterator[Html]:
    """Yields what people have said of the case, of texts that it no longer has too."""
    judged = desk.who in front.standing.verdicts
    entries = [
        entry
        for entry in desk.ledger.of_case(front.text.case_id)
        if (entry.verdict or entry.takes_back) and (entry.who == desk.who or judged)
    ]
    if not entries:
        return
    yield element("h4", text("Verdicts so far" if judged else "Your own earlier verdicts"))
    yield element("ul", *(element("li", *_entry(desk, front, entry)) for entry in entries))


def _entry(desk: Desk, front: Front, entry: Entry) -> Iterator[Html]:
    yield text(f"{entry.at:%Y-%m-%d %H:%M:%S} UTC, ")
    yield text(entry.who)
    if entry.takes_back:
        yield text(": took a verdict back")
        return
    assert entry.verdict is not None
    yield element("strong", text(f": {VERDICT_WORDS[entry.verdict]}"))
    if entry.settles:
        yield text(", which settles it")
    yield text(_from_where(desk, entry))
    if desk.ledger.is_taken_back(entry):
        yield text(", taken back")
    elif entry.text != front.text:
        changed = "checks" if entry.fixture_hash != front.text.fixture_hash else "completion"
        yield text(f", before the {changed} changed, so it no longer holds")
    if entry.note:
        yield element("div", prose(entry.note, 20_000), style="quiet")


def _from_where(desk: Desk, entry: Entry) -> str:
    if entry.suite_sha256 == desk.run.suite_sha256 and entry.run == desk.run.id:
        return ""
    here = any(run.id == entry.run and run.suite_sha256 == entry.suite_sha256 for run in desk.runs)
    return f", from run {entry.run}" + ("" if here else " of another history")
