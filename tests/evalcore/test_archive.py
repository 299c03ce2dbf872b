from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.archive import MAX_INDEX_BYTES, Entry, entry_of, read_index
from evalcore.errors import ArchiveError

IFEVAL = Path(__file__).parents[3] / "shared" / "data" / "ifeval"
NAME_ADVICE = "name it like 2024-08-06_gpt-4o.jsonl, or list it in a CSV index"
DATE_ADVICE = "write it like 2024-08-06 or 2024-08-06T14:30Z"


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def refusal(path: Path) -> str:
    with pytest.raises(ArchiveError) as caught:
        read_index(path)
    return str(caught.value).replace(str(path), "index.csv")


@pytest.fixture
def index(tmp_path: Path) -> Callable[[bytes | str], Path]:
    """Writes an index beside two suites, `a.jsonl` and `b.jsonl`."""
    (tmp_path / "a.jsonl").touch()
    (tmp_path / "b.jsonl").touch()

    def write(data: bytes | str) -> Path:
        path = tmp_path / "index.csv"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


# -- names of files ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at", "config"),
    [
        ("2024-08-06_gpt-4o.jsonl", utc(2024, 8, 6), "gpt-4o"),
        ("2024-08-06-gpt-4o.JSONL", utc(2024, 8, 6), "gpt-4o"),
        ("2024-02-29_v1.jsonl", utc(2024, 2, 29), "v1"),
        ("2024-08-06T14-30_gpt-4o.jsonl", utc(2024, 8, 6, 14, 30), "gpt-4o"),
        ("2024-08-06T14:30_gpt-4o.jsonl", utc(2024, 8, 6, 14, 30), "gpt-4o"),
        ("2024-08-06T1430Z_x.jsonl", utc(2024, 8, 6, 14, 30), "x"),
        ("2024-08-06T14-30-59Z-x.jsonl", utc(2024, 8, 6, 14, 30, 59), "x"),
        ("2024-08-06T143059_x.jsonl", utc(2024, 8, 6, 14, 30, 59), "x"),
        ("2024-08-06T14-30-4o.jsonl", utc(2024, 8, 6, 14, 30), "4o"),
        ("2024-08-06T14-30-35b.jsonl", utc(2024, 8, 6, 14, 30), "35b"),
        ("2024-08-06_2024-08-06.jsonl", utc(2024, 8, 6), "2024-08-06"),
        ("2024-08-06_a.jsonl.jsonl", utc(2024, 8, 6), "a.jsonl"),
        ("2024-08-06_ prompt v2, warmer .jsonl", utc(2024, 8, 6), "prompt v2, warmer"),
        ("2024-08-06_東京.jsonl", utc(2024, 8, 6), "東京"),
        (f"2024-08-06_{'x' * 200}.jsonl", utc(2024, 8, 6), "x" * 200),
    ],
)
def test_name_spells_time_and_config(name, at, config):
    path = Path("runs") / name
    assert entry_of(path) == Entry(path=path, at=at, config=config)


NO_ENTRY = f"its name is no date with a config behind it; {NAME_ADVICE}"


