"""The Failures page in a real browser: keys, two people at once, what outlives a page."""

import contextlib
import json
import re
import uuid
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, TimeoutError, expect

from evalcore.entry import Entry
from evalcore.review.exchange import entries_csv, entries_jsonl
from evalcore.run import Run
from evalcore.standing import in_force
from tests.browser.server import Server
from tests.browser.test_gauges import upload
from tests.pages.histories import history_at
from tests.pages.suites import case, jsonl, reviewable
from tests.pages.test_saving import locked

VERDICTS = {"1": "real_miss", "2": "acceptable", "3": "bad_fixture", "4": "unsure"}
NOTE = "Note, kept with your verdict"
ASK = "Your name, so that the others know"
MANY = 40

Kept = Callable[[bytes], Run]


def misses(count: int = MANY) -> bytes:
    """Returns a suite of stretch misses that no other test has seen, so that nobody judged them."""
    own = uuid.uuid4().hex
    return jsonl(
        case(f"s{number:02}", "stretch", completion=f"no {number} {own}", must_include=["yes"])
        for number in range(count)
    )


def head(page: Page) -> Locator:
    return page.locator(".st-key-review-case h3 code")


def said(page: Page) -> Locator:
    return page.locator(".st-key-review-said")


def verdict(page: Page, name: str, case_id: str) -> Locator:
    return page.locator(f".st-key-verdict-{name}-{case_id} button")


def progress(page: Page) -> Locator:
    return page.locator(".st-key-review-progress")


def open_run(page: Page, run: Run, more: str = "", base: str = "") -> None:
    page.goto(f"{base}/failures?run={run.id}{more}")
    expect(head(page)).to_be_visible()


def in_front(page: Page, case_id: str) -> None:
    """Waits until a case and the buttons of its verdicts are there."""
    expect(head(page)).to_have_text(case_id)
    expect(verdict(page, "unsure", case_id)).to_be_visible()


def press_until(page: Page, key: str, locator: Locator, words: str) -> None:
    """Presses a key; again where it came while the page was being drawn and was let go."""
    for _ in range(10):
        page.keyboard.press(key)
        with contextlib.suppress(AssertionError):
            expect(locator).to_have_text(words, timeout=2_000)
            return
    expect(locator).to_have_text(words)


def give_name(page: Page, who: str) -> None:
    """Gives the name when it is asked for, and keeps the verdict that brought it up."""
    page.get_by_label(ASK).fill(who)
    page.get_by_role("button", name="Save the verdict").click()
    expect(page.get_by_label(ASK)).to_have_count(0)
    expect(said(page)).to_contain_text("Saved: ")


def entries(server: Server, run: Run, who: str = "") -> list[Entry]:
    with history_at(server.history) as history:
        return [
            entry
            for _, entry in history.journal.entries()
            if entry.suite_sha256 == run.suite_sha256
            and entry.run == run.id
            and (not who or entry.who == who)
        ]


def told(server: Server, run: Run) -> list[tuple[str, str, str | None]]:
    return [(entry.who, entry.case_id, entry.verdict) for entry in entries(server, run)]


# -- keys ----------------------------------------------------------------------


def test_the_keys_judge_walk_undo_and_help(page: Page, server: Server, kept_run: Kept):
    run = kept_run(misses(5))
    open_run(page, run)
    in_front(page, "s00")
    page.keyboard.press("2")
    give_name(page, "Ann")
    in_front(page, "s01")
    press_until(page, "j", head(page), "s02")
    in_front(page, "s02")
    press_until(page, "k", head(page), "s01")
    in_front(page, "s01")
    press_until(page, "1", head(page), "s02")
    expect(progress(page)).to_contain_text("2 of 5 reviewed")
    expect(said(page)).to_contain_text(re.compile(r"Saved: Real miss on s01 at [\d:]{8} UTC"))
    in_front(page, "s02")
    press_until(page, "z", head(page), "s01")
    expect(said(page)).to_contain_text("Taken back: your verdict on s01")
    expect(progress(page)).to_contain_text("1 of 5 reviewed")
    page.keyboard.press("h")
    overlay = page.get_by_role("dialog")
    expect(overlay).to_contain_text("Bad fixture: the case or one of its checks is at fault")
    expect(overlay).to_contain_text("take your last verdict back")
    page.keyboard.press("Escape")
    expect(overlay).to_have_count(0)
    assert told(server, run) == [
        ("Ann", "s00", "acceptable"), ("Ann", "s01", "real_miss"), ("Ann", "s01", None),
    ]  # fmt: skip


