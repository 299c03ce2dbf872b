"""The contract once more, as plainly as it can be written: slow, and sharing no code with evalcore.

Everything here is derived from the words of the contract and from Python's own tables, so that a
fault in the fast code and the same fault here would have to be made twice.
"""

import hashlib
import json
import sys
import unicodedata
from typing import Any

STRATA = ("easy", "medium", "stretch")
FIELDS = {
    "id", "stratum", "prompt", "completion", "must_include", "must_include_any",
    "must_not_include", "max_chars", "tags", "family", "note",
}  # fmt: skip

# -- characters ----------------------------------------------------------------

WHITE_SPACE = {char for char in map(chr, range(sys.maxunicode + 1)) if char.isspace()} - set(
    "\x1c\x1d\x1e\x1f"  # separators to Python, no White_Space to Unicode
)

# Default_Ignorable_Code_Point as DerivedCoreProperties.txt derives it: format characters and
# variation selectors, plus a list, minus annotation marks, prepended marks and hieroglyph joiners.
_PREPENDED = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
_NO_IGNORABLE = {
    *_PREPENDED, "\U000110bd", "\U000110cd", "\ufff9", "\ufffa", "\ufffb",
    *map(chr, range(0x13430, 0x13441)),
}  # fmt: skip
_FORMAT = {
    char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) == "Cf"
}
_VARIATION_SELECTORS = {
    *map(chr, range(0x180B, 0x180E)), "\u180f",
    *map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0)),
}  # fmt: skip
_OTHERS = {
    "\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2065", "\u3164", "\uffa0",
    *map(chr, range(0xFFF0, 0xFFF9)), *map(chr, range(0xE0000, 0xE1000)),
}  # fmt: skip
INVISIBLE = ((_FORMAT | _VARIATION_SELECTORS | _OTHERS) - _NO_IGNORABLE) | {"\u2800"}

_TYPOGRAPHY = {
    "'": """
        LEFT SINGLE QUOTATION MARK, RIGHT SINGLE QUOTATION MARK, SINGLE LOW-9 QUOTATION MARK,
        SINGLE HIGH-REVERSED-9 QUOTATION MARK, PRIME, SINGLE LEFT-POINTING ANGLE QUOTATION MARK,
        SINGLE RIGHT-POINTING ANGLE QUOTATION MARK, MODIFIER LETTER TURNED COMMA,
        MODIFIER LETTER APOSTROPHE, MODIFIER LETTER REVERSED COMMA, ARMENIAN APOSTROPHE,
        HEBREW PUNCTUATION GERESH, ACUTE ACCENT, REVERSED PRIME,
        HEAVY SINGLE TURNED COMMA QUOTATION MARK ORNAMENT,
        HEAVY SINGLE COMMA QUOTATION MARK ORNAMENT, LATIN SMALL LETTER SALTILLO
    """,
    '"': """
        LEFT DOUBLE QUOTATION MARK, RIGHT DOUBLE QUOTATION MARK, DOUBLE LOW-9 QUOTATION MARK,
        DOUBLE HIGH-REVERSED-9 QUOTATION MARK, DOUBLE PRIME,
        LEFT-POINTING DOUBLE ANGLE QUOTATION MARK, RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK,
        REVERSED DOUBLE PRIME QUOTATION MARK, DOUBLE PRIME QUOTATION MARK,
        LOW DOUBLE PRIME QUOTATION MARK, HEBREW PUNCTUATION GERSHAYIM,
        MODIFIER LETTER DOUBLE PRIME, REVERSED DOUBLE PRIME,
        HEAVY DOUBLE TURNED COMMA QUOTATION MARK ORNAMENT,
        HEAVY DOUBLE COMMA QUOTATION MARK ORNAMENT, DOUBLE LOW-REVERSED-9 QUOTATION MARK
    """,
    "-": """
        ARMENIAN HYPHEN, HEBREW PUNCTUATION MAQAF, MONGOLIAN TODO SOFT HYPHEN, HYPHEN,
        NON-BREAKING HYPHEN, FIGURE DASH, EN DASH, EM DASH, HORIZONTAL BAR, HYPHEN BULLET,
        MINUS SIGN, DOUBLE OBLIQUE HYPHEN, TWO-EM DASH, THREE-EM DASH,
        PRESENTATION FORM FOR VERTICAL EM DASH, PRESENTATION FORM FOR VERTICAL EN DASH,
        SMALL EM DASH, SMALL HYPHEN-MINUS, MODIFIER LETTER MINUS SIGN, CANADIAN SYLLABICS HYPHEN,
        HEAVY MINUS SIGN, HYPHEN WITH DIAERESIS, DOUBLE HYPHEN
    """,
}
EQUATED = {
    unicodedata.lookup(" ".join(name.split())): plain
    for plain, names in _TYPOGRAPHY.items()
    for name in names.split(",")
} | {
    char: unicodedata.normalize("NFKC", char)
    for char in map(chr, range(0xFF00, 0xFFF0))
    if unicodedata.decomposition(char).startswith("<wide>")
    and unicodedata.normalize("NFKC", char).isascii()
}

