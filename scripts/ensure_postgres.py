"""Finds the PostgreSQL server that the tests start, and installs one where there is none.

The tests ask `find_postgres` as well, so what is found or installed here is what they use. They
start it in a folder of their own and touch no database that is there already.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = ("initdb", "pg_ctl", "postgres")
# Distributions and Homebrew keep the server's programs out of PATH, in a folder for each version.
PLACES = (
    "usr/lib/postgresql/*/bin",
    "usr/pgsql-*/bin",
    "opt/homebrew/opt/postgresql*/bin",
    "usr/local/opt/postgresql*/bin",
)
HELP = """\
No PostgreSQL server was found that starts, and none could be installed. One of these brings one:
  sudo apt-get install postgresql        (Debian)
  brew install postgresql                (macOS)"""


def find_postgres() -> Path | None:
    """Returns the folder of the first server's programs that start, or None."""
    return next((folder for folder in _folders() if _starts(folder)), None)


def _folders() -> Iterator[Path]:
    """Yields where a server may be: the one in PATH, then the newest of each place."""
    if in_path := shutil.which("postgres"):
        yield Path(in_path).resolve().parent
    for place in PLACES:
        yield from sorted(Path("/").glob(place), key=_version, reverse=True)


def _version(folder: Path) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", str(folder))]


def _starts(folder: Path) -> bool:
    """Tells a server from a client alone, and from one that misses system libraries."""
    try:
        return all(
            subprocess.run((folder / name, "--version"), capture_output=True, timeout=60).returncode
            == 0
            for name in PROGRAMS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def _install() -> None:
    """Installs Debian's server; whether that helped is seen by looking again."""
    sudo = () if os.geteuid() == 0 else ("sudo",)
    apt = (*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q")
    for command in (
        (*apt, "update"),
        (*apt, "install", "-y", "--no-install-recommends", "postgresql"),
    ):
        print("+", *command, flush=True)
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=sys.stderr)
            return


def main() -> None:
    """Makes sure that a PostgreSQL server is there, or exits with what to do."""
    found = find_postgres()
    if not found and shutil.which("apt-get"):
        _install()
        found = find_postgres()
    if not found:
        sys.exit(HELP)
    print(f"Tests of the history use PostgreSQL in {found}")


if __name__ == "__main__":
    main()
