"""Measures the review of failures: keys, page loads and a long text in a browser, many at once.

The plain way to the same is the page in plain_review.py.
"""

import shutil
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.browser import Traffic, chromium
from benchmarks.misses import case_id, kept
from benchmarks.past import ROOT, url
from benchmarks.visitors import Said, review
from evalcore.database import URL_VARIABLE
from evalcore.store import History
from tests.browser.server import Server

FAILURES, MANY = 10_000, 100_000
PRESSES = 30
TURNS = 5
THOUGHT_MS = 600
SECONDS = 60
REVIEWERS = {10: "≤ 0.5", 25: "–"}
PLAIN_PAGE = ROOT / "benchmarks" / "plain_review.py"
HEAD = """\
| review | failures | turns | ours, s | plain, s | times plain | wanted, s |
|---|---|---|---|---|---|---|"""
REVIEWERS_HEAD = """\
| reviewers at once | presses | press to next case, median, s | 95 % within, s | worst, s \
| wanted, 95 % | unanswered | kept once | lost | kept besides |
|---|---|---|---|---|---|---|---|---|---|"""
# Looked for at each frame, so that looking takes no time from the page. What is painted is a case
# with its own completion: these name their cases.
_LOOK = """
const whole = ([head, completion]) => {
  const id = document.querySelector(head)?.textContent;
  return id && document.querySelector(completion)?.textContent.includes(id) ? id : null;
};
const frame = () => new Promise(requestAnimationFrame);
const painted = async (selectors, before) => {
  const deadline = performance.now() + 60_000;
  while ((whole(selectors) ?? before) === before) {
    if (performance.now() > deadline) throw new Error('no other case was painted in a minute');
    await frame();
  }
  await frame();
};
"""
_LOADED = f"""
async (selectors) => {{
  {_LOOK}
  await painted(selectors, null);
  return performance.now() / 1000;
}}
"""
_WATCH = f"""
(selectors) => {{
  {_LOOK}
  const before = whole(selectors);
  const seconds = async () => {{
    const started = performance.now();
    await painted(selectors, before);
    return (performance.now() - started) / 1000;
  }};
  window.nextPainted = new Promise((resolve) => {{
    addEventListener('keydown', () => resolve(seconds()), {{ capture: true, once: true }});
  }});
}}
"""


@dataclass(frozen=True)
class App:
    """One way to review: how it is served and where its page shows what."""

    start: Callable[[Path], Server]
    path: str
    seen: tuple[str, str]
    """Where a case's id stands, and where its completion."""
    asks_name: bool


def ours(history: Path) -> App:
    """Returns the Failures page over a history."""
    return App(
        partial(Server, env={URL_VARIABLE: str(history)}),
        "/failures",
        (".st-key-review-case h3 code", ".st-key-review-case h4 + p + .completion"),
        asks_name=True,
    )


def plain(database: Path) -> App:
    """Returns the plain page over a table."""
    return App(
        partial(Server, script=PLAIN_PAGE, env={"PLAIN_REVIEW": str(database)}),
        "",
        (".st-key-case", ".st-key-completion"),
        asks_name=False,
    )


# -- the tables ----------------------------------------------------------------


def review_lines(folder: Path, *, quick: bool) -> Iterator[str]:
    """Yields the rows of what is measured in a browser."""
    many = FAILURES if quick else MANY
    turns = 2 if quick else TURNS
    with tempfile.TemporaryDirectory() as copies, chromium() as browser:
        apps = _copied(FAILURES, folder, Path(copies))
        yield _key_line(browser, apps, FAILURES, PRESSES)
        yield from _load_lines(browser, _copied(many, folder, Path(copies)), many, turns)
        yield from _long_lines(browser, apps[0], FAILURES, turns)


