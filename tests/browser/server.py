"""A real Streamlit server of this app, run as a process on loopback."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from evalcore.database import URL_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
STOP_SECONDS = 10
TRACEBACK = "Traceback (most recent call last)"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Server:
    """Runs a script of Streamlit's, `app.py` as a rule, from start to `stop`.

    Its log says what went wrong inside. Unless told otherwise it keeps its history beside its log,
    in a file of its own.
    """

    def __init__(
        self,
        log: Path,
        *,
        script: Path = ROOT / "app.py",
        args: tuple[str, ...] = (),
        env: Mapping[str, str] = {},
    ):
        self.log = log
        self.history = log.with_name("history.db")
        self.url = f"http://127.0.0.1:{_free_port()}"
        self._judged = 0
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(script), *self._options(), *args],
                cwd=ROOT,
                env=_clean_environment() | {URL_VARIABLE: str(self.history)} | dict(env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait_until_healthy()
        except BaseException:
            self.stop()
            raise

    def _options(self) -> list[str]:
        return ["--server.port", self.url.rpartition(":")[2], "--server.headless", "true"]

    def _wait_until_healthy(self) -> None:
        # Asked without a visitor: no page has run when the first test arrives.
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with direct.open(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"The Streamlit server did not start:\n{self.log.read_text()}")

    @property
    def pid(self) -> int:
        """The process that serves."""
        return self._process.pid

    def new_tracebacks(self) -> str:
        """Returns what the log gained since the last call if that holds a traceback, else ""."""
        text = _COLOUR.sub("", self.log.read_text(errors="replace"))
        gained, self._judged = text[self._judged :], len(text)
        return gained if TRACEBACK in gained else ""

    def stop(self) -> None:
        """Ends the server, by force if it does not listen."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            self._process.send_signal(sign)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _clean_environment() -> dict[str, str]:
    """Drops settings of the person's own, and the tracing that would slow the server down."""
    foreign = ("STREAMLIT_", "COVERAGE_", "COV_CORE_")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