def no_day(found: str) -> str:
    return f'not a date and time of the calendar (found "{found}"); {NAME_ADVICE}'


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gpt-4o.jsonl", NO_ENTRY),
        ("2024-08-06.jsonl", NO_ENTRY),
        ("2024-08-06_.jsonl", NO_ENTRY),
        ("2024-08-06T14-30.jsonl", NO_ENTRY),
        ("2024-08-06T14_x.jsonl", NO_ENTRY),
        ("2024-08-06T14-30+02_x.jsonl", NO_ENTRY),
        ("2024-08-06_x.json", NO_ENTRY),
        ("2024-08-06_x.jsonl.gz", NO_ENTRY),
        ("20240806_x.jsonl", NO_ENTRY),
        ("06-08-2024_x.jsonl", NO_ENTRY),
        ("x_2024-08-06.jsonl", NO_ENTRY),
        ("２０２４-08-06_x.jsonl", NO_ENTRY),
        ("2023-02-29_x.jsonl", no_day("2023-02-29")),
        ("2024-13-01_x.jsonl", no_day("2024-13-01")),
        ("0000-01-01_x.jsonl", no_day("0000-01-01")),
        ("2024-08-06T24-00_x.jsonl", no_day("2024-08-06T24-00")),
        ("2024-08-06T12-60Z_x.jsonl", no_day("2024-08-06T12-60Z")),
        ("2024-08-06_ \u200b.jsonl", "config: blank; say what was graded"),
        (
            "2024-08-06_a\x1b[2Jb.jsonl",
            'config: holds a control character (found "a\\x1b[2Jb"); remove it',
        ),
        (
            "2024-08-06_a\udcff.jsonl",
            'config: holds a control character (found "a\\udcff"); remove it',
        ),
        (
            f"2024-08-06_{'x' * 201}.jsonl",
            f'config: longer than 200 characters (found "{"x" * 79}…"); shorten it',
        ),
    ],
)
def test_name_that_spells_no_entry_is_refused(name, problem):
    with pytest.raises(ArchiveError) as caught:
        entry_of(Path(name))
    message = str(caught.value)
    assert message.endswith(f": {problem}")
    assert "\x1b" not in message


@given(st.text(max_size=60))
def test_any_name_gives_an_entry_or_a_plain_refusal(name):
    try:
        entry = entry_of(Path(f"2024-08-06_{name}.jsonl"))
    except ArchiveError:
        return
    assert entry.config.strip() == entry.config != ""
    assert entry.at == utc(2024, 8, 6)


@pytest.mark.skipif(
    not IFEVAL.is_dir(), reason="no folder ../shared/data/ifeval beside the project"
)
def test_names_of_real_runs_are_read():
    found = [(e.at, e.config) for e in map(entry_of, sorted(IFEVAL.glob("*.jsonl")))]
    assert found == [
        (utc(2024, 2, 29), "claude-3-opus-20240229"),
        (utc(2024, 3, 7), "claude-3-haiku-20240307"),
        (utc(2024, 6, 20), "claude-3-5-sonnet-20240620"),
        (utc(2024, 7, 18), "gpt-4o-mini-2024-07-18"),
        (utc(2024, 8, 6), "gpt-4o-2024-08-06"),
        (utc(2024, 10, 7), "Qwen__Qwen2.5-14B-Instruct-GPTQ-Int4"),
    ]


# -- indexes -------------------------------------------------------------------


def test_index_with_all_columns_in_any_order(index):
    path = index(
        "\ufeffconfig, note ,file,model,date\r\n"
        '"v1, warmer","two\r\nlines ""quoted""",a.jsonl,m-1,2024-08-06T14:30+02:00\r\n'
        "\r\n"
        ",,,,\r\n"
        " v2 ,, ./b.jsonl ,,2024-08-07\r\n"
    )
    folder = path.parent
    assert read_index(path) == [
        Entry(
            path=folder / "a.jsonl",
            at=utc(2024, 8, 6, 12, 30),
            config="v1, warmer",
            model="m-1",
            note='two\r\nlines "quoted"',
        ),
        Entry(path=folder / "b.jsonl", at=utc(2024, 8, 7), config="v2"),
    ]


