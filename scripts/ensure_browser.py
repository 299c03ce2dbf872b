"""Finds the Chromium that the browser tests drive, and installs one where there is none.

Playwright's own comes first, then the system's; the tests ask `find_chromium` as well, so
what is found or installed here is what they use.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome")
# A small Debian has no font to draw with, and lacks a library of Playwright's own driver.
DEBIAN_PACKAGES = ("chromium", "fonts-dejavu-core", "libatomic1")
PLAYWRIGHT = (sys.executable, "-m", "playwright")
HELP = """\
No Chromium was found that starts, and none could be installed. One of these brings one:
  sudo apt-get install chromium libatomic1        (Debian)
  .venv/bin/python -m playwright install --with-deps chromium"""


def find_chromium(playwrights_own: str) -> Path | None:
    """Returns the first Chromium that starts, or None."""
    system = (shutil.which(name) for name in SYSTEM_NAMES)
    candidates = (path for path in (playwrights_own, *system) if path)
    return next((Path(path) for path in candidates if _starts(path, "--version")), None)


def _starts(*command: str) -> bool:
    """Tells a program from an unfilled path, a stub, and one that misses system libraries."""
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _find() -> Path | None:
    if not _starts(*PLAYWRIGHT, "--version"):
        return None
    with sync_playwright() as playwright:
        return find_chromium(playwright.chromium.executable_path)


def _installers() -> Iterator[Sequence[Sequence[str]]]:
    """Yields what to try, in turn: where nobody is asked for a password first."""
    root = os.geteuid() == 0
    apt = (*(() if root else ("sudo",)), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q")
    debian = (
        (*apt, "update"),
        (*apt, "install", "-y", "--no-install-recommends", *DEBIAN_PACKAGES),
    )
    if root and shutil.which("apt-get"):
        yield debian
    yield ((*PLAYWRIGHT, "install", "chromium"),)
    if not root and shutil.which("apt-get"):
        yield debian


def _install(commands: Sequence[Sequence[str]]) -> None:
    """Runs the commands until one fails; whether they helped is seen by looking again."""
    for command in commands:
        print("+", *command, flush=True)
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=sys.stderr)
            return


def main() -> None:
    """Makes sure that a Chromium is there, or exits with what to do."""
    found = _find()
    for commands in _installers():
        if found:
            break
        _install(commands)
        found = _find()
    if not found:
        sys.exit(HELP)
    print(f"Browser tests use {found}")


if __name__ == "__main__":
    main()
