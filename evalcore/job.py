"""The job file: thresholds under version control, and what a flag may add to them."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from evalcore.errors import MAX_PROBLEMS, JobError, UsageError, problems_of
from evalcore.excerpt import excerpt

JOB_FILE = "evalcore.toml"
MAX_JOB_BYTES = 1 << 20
MAX_NESTING = 32
_SHOWN_CHARS = 60

FlagKey = Literal["easy_floor", "medium_floor", "stretch_high"]
FLAG_KEYS: tuple[FlagKey, ...] = get_args(FlagKey)


# A dotted key costs the TOML reader the square of its parts: 100 KB of them is a minute.
_KEY = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(
    rf"(?:^|[\[{{,])[ \t]*+{_KEY}(?:[ \t]*+\.[ \t]*+{_KEY}){{{MAX_NESTING}}}", re.MULTILINE
)
_PLACE_IN_TOML = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the five rates from 0 to 1 that decide the alerts.

    The defaults are proposals, not measured constants.

    Raises:
        ValueError: a threshold is not a number from 0 to 1.
    """

    easy_floor: float = 1.0
    """The rate below which the easy stratum is a regression."""
    medium_floor: float = 0.85
    """The rate below which the medium stratum is a broken contract."""
    stretch_high: float = 0.80
    """The rate from which on the stretch stratum is too easy."""
    ceiling_easy: float = 0.99
    """The easy rate from which on the ceiling alert may fire."""
    ceiling_medium: float = 0.95
    """The medium rate from which on the ceiling alert may fire."""

    def __post_init__(self) -> None:
        for key in self.__struct_fields__:
            if fault := _threshold_fault(getattr(self, key)):
                raise ValueError(f"{key}: {fault}")


_TABLES = ("job", "thresholds", "live")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "job": ("name", "suite"),
    "thresholds": Thresholds.__struct_fields__,
}


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Holds one job file as read."""

    name: str
    """What the job is called, for people."""
    suite: str | None = None
    """The suite file that the job applies to, relative to the job file."""
    thresholds: Thresholds = msgspec.field(default_factory=Thresholds)
    """The thresholds of the file, defaults where it sets none."""
    sha256: str
    """Hash of the file's bytes, 64 hexadecimal digits."""
    proposed: tuple[str, ...] = ()
    """The thresholds that the file does not set, so that their defaults hold."""
    live: Mapping[str, object] = {}
    """The `[live]` table as written, at most 32 levels deep and otherwise unchecked."""