def test_the_keys_are_off_while_a_note_is_typed(page: Page, server: Server, kept_run: Kept):
    run = kept_run(misses(3))
    open_run(page, run)
    in_front(page, "s00")
    page.get_by_label(NOTE).click()
    page.keyboard.type("1 2 3 4 jkzh")
    expect(page.get_by_label(NOTE)).to_have_value("1 2 3 4 jkzh")
    page.keyboard.press("Tab")
    expect(page.locator(".st-key-review-case")).to_contain_text("Not saved yet")
    in_front(page, "s00")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert entries(server, run) == []
    page.keyboard.press("4")
    give_name(page, "Ann")
    assert [(e.case_id, e.note) for e in entries(server, run)] == [("s00", "1 2 3 4 jkzh")]


WATCH = """() => {
    window.pressed = [];
    const id = () => document.querySelector('.st-key-review-case h3 code')?.textContent ?? null;
    document.addEventListener('keydown', event => window.pressed.push([event.key, id()]), true);
}"""


def judge_all(server: Server, run: Run, who: str) -> None:
    """Keeps a verdict on every case of a run, as another program would."""
    with history_at(server.history) as history:
        for each in history.reviewable(run.id):
            history.journal.judge(run, each.text, who=who, verdict="wrong_reason", note="")


@pytest.mark.parametrize(("delay", "disputed"), [(0, False), (20, True), (100, False)])
def test_a_verdict_lands_on_the_case_that_was_on_the_screen(
    page: Page, server: Server, kept_run: Kept, delay: int, disputed: bool
):
    run = kept_run(misses(MANY + 20))
    if disputed:  # the page has more to say then
        judge_all(server, run, "Bob")
    open_run(page, run)
    in_front(page, "s00")
    page.keyboard.press("1")
    give_name(page, f"fast {delay}")
    expect(head(page)).to_have_text("s01")
    page.evaluate(WATCH)
    for number in range(MANY):
        page.keyboard.press("1234"[number % 4])
        if delay:
            page.wait_for_timeout(delay)
    for _ in range(10):  # what comes after this one has come before it too
        page.keyboard.press("h")
        with contextlib.suppress(TimeoutError):
            page.get_by_role("dialog").wait_for(timeout=2_000)
            break
    expect(page.get_by_role("dialog")).to_be_visible()
    seen: dict[str, list[str]] = {}
    for key, case_id in page.evaluate("window.pressed"):
        if key in VERDICTS:
            seen.setdefault(case_id, []).append(VERDICTS[key])
    by_case: dict[str, list[str]] = {}
    for entry in entries(server, run, f"fast {delay}")[1:]:
        by_case.setdefault(entry.case_id, []).append(entry.verdict or "")
    assert len(by_case) > 1
    for case_id, kept in by_case.items():
        pressed = iter(seen.get(case_id, ()))
        assert all(verdict in pressed for verdict in kept), (case_id, kept, seen.get(case_id))
        assert all(one != other for one, other in pairwise(kept)), case_id
    left = list(seen)[:-1]  # nobody leaves a case without a verdict
    assert [case_id for case_id in left if case_id not in by_case] == []


def test_an_undo_right_after_a_verdict_takes_that_verdict_back(
    page: Page, server: Server, kept_run: Kept
):
    run = kept_run(misses(6))
    open_run(page, run)
    in_front(page, "s00")
    page.keyboard.press("1")
    give_name(page, "Ann")
    in_front(page, "s01")
    page.keyboard.press("2")
    page.keyboard.press("z")
    expect(said(page)).to_contain_text("Taken back: your verdict on s01")
    in_front(page, "s01")
    assert [(e.case_id, e.verdict) for e in in_force(entries(server, run))] == [
        ("s00", "real_miss")
    ]


def test_two_people_at_once_lose_no_verdict(
    page: Page, server: Server, kept_run: Kept, new_context: Callable[..., BrowserContext]
):
    run = kept_run(misses())
    people = {"Ann": page, "Bob": new_context().new_page()}
    for who, own in people.items():
        open_run(own, run, base=server.url)
        in_front(own, "s00")
        own.keyboard.press("1")
        give_name(own, who)
    for number in range(1, MANY):
        for key, own in zip("12", people.values(), strict=True):
            in_front(own, f"s{number:02}")
            own.keyboard.press(key)
    for own in people.values():
        expect(own.locator(".st-key-review-case")).to_contain_text("cases here are reviewed by you")
        expect(progress(own)).to_contain_text("40 of 40 reviewed")
    for who, key in (("Ann", "real_miss"), ("Bob", "acceptable")):
        own_entries = entries(server, run, who)
        assert [entry.case_id for entry in own_entries] == [f"s{n:02}" for n in range(MANY)]
        assert {entry.verdict for entry in own_entries[1:]} == {key}


# -- where one is --------------------------------------------------------------


def click_row(page: Page, row: int) -> None:
    table = page.locator(".st-key-review-list [data-testid='stDataFrame'] canvas").first
    table.scroll_into_view_if_needed()
    table.click(position={"x": 18, "y": 35 + row * 35 + 18}, force=True)