def reviewers_lines(folder: Path, *, quick: bool) -> Iterator[str]:
    """Yields one row of the table for each number of reviewers."""
    for count, wanted in REVIEWERS.items():
        with tempfile.TemporaryDirectory() as copies:
            history = Path(shutil.copy(kept(FAILURES, folder)[0], copies))
            yield _reviewers_line(history, count, SECONDS // 6 if quick else SECONDS, wanted)


def _copied(failures: int, folder: Path, work: Path) -> tuple[App, App]:
    """Returns both ways on files of their own."""
    place = tempfile.mkdtemp(dir=work)
    history, table = (Path(shutil.copy(file, place)) for file in kept(failures, folder))
    return ours(history), plain(table)


def _load_lines(browser: Browser, apps: Sequence[App], failures: int, turns: int) -> Iterator[str]:
    took: list[list[Sequence[float]]] = [[] for _ in apps]
    for _ in range(turns):
        for app, times in zip(apps, took, strict=True):
            with _served(app) as address:
                times.append(_visits(browser, address, app))
    visits = ("by the server's first visitor", "by the second", "by one who comes back")
    mine, theirs = (zip(*times, strict=True) for times in took)
    for visit, our_times, plain_times in zip(visits, mine, theirs, strict=True):
        yield _row(f"page load {visit}", failures, our_times, plain_times, "≤ 1.5")


def _key_line(browser: Browser, apps: Sequence[App], failures: int, turns: int) -> str:
    took: list[list[float]] = [[] for _ in apps]
    with ExitStack() as stack:
        pages = []
        for app in apps:
            page = _Reviewer(browser, app)
            page.load(stack.enter_context(_served(app)))
            page.give_name()
            pages.append(page)
        for turn in range(turns):
            for page, times in zip(pages, took, strict=True):
                times.append(page.press("1234"[turn % 4]))
        for page in pages:
            page.close()
    mine, theirs = took
    return _row("key to the next case painted", failures, mine, theirs, "≤ 0.2")


def _long_lines(browser: Browser, app: App, failures: int, turns: int) -> Iterator[str]:
    by_address, by_key = [], []
    long, before = (case_id(failures // 2 - less) for less in (0, 1))
    with _served(app) as address:
        _visits(browser, address, app)  # a server's first ones have a row of their own
        for turn in range(turns):
            page = _Reviewer(browser, app)
            by_address.append(page.load(f"{address}?case={long}"))
            page.load(f"{address}?case={before}")
            page.give_name()
            by_key.append(page.press("1234"[turn % 4]))
            assert page.case() == long
            page.close()
    yield _row("a completion of 1 MB opens by its address", failures, by_address, None, "≤ 2")
    yield _row("a completion of 1 MB opens by the key before", failures, by_key, None, "≤ 2")


def _row(
    task: str, failures: int, mine: Sequence[float], theirs: Sequence[float] | None, wanted: str
) -> str:
    """Renders a task as a row of the table; the ratio is the median of the turns' ratios."""
    times = "–"
    if theirs:
        ratios = (one / other for one, other in zip(mine, theirs, strict=True))
        times = f"**{statistics.median(ratios):.2f}**"
    cells = (f"{failures:,}", f"{len(mine)}", _times(mine), _times(theirs), times, wanted)
    return f"| {task} | {' | '.join(cells)} |"


def _times(seconds: Sequence[float] | None) -> str:
    return f"{statistics.median(seconds):.2f}, worst {max(seconds):.2f}" if seconds else "–"


def _reviewers_line(history: Path, count: int, seconds: float, wanted: str) -> str:
    with _served(ours(history)) as address:
        names = [f"Reviewer {number} of {count}" for number in range(1, count + 1)]
        server, _, page = address.rpartition("/")
        work = review(server, page, names, seconds)
    pressed, there = Counter(work.acknowledged), Counter(_journal(history))
    cells = (
        f"{len(work.acknowledged):,}",
        f"{statistics.median(work.seconds):.2f}",
        f"{statistics.quantiles(work.seconds, n=20, method='inclusive')[-1]:.2f}",
        f"{max(work.seconds):.2f}",
        wanted,
        f"{work.unanswered}",
        f"{sum(there[said] == 1 for said in pressed):,}",
        f"{(pressed - there).total()}",
        f"{(there - pressed).total()}",
    )
    return f"| {count} | {' | '.join(cells)} |"


def _journal(path: Path) -> Iterator[Said]:
    with closing(History(url(path))) as history:
        for _, entry in history.journal.entries():
            yield Said(entry.who, entry.case_id, entry.verdict or "")


# -- the browser ---------------------------------------------------------------


class _Reviewer:
    """Is a person before a page of their own, with nothing in the browser's cache at first."""

    def __init__(self, browser: Browser, app: App) -> None:
        self._app = app
        self._page = browser.new_page()
        self._traffic = Traffic(self._page)

    def load(self, address: str) -> float:
        """Returns the seconds from navigation to a painted case."""
        self._page.goto(address, wait_until="commit")
        seconds: float = self._page.evaluate(_LOADED, self._app.seen)
        self._traffic.settle(self._page)
        return seconds

    def give_name(self) -> None:
        if self._app.asks_name:
            name = self._page.get_by_label("You are")
            name.fill("Ann")
            name.press("Enter")
            self._traffic.settle(self._page)
            name.blur()

    def press(self, key: str) -> float:
        """Returns the seconds from a key to another painted case, after some thought."""
        self._page.wait_for_timeout(THOUGHT_MS)
        self._page.evaluate(_WATCH, self._app.seen)
        self._page.keyboard.press(key)
        seconds: float = self._page.evaluate("() => window.nextPainted")
        self._traffic.settle(self._page)
        return seconds

    def case(self) -> str:
        """Returns the case that is painted."""
        return self._page.locator(self._app.seen[0]).inner_text()

    def close(self) -> None:
        self._page.close()


@contextmanager
def _served(app: App) -> Iterator[str]:
    """Serves a way to review and yields its page's address."""
    with tempfile.TemporaryDirectory() as folder:
        server = app.start(Path(folder) / "log")
        try:
            yield server.url + app.path
        finally:
            server.stop()
        if trouble := server.new_tracebacks():
            raise SystemExit(trouble)


def _visits(browser: Browser, address: str, app: App) -> Sequence[float]:
    """Returns the seconds of a server's first load, of a second visitor's, and of one more."""
    first, second = _Reviewer(browser, app), _Reviewer(browser, app)
    times = first.load(address), second.load(address), second.load(address)
    first.close()
    second.close()
    return times
