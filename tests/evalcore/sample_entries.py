"""Entries of a journal, made for tests with as little as a test has to say."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from evalcore.decision import Change
from evalcore.entry import VERDICTS, Entry

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
PROMOTE = Change(kind="promote", fields={"stratum": "medium"})
RETIRE = Change(kind="retire")


def an_entry(number: int, who: str = "ann", **fields: Any) -> Entry:
    """Returns an entry of minute `number` whose key ends in it; a real miss unless told."""
    usual = Entry(
        key=f"{number:032x}",
        at=START + timedelta(minutes=number),
        who=who,
        run=1,
        suite_sha256="a" * 64,
        case_id="s1",
        fixture_hash="b" * 64,
        completion_hash="c" * 64,
    )
    kinds = {"verdict", "change", "takes_back"} & fields.keys()
    return msgspec.structs.replace(usual, **({} if kinds else {"verdict": "real_miss"}) | fields)


def undo(number: int, undone: int, who: str = "ann", **fields: Any) -> Entry:
    """Returns the entry that takes back the one of a number."""
    return an_entry(number, who, takes_back=f"{undone:032x}", **fields)


def settled(number: int, verdict: str, who: str = "cy", note: str = "so") -> Entry:
    return an_entry(number, who, verdict=verdict, settles=True, note=note)


def some_entries(count: int, cases: int = 16) -> list[Entry]:
    """Returns entries of all kinds, hostile ones among them, by three people on some cases."""
    people = ("ann", "böb", "\N{PILE OF POO}")
    made: list[Entry] = []
    for k in range(count):
        fields: dict[str, Any] = {
            "case_id": f"c\0{k % cases}",
            "fixture_hash": f"{k % cases:064x}",
            "completion_hash": None if k % 5 == 0 else f"{k % cases:064x}",
            "note": f"{k}\n$\u202e\N{PILE OF POO}" if k % 3 else "",
            "at": an_entry(k).at + timedelta(microseconds=k * 7919 % 1_000_000),
        }
        who = people[k % 3]
        if k % 11 == 10:
            undone = made[-1]
            made.append(undo(k, k - 1, undone.who, **fields | undone.text._asdict()))
        elif k % 7 == 6:
            made.append(an_entry(k, who, change=Change(kind="promote", fields={"k": k}), **fields))
        else:
            made.append(an_entry(k, who, verdict=VERDICTS[k % 5], **fields))
    return made