def test_times_come_back_in_utc(index):
    (entry,) = read_index(index("file,date,config\na.jsonl,2024-08-06T23:30-02:00,v1"))
    assert (entry.at, entry.at.tzinfo) == (utc(2024, 8, 7, 1, 30), UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2024-08-06", utc(2024, 8, 6)),
        ("2024-08-06 14:30", utc(2024, 8, 6, 14, 30)),
        ("2024-08-06T14:30:59Z", utc(2024, 8, 6, 14, 30, 59)),
        ("2024-08-06T14:30:59.25Z", utc(2024, 8, 6, 14, 30, 59, 250_000)),
        ("2024-08-06T1430", utc(2024, 8, 6, 14, 30)),
        (
            "2024-08-06T14:30+05:30",
            datetime(2024, 8, 6, 14, 30, tzinfo=timezone(timedelta(minutes=330))),
        ),
    ],
)
def test_date_of_iso_8601(index, text, at):
    (entry,) = read_index(index(f"file,date,config\na.jsonl,{text},v1"))
    assert entry.at == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "06.08.2024",
        "8/6/2024",
        "20240806",
        "2024-W32-2",
        "2023-02-29",
        "2024-08-06T24:30",
        "2024-08-06x14:30",
        "2024-08-06T14:30 Europe/Berlin",
        "0001-01-01T00:00+14:00",
        "1722952800",
    ],
)
def test_what_is_no_date(index, text):
    problem = f'not a date (found "{text}"); {DATE_ADVICE}'
    path = index(f"file,date,config\na.jsonl,{text},v1")
    assert refusal(path) == f"index.csv: line 2, column date: {problem}"


def none_of_the_columns(line: int, found: str) -> str:
    return (
        f'line {line}: names none of the columns (found "{found}"); '
        "write file,date,config above the runs, with commas between"
    )


COLUMNS = "the columns are file,date,config,model,note"
HEADER = b"file,date,config\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty; its first line names the columns: file,date,config"),
        (b"\n \n,,\n", "empty; its first line names the columns: file,date,config"),
        (HEADER, "lists no run; write one a line, below the names of the columns"),
        (b"file;date;config\n", none_of_the_columns(1, "file;date;config")),
        (b"\nfile\tdate\tconfig\n", none_of_the_columns(2, "file\\tdate\\tconfig")),
        (b"a.jsonl,2024-08-06,v1\n", none_of_the_columns(1, "a.jsonl,2024-08-06,v1")),
        (b"file,date,config,modle\n", 'line 1: unknown column "modle"; did you mean model?'),
        (b"file,date,config,Note\n", 'line 1: unknown column "Note"; did you mean note?'),
        (
            b"file,date,config,owner\n",
            'line 1: unknown column "owner"; known here: file, date, config, model, note',
        ),
        (b"file,date,config,\n", "line 1: column 4 has no name; name it or remove it"),
        (b"file,date,config,date\n", 'line 1: two columns of the name "date"; remove one'),
        (b"file,date\n", f"line 1: no column config; {COLUMNS}"),
        (
            HEADER + b"a.jsonl,2024-08-06,v1, warmer\n",
            "line 2: 4 cells under 3 columns; put a cell with a comma in quotes",
        ),
        (HEADER + b"a.jsonl,2024-08-06\n", "line 2: 2 cells under 3 columns; add the rest"),
        (
            HEADER + b'a.jsonl,2024-08-06,"v1\nb.jsonl,2024-08-07,v2\n',
            "line 2: not CSV (unexpected end of data); "
            "put a cell with a comma or a quote in quotes",
        ),
        (
            HEADER + b'a.jsonl,2024-08-06,"v1" warm\n',
            "line 2: not CSV (',' expected after '\"'); "
            "put a cell with a comma or a quote in quotes",
        ),
        (
            HEADER + b",2024-08-06,v1\n",
            "line 2, column file: blank; name the suite's file, relative to this one",
        ),
        (
            HEADER + b"../a.jsonl,2024-08-06,v1\n",
            'line 2, column file: no such file (found "../a.jsonl"); name it relative to this one',
        ),
        (
            HEADER + b".,2024-08-06,v1\n",
            'line 2, column file: no such file (found "."); name it relative to this one',
        ),
        (
            HEADER + b"a\0.jsonl,2024-08-06,v1\n",
            'line 2, column file: no such file (found "a\\x00.jsonl"); '
            "name it relative to this one",
        ),
        (
            HEADER + b"x" * 300 + b",2024-08-06,v1\n",
            f'line 2, column file: cannot be read (File name too long: "{"x" * 79}…"); '
            "check the name",
        ),
        (
            HEADER + "a.jsonl,2024-08-06,\u200b\n".encode(),
            "line 2, column config: blank; say what was graded",
        ),
        (
            HEADER + b"a.jsonl,2024-08-06," + b"v" * 201,
            f'line 2, column config: longer than 200 characters (found "{"v" * 79}…"); shorten it',
        ),
        (
            HEADER + b'a.jsonl,2024-08-06,"v\n1"',
            'line 2, column config: holds a control character (found "v\\n1"); remove it',
        ),
        (
            b"file,date,config,model\na.jsonl,2024-08-06,v1,m\x1b[31m\n",
            'line 2, column model: holds a control character (found "m\\x1b[31m"); remove it',
        ),
        (
            b"file,date,config,note\na.jsonl,2024-08-06,v1,a\0b\n",
            'line 2, column note: holds a control character (found "a\\x00b"); remove it',
        ),
        (
            b"file,date,config,note\na.jsonl,2024-08-06,v1," + b"n" * 20_001,
            f'line 2, column note: longer than 20,000 characters (found "{"n" * 79}…"); shorten it',
        ),
        (
            HEADER + b"a.jsonl,2024-08-06,v\xe4\n",
            'line 2: not UTF-8 (found byte 0xe4); save it as "CSV UTF-8"',
        ),
        (
            HEADER.decode().encode("utf-16"),
            'line 1: not UTF-8 (found byte 0xff); save it as "CSV UTF-8"',
        ),
        (
            b"x" * (MAX_INDEX_BYTES + 1),
            "larger than 8 MiB; an index holds a line for each run, is it a suite?",
        ),
    ],
)
def test_hostile_index_is_refused_with_place_and_way_out(index, data, problem):
    assert refusal(index(data)) == f"index.csv: {problem}"


