"""Measures speed and memory against the plain way, and writes the tables.

python benchmarks/run.py [--quick] [--no-browser] [--no-history] [--no-review] [--write]

Every pair is run in turn (ours, plain, ours, plain, …) and compared by the median of the ratios, so
that a machine whose speed drifts does not decide the comparison.
"""

import argparse
import hashlib
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import corpus  # noqa: E402
from benchmarks.corpus import make  # noqa: E402

TABLE = ROOT / "docs" / "benchmarks.md"
ROUNDS = {1_000: 15, 100_000: 5, 1_000_000: 1}
RUNS = (100, 1_000)
GRADE = (sys.executable, "-m", "evalcore", "grade")
PLAIN = (sys.executable, str(ROOT / "benchmarks" / "plain.py"))


@dataclass(frozen=True)
class Run:
    """What one finished process took: seconds on the wall and of CPU, and peak MiB."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True)
class Pair:
    """Our runs beside the plain script's on the same suite, in the order they were made."""

    kind: str
    rows: int
    ours: list[Run]
    plain: list[Run]

    @property
    def speed(self) -> float:
        """How many times as fast as the plain script, by the median of the pairs' wall times."""
        return statistics.median(
            plain.wall / ours.wall for ours, plain in zip(self.ours, self.plain, strict=True)
        )


def measure(command: Sequence[str]) -> Run:
    """Runs a command to its end with its output thrown away."""
    started = perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = perf_counter() - started
    if os.waitstatus_to_exitcode(status) not in (0, 2):
        raise SystemExit(f"failed: {' '.join(command)}")
    peak = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
    return Run(wall, usage.ru_utime + usage.ru_stime, peak)


def compare(kind: str, rows: int, rounds: int, folder: Path) -> Pair:
    """Runs both in turn, after one run of each that does not count."""
    suite = str(make(kind, rows, folder))
    if rounds > 1:
        measure((*GRADE, suite))
        measure((*PLAIN, suite))
    ours, plain = [], []
    for _ in range(rounds):
        ours.append(measure((*GRADE, suite)))
        plain.append(measure((*PLAIN, suite)))
    return Pair(kind, rows, ours, plain)


def line(pair: Pair) -> str:
    """Renders a pair as a row of the table: medians, the ratio and both peaks."""
    ours, plain = pair.ours, pair.plain
    return (
        f"| {pair.kind} | {pair.rows:,} | {len(ours)} "
        f"| {median(ours, wall):.2f} | {median(plain, wall):.2f} | **{pair.speed:.2f}** "
        f"| {median(ours, cpu):.2f} | {median(plain, cpu):.2f} "
        f"| {max(run.peak for run in ours):.0f} | {max(run.peak for run in plain):.0f} |"
    )


def median(runs: list[Run], figure: Callable[[Run], float]) -> float:
    return statistics.median(map(figure, runs))


def wall(run: Run) -> float:
    return run.wall


def cpu(run: Run) -> float:
    return run.cpu


HEAD = """\
| suite | cases | runs | ours, s | plain, s | times as fast | ours, CPU s | plain, CPU s \
| ours, peak MiB | plain, peak MiB |
|---|---|---|---|---|---|---|---|---|---|"""


def machine() -> str:
    """Names what the figures were measured on."""
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"


def main() -> None:
    options = parsed()
    recipe = hashlib.sha256(Path(corpus.__file__).read_bytes()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"headroom-bench-{recipe}"
    lines = []
    for text in measured(options, folder):
        lines.append(text)
        print(text, flush=True)
    if options.write:
        write(lines)


def measured(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Yields the tables line by line, as they are measured."""
    yield from grading_lines(quick=options.quick, folder=folder)
    if not options.no_browser:
        from benchmarks.browser import HEAD as BROWSER_HEAD
        from benchmarks.browser import upload_lines

        yield "\n" + BROWSER_HEAD
        yield from upload_lines([1_000, 100_000] if options.quick else [*ROUNDS], folder)
    if not options.no_history:
        from benchmarks.history import HEAD as HISTORY_HEAD
        from benchmarks.history import history_lines

        yield "\n" + HISTORY_HEAD
        yield from history_lines(RUNS[: 1 if options.quick else None], folder)
    if not (options.no_history or options.no_browser):
        from benchmarks.browser import TRENDS_HEAD, trends_lines

        yield "\n" + TRENDS_HEAD
        yield from trends_lines(RUNS[: 1 if options.quick else None], folder)
    if not options.no_review:
        from benchmarks.review import REVIEWERS_HEAD, reviewers_lines

        yield "\n" + REVIEWERS_HEAD
        yield from reviewers_lines(folder, quick=options.quick)
    if not (options.no_review or options.no_browser):
        from benchmarks.review import HEAD as REVIEW_HEAD
        from benchmarks.review import review_lines

        yield "\n" + REVIEW_HEAD
        yield from review_lines(folder, quick=options.quick)


def grading_lines(*, quick: bool, folder: Path) -> Iterator[str]:
    sizes = {"long": [*ROUNDS], "scripts": [1_000, 100_000]}
    if quick:
        sizes["long"] = sizes["scripts"]
    yield HEAD
    for kind in sizes:
        for rows in sizes[kind]:
            yield line(compare(kind, rows, ROUNDS[rows], folder))
    version = [measure((sys.executable, "-m", "evalcore", "--version")) for _ in range(15)]
    yield f"\n`evalcore --version`: {median(version, wall):.3f} s (median of 15)."


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="leave out the million cases, the thousand runs and the 100,000 failures",
    )
    parser.add_argument("--no-browser", action="store_true", help="leave out what needs a browser")
    parser.add_argument("--no-history", action="store_true", help="leave the history of runs out")
    parser.add_argument("--no-review", action="store_true", help="leave the review of failures out")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    return parser.parse_args()


def write(lines: list[str]) -> None:
    """Puts the measured table into its page, between the page's two marks."""
    page = TABLE.read_text(encoding="utf-8")
    before, _, rest = page.partition("<!-- measured -->")
    _, _, after = rest.partition("<!-- /measured -->")
    stamp = f"Measured on {datetime.now(UTC):%Y-%m-%d}, {machine()}.\n"
    body = "\n".join([stamp, *lines])
    TABLE.write_text(
        f"{before}<!-- measured -->\n\n{body}\n\n<!-- /measured -->{after}", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