class Override(msgspec.Struct, frozen=True, kw_only=True):
    """Records one threshold flag that was given beside a job."""

    key: FlagKey
    """The threshold spoken of."""
    job: float
    """The job's value."""
    flag: float
    """The flag's value."""
    laxer: bool
    """Whether the flag alone would let more pass in silence than the job does."""


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the thresholds that decide a run, and where they come from."""

    thresholds: Thresholds
    """The thresholds in force."""
    source: Literal["job", "defaults", "flags"]
    """What they were taken from; `job` also where flags made them stricter."""
    proposed: tuple[str, ...] = ()
    """The thresholds in force that are defaults, in their order."""
    overrides: tuple[Override, ...] = ()
    """Every flag given beside a job, in the order of the thresholds."""


def thresholds_in_force(job: Job | None, flags: Mapping[str, float]) -> InForce:
    """Returns the thresholds that decide a run.

    Beside a job the stricter of job and flag holds for each key, which gives the union of both
    verdicts; without a job a flag replaces the default.

    Raises:
        UsageError: a flag that does not exist, or a value that is no number from 0 to 1.
    """
    given = _checked_flags(flags)
    if job is None:
        source: Literal["flags", "defaults"] = "flags" if given else "defaults"
        defaults = tuple(key for key in Thresholds.__struct_fields__ if key not in given)
        return InForce(thresholds=Thresholds(**given), source=source, proposed=defaults)
    overrides = tuple(_override(key, job.thresholds, flag) for key, flag in given.items())
    stricter = {o.key: o.flag for o in overrides if not o.laxer}
    return InForce(
        thresholds=msgspec.structs.replace(job.thresholds, **stricter),
        source="job",
        proposed=tuple(key for key in job.proposed if key not in stricter),
        overrides=overrides,
    )


def find_job(suite_path: Path) -> tuple[Job | None, str | None]:
    """Returns the job beside a suite if it names that suite, else why it does not apply.

    The remark is None where the job applies and where there is no `evalcore.toml` at all.

    Raises:
        JobError: the file lies there and cannot be read or understood.
    """
    job_path = suite_path.parent / JOB_FILE
    if not os.path.lexists(job_path):
        return None, None
    job = read_job(job_path)
    if job.suite is not None and _is_same_file(job_path.parent / job.suite, suite_path):
        return job, None
    names = "no suite" if job.suite is None else f"the suite {_shown(job.suite)}"
    where = excerpt(str(job_path), 200)
    return None, (
        f"{where} lies beside {excerpt(suite_path.name)} and names {names}, so it does not apply; "
        f"to use it, give --job {where} or name the file as suite under [job]"
    )


def read_job(path: Path) -> Job:
    """Returns the job of a file.

    Raises:
        JobError: the file cannot be read or understood.
    """
    where = str(path)
    try:
        if path.exists() and not path.is_file():
            raise _fault(where, "not a regular file; give a TOML file")
        with path.open("rb") as file:
            return parse_job(file.read(MAX_JOB_BYTES + 1), where)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        problem = f"cannot be read ({reason}); check the path and its permissions"
        raise _fault(where, problem) from error


def parse_job(data: bytes, where: str) -> Job:
    """Returns the job of a TOML file's bytes; `where` names the file in messages.

    Raises:
        JobError: one message with every problem found, its place and what to do.
    """
    document = _document(data, where)
    problems = list(islice(_problems(document), MAX_PROBLEMS + 1))
    if problems:
        raise _fault(where, *problems)
    job, thresholds, live = (_table(document, name) for name in _TABLES)
    return Job(
        name=job["name"],
        suite=job.get("suite"),
        thresholds=Thresholds(**{key: _as_float(value) for key, value in thresholds.items()}),
        sha256=hashlib.sha256(data).hexdigest(),
        proposed=tuple(key for key in Thresholds.__struct_fields__ if key not in thresholds),
        live=live,
    )


def _document(data: bytes, where: str) -> dict[str, Any]:
    """Returns the parsed TOML, or raises the JobError that says why there is none."""
    if len(data) > MAX_JOB_BYTES:
        raise _fault(where, "larger than 1 MiB; a job file holds a few lines, is it the suite?")
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = f"found byte 0x{error.object[error.start]:02x}"
        problem = f"line {line}: not UTF-8 ({found}); save the file as UTF-8"
        raise _fault(where, problem) from error
    if long_key := _LONG_KEY.search(text):
        line = text.count("\n", 0, long_key.start()) + 1
        raise _fault(where, f"line {line}: a key of more than {MAX_NESTING} parts; shorten it")
    return _parsed(text, where)


def _parsed(text: str, where: str) -> dict[str, Any]:
    import tomllib  # most runs have no job, and every run starts

    try:
        return tomllib.loads(text)
    except RecursionError:
        problem = f"nested too deep to read; use at most {MAX_NESTING} levels"
        raise _fault(where, problem) from None
    except tomllib.TOMLDecodeError as error:
        raise _fault(where, _syntax_problem(str(error))) from error
    except ValueError as error:  # Python's own limit on the digits of an integer
        raise _fault(where, "a number of thousands of digits; write a shorter one") from error


def _syntax_problem(error: str) -> str:
    place = _PLACE_IN_TOML.search(error)
    line = f"line {place[1]}" if place and place[1] else "at the end of the file"
    reason = excerpt(_PLACE_IN_TOML.sub("", error), 120)
    return f"{line}: invalid TOML ({reason}); correct the line"


def _problems(document: Mapping[str, Any]) -> Iterator[str]:
    """Yields what is wrong with the tables of a job file, each with its place."""
    for name, value in document.items():
        if name not in _TABLES:
            yield _unknown(name, "", _TABLES)
        elif not isinstance(value, dict):
            yield f"{name}: not a table (found {_shown(value)}); write it as one table, [{name}]"
    for name, known in _KEYS.items():
        for key in _table(document, name):
            if key not in known:
                yield _unknown(key, name, known)
    if isinstance(document.get("job", {}), dict):
        yield from _job_problems(_table(document, "job"))
    for key, value in _table(document, "thresholds").items():
        if key in _KEYS["thresholds"] and (fault := _threshold_fault(value)):
            yield f"thresholds.{key}: {fault}"
    if _depth(document.get("live"), MAX_NESTING) > MAX_NESTING:
        yield f"live: nested more than {MAX_NESTING} levels deep; flatten it"


def _table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _unknown(key: str, table: str, known: tuple[str, ...]) -> str:
    """Says that a key is not known, and which known one was probably meant."""
    place = ".".join(part for part in (table, _shown_key(key)) if part)
    what = "unknown key" if table else "unknown table or key"
    homes = [other for other, keys in _KEYS.items() if key in keys]
    import difflib

    near = difflib.get_close_matches(key[:_SHOWN_CHARS].lower(), known, n=1)
    if homes:
        advice = f"it belongs under [{homes[0]}]"
    elif near:
        advice = f"did you mean {near[0] if table else f'[{near[0]}]'}?"
    else:
        advice = f"known here: {', '.join(known)}"
    return f"{place}: {what}; {advice}"


def _job_problems(table: Mapping[str, Any]) -> Iterator[str]:
    advice = {
        "name": 'add name = "..." under [job]',
        "suite": "name the suite's file, relative to this one",
    }
    for key in _KEYS["job"]:
        value = table.get(key)
        if key not in table:
            if key == "name":
                yield f"job.{key}: missing; {advice[key]}"
        elif not isinstance(value, str):
            yield f"job.{key}: not a string (found {_shown(value)}); {advice[key]}"
        elif not value.strip() or "\0" in value:
            yield f"job.{key}: blank or not a name (found {_shown(value)}); {advice[key]}"


def _threshold_fault(value: object) -> str | None:
    """Says why a value is no threshold and what to write instead; None where it is one."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return None
    return f"not a number from 0 to 1 (found {_shown(value)}); write {_meant(value)}"


