"""A made-up past of a team: one suite, answered anew by run after run, the same on every machine.

Each case has five answers that come back again and again; three in a hundred are new. A tenth of
the answers fail at first, mostly to a few hard cases, and less from run to run. Every tenth run
repeats the config before it.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

from sqlalchemy.engine import URL

from benchmarks import corpus, plain_history
from evalcore.job import Job
from evalcore.pipeline import grade_suite
from evalcore.recording import Recording
from evalcore.report import Report
from evalcore.stamp import Stamp
from evalcore.store import History

CASES = 1_000
STRATA = {"easy": 10, "medium": 60, "stretch": 30}
ANSWERS = 5
NEW = 0.03
FAILING = {0.8: 8, 0.04: 92}
FORBIDDEN = "as an ai model"
START = datetime(2023, 3, 1, 9, tzinfo=UTC)
JOB = Job(name="support-answers", sha256="5" * 64)
ROOT = Path(__file__).resolve().parent.parent
# What decides the bytes of a history, by where it is in `evalcore`.
SOURCES = (
    "database", "grading", "identity", "matching", "migrations/**/*", "recording", "report",
    "stamp", "store", "tables",
)  # fmt: skip

Graded = tuple[Recording, Report, Stamp]
"""What `History.save` takes of a run."""


class Past:
    """Makes the runs of a past by their number, from 0."""

    def __init__(self) -> None:
        """Thinks up the cases and their usual answers, those that fail last."""
        rng = random.Random(17)
        parts = corpus.SYLLABLES.split()
        self._words = ["".join(rng.choices(parts, k=rng.randint(1, 4))) for _ in range(4000)]
        self._cases = [self._case(rng, index) for index in range(CASES)]
        self._failing = rng.choices([*FAILING], [*FAILING.values()], k=CASES)
        self._usual = [
            [self._line(rng, case, failed) for failed in self._outcomes(rng, share)]
            for case, share in zip(self._cases, self._failing, strict=True)
        ]

    def graded(self, number: int) -> Graded:
        """Returns a run."""
        recording = Recording()
        report = grade_suite(BytesIO(self._suite(number)), job=JOB, recording=recording)
        config = f"prompt {number - (number % 10 == 9)}"
        at = START + timedelta(days=number)
        return recording, report, Stamp(config=config, suite="desk", source="live", at=at)

    def _suite(self, number: int) -> bytes:
        rng = random.Random(number)
        return b"".join(self._answer(rng, number, index) for index in range(CASES))

    def _answer(self, rng: random.Random, number: int, index: int) -> bytes:
        """Returns a case's line in a run; the later it is, the seldomer an answer that fails."""
        if rng.random() < NEW:
            return self._line(rng, self._cases[index], rng.random() < self._failing[index])
        return self._usual[index][int(ANSWERS * rng.random() ** (1 + number / 1000))]

    def _outcomes(self, rng: random.Random, failing: float) -> list[bool]:
        return sorted(rng.random() < failing for _ in range(ANSWERS))

    def _case(self, rng: random.Random, index: int) -> dict[str, object]:
        return {
            "id": case_id(index),
            "stratum": rng.choices([*STRATA], [*STRATA.values()])[0],
            "prompt": " ".join(rng.choices(self._words, k=12)),
            "must_include": [" ".join(rng.choices(self._words, k=2)) for _ in range(2)],
            "must_not_include": [FORBIDDEN],
        }

    def _line(self, rng: random.Random, case: dict[str, object], failed: bool) -> bytes:
        """Returns the case as a line of a suite, with one more answer of some 350 characters."""
        said = list(case["must_include"])  # type: ignore[call-overload]
        if failed:
            said[rng.randrange(len(said))] = rng.choice((FORBIDDEN, "sorry"))
        text = [*rng.choices(self._words, k=rng.randint(34, 47)), *said]
        rng.shuffle(text)
        return json.dumps(case | {"completion": " ".join(text)}).encode() + b"\n"


def case_id(index: int) -> str:
    """Names a case of the past."""
    return f"case-{index}"


def kept(past: Past, runs: int, folder: Path) -> tuple[Path, Path]:
    """Returns the past's first runs in our history and in the plain one, made if not there yet.

    The files stay for the next time, until a source changes that decides what is in them.
    """
    recipe = _recipe()
    ours, plain = (folder / f"{name}-{recipe}-{runs}.db" for name in ("history", "plain"))
    if not (ours.exists() and plain.exists()):
        _clear(folder, recipe)
        parts = [path.with_suffix(".part") for path in (ours, plain)]
        history, connection = History(url(parts[0])), plain_history.connect(parts[1])
        for number in range(runs):
            recording, report, stamp = past.graded(number)
            history.save(recording, report, stamp)
            plain_history.save(connection, plain_history.rows(number, recording))
        history.close()
        connection.close()
        parts[0].rename(ours)
        parts[1].rename(plain)
    return ours, plain


def url(path: Path) -> URL:
    """Names a file as a history."""
    return URL.create("sqlite", database=str(path))


def _clear(folder: Path, recipe: str) -> None:
    """Removes what was made of other sources, and what was not finished."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("history", "plain"):
        for path in folder.glob(f"{kind}-*"):
            if recipe not in path.name or ".part" in path.name:
                path.unlink()


def _recipe() -> str:
    found = hashlib.sha256()
    for path in _sources():
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _sources() -> Iterator[Path]:
    yield from map(Path, (__file__, corpus.__file__, plain_history.__file__))
    for name in SOURCES:
        yield from sorted((ROOT / "evalcore").glob(f"{name}.py"))
