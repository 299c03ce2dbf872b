"""Made-up failures to review: two runs of one suite, in a history and in a plain table."""

import hashlib
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from itertools import islice
from pathlib import Path

from benchmarks import corpus
from benchmarks.past import ROOT, SOURCES, url
from evalcore.pipeline import grade_suite
from evalcore.recording import Recording
from evalcore.stamp import Stamp
from evalcore.store import History

CONFIGS = ("v1", "v2")
LONG = 1_000_000


def case_id(index: int) -> str:
    """Names a failing case; none of the names is in another one."""
    return f"case-{index:06}"


def rows(failures: int, config: str) -> Iterator[dict[str, object]]:
    """Yields a suite of failing cases, one of them with a long answer, and a few that pass.

    Nine of ten failures are stretch cases, every seventh is a near miss, and the second config
    answers every third anew.
    """
    rng = random.Random(19)
    parts = corpus.SYLLABLES.split()
    words = ["".join(rng.choices(parts, k=rng.randint(1, 4))) for _ in range(4000)]
    for index in range(failures):
        text = " ".join(rng.choices(words, k=rng.randint(34, 47)))
        if index == failures // 2:
            text = " ".join(rng.choices(words, k=LONG // 3))[:LONG]
        if config == "v2" and (index % 3 == 0 or index == failures // 2):
            text = f"said anew {text}"
        yield {
            "id": case_id(index),
            "stratum": "medium" if index % 10 == 5 else "stretch",
            "prompt": " ".join(rng.choices(words, k=12)),
            "completion": f"{case_id(index)} don’t {text}",
            "must_include": ["don't" if index % 7 == 0 else f"never-said-{index}"],
            "must_not_include": ["as an ai model"],
            "tags": [f"tag-{index % 12}"],
        }
    for index in range(failures // 20):
        yield {
            "id": f"passes-{index}",
            "stratum": "easy" if index % 2 else "stretch",
            "prompt": "Say it.",
            "completion": "here it is",
            "must_include": ["it is"],
        }


def kept(failures: int, folder: Path) -> tuple[Path, Path]:
    """Returns two runs of that many failures in a history and in a plain table.

    The files stay for the next time, until a source changes that decides what is in them.
    """
    recipe = _recipe()
    names = ("review", "review-plain")
    history, table = (folder / f"{name}-{recipe}-{failures}.db" for name in names)
    if not (history.exists() and table.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob("review-*"):
            if recipe not in path.name or ".part" in path.name:
                path.unlink()
        _save(failures, history.with_suffix(".part"))
        _save_plainly(failures, table.with_suffix(".part"))
        for path in (history, table):
            path.with_suffix(".part").rename(path)
    return history, table


def _save(failures: int, path: Path) -> None:
    with closing(History(url(path))) as history:
        for day, config in enumerate(CONFIGS, 1):
            recording = Recording()
            suite = "".join(json.dumps(row) + "\n" for row in rows(failures, config)).encode()
            report = grade_suite(BytesIO(suite), recording=recording)
            at = datetime(2026, 3, day, 9, tzinfo=UTC)
            stamp = Stamp(config=config, suite="desk", source="live", at=at)
            history.save(recording, report, stamp)


def _save_plainly(failures: int, path: Path) -> None:
    found = rows(failures, CONFIGS[-1])
    some = ((row["id"], row["prompt"], row["completion"]) for row in islice(found, failures))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE failures (case_id TEXT PRIMARY KEY, prompt, completion, why)"
        )
        connection.executemany("INSERT INTO failures VALUES (?, ?, ?, 'missing')", some)


def _recipe() -> str:
    found = hashlib.sha256()
    sources = (path for name in SOURCES for path in sorted((ROOT / "evalcore").glob(f"{name}.py")))
    for path in (Path(__file__), Path(corpus.__file__), *sources):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]
