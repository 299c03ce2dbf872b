"""Saving on Gauges and opening runs there, in a real browser."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.server import ROOT, Server
from tests.browser.test_gauges import gauge, upload
from tests.pages.histories import history_at
from tests.pages.suites import counted

SUITE = counted(easy=(5, 5), medium=(18, 20), stretch=(9, 20))


def fill(page: Page, config: str, note: str = "") -> None:
    expect(gauge(page, "stretch")).to_contain_text("of")
    page.get_by_text("Save to history").click()
    page.get_by_label("What was graded").fill(config)
    page.get_by_label("Note, if you like").fill(note)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def number(page: Page) -> int:
    """The run that the page says it has saved."""
    expect(page.locator(".st-key-run")).to_contain_text("Saved as run")
    expect(page).to_have_url(re.compile(r"\?run=\d+$"))
    return int(page.url.rpartition("=")[2])


def configs(server: Server) -> list[str]:
    with history_at(server.history) as history:
        return [run.config for run in history.runs()]


def test_a_link_to_a_saved_run_opens_the_same_gauges_and_the_same_report(
    page: Page, new_context: Callable[..., BrowserContext], tmp_path: Path
):
    (tmp_path / "suite.jsonl").write_bytes(SUITE)
    page.goto("/")
    upload(page, SUITE)
    fill(page, "to be linked", "a note\nof two lines")
    save(page)
    number(page)
    other = new_context().new_page()
    other.goto(page.url)
    for stratum in ("easy", "medium", "stretch"):
        expect(gauge(other, stratum)).to_have_text(
            gauge(page, stratum).inner_text(), use_inner_text=True
        )
    expect(other.locator(".st-key-run")).to_contain_text("a note\nof two lines")
    expect(other.locator(".st-key-run")).not_to_contain_text("Saved as run")
    with other.expect_download() as download:
        other.get_by_role("button", name="Download the report").click()
    graded = subprocess.run(
        [sys.executable, "-m", "evalcore", "grade", "suite.jsonl"],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=False,
    )  # fmt: skip
    assert Path(download.value.path()).read_bytes() == graded.stdout


def test_a_double_click_saves_once(page: Page, server: Server):
    page.goto("/")
    upload(page, SUITE)
    fill(page, "clicked twice")
    page.get_by_role("button", name="Save", exact=True).dblclick()
    expect(page.locator(".st-key-run, .st-key-save-run").first).to_contain_text(
        re.compile("Saved as run|already")
    )
    page.wait_for_timeout(300)
    assert configs(server).count("clicked twice") == 1


def test_two_visitors_who_save_at_once_are_both_there(
    page: Page, server: Server, new_context: Callable[..., BrowserContext]
):
    other = new_context().new_page()
    for visitor, name in ((page, "one of two"), (other, "two of two")):
        visitor.goto(f"{server.url}/")
        upload(visitor, counted(name, medium=(200, 400), stretch=(1, 4)))
        fill(visitor, name)
    save(page)
    save(other)
    assert number(page) != number(other)
    assert {"one of two", "two of two"} <= set(configs(server))


def test_what_was_typed_outlives_a_failed_save_and_the_page_a_lost_history(
    page: Page, fresh_server: Callable[..., Server], tmp_path: Path
):
    blocker = tmp_path / "folder"
    blocker.write_text("in the way")
    file = blocker / "history.db"
    server = fresh_server(env={"EVAL_HISTORY_URL": str(file)})
    page.goto(f"{server.url}/")
    upload(page, SUITE)
    fill(page, "v1", "long\nthought")
    save(page)
    form = page.locator(".st-key-save-run")
    expect(form).to_contain_text("Not saved: ")
    expect(page.get_by_label("What was graded")).to_have_value("v1")
    expect(page.get_by_label("Note, if you like")).to_have_value("long\nthought")
    blocker.unlink()
    save(page)
    assert number(page) == 1
    for path in blocker.iterdir():
        path.unlink()
    page.reload()
    expect(page.locator(".st-key-history-fault")).to_contain_text("there is no run 1")
    page.get_by_role("link", name="Trends", exact=True).click()
    expect(page.get_by_role("button", name="Load the example history")).to_be_visible()