def test_a_click_in_the_list_brings_a_case_to_the_front_and_back_leads_back(
    page: Page, kept_run: Kept
):
    run = kept_run(misses(8))
    open_run(page, run)
    in_front(page, "s00")
    click_row(page, 4)
    in_front(page, "s04")
    expect(page).to_have_url(re.compile(rf"failures\?run={run.id}&case=s04$"))
    click_row(page, 2)
    in_front(page, "s02")
    page.go_back()
    in_front(page, "s04")
    page.go_back()
    in_front(page, "s00")


def test_a_copied_link_opens_the_same_view_in_a_fresh_browser(
    page: Page, server: Server, kept_run: Kept, new_context: Callable[..., BrowserContext]
):
    run = kept_run(reviewable())
    open_run(page, run)
    pills = page.locator(".st-key-review-list")
    pills.get_by_text("medium misses (1)").click()
    expect(pills).to_contain_text("4 cases")
    pills.get_by_text("all", exact=True).click()
    expect(page).to_have_url(re.compile("state=all"))
    click_row(page, 2)
    in_front(page, "s2")
    other = new_context().new_page()
    other.goto(page.url)
    in_front(other, "s2")
    for key in ("review-case", "review-progress"):
        expect(other.locator(f".st-key-{key}")).to_have_text(
            page.locator(f".st-key-{key}").inner_text(), use_inner_text=True
        )
    expect(other.locator(".st-key-review-list")).to_contain_text("4 cases")
    other.goto(f"{server.url}/failures?run={run.id}&case=s99")
    expect(other.locator(".st-key-review-case")).to_contain_text("There is no such case")
    expect(head(other)).to_have_count(0)