def test_all_problems_come_at_once_with_the_lines_on_which_their_rows_begin(index):
    path = index(
        "file,date,config,note\n"
        'c.jsonl,soon,,"one\ntwo"\n'
        "a.jsonl,2024-08-06,v1,fine\n"
        "\n"
        "b.jsonl,2024-08-06\n"
    )
    assert refusal(path).splitlines() == [
        "index.csv: 4 problems",
        'line 2, column file: no such file (found "c.jsonl"); name it relative to this one',
        f'line 2, column date: not a date (found "soon"); {DATE_ADVICE}',
        "line 2, column config: blank; say what was graded",
        "line 6: 2 cells under 4 columns; add the rest",
    ]


def test_problems_of_the_header_come_at_once(index):
    assert refusal(index("file,dates,,file\n")).splitlines() == [
        "index.csv: 5 problems",
        'line 1: unknown column "dates"; did you mean date?',
        "line 1: column 3 has no name; name it or remove it",
        'line 1: two columns of the name "file"; remove one',
        f"line 1: no column date; {COLUMNS}",
        f"line 1: no column config; {COLUMNS}",
    ]


def test_no_more_than_50_problems_are_shown(index):
    lines = refusal(index(HEADER + b"a.jsonl,soon,v1\n" * 60)).splitlines()
    assert (lines[0], len(lines)) == ("index.csv: more than 50 problems", 51)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "none.csv",
            "cannot be read (No such file or directory); check the path and its permissions",
        ),
        ("a\0b", "cannot be read (embedded null byte); check the path and its permissions"),
        (".", "not a regular file; give a CSV file"),
    ],
)
def test_file_that_cannot_be_read(tmp_path, name, problem):
    with pytest.raises(ArchiveError) as caught:
        read_index(tmp_path / name)
    assert str(caught.value).endswith(f": {problem}")


@given(
    st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "ignore"))
)
def test_any_bytes_below_the_header_give_a_plain_refusal(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "index.csv"
    path.write_bytes(HEADER + data)
    with pytest.raises(ArchiveError, match=r"index\.csv: "):
        read_index(path)
