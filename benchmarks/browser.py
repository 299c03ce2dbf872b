"""Measures upload to gauges, and a click on Trends to its paint, in a real browser and server."""

import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep

from playwright.sync_api import Browser, Page, WebSocket, expect, sync_playwright

from benchmarks.corpus import make
from benchmarks.past import Past, kept
from evalcore.database import URL_VARIABLE
from scripts.ensure_browser import find_chromium
from tests.browser.server import Server

HEAD = """\
| upload, rows of about 470 bytes | MB | upload to gauges, s | rerun, s | server's peak, MiB |
|---|---|---|---|---|"""

TRENDS_HEAD = """\
| runs | visit | click on Trends to its first chart, s | to the whole page, s | wanted, s |
|---|---|---|---|---|"""

_QUIET = 0.4
_LATER = 5
# Looked for at each frame, so that looking takes no time from the page.
_CLICK = """
async (link) => {
  const chart = () => document.querySelector(
    '.st-key-trend-stretch .stVegaLiteChart g.mark-symbol path');
  const whole = () => chart()
    && document.querySelector('.st-key-runs-table canvas')
    && document.querySelector('.stApp').dataset.testScriptState === 'notRunning';
  const frame = () => new Promise(requestAnimationFrame);
  const started = performance.now();
  const seconds = async (seen) => {
    while (!seen()) await frame();
    await frame();
    return (performance.now() - started) / 1000;
  };
  link.click();
  return [await seconds(chart), await seconds(whole)];
}
"""


class Traffic:
    """Knows when the server last sent something to the page."""

    def __init__(self, page: Page) -> None:
        self.last = perf_counter()
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda _: self._note())

    def _note(self) -> None:
        self.last = perf_counter()

    def settle(self, page: Page) -> float:
        """Waits until the server has said nothing for a while and returns when it stopped."""
        while perf_counter() - self.last < _QUIET:
            page.wait_for_timeout(50)
        return self.last


def upload_lines(sizes: Sequence[int], folder: Path) -> Iterator[str]:
    """Yields one row of the table for each number of cases."""
    with tempfile.TemporaryDirectory() as logs, chromium() as browser:
        for rows in sizes:
            suite = make("short", rows, folder)
            server = Server(Path(logs) / f"{rows}.log")
            try:
                page = browser.new_page()
                shown, again = _upload(page, server.url, suite, rows)
                megabytes = suite.stat().st_size / 1e6
                peak = _peak(server)
                yield f"| {rows:,} | {megabytes:.1f} | {shown:.1f} | {again:.2f} | {peak:.0f} |"
                page.close()
            finally:
                server.stop()


def trends_lines(sizes: Sequence[int], folder: Path) -> Iterator[str]:
    """Yields one row of the table for each number of runs in the history."""
    with tempfile.TemporaryDirectory() as logs, chromium() as browser:
        for runs in sizes:
            history = Path(shutil.copy(kept(Past(), runs, folder)[0], logs))
            server = Server(Path(logs) / f"{runs}.log", env={URL_VARIABLE: str(history)})
            try:
                (first, _), *later = [_trends(browser, server.url) for _ in range(1 + _LATER)]
                yield f"| {runs:,} | the server's first | {first[0]:.2f} | {first[1]:.2f} | |"
                for visit, times in zip(
                    ("new", "come back"), zip(*later, strict=True), strict=True
                ):
                    took = " | ".join(
                        f"{statistics.median(each):.2f}, worst {max(each):.2f}"
                        for each in zip(*times, strict=True)
                    )
                    yield f"| {runs:,} | {_LATER} {visit} | {took} | ≤ 1.5 |"
            finally:
                server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yields the Chromium that the browser tests use as well."""
    with sync_playwright() as playwright:
        program = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def _trends(browser: Browser, url: str) -> tuple[list[float], list[float]]:
    """Returns the seconds from a click on Trends to its first chart, and to the whole page.

    First those of a visitor who has gauges open and nothing else from a visit before, then those
    of the same visitor, who has gone back to Gauges meanwhile.
    """
    page = browser.new_page()
    traffic = Traffic(page)
    page.goto(f"{url}/?example=order_desk")
    expect(page.locator(".st-key-gauge-stretch")).to_contain_text("passed")
    traffic.settle(page)
    new: list[float] = page.get_by_role("link", name="Trends").first.evaluate(_CLICK)
    traffic.settle(page)
    page.get_by_role("link", name="Gauges").first.click()
    expect(page.get_by_role("heading", name="Gauges")).to_be_visible()
    traffic.settle(page)
    again: list[float] = page.get_by_role("link", name="Trends").first.evaluate(_CLICK)
    page.close()
    return new, again


def _upload(page: Page, url: str, suite: Path, rows: int) -> tuple[float, float]:
    """Returns the seconds from the choice of a file to its gauges, and of a rerun after it."""
    traffic = Traffic(page)
    page.goto(url)
    chooser = page.locator("input[type=file]").first
    chooser.wait_for(state="attached")
    traffic.settle(page)
    started = perf_counter()
    chooser.set_input_files(suite)
    expect(page.locator(".st-key-gauge-stretch")).to_contain_text("passed", timeout=300_000)
    shown = perf_counter() - started
    traffic.settle(page)
    sleep(1)
    started = perf_counter()
    page.locator("body").press("r")
    while traffic.last < started:
        page.wait_for_timeout(5)
    return shown, traffic.settle(page) - started


def _peak(server: Server) -> float:
    """Returns the largest resident size of the server so far in MiB, where the system tells it."""
    try:
        status = Path(f"/proc/{server.pid}/status").read_text()
    except OSError:
        return float("nan")
    kilobytes = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kilobytes.split()[1]) / 1024
