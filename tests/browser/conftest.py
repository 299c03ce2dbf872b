"""A real Chromium against a real server.

`page` and `new_context` (pytest-playwright) open the session's server, so `page.goto("/")` is
the app; `dark_page` and `phone_page` are its variants. `fresh_server()` starts one that nobody
has visited yet, `full` is the address of one with a history to look at. A traceback in a
server's log fails the test that caused it.
"""

import signal
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from evalcore.run import Run
from scripts.ensure_browser import HELP, find_chromium
from tests.browser.server import Server
from tests.evalcore.keeping import keep
from tests.pages.histories import full_at, history_at

PHONE = {"width": 390, "height": 844}

# A busy machine's pauses are no failure.
expect.set_options(timeout=20_000)


@pytest.hookimpl(trylast=True)  # pytest sorts by fixtures as well
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the browser tests and puts them last: Playwright keeps an event loop running."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker("browser")
    items.sort(key=lambda item: item.path.is_relative_to(here))


# -- the browser ---------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType
) -> dict[str, Any]:
    """Names the Chromium that is there; Playwright itself starts it with --no-sandbox."""
    chromium = find_chromium(browser_type.executable_path)
    if chromium is None:
        pytest.fail(HELP, pytrace=False)
    # Whatever a page asks for, nothing but loopback can be reached.
    only_loopback = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": [only_loopback, "--disable-quic"],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Fixes what a machine's own settings would decide."""
    return {
        **browser_context_args,
        "locale": "en-GB",
        "timezone_id": "UTC",
        "reduced_motion": "reduce",
    }


@pytest.fixture
def dark_page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page in the dark theme."""
    return new_context(color_scheme="dark").new_page()


@pytest.fixture
def phone_page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page as wide as a phone, 390 px, that is touched."""
    return new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()


@pytest.fixture
def foreign_requests(context: BrowserContext, base_url: str) -> list[str]:
    """The addresses outside the app that `page`, or another page of its context, asks for."""
    seen: list[str] = []
    home = urlsplit(base_url).netloc

    def note(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != home:
            seen.append(url)

    def watch(page: Page) -> None:
        page.on("websocket", lambda socket: note(socket.url))

    context.on("request", lambda request: note(request.url))
    context.on("page", watch)
    for page in context.pages:
        watch(page)
    return seen


# -- the server ----------------------------------------------------------------


@pytest.fixture(scope="session")
def servers() -> Iterator[list[Server]]:
    """All servers of the session, the stopped ones too."""
    started: list[Server] = []
    # A run that is told to end, by a time limit say, ends its servers too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield started
    for server in started:
        server.stop()
    late = "".join(server.new_tracebacks() for server in started)
    assert not late, f"A server logged a traceback after its last test:\n{late}"


@pytest.fixture(autouse=True)
def no_traceback(servers: list[Server]) -> Iterator[None]:
    """Fails the test during which a server logged a traceback."""
    yield
    for server in servers:
        gained = server.new_tracebacks()
        assert not gained, f"The server logged a traceback:\n{gained}"


@pytest.fixture(scope="session")
def server(servers: list[Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The server that the session's tests share."""
    servers.append(Server(tmp_path_factory.mktemp("server") / "log"))
    return servers[-1]


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Where `page.goto("/")` goes."""
    return server.url


@pytest.fixture
def kept_run(server: Server) -> Callable[[bytes], Run]:
    """Keeps a suite in the history of the session's server, as another program would."""

    def kept(suite: bytes) -> Run:
        name = uuid.uuid4().hex  # so that it is a run of its own, and the only one of its cases
        with history_at(server.history) as history:
            return history.run(keep(history, suite, name, suite=name).run_id)

    return kept


@pytest.fixture(scope="session")
def full_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history with all that pages have to show, to be looked at and not changed."""
    return full_at(tmp_path_factory.mktemp("full") / "history.db")


@pytest.fixture(scope="session")
def full(servers: list[Server], full_history: Path) -> str:
    """The address of a server of that history."""
    servers.append(Server(full_history.with_name("log")))
    return servers[-1].url


@pytest.fixture
def fresh_server(
    servers: list[Server], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Server]]:
    """Starts a server that nobody has visited: `fresh_server(args=(...), env={...}).url`."""
    mine: list[Server] = []

    def start(**settings: Any) -> Server:
        mine.append(Server(tmp_path_factory.mktemp("fresh") / "log", **settings))
        servers.append(mine[-1])
        return mine[-1]

    yield start
    for server in mine:
        server.stop()
