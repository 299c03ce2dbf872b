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


def reviewable() -> bytes:
    """Returns a suite with misses of each stratum, three of stretch, and a stretch pass."""
    rows = [
        case("e-passed", "easy", completion="here it is"),
        case("e-missed", "easy", completion="nothing", must_include=["it is"]),
        case("m-missed", "medium", completion="nothing", must_include=["it is"], tags=["json"]),
        case("s1", "stretch", completion="nothing", must_include=["it is"]),
        case("s2", "stretch", completion="Please don’t", must_include=["don't"], tags=["tone"]),
        case("s3", "stretch", completion="so sorry", must_not_include=["sorry"], tags=["tone"]),
        case("p1", "stretch", completion="here it is", must_include=["it is"], note="zebra"),
    ]
    return jsonl(rows)
