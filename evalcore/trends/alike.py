"""Runs counted anew on the cases that all of them have in common."""

from collections.abc import Iterable, Mapping

import msgspec

from evalcore.case import STRATA, Stratum
from evalcore.run import Run, Sums

COMMON = "common cases"
"""Stands in for the hash of the instrument, which is the same for all such runs."""


def alike_runs(
    runs: Iterable[Run], sums: Mapping[int, Mapping[Stratum, tuple[int, int]]]
) -> list[Run]:
    """Returns the runs with the counts of their common cases; `sums` has passed and n by run id.

    Since all of them hold the same cases then, no line breaks for a change of cases.
    """
    return [
        msgspec.structs.replace(
            run,
            instrument_hash=COMMON,
            strata={
                stratum: Sums(
                    passed=sums[run.id][stratum][0],
                    n=sums[run.id][stratum][1],
                    unanswered=run.strata[stratum].unanswered,
                    instrument_hash=COMMON,
                )
                for stratum in STRATA
            },
        )
        for run in runs
    ]
