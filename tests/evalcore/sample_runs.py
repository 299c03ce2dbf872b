"""Runs as a history would hold them, made for tests with as little as a test has to say."""

from datetime import UTC, datetime, timedelta

import msgspec

from evalcore.case import STRATA
from evalcore.job import Thresholds
from evalcore.report import JobStamp
from evalcore.run import Exclusion, Run, Sums

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
EXCLUDED = Exclusion(at=START, who="lead", why="the wrong prompt file")


def sums(passed, n, *, cases="a", unanswered=0) -> Sums:
    return Sums(passed=passed, n=n, unanswered=unanswered, instrument_hash=cases if n else "none")


def job(name="triage", sha256="1" * 64, **thresholds) -> JobStamp:
    return JobStamp(
        name=name,
        sha256=sha256,
        source="job",
        thresholds=Thresholds(**thresholds),
        proposed=(),
        overrides=(),
    )


def a_run(number, config=None, passed=9, n=20, *, day=None, cases="a", others="a", **fields) -> Run:
    """Returns a run whose strata all have the same counts, on day `number` unless told."""
    own = sums(passed, n, cases=cases, unanswered=fields.pop("unanswered", 0))
    usual = Run(
        id=number,
        at=START + timedelta(days=number if day is None else day),
        suite="golden.jsonl",
        suite_sha256=f"{number:064}",
        instrument_hash=f"{own.instrument_hash}{others}",
        matching="1",
        job=job(),
        config=config or f"prompt {number}",
        source="upload",
        strata=dict.fromkeys(STRATA, own),
    )
    return msgspec.structs.replace(usual, **fields)