def test_a_link_opens_on_a_server_that_nobody_has_visited(
    page: Page, fresh_server: Callable[..., Server], kept_run: Kept, server: Server
):
    run = kept_run(misses(3))
    fresh = fresh_server(env={"EVAL_HISTORY_URL": str(server.history)})
    open_run(page, run, "&case=s01", base=fresh.url)
    in_front(page, "s01")
    expect(page.get_by_role("link", name="Failures", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


# -- nothing typed is lost -----------------------------------------------------


def test_a_note_outlives_a_change_of_page_and_a_held_history(
    page: Page, server: Server, kept_run: Kept
):
    run = kept_run(misses(4))
    open_run(page, run)
    in_front(page, "s00")
    page.keyboard.press("1")
    give_name(page, "Ann")
    in_front(page, "s01")
    page.get_by_label(NOTE).fill("half a note")
    page.get_by_label(NOTE).press("Tab")
    expect(page.locator(".st-key-review-case")).to_contain_text("Not saved yet")
    where = page.url
    page.get_by_role("link", name="Trends", exact=True).click()
    expect(page.locator(".st-key-trend-stretch")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(where)
    in_front(page, "s01")
    expect(page.get_by_label(NOTE)).to_have_value("half a note")
    with locked(server.history):
        verdict(page, "unsure", "s01").click()
        expect(said(page)).to_contain_text("Not saved, try again: ")
        expect(said(page)).not_to_contain_text("Saved:")
        expect(page.get_by_label(NOTE)).to_have_value("half a note")
        in_front(page, "s01")
    verdict(page, "unsure", "s01").click()
    expect(said(page)).to_contain_text("Saved: Unsure on s01")
    assert [(e.case_id, e.note) for e in entries(server, run)] == [
        ("s00", ""), ("s01", "half a note"),
    ]  # fmt: skip
    page.reload()
    expect(progress(page)).to_contain_text("of 4 reviewed")


def test_a_history_that_goes_in_mid_verdict_is_told_and_the_note_is_there_again(
    page: Page, fresh_server: Callable[..., Server]
):
    server = fresh_server()
    page.goto(f"{server.url}/")
    upload(page, misses(3))
    expect(page.locator(".st-key-gauge-stretch")).to_contain_text("0 of 3")
    page.get_by_text("Save to history").click()
    page.get_by_label("What was graded").fill("v1")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="Review the misses").click()
    in_front(page, "s00")
    page.keyboard.press("2")
    give_name(page, "Ann")
    in_front(page, "s01")
    page.get_by_label(NOTE).fill("my words")
    page.get_by_label(NOTE).press("Tab")
    expect(page.locator(".st-key-review-case")).to_contain_text("Not saved yet")
    moved = server.history.with_name("moved.db")
    server.history.rename(moved)
    verdict(page, "acceptable", "s01").click()
    expect(page.locator(".st-key-history-fault").last).to_contain_text("there is no history at")
    expect(page.get_by_text("Saved: Acceptable on s01")).to_have_count(0)
    moved.rename(server.history)
    page.get_by_role("button", name="Try again").first.click()
    in_front(page, "s01")
    expect(said(page)).to_contain_text("Not saved, try again: ")
    expect(page.get_by_label(NOTE)).to_have_value("my words")
    verdict(page, "acceptable", "s01").click()
    expect(said(page)).to_contain_text("Saved: Acceptable on s01")


def test_the_link_in_the_frame_leads_back_to_the_run_the_case_and_the_note(
    page: Page, kept_run: Kept
):
    run = kept_run(reviewable())
    kept_run(misses(1))  # a newer one
    open_run(page, run, "&case=s1&stratum=stretch")
    in_front(page, "s1")
    page.get_by_label(NOTE).fill("half a note")
    page.get_by_label(NOTE).press("Tab")
    expect(page.locator(".st-key-review-case")).to_contain_text("Not saved yet")
    page.get_by_role("link", name="Trends", exact=True).click()
    expect(page.locator(".st-key-trend-stretch")).to_be_visible()
    page.get_by_role("link", name="Failures", exact=True).click()
    expect(head(page)).to_have_text("s1", timeout=5_000)
    expect(page.get_by_label(NOTE)).to_have_value("half a note")


# -- out of the page -----------------------------------------------------------


def test_verdicts_leave_the_page_as_they_are_in_the_journal(
    page: Page, server: Server, kept_run: Kept
):
    run = kept_run(misses(2))
    open_run(page, run)
    in_front(page, "s00")
    page.get_by_label(NOTE).fill("=1+1\nline two")
    page.get_by_label(NOTE).press("Tab")
    expect(page.locator(".st-key-review-case")).to_contain_text("Not saved yet")
    page.keyboard.press("3")
    give_name(page, "Ann")
    page.get_by_text("Verdicts as files").click()
    own = page.locator(".st-key-review-export")
    files = {}
    for kind in ("JSONL", "CSV"):
        with page.expect_download() as download:
            own.get_by_role("button", name=f"Download as {kind}").click()
        files[kind] = Path(download.value.path()).read_bytes()
    with history_at(server.history) as history:
        every = [entry for _, entry in history.journal.entries()]
    assert files == {"JSONL": b"".join(entries_jsonl(every)), "CSV": entries_csv(every)}


def test_a_decision_becomes_a_new_suite(page: Page, kept_run: Kept):
    data = misses(12)
    run = kept_run(data)
    open_run(page, run)
    in_front(page, "s00")
    page.keyboard.press("2")
    give_name(page, "Ann")
    in_front(page, "s01")
    page.goto(f"/failures?run={run.id}&case=s00&state=all")
    in_front(page, "s00")
    page.get_by_label("You are").fill("Ann")
    page.get_by_label("You are").press("Enter")
    decision = page.locator(".st-key-review-decision")
    decision.get_by_text("Promote to medium").click()
    expect(decision).to_contain_text("Replayed: with this change the last run would have failed")
    decision.get_by_role("button", name="Decide: promote to medium").click()
    panel = page.get_by_text("Suite patch: 1 decision")
    expect(panel).to_be_visible()
    panel.click()
    upload(page, data, "golden.jsonl", into="The suite file")
    patch = page.locator(".st-key-review-patch")
    expect(patch).to_contain_text("1 line differs, all others are the same byte for byte.")
    with page.expect_download() as download:
        patch.get_by_role("button", name="Download the new suite").click()
    assert download.value.suggested_filename == "golden.jsonl"
    new = Path(download.value.path()).read_bytes().split(b"\n")
    old = data.split(b"\n")
    assert (new[1:], json.loads(new[0])["stratum"]) == (old[1:], "medium")


def test_a_new_case_is_graded_while_it_is_typed(page: Page, kept_run: Kept):
    open_run(page, kept_run(misses(2)))
    in_front(page, "s00")
    expect(page.get_by_text("Verdicts as files")).to_be_visible()  # all is drawn
    form = page.locator(".st-key-review-mint")
    for _ in range(10):  # a page that is still being drawn folds it again
        form.get_by_text("Mint a new stretch case").click()
        page.wait_for_timeout(600)  # until it has moved
        if form.get_by_label("Id", exact=True).is_visible():
            break
    form.get_by_label("Id", exact=True).fill("new")
    form.get_by_label("Prompt").fill("Say more.")
    form.get_by_label("A completion to try").fill("Once more.")
    form.get_by_label("A completion to try").press("Tab")
    expect(form).to_contain_text("● passed")
    needles = form.get_by_label("Must include, needles parted by")
    needles.click()
    page.keyboard.type("twice")
    expect(form).to_contain_text("▲ failed")
    expect(form).to_contain_text("missing:twice")
    expect(needles).to_be_focused()
    needles.fill("more")
    expect(form).to_contain_text("● passed")
    expect(form).to_contain_text("found at 5 to 9: more")
