"""The Compare page in a real browser."""

import contextlib
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, TimeoutError, expect

HEADLINE = "Stretch fell from 16 of 20 to 9 of 20: same answers, new fixtures −7"


def unfold(page: Page, label: str) -> Locator:
    """Opens a choice and returns what it offers."""
    offered = page.get_by_role("option")
    for _ in range(10):  # a page that is still being drawn folds it again
        page.get_by_role("combobox", name=label).press("ArrowDown")
        with contextlib.suppress(TimeoutError):
            offered.first.wait_for(timeout=1_000)
            break
    return offered


def choose(page: Page, label: str, words: str) -> None:
    unfold(page, label).filter(has_text=words).click()


def test_the_pickers_swap_and_back_keep_address_and_page_together(page: Page, full: str):
    page.goto(f"{full}/compare?baseline=12&run=13")
    stretch = page.locator(".st-key-compare-stretch")
    expect(stretch.get_by_role("heading", name=HEADLINE)).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    expect(stretch).to_contain_text("Stretch rose from 9 of 20 to 16 of 20")
    expect(page).to_have_url(f"{full}/compare?baseline=13&run=12")
    choose(page, "Baseline", "run 11, 2026-10-08 09:44 UTC")
    expect(stretch).to_contain_text("Stretch rose from 14 of 20 to 16 of 20")
    expect(page).to_have_url(f"{full}/compare?baseline=11&run=12")
    page.go_back()
    expect(stretch).to_contain_text("Stretch rose from 9 of 20 to 16 of 20")


def test_a_case_is_opened_beside_itself_and_its_link_opens_it_again(
    page: Page, full: str, new_context: Callable[..., BrowserContext]
):
    page.goto(f"{full}/compare?baseline=11&run=12")
    side = page.locator(".st-key-side-by-side")
    case_id = "stretch-05-core-deposit"
    choose(page, "Case", case_id)
    expect(side).to_contain_text("Baseline: run 11, v9")
    expect(side).to_contain_text("Run: run 12, v10")
    expect(side.locator("ins, del").first).to_be_visible()
    expect(page).to_have_url(f"{full}/compare?baseline=11&run=12&case={case_id}")
    other = new_context().new_page()
    other.goto(page.url)
    expect(other.locator(".st-key-side-by-side .completion")).to_have_text(
        side.locator(".completion").all_inner_texts(), use_inner_text=True
    )


def test_an_old_link_is_named_and_the_page_goes_on(page: Page, full: str):
    page.goto(f"{full}/compare?baseline=1&run=99999")
    expect(page.locator(".st-key-history-fault")).to_contain_text("there is no run 99999")
    expect(page).to_have_url(f"{full}/compare?baseline=1&run=99999")
    page.get_by_role("button", name="Go on without it").click()
    expect(page.locator(".st-key-compare-stretch h3")).to_be_visible()
    expect(page).to_have_url(f"{full}/compare")
