"""Small suites made to measure."""

import json
from collections.abc import Iterable, Mapping
from typing import Any


def jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def case(case_id: str, stratum: str, **fields: Any) -> dict[str, Any]:
    return {"id": case_id, "stratum": stratum, "prompt": "Say it.", **fields}


def counted(prefix: str = "", **counts: tuple[int, int]) -> bytes:
    """Returns a suite in which `passed` of `n` cases pass, by stratum."""
    return jsonl(
        case(
            f"{prefix}{stratum}-{number}",
            stratum,
            completion="here it is" if number < passed else "nothing",
            must_include=["it is"],
        )
        for stratum, (passed, n) in counts.items()
        for number in range(n)
    )
