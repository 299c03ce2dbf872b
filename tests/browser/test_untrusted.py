"""Text from a suite is data: nothing is rendered, fetched or run because of it."""

import json

from playwright.sync_api import Page, expect

from tests.browser.test_gauges import upload
from tests.pages.suites import case, jsonl

MARKUP = (
    '![x](http://127.0.0.1:9/p.png?q=1) <img src="http://127.0.0.1:9/i.png"> '
    '<script>fetch("http://127.0.0.1:9/s")</script> [click](javascript:alert(1)) '
    "<svg onload=alert(1)>"
)
"""The completion of a suite seen in the wild."""
DOLLARS = (
    "Fee rose from $12.40 to $15.75, near ~$8_000~ a year [2] :material/home: :red[not red] "
    "# not a heading"
)
HOSTILE_ID = "<b>id</b>![i](http://127.0.0.1:9/id.png)"
HOSTILE_NAME = "![n](http:127.0.0.1:9) <img src=x onerror=alert(1)> $a$ :red[b].jsonl"


def test_markup_makes_no_request_and_no_dialog_and_stands_as_written(
    page: Page, foreign_requests: list[str]
):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    needle = "![n](http://127.0.0.1:9/needle.png)"
    rows = [
        case("s1", "stretch", completion=MARKUP, must_include=["weekday"]),
        case(HOSTILE_ID, "stretch", completion="x", must_include=[needle, MARKUP]),
        case("s3", "stretch", completion=MARKUP, must_not_include=[MARKUP], **{MARKUP: 1}),
        case("s4", "stretch", completion=None),
    ]
    page.goto("/")
    upload(page, jsonl(rows), HOSTILE_NAME)
    failed = page.locator(".st-key-failed-cases")
    expect(failed.get_by_text(HOSTILE_ID, exact=True)).to_be_visible()
    expect(failed).to_contain_text(f"missing:{needle}")
    expect(failed).to_contain_text(f"missing:{MARKUP}")
    expect(failed).to_contain_text(f"forbidden:{MARKUP}")
    expect(page.get_by_text(HOSTILE_NAME, exact=True)).to_be_visible()
    expect(page.locator(".st-key-notices")).to_contain_text("<img src=")
    for hover in failed.locator("td").all():
        hover.hover()
    assert page.locator("bdi :is(a, img, script, svg, b)").count() == 0
    assert (foreign_requests, dialogs) == ([], [])


def test_dollars_and_colours_stand_letter_for_letter(page: Page):
    row = case(DOLLARS, "stretch", completion=DOLLARS, must_not_include=[DOLLARS])
    page.goto("/")
    upload(page, jsonl([row]), f"{DOLLARS[:60]}.jsonl")
    failed = page.locator(".st-key-failed-cases")
    expect(failed.get_by_text(DOLLARS, exact=True).first).to_be_visible()
    expect(failed).to_contain_text(f"forbidden:{DOLLARS}")
    assert page.locator(".katex, h1 + h1, bdi :is(h1, em, span:not(.chip))").count() == 0


def test_row_errors_and_job_errors_stand_as_written(page: Page, foreign_requests: list[str]):
    page.goto("/")
    rows = json.dumps({"id": "x", "stratum": MARKUP[:30], "prompt": "p", "must_includes": []})
    upload(page, rows.encode(), HOSTILE_NAME)
    errors = page.locator(".st-key-row-errors")
    expect(errors).to_contain_text(MARKUP[:30])
    expect(errors).to_contain_text(HOSTILE_NAME)
    job, name = b'[thresholds]\n"<img src=x onerror=alert(2)>" = 1\n', f"{HOSTILE_NAME}.toml"
    upload(page, job, name, into="Job:")
    expect(page.locator(".st-key-job-error")).to_contain_text("<img src=x onerror=alert(2)>")
    expect(page.locator(".st-key-job-error")).to_contain_text(name)
    assert page.locator("bdi :is(a, img, b)").count() == 0
    assert foreign_requests == []


def test_a_hostile_address_is_shown_and_nothing_more(page: Page, foreign_requests: list[str]):
    page.goto("/?example=%3Cimg%20src%3Dhttp%3A%2F%2F127.0.0.1%3A9%2Fx%3E")
    expect(page.get_by_text("<img src=http://127.0.0.1:9/x>", exact=True)).to_be_visible()
    assert foreign_requests == []


def test_a_job_name_stands_as_written(page: Page, foreign_requests: list[str]):
    page.goto("/?example=order_desk")
    name = "**x** $a$ ![i](http://127.0.0.1:9/j.png)"
    upload(page, f'[job]\nname = "{name}"\n'.encode(), "job.toml", into="Job:")
    expect(page.get_by_text(f"job {name};")).to_be_visible()
    assert foreign_requests == []


def test_direction_and_control_characters_are_named(page: Page):
    hidden = "invoice\u202egnp.exe\x1b[31m\u200b"
    page.goto("/")
    upload(page, jsonl([case(hidden, "easy", completion="x", must_include=[hidden])]))
    chips = page.locator(".st-key-failed-cases .chip")
    expect(chips).to_have_text(["U+202E", "U+001B", "U+200B"] * 2)


def test_a_megabyte_of_needle_does_not_hold_up_the_page(page: Page):
    row = case("long", "easy", completion="x", must_include=["y" * 1_000_000], max_chars=2_000_000)
    page.goto("/")
    upload(page, jsonl([row]))
    failed = page.locator(".st-key-failed-cases")
    expect(failed).to_contain_text("999,500 more", timeout=5_000)