def _meant(value: object) -> str:
    """Returns the threshold that a percentage or a quoted number was meant to be, if any."""
    text = value if isinstance(value, str) else _shown(value)
    number = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,12})?)\s*(%?)\s*", text)
    if not number or float(number[1]) > 100:
        return "a number from 0 to 1"
    if number[2] or float(number[1]) >= 2:
        return f"{float(number[1]) / 100:.14g}"
    return number[1] if float(number[1]) <= 1 else "a number from 0 to 1"


def _as_float(value: float) -> float:
    return abs(float(value))  # abs turns -0.0 into 0.0


def _depth(value: object, limit: int) -> int:
    """Returns how many tables and lists lie inside each other, counted to just past `limit`."""
    depth, level = 0, [value]
    while depth <= limit:
        nests = [item for item in level if isinstance(item, (dict, list))]
        if not nests:
            break
        depth += 1
        level = [
            inner for nest in nests for inner in (nest.values() if isinstance(nest, dict) else nest)
        ]
    return depth


def _checked_flags(flags: Mapping[str, float]) -> dict[FlagKey, float]:
    for key, value in flags.items():
        if key not in FLAG_KEYS:
            raise UsageError(
                f"{_shown_key(key)} cannot be set by a flag; only {', '.join(FLAG_KEYS)} can, "
                "the others stand in the job file"
            )
        if fault := _threshold_fault(value):
            raise UsageError(f"--{key.replace('_', '-')}: {fault}")
    return {key: _as_float(flags[key]) for key in FLAG_KEYS if key in flags}


def _override(key: FlagKey, thresholds: Thresholds, flag: float) -> Override:
    job: float = getattr(thresholds, key)
    laxer = flag > job if key == "stretch_high" else flag < job
    return Override(key=key, job=job, flag=flag, laxer=laxer)


def _is_same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _shown(value: object) -> str:
    """Returns a value from a file in a form that is short and safe to print."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{excerpt(value, _SHOWN_CHARS)}"'
        case int() if value.bit_length() > 128:
            return f"an integer of {value.bit_length()} bits"
        case dict():
            return "a table"
        case list():
            return f"a list of {len(value)}"
        case _:
            return excerpt(str(value), _SHOWN_CHARS)


def _shown_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]{1,60}", key) else _shown(key)


def _fault(where: str, *problems: str) -> JobError:
    return JobError(problems_of(where, problems))