# -- folds ---------------------------------------------------------------------


def fold(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    text = text.replace("\u0130", "i")
    return unicodedata.normalize("NFC", text.casefold())


def bare_fold(text: str) -> str:
    return fold("".join(char for char in text if char not in INVISIBLE))


def soft_fold(text: str) -> str:
    out: list[str] = []
    for char in bare_fold(text):
        if char in WHITE_SPACE:
            if out[-1:] != [" "]:
                out.append(" ")
        else:
            out.append(EQUATED.get(char, char))
    return "".join(out)


def holds(text: str, needle: str) -> bool:
    return fold(needle) in fold(text)


def holds_softly(text: str, needle: str) -> bool:
    if any(map(str.isalnum, needle)):
        return soft_fold(needle) in soft_fold(text)
    return bare_fold(needle) in bare_fold(text)


def is_blank(text: str) -> bool:
    return all(
        char in WHITE_SPACE or char in INVISIBLE or unicodedata.category(char) == "Cc"
        for char in text
    )


def is_blank_needle(needle: str) -> bool:
    return not soft_fold(needle).strip(" ")


# -- rows ----------------------------------------------------------------------


class _RefusedError(Exception):
    pass


def read_row(line: bytes) -> dict[str, Any] | None:
    """Returns the case on a line as a dictionary, or None where the contract refuses the row."""
    try:
        row = json.loads(
            line.decode(),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_decimal,
            parse_constant=_constant,
        )
        return _case(row)
    except (ValueError, RecursionError, _RefusedError):
        return None


class _Integer(str):
    pass


class _Decimal(str):
    pass


def _integer(digits: str) -> _Integer:
    _require(len(digits) <= 64)
    return _Integer(digits)


def _decimal(digits: str) -> _Decimal:
    _require(len(digits) <= 64)
    return _Decimal(digits)


def _constant(name: str) -> None:
    raise _RefusedError(name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len({key for key, _ in pairs}) == len(pairs))
    return dict(pairs)


def _case(row: Any) -> dict[str, Any]:
    _require(isinstance(row, dict))
    _require(not _has_surrogate(row))
    optional = FIELDS - {"id", "stratum", "prompt"}
    row = {key: value for key, value in row.items() if value is not None or key not in optional}
    unknown = tuple(name for name in row if name not in FIELDS)
    _require(not any(_looks_known(name) for name in unknown))
    _require(type(row.get("id")) in (str, _Integer) and not is_blank(row["id"]))
    _require(type(row.get("stratum")) is str and row["stratum"] in STRATA)
    _require(type(row.get("prompt")) is str)
    for name in ("completion", "family", "note"):
        _require(type(row.get(name, "")) is str)
    for name in ("must_include", "must_not_include"):
        _require_texts(row.get(name, []))
        _require(not any(map(is_blank_needle, row.get(name, []))))
    _require(type(row.get("must_include_any", [])) is list)
    for wordings in row.get("must_include_any", []):
        _require(wordings != [])
        _require_texts(wordings)
        _require(not any(map(is_blank_needle, wordings)))
    _require_texts(row.get("tags", []))
    budget = row.get("max_chars", _Integer("1200"))
    _require(type(budget) is _Integer and int(budget) >= 1)
    return {
        "id": str(row["id"]),
        "stratum": row["stratum"],
        "prompt": row["prompt"],
        "completion": row.get("completion"),
        "must_include": tuple(row.get("must_include", [])),
        "must_include_any": tuple(map(tuple, row.get("must_include_any", []))),
        "must_not_include": tuple(row.get("must_not_include", [])),
        "max_chars": int(budget),
        "tags": tuple(row.get("tags", [])),
        "family": row.get("family"),
        "note": row.get("note"),
        "unknown": unknown,
    }


def _require(holds: bool) -> None:
    if not holds:
        raise _RefusedError


def _require_texts(value: Any) -> None:
    _require(type(value) is list and all(type(item) is str for item in value))


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_surrogate, value)) or any(map(_has_surrogate, value.values()))
    if isinstance(value, list):
        return any(map(_has_surrogate, value))
    return isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value)


