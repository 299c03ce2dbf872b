"""The baseline: the script that anyone would write to grade a suite, without any validation."""

import json
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    id: str
    stratum: str
    prompt: str
    completion: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    limit: int


@dataclass
class Outcome:
    case_id: str
    stratum: str
    passed: bool
    reasons: list[str]


def outcome(row: Row) -> Outcome:
    reasons = []
    if not row.completion.strip():
        reasons.append("empty_completion")
    if len(row.completion) > row.limit:
        reasons.append(f"over_budget:{len(row.completion)}>{row.limit}")
    low = row.completion.lower()
    reasons += [f"missing:{needle}" for needle in row.include if needle.lower() not in low]
    reasons += [f"forbidden:{needle}" for needle in row.exclude if needle.lower() in low]
    return Outcome(row.id, row.stratum, not reasons, reasons)


def read(path: str) -> list[Row]:
    rows = []
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        for line in file:
            if line.strip():
                raw = json.loads(line)
                rows.append(
                    Row(
                        str(raw["id"]),
                        raw["stratum"],
                        raw["prompt"],
                        raw.get("completion") or "",
                        tuple(raw.get("must_include") or ()),
                        tuple(raw.get("must_not_include") or ()),
                        int(raw.get("max_chars") or 1200),
                    )
                )
    return rows


def main() -> None:
    graded = [outcome(row) for row in read(sys.argv[1])]
    bands: dict[str, list[int]] = {}
    for grade in graded:
        band = bands.setdefault(grade.stratum, [0, 0])
        band[0] += 1
        band[1] += grade.passed
    failures = [vars(grade) for grade in graded if not grade.passed]
    json.dump({"rates": bands, "failures": failures}, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
