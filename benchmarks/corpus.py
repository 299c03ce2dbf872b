"""Made-up suites of any length, the same on every machine."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

SYLLABLES = "ka ri to mel san der vo lin que shi par ton ber gu nas fel"
SPRINKLED = ["naïve café", "東京から出荷", "Straße 9", "заказ готов", "🙂 done", "“quoted” – dash"]
# Letters of scripts with and without case, with marks, from right to left, and without spaces.
SCRIPTS = {
    "latin": "à é î ö ü ñ ç ß Å Ø e r s t a n",
    "cyrillic": "за каз гот ов пер вый До ста вка",
    "greek": "πα ραγ γε λία ς Ό λα κα λά",
    "arabic": "طل بية جا هزة ال يوم",
    "devanagari": "ऑर्ड र तै या र है",
    "japanese": "東京 から 出荷 しま した 注文 です",
    "thai": "คำ สั่ง ซื้อ พร้อม แล้ว",
    "korean": "주문 이 준비 되었 습니다",
}


def make(kind: str, rows: int, folder: Path) -> Path:
    """Returns the suite of that kind and length, written first where it is not there yet."""
    path = folder / f"{kind}-{rows}.jsonl"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            for row in KINDS[kind](rows):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        part.rename(path)
    return path


def _words(rng: random.Random, syllables: str, count: int) -> list[str]:
    parts = syllables.split()
    return ["".join(rng.choices(parts, k=rng.randint(1, 4))) for _ in range(count)]


def _stratum(rng: random.Random) -> str:
    return rng.choices(("easy", "medium", "stretch"), (10, 60, 30))[0]


def long_rows(rows: int) -> Iterator[dict[str, object]]:
    """Yields rows of some 2,250 bytes, a quarter not quite ASCII, 6 % failing."""
    rng = random.Random(7)
    words = _words(rng, SYLLABLES, 4000)
    for index in range(rows):
        text = rng.choices(words, k=rng.randint(35, 480))
        if index % 4 == 0:
            text.insert(len(text) // 2, rng.choice(SPRINKLED))
        stratum = _stratum(rng)
        needles = [rng.choice(text).title() for _ in range(rng.randint(1, 4))]
        if stratum == "stretch" and index % 5 == 0:
            needles.append(f"never-said-{index}")
        yield _row(index, stratum, text, needles, ["as an ai model", "xyzzy"][: index % 3])


def script_rows(rows: int) -> Iterator[dict[str, object]]:
    """Yields rows of some 2,250 bytes, a third in other scripts throughout, a quarter failing."""
    rng = random.Random(11)
    latin = _words(rng, SYLLABLES, 4000)
    others = [_words(rng, letters, 1000) for letters in SCRIPTS.values()]
    for index in range(rows):
        foreign = index % 3 == 0
        words = others[index // 3 % len(others)] if foreign else latin
        text = rng.choices(words, k=rng.randint(30, 230) if foreign else rng.randint(35, 480))
        if index % 2:
            text.insert(len(text) // 2, rng.choice(SPRINKLED))
        needles = [rng.choice(text).upper() for _ in range(rng.randint(1, 4))]
        if index % 4 == 0:
            needles.append(rng.choice((f"never-said-{index}", "isn't there", "quoted - dash")))
        yield _row(index, _stratum(rng), text, needles, ["as an AI model", '"quoted"'][: index % 3])


def short_rows(rows: int) -> Iterator[dict[str, object]]:
    """Yields rows of some 470 bytes, as a team would upload them, a tenth of them failing."""
    rng = random.Random(13)
    words = _words(rng, SYLLABLES, 4000)
    for index in range(rows):
        text = rng.choices(words, k=rng.randint(18, 39))
        needles = [rng.choice(text).title() for _ in range(rng.randint(1, 2))]
        if index % 10 == 0:
            needles.append(f"never-said-{index}")
        yield _row(index, _stratum(rng), text, needles, ["as an ai model"])


def _row(
    index: int, stratum: str, text: list[str], needles: list[str], forbidden: list[str]
) -> dict[str, object]:
    return {
        "id": f"case-{index}",
        "stratum": stratum,
        "prompt": " ".join(text[:12]),
        "completion": " ".join(text),
        "must_include": needles,
        "must_not_include": forbidden,
        "max_chars": 6000,
    }


KINDS: dict[str, Callable[[int], Iterator[dict[str, object]]]] = {
    "long": long_rows,
    "scripts": script_rows,
    "short": short_rows,
}
