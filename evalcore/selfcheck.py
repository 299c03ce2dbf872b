"""Small built-in suites, one for every alert, to show that each can still be raised."""

import json
from collections.abc import Iterable, Mapping
from io import BytesIO

import msgspec

from evalcore.alerts import ALERT_KINDS, AlertKind
from evalcore.case import STRATA
from evalcore.job import Job
from evalcore.pipeline import grade_suite

_JOB = Job(name="self-check", sha256="0" * 64)


class _Trial(msgspec.Struct, frozen=True):
    """Is a suite given by how many cases of each stratum pass and how many do not."""

    easy: tuple[int, int] = (4, 0)
    medium: tuple[int, int] = (9, 1)
    stretch: tuple[int, int] = (2, 3)
    flags: Mapping[str, float] = {}
    unanswered: Mapping[str, str] = {}


_TRIALS: dict[AlertKind, _Trial] = {
    "thin_stratum": _Trial(stretch=(0, 1)),
    "missing_stratum": _Trial(stretch=(0, 0)),
    "ceiling": _Trial(medium=(10, 0), stretch=(5, 0)),
    "stretch_too_easy": _Trial(stretch=(4, 1)),
    "easy_regression": _Trial(easy=(3, 1)),
    "medium_regression": _Trial(medium=(8, 2)),
    "threshold_override": _Trial(flags={"stretch_high": 0.9}),
    "incomplete": _Trial(unanswered={"stretch-0": "no answer within 60 s"}),
}


def self_check() -> dict[AlertKind, bool]:
    """Returns for every alert whether its suite raised it and a healthy one raised none."""
    healthy = not _alerts(_Trial())
    return {alert: healthy and alert in _alerts(_TRIALS[alert]) for alert in ALERT_KINDS}


def _alerts(trial: _Trial) -> list[AlertKind]:
    suite = "".join(json.dumps(row) + "\n" for row in _rows(trial))
    report = grade_suite(
        BytesIO(suite.encode()), job=_JOB, flags=trial.flags, unanswered=trial.unanswered
    )
    return report.alerts


def _rows(trial: _Trial) -> Iterable[dict[str, object]]:
    for stratum in STRATA:
        passing, failing = getattr(trial, stratum)
        for index in range(passing + failing):
            yield {
                "id": f"{stratum}-{index}",
                "stratum": stratum,
                "prompt": "Which part fits?",
                "completion": "QP-4431 fits." if index < passing else "I cannot tell.",
                "must_include": ["QP-4431"],
            }
