"""On the Failures page too, text from suites and people is data; and it reads on any screen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from evalcore.run import Run
from tests.browser.test_failures import ASK, NOTE, head, in_front, open_run, said
from tests.browser.test_gauges import upload
from tests.browser.test_untrusted import DOLLARS, HOSTILE_ID, HOSTILE_NAME, MARKUP
from tests.pages.suites import case, jsonl, reviewable

Kept = Callable[[bytes], Run]

HIDDEN = "a\x1b[31mb\u202ec\u200bd\x00e"
HOSTILE_WHO = "<b>A</b> ![w](http://127.0.0.1:9/w.png) $y$ :red[x]"
INSIDE = "bdi :is(a, img, script, svg, b, em, h1, span:not(.chip))"


def widths(page: Page) -> int:
    found: list[int] = page.evaluate(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".map(element => element.scrollWidth)"
    )
    return max(found)


def test_markup_everywhere_makes_no_request_and_stands_as_written(
    page: Page, kept_run: Kept, foreign_requests: list[str]
):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    row = case(
        HOSTILE_ID, "stretch", completion=f"{MARKUP} {DOLLARS}", must_include=[f"{MARKUP}!"],
        must_not_include=[DOLLARS], tags=[MARKUP], family=MARKUP, note=MARKUP,
    )  # fmt: skip
    data = jsonl([row | {"prompt": MARKUP}])
    open_run(page, kept_run(data))
    front = page.locator(".st-key-review-case")
    expect(head(page)).to_have_text(HOSTILE_ID)
    assert head(page).text_content() == HOSTILE_ID
    texts = [front.locator(".completion").nth(place).text_content() for place in (0, 1)]
    assert texts == [MARKUP, f"{MARKUP} {DOLLARS}"]
    for words in (f"missing:{MARKUP}!", f"forbidden:{DOLLARS}", f"Note: {MARKUP}"):
        expect(front).to_contain_text(words)
    page.get_by_label(NOTE).fill(MARKUP)
    page.get_by_label(NOTE).press("Tab")
    expect(front).to_contain_text("Not saved yet")
    front.get_by_role("button", name="Bad fixture").click()
    page.get_by_label(ASK).fill(HOSTILE_WHO)
    page.get_by_role("button", name="Save the verdict").click()
    expect(said(page)).to_contain_text(f"on {HOSTILE_ID} at")
    page.get_by_role("button", name="Show them all").click()
    expect(front).to_contain_text(f"{HOSTILE_WHO}: Bad fixture")
    expect(front).to_contain_text(MARKUP)
    decision = page.locator(".st-key-review-decision")
    decision.get_by_text("Accept this wording").click()
    decision.get_by_label("accept as well").fill(MARKUP)
    decision.get_by_label("accept as well").press("Tab")
    decision.get_by_label("Why, for the row's note").fill(MARKUP)
    decision.get_by_label("Why, for the row's note").press("Tab")
    decision.get_by_role("button", name="Decide: accept this wording").click()
    page.get_by_text("Suite patch: 1 decision").click()
    upload(page, data, HOSTILE_NAME, into="The suite file")
    patch = page.locator(".st-key-review-patch")
    expect(patch).to_contain_text(HOSTILE_NAME)
    expect(patch).to_contain_text("1 line differs")
    page.get_by_text("More filters").click()
    expect(page.get_by_label("Search ids, prompts")).to_be_visible()
    assert page.locator(INSIDE).count() == page.locator(".katex").count() == 0
    page.set_viewport_size({"width": 390, "height": 844})
    expect(head(page)).to_be_visible()
    assert widths(page) <= 390
    assert (foreign_requests, dialogs) == ([], [])


def test_unseen_characters_are_named_and_a_megabyte_does_no_harm(
    page: Page, kept_run: Kept, foreign_requests: list[str]
):
    rows = [
        case(HIDDEN, "stretch", completion=HIDDEN, must_include=[f"{HIDDEN}!"], prompt=HIDDEN),
        case("long", "stretch", completion="y" * 1_000_000, must_include=["z" * 100_000]),
    ]
    open_run(page, kept_run(jsonl(rows)))
    chips = ["U+001B", "U+202E", "U+200B", "U+0000"]
    expect(head(page).locator(".chip")).to_have_text(chips)
    expect(page.locator(".st-key-review-case .completion").nth(1).locator(".chip")).to_have_text(
        chips
    )
    page.locator(".st-key-review-next button").click()
    in_front(page, "long")
    expect(page.locator(".st-key-review-case")).to_contain_text("1,000,000 of at most 1,200")
    expect(page.locator(".st-key-review-case")).to_contain_text("980,000 more characters")
    page.set_viewport_size({"width": 390, "height": 844})
    assert widths(page) <= 390
    assert foreign_requests == []


CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"


@pytest.mark.parametrize("name", ["ui-dollar-signs", "ui-untrusted-markup"])
def test_completions_seen_in_the_wild_stand_letter_for_letter(
    page: Page, kept_run: Kept, foreign_requests: list[str], name: str
):
    file = CASES / name / "fixtures.jsonl"
    if not file.exists():
        pytest.skip(f"{file} is not there")
    open_run(page, kept_run(file.read_bytes()))
    shown = page.locator(".st-key-review-case .completion").nth(1)
    expected = {"ui-dollar-signs": DOLLARS, "ui-untrusted-markup": MARKUP}[name]
    assert shown.text_content() == expected
    assert page.locator(f".katex, {INSIDE}").count() == 0
    assert foreign_requests == []


def test_the_dark_theme_has_its_own_colours(dark_page: Page, page: Page, kept_run: Kept):
    run = kept_run(reviewable())
    colours = []
    for themed in (page, dark_page):
        open_run(themed, run)
        outcome = themed.locator(".st-key-review-case .alarm").first
        colours.append(outcome.evaluate("element => getComputedStyle(element).color"))
    assert colours == ["rgb(179, 71, 0)", "rgb(255, 138, 61)"]


def test_on_a_phone_the_case_comes_first_and_nothing_scrolls_sideways(
    phone_page: Page, kept_run: Kept
):
    open_run(phone_page, kept_run(reviewable()))
    expect(phone_page.locator(".st-key-review-list [data-testid='stDataFrame']")).to_be_visible()
    tops = [phone_page.locator(f".st-key-review-{key}").bounding_box() for key in ("case", "list")]
    assert tops[0]
    assert tops[1]
    assert tops[0]["y"] < tops[1]["y"]
    assert widths(phone_page) <= 390
    phone_page.locator(".st-key-verdict-unsure-s1 button").tap()
    phone_page.get_by_label(ASK).fill("Ann")
    phone_page.get_by_role("button", name="Save the verdict").tap()
    in_front(phone_page, "s2")
