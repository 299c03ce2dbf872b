"""The Gauges page in a real browser: what a visitor does and sees."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.server import ROOT, Server
from tests.pages.suites import counted

FIXTURES = ROOT / "fixtures"
STRATA = ("easy", "medium", "stretch")
EXAMPLE_COUNTS = ("8 of 8 passed", "18 of 20 passed", "9 of 20 passed")


def gauge(page: Page, stratum: str) -> Locator:
    return page.locator(f".st-key-gauge-{stratum}")


def upload(page: Page, content: bytes, name: str = "suite.jsonl", *, into: str = "Suite:") -> None:
    # By its words, since two uploaders need not appear in their order on a slow machine; the
    # first, since one that was just emptied lingers behind its successor.
    uploader = page.get_by_test_id("stFileUploader").filter(has_text=into)
    uploader.first.locator("input").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def expect_counts(page: Page, *counts: str) -> None:
    for stratum, count in zip(STRATA, counts, strict=True):
        expect(gauge(page, stratum)).to_contain_text(count)


# -- opening -------------------------------------------------------------------


def test_one_click_opens_the_example(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Open the example").click()
    expect_counts(page, *EXAMPLE_COUNTS)
    for stratum in STRATA:
        expect(gauge(page, stratum).get_by_text("ok", exact=True)).to_be_visible()
        expect(gauge(page, stratum).locator("canvas, svg.marks")).to_be_visible()
    expect(page).to_have_url("/?example=order_desk")


def test_the_keyboard_opens_the_example(page: Page):
    page.goto("/")
    button = page.get_by_role("button", name="Open the example")
    expect(button).to_be_visible()
    for _ in range(10):
        page.keyboard.press("Tab")
        if button.evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect_counts(page, *EXAMPLE_COUNTS)


@pytest.mark.parametrize("path", ["/", "/gauges"])
def test_a_link_opens_its_example_on_a_server_that_nobody_has_visited(
    page: Page, fresh_server: Callable[..., Server], path: str
):
    page.goto(f"{fresh_server().url}{path}?example=order_desk_saturated")
    expect(gauge(page, "stretch")).to_contain_text("18 of 20 passed")
    expect(gauge(page, "stretch").get_by_text("alarm", exact=True)).to_be_visible()
    expect(page).to_have_title("Headroom")


def test_back_returns_to_the_empty_page(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Open the example").click()
    expect_counts(page, *EXAMPLE_COUNTS)
    page.go_back()
    expect(page.get_by_role("button", name="Open the example")).to_be_visible()
    expect(gauge(page, "easy")).to_have_count(0)


def test_the_same_name_with_other_content_shows_the_new_content(page: Page):
    page.goto("/")
    upload(page, counted(easy=(2, 2), medium=(2, 2), stretch=(0, 2)))
    expect_counts(page, "2 of 2 passed", "2 of 2 passed", "0 of 2 passed")
    upload(page, counted(easy=(3, 3), medium=(3, 3), stretch=(1, 3)))
    expect_counts(page, "3 of 3 passed", "3 of 3 passed", "1 of 3 passed")


def test_a_refused_file_leaves_no_gauge_behind(page: Page):
    page.goto("/")
    upload(page, counted(easy=(2, 2), medium=(2, 2), stretch=(0, 2)))
    expect_counts(page, "2 of 2 passed", "2 of 2 passed", "0 of 2 passed")
    upload(page, b'{"id": "x", "stratum": "hard", "prompt": "p"}\n')
    expect(page.locator(".st-key-row-errors")).to_contain_text("no such stratum")
    for key in ("gauge-easy", "gauge-medium", "gauge-stretch", "alerts", "failed-cases"):
        expect(page.locator(f".st-key-{key}")).to_have_count(0)


def test_two_visitors_never_see_each_other(page: Page, new_context: Callable[..., BrowserContext]):
    other = new_context().new_page()
    page.goto("/")
    other.goto("/")
    upload(page, counted("A-", easy=(0, 2), medium=(0, 2), stretch=(0, 2)), "same.jsonl")
    upload(other, counted("B-", easy=(0, 3), medium=(0, 3), stretch=(0, 3)), "same.jsonl")
    for mine, own, foreign in ((page, "A-", "B-"), (other, "B-", "A-")):
        expect(mine.locator(".st-key-failed-cases")).to_contain_text(f"{own}stretch-1")
        mine.keyboard.press("r")
        expect(mine.locator(".st-key-failed-cases")).not_to_contain_text(foreign)
    page.reload()
    expect(page.get_by_role("button", name="Open the example")).to_be_visible()


def test_an_upload_is_let_go_of(page: Page, fresh_server: Callable[..., Server]):
    url = fresh_server().url
    page.goto(url)
    upload(page, counted(easy=(2, 2), medium=(2, 2), stretch=(0, 2)))
    expect_counts(page, "2 of 2 passed", "2 of 2 passed", "0 of 2 passed")
    metrics = page.request.get(f"{url}/_stcore/metrics").text()
    assert "active_sessions 1" in metrics
    assert "UploadedFileManager" not in metrics


# -- reading -------------------------------------------------------------------


def test_failed_cases_turn_their_pages(page: Page):
    page.goto("/")
    upload(page, counted(easy=(2, 2), medium=(0, 250), stretch=(0, 2)))
    failed = page.locator(".st-key-failed-cases")
    expect(failed.get_by_text("medium-0", exact=True)).to_be_visible()
    failed.get_by_test_id("stPagination").get_by_text("3", exact=True).click()
    expect(failed.get_by_text("medium-249", exact=True)).to_be_visible()
    expect(failed.get_by_text("medium-0", exact=True)).to_have_count(0)


@pytest.mark.parametrize("job", [None, b'[job]\nname = "own"\n[thresholds]\nmedium_floor = 0.95\n'])
def test_the_download_is_the_report_of_the_command_line(
    page: Page, tmp_path: Path, job: bytes | None
):
    suite, options = tmp_path / "suite.jsonl", []
    suite.write_bytes((FIXTURES / "order_desk_regressed.jsonl").read_bytes())
    page.goto("/")
    if job:
        (tmp_path / "own.toml").write_bytes(job)
        options = ["--job", "own.toml"]
        upload(page, job, "own.toml", into="Job:")
        expect(page.get_by_text("Remove the job")).to_be_visible()
    upload(page, suite.read_bytes())
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the report").click()
    command = [sys.executable, "-m", "evalcore", "grade", suite.name, *options]
    graded = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert graded.returncode == 2
    assert Path(download.value.path()).read_bytes() == graded.stdout


@pytest.mark.parametrize("address", ["/", "/?example=order_desk", "/?example=order_desk_regressed"])
def test_a_phone_never_scrolls_sideways(phone_page: Page, address: str):
    phone_page.goto(address)
    if "example" in address:
        expect(gauge(phone_page, "stretch").locator("canvas, svg.marks")).to_be_visible()
        expect(phone_page.locator(".st-key-failed-cases table").last).to_be_visible()
    expect(phone_page.get_by_text("What this is not:")).to_be_visible()
    widths = "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
    for element in (0, 1):
        expression = f"{widths}[{element}].scrollWidth"
        assert phone_page.evaluate(expression) <= 390


def test_each_theme_has_its_own_palette(page: Page, dark_page: Page):
    colours = []
    for themed in (page, dark_page):
        themed.goto("/?example=order_desk_saturated")
        state = gauge(themed, "stretch").locator(".state")
        expect(state).to_have_text("▲ alarm")
        colours.append(state.evaluate("element => getComputedStyle(element).color"))
    assert colours == ["rgb(179, 71, 0)", "rgb(255, 138, 61)"]