def _looks_known(name: str) -> bool:
    bare = name.casefold().replace("_", "")
    return any(_similarity(bare, field.replace("_", "")) >= 0.8 for field in FIELDS)


def _similarity(one: str, other: str) -> float:
    distances = list(range(len(other) + 1))
    for row, left in enumerate(one, start=1):
        before, distances[0] = distances[0], row
        for column, right in enumerate(other, start=1):
            before, distances[column] = (
                distances[column],
                min(before + (left != right), distances[column] + 1, distances[column - 1] + 1),
            )
    longest = max(len(one), len(other))
    return 1 - distances[-1] / longest if longest else 1.0


# -- grades --------------------------------------------------------------------


def reasons(case: dict[str, Any]) -> list[str]:
    text = case["completion"] or ""
    found = []
    if is_blank(text):
        found.append("empty_completion")
    if len(text) > case["max_chars"]:
        found.append(f"over_budget:{len(text)}>{case['max_chars']}")
    for needle in case["must_include"]:
        if not holds(text, needle):
            found.append(f"missing:{needle}")
    for wordings in case["must_include_any"]:
        if not any(holds(text, needle) for needle in wordings):
            found.append("missing_any:" + "|".join(wordings))
    for needle in case["must_not_include"]:
        if holds_softly(text, needle):
            found.append(f"forbidden:{needle}")
    return list(dict.fromkeys(found))


def read_suite(data: bytes) -> list[dict[str, Any]] | None:
    """Returns the cases of a suite, or None where the contract refuses it."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    cases = [read_row(line) for line in lines if line.strip()]
    good = [case for case in cases if case is not None]
    ids = {case["id"] for case in good}
    return good if cases and len(ids) == len(cases) else None


def grade_suite(data: bytes) -> dict[str, Any] | None:
    """Returns what a report says of the grades, or None where the suite is refused."""
    cases = read_suite(data)
    if cases is None:
        return None
    rates = {}
    for stratum in STRATA:
        graded = [case for case in cases if case["stratum"] == stratum]
        passed = sum(not reasons(case) for case in graded)
        rates[stratum] = {
            "n": len(graded),
            "pass_rate": passed / len(graded) if graded else None,
        }
    return {
        "n": len(cases),
        "rates": rates,
        "failures": [
            {
                "case_id": case["id"],
                "stratum": case["stratum"],
                "passed": False,
                "reasons": reasons(case),
            }
            for case in cases
            if reasons(case)
        ],
        "sha256": hashlib.sha256(data).hexdigest(),
        "instrument_hash": instrument_hash(cases),
    }


# -- identities ----------------------------------------------------------------


def fixture_hash(case: dict[str, Any]) -> str:
    names = (
        "prompt", "stratum", "must_include", "must_include_any", "must_not_include", "max_chars",
    )  # fmt: skip
    return hashlib.sha256(_canonical({name: case[name] for name in names})).hexdigest()


def instrument_hash(cases: list[dict[str, Any]]) -> str:
    pairs = [_canonical([case["id"], fixture_hash(case)]) for case in cases]
    total = sum(int(hashlib.sha256(pair).hexdigest(), 16) for pair in pairs)
    return f"{total % 2**256:064x}"


def _canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
