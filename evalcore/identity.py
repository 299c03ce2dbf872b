"""What makes two cases, completions or suites the same: hashes of canonical JSON.

Canonical JSON is UTF-8 without spaces, object keys in order, nothing escaped that need not be; a
field that is absent, null or empty counts as its default.
"""

import hashlib
from collections.abc import Iterable

import msgspec

from evalcore.case import Case, Stratum

_MODULUS = 1 << 256
_encode = msgspec.json.Encoder().encode


class _Fixture(msgspec.Struct, gc=False):
    """Is what a case asks; its fields stand in the order of canonical JSON."""

    max_chars: int
    must_include: tuple[str, ...]
    must_include_any: tuple[tuple[str, ...], ...]
    must_not_include: tuple[str, ...]
    prompt: str
    stratum: Stratum


_decode = msgspec.json.Decoder(_Fixture).decode


def fixture_json(case: Case) -> bytes:
    """Returns the canonical JSON of a case's prompt, stratum and checks."""
    return _encode(
        _Fixture(
            case.max_chars,
            case.must_include,
            case.must_include_any,
            case.must_not_include,
            case.prompt,
            case.stratum,
        )
    )


def case_of(fixture: bytes, case_id: str, completion: str | None) -> Case:
    """Returns the case that `fixture_json` gave, with an id and a completion."""
    kept = _decode(fixture)
    return Case(
        id=case_id,
        stratum=kept.stratum,
        prompt=kept.prompt,
        completion=completion,
        must_include=kept.must_include,
        must_include_any=kept.must_include_any,
        must_not_include=kept.must_not_include,
        max_chars=kept.max_chars,
    )


def fixture_hash(case: Case) -> str:
    """Returns the sha256 (64 hex digits) of a case's canonical JSON."""
    return hashlib.sha256(fixture_json(case)).hexdigest()


def completion_hash(completion: str) -> str:
    """Returns the sha256 (64 hex digits) of a completion's UTF-8."""
    return hashlib.sha256(completion.encode("utf-8", "surrogatepass")).hexdigest()


class InstrumentHash:
    """Sums up a suite's cases to a hash that does not depend on their order.

    It is the sum modulo 2^256 of the sha256 of each canonical `[id, fixture_hash]`.
    """

    def __init__(self) -> None:
        """Starts with no case."""
        self._sum = 0

    def add(self, cases: Iterable[Case]) -> None:
        """Takes in more cases."""
        for case in cases:
            pair = _encode((case.id, fixture_hash(case)))
            self._sum += int.from_bytes(hashlib.sha256(pair).digest(), "big")

    def hexdigest(self) -> str:
        """Returns the hash of the cases so far, 64 hex digits."""
        return f"{self._sum % _MODULUS:064x}"
