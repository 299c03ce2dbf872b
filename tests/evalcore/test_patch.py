"""Decisions carried out on a suite: what they set, and that nothing else is touched."""

import json
import subprocess
import tracemalloc
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.case import Case
from evalcore.decision import Change, Decision
from evalcore.errors import PatchError, SuiteError
from evalcore.grading import grade_case
from evalcore.identity import fixture_hash
from evalcore.patch import (
    FEWEST_STRETCH,
    Patched,
    Touched,
    accepted,
    combined,
    fixed,
    kept,
    minted,
    patch_suite,
    promoted,
    retired,
    unified_diff,
)
from evalcore.suite import SuiteReader

FIXTURES = Path(__file__).parents[2] / "fixtures"
AT = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
CASE = Case(
    id="a",
    stratum="stretch",
    prompt="p",
    completion="Aye, sir",
    must_include=("yes", "sir", "yes"),
    must_include_any=(("ok", "fine"), ("sure",)),
)
NEW_ROW = {"id": "new", "stratum": "stretch", "prompt": "p"}


def row(case_id="a", stratum="stretch", **more):
    return {"id": case_id, "stratum": stratum, "prompt": "p", **more}


def suite_of(*rows, end=b"\n"):
    return b"".join(json.dumps(one).encode() + end for one in rows)


def cases_of(suite: bytes) -> dict[str, Case]:
    return {case.id: case for case in SuiteReader(BytesIO(suite))}


def on(suite: bytes, case_id: str, change: Change, **more: Any) -> Decision:
    """Makes the decision on a case of a suite, as it stands there."""
    given: dict[str, Any] = {"who": "Ada", "at": AT, "why": "too easy"} | more
    return Decision(
        case_id=case_id,
        fixture_hash=fixture_hash(cases_of(suite)[case_id]),
        change=change,
        **given,
    )


def minting(fields=NEW_ROW, **more: Any) -> Decision:
    given: dict[str, Any] = {"case_id": fields["id"], "who": "Ada", "at": AT} | more
    return Decision(fixture_hash="", change=minted(fields), **given)


def patched(suite: bytes, *decisions: Decision) -> tuple[bytes, Patched]:
    out = BytesIO()
    found = patch_suite(BytesIO(suite), decisions, out)
    return out.getvalue(), found


def refused(suite: bytes, *decisions: Decision) -> str:
    out = BytesIO()
    with pytest.raises(PatchError) as error:
        patch_suite(BytesIO(suite), decisions, out)
    assert out.getvalue() == b""
    return str(error.value)


# -- what a decision sets ------------------------------------------------------


def test_promotion_sets_the_stratum():
    assert promoted(CASE) == Change(kind="promote", fields={"stratum": "medium"})
    with pytest.raises(PatchError, match=r'^case "a": medium already; decide something else$'):
        promoted(msgspec.structs.replace(CASE, stratum="medium"))


@pytest.mark.parametrize(
    ("needle", "wording", "fields"),
    [
        (
            "yes",
            "aye",
            {
                "must_include": ["sir"],
                "must_include_any": [["ok", "fine"], ["sure"], ["yes", "aye"]],
            },
        ),
        ("ok", "aye", {"must_include_any": [["ok", "fine", "aye"], ["sure"]]}),
        ("sure", " aye ", {"must_include_any": [["ok", "fine"], ["sure", " aye "]]}),
        (
            "sure",
            "no such words",
            {"must_include_any": [["ok", "fine"], ["sure", "no such words"]]},
        ),
    ],
)
def test_an_accepted_wording_stands_beside_its_needle(needle, wording, fields):
    assert accepted(CASE, needle, wording) == Change(kind="accept_wording", fields=fields)


TO_MEDIUM, GONE, AS_IT_IS = promoted(CASE), retired(), kept()
WORDING = Change(kind="accept_wording", fields={"must_include": ["sir"]})
ANOTHER_WORDING = Change(kind="accept_wording", fields={"must_include_any": [["sir", "ma'am"]]})
CHECK = Change(kind="fix_check", fields={"max_chars": 9, "must_include": []})
NEW = minted(NEW_ROW)


@pytest.mark.parametrize(
    ("earlier", "change", "expected"),
    [
        *((None, one, one) for one in (TO_MEDIUM, WORDING, CHECK, GONE, AS_IT_IS, NEW)),
        *((one, GONE, GONE) for one in (TO_MEDIUM, WORDING, CHECK, AS_IT_IS, NEW)),
        *((one, AS_IT_IS, AS_IT_IS) for one in (TO_MEDIUM, WORDING, CHECK, GONE)),
        *((GONE, one, one) for one in (TO_MEDIUM, WORDING, CHECK)),
        *((AS_IT_IS, one, one) for one in (TO_MEDIUM, WORDING, CHECK)),
        (NEW, minted(NEW_ROW | {"prompt": "q"}), minted(NEW_ROW | {"prompt": "q"})),
        (TO_MEDIUM, TO_MEDIUM, TO_MEDIUM),
        (
            WORDING,
            ANOTHER_WORDING,
            Change(kind="accept_wording", fields=WORDING.fields | ANOTHER_WORDING.fields),
        ),
        (
            TO_MEDIUM,
            WORDING,
            Change(kind="fix_check", fields={"stratum": "medium", "must_include": ["sir"]}),
        ),
        (
            WORDING,
            TO_MEDIUM,
            Change(kind="fix_check", fields={"must_include": ["sir"], "stratum": "medium"}),
        ),
        (
            WORDING,
            CHECK,
            Change(kind="fix_check", fields={"max_chars": 9, "must_include": []}),
        ),
        (
            CHECK,
            WORDING,
            Change(kind="fix_check", fields={"max_chars": 9, "must_include": ["sir"]}),
        ),
        (
            CHECK,
            Change(kind="fix_check", fields={"max_chars": 8, "note": None}),
            Change(kind="fix_check", fields={"max_chars": 8, "must_include": [], "note": None}),
        ),
    ],
)
def test_two_decisions_on_a_case_together_set_what_both_set(earlier, change, expected):
    assert combined(earlier, change) == expected


def test_a_promotion_and_a_wording_are_carried_out_together():
    suite = suite_of(row(must_include=["yes"]))
    case = cases_of(suite)["a"]
    both = combined(promoted(case), accepted(case, "yes", "aye"))
    out = BytesIO()
    patch_suite(BytesIO(suite), [on(suite, "a", both)], out)
    new = cases_of(out.getvalue())["a"]
    assert (new.stratum, new.must_include, new.must_include_any) == (
        "medium",
        (),
        (("yes", "aye"),),
    )


def test_a_wording_is_accepted_wherever_its_needle_is_asked_for():
    case = Case(
        id="a",
        stratum="easy",
        prompt="p",
        must_include=("x",),
        must_include_any=(("x", "y"), ("z",)),
    )
    assert accepted(case, "x", "w").fields == {
        "must_include": [],
        "must_include_any": [["x", "y", "w"], ["z"], ["x", "w"]],
    }


@pytest.mark.parametrize(
    ("needle", "wording", "words"),
    [
        ("yes", " \u200b", 'case "a": the accepted wording is blank; write what to accept'),
        ("yes", "YES", 'case "a": "YES" is accepted already; accept another wording, or fix the '
         "check"),
        ("ok", "Fine", 'case "a": "Fine" is accepted already; accept another wording, or fix the '
         "check"),
        ("no", "aye", 'case "a": nothing asks for "no"; choose a needle of must_include or '
         "must_include_any"),
    ],
)  # fmt: skip
def test_a_wording_that_changes_nothing_is_refused(needle, wording, words):
    with pytest.raises(PatchError) as error:
        accepted(CASE, needle, wording)
    assert str(error.value) == words


def test_grading_says_whether_the_completion_holds_an_accepted_wording():
    for wording, reasons in (("aye", ()), ("nay", ("missing_any:yes|nay",))):
        case = Case(id="a", stratum="easy", prompt="p", completion="Aye", must_include=("yes",))
        fields = accepted(case, "yes", wording).fields
        edited = msgspec.convert(msgspec.to_builtins(case) | fields, Case)
        assert tuple(reason.text for reason in grade_case(edited).reasons) == reasons


def test_a_fixed_check_sets_only_what_differs():
    new = msgspec.structs.replace(
        CASE, must_include=("yes",), must_include_any=(("ok",),), max_chars=9, note="n", line=7
    )
    assert fixed(CASE, new) == Change(
        kind="fix_check",
        fields={"must_include": ["yes"], "must_include_any": [["ok"]], "max_chars": 9, "note": "n"},
    )


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({}, 'case "a": nothing differs; edit the row, or keep it as it is'),
        ({"line": 9}, 'case "a": nothing differs; edit the row, or keep it as it is'),
        ({"id": "b"}, 'case "a": a case keeps its id; retire it and mint another one'),
        ({"unknown": ("x\x1b", "owner")}, 'case "a": unknown fields (owner, x\\x1b); edit those in '
         "the file"),
    ],
)  # fmt: skip
def test_a_fix_that_cannot_be_is_refused(edit, words):
    with pytest.raises(PatchError) as error:
        fixed(CASE, msgspec.structs.replace(CASE, **edit))
    assert str(error.value) == words


def test_the_other_kinds_set_nothing_or_a_whole_row():
    assert retired() == Change(kind="retire")
    assert kept() == Change(kind="keep")
    assert minted(NEW_ROW) == Change(kind="mint", fields=NEW_ROW)


# -- what becomes of the suite -------------------------------------------------

SUITE = (
    b'{"id": "a", "stratum": "stretch", "prompt": "p"}\n'
    b"\n"
    b'{"prompt":"p","id":7,"stratum":"stretch","x":1e3,"note":"old"}\r\n'
    b'{ "id" : "c",  "stratum": "easy", "prompt": "\xe2\x80\xa8\\u00e9", "y": 7.0 }\n'
)
ROWS = SUITE.splitlines(keepends=True)
LINES = SUITE.split(b"\n")


def test_a_promoted_case_changes_its_stratum_and_says_so_in_its_note():
    new, found = patched(SUITE, on(SUITE, "7", promoted(CASE)))
    line = (
        b'{"prompt":"p","id":7,"stratum":"medium","x":1e3,'
        b'"note":"old\\n2026-12-01 Ada: promoted to medium: too easy"}\r\n'
    )
    assert new == SUITE.replace(LINES[2] + b"\n", line)
    touched = Touched(case_id="7", kind="promote", line=3, before=LINES[2] + b"\n", after=line)
    assert found == Patched(
        touched=(touched,), kept=(), overruled=(), lines=4, stretch_before=2, stretch_after=1
    )


@pytest.mark.parametrize(
    ("change", "why", "note"),
    [
        (Change(kind="promote", fields={"stratum": "medium"}), "", "promoted to medium"),
        (Change(kind="accept_wording", fields={"must_include": []}), "w", "wording accepted: w"),
        (Change(kind="fix_check", fields={"max_chars": 5}), "a\nb: ü", "check fixed: a\nb: ü"),
        (Change(kind="fix_check", fields={"note": None}), "", "check fixed"),
    ],
)
def test_each_kind_has_its_own_words_in_the_note(change, why, note):
    new, _ = patched(SUITE, on(SUITE, "a", change, who="Ünal", why=why))
    assert cases_of(new)["a"].note == f"2026-12-01 Ünal: {note}"


def test_the_day_in_the_note_is_that_of_utc():
    at = datetime.fromisoformat("2026-12-02T00:30:00+02:00")
    new, _ = patched(SUITE, on(SUITE, "a", promoted(CASE), at=at, why=""))
    assert cases_of(new)["a"].note == "2026-12-01 Ada: promoted to medium"


def test_a_note_set_by_the_decision_gets_the_line_too():
    change = Change(kind="fix_check", fields={"note": "new"})
    new, _ = patched(SUITE, on(SUITE, "7", change, why=""))
    assert cases_of(new)["7"].note == "new\n2026-12-01 Ada: check fixed"


def test_a_retired_case_leaves_no_line():
    new, found = patched(SUITE, on(SUITE, "7", retired()))
    assert new == SUITE.replace(LINES[2] + b"\n", b"")
    assert [(one.line, one.after) for one in found.touched] == [(3, b"")]


def test_a_case_that_is_kept_changes_nothing():
    new, found = patched(SUITE, on(SUITE, "7", kept()))
    assert new == SUITE
    assert (found.touched, found.kept) == ((), ("7",))


def test_without_decisions_nothing_changes():
    assert patched(SUITE)[0] == SUITE


MINTED = b'{"id": "new", "stratum": "stretch", "prompt": "p", "note": "2026-12-01 Ada: minted"}'


@pytest.mark.parametrize(
    ("suite", "expected"),
    [
        (SUITE, SUITE + MINTED + b"\n"),
        (suite_of(row(), row("b"))[:-1], suite_of(row(), row("b")) + MINTED + b"\n"),
        (suite_of(row(), end=b"\r\n"), suite_of(row(), end=b"\r\n") + MINTED + b"\r\n"),
        (
            suite_of(row(), row("b"), end=b"\r\n").rstrip(),
            suite_of(row(), row("b"), end=b"\r\n") + MINTED + b"\r\n",
        ),
        (suite_of(row(), end=b""), suite_of(row()) + MINTED + b"\n"),
        (SUITE[:-1], SUITE[:-1] + b"\r\n" + MINTED + b"\r\n"),
        (suite_of(row()) + b"\n\n", suite_of(row()) + b"\n\n" + MINTED + b"\n"),
    ],
)
def test_a_minted_case_comes_last_with_the_suites_line_end(suite, expected):
    new, found = patched(suite, minting())
    assert new == expected
    (one,) = found.touched
    assert (one.kind, one.before, one.after.rstrip()) == ("mint", b"", MINTED)
    assert new.splitlines(keepends=True)[-1] == one.after
    assert expected.count(b"\n") == one.line


def test_a_minted_case_keeps_its_own_note_and_may_replace_the_last_one():
    suite = suite_of(row(), end=b"")
    new, _ = patched(suite, minting(NEW_ROW | {"note": "n"}), on(suite, "a", retired()))
    assert new == MINTED.replace(b'"2026', b'"n\\n2026') + b"\n"


def test_a_byte_order_mark_stays_before_an_edited_line_and_goes_with_a_retired_one():
    suite = b"\xef\xbb\xbf" + suite_of(row(), row("b"))
    new, _ = patched(suite, on(suite, "a", promoted(CASE)))
    assert new.startswith(b'\xef\xbb\xbf{"id": "a", "stratum": "medium"')
    new, _ = patched(suite, on(suite, "a", retired()))
    assert new == suite_of(row("b"))


def test_a_suite_is_read_from_where_the_stream_stands():
    stream, out = BytesIO(b"not JSON" + SUITE), BytesIO()
    stream.seek(8)
    patch_suite(stream, [on(SUITE, "a", retired())], out)
    assert out.getvalue() == SUITE.replace(LINES[0] + b"\n", b"")


def test_the_newest_decision_on_a_case_holds():
    keep = on(SUITE, "a", kept(), at=AT + timedelta(microseconds=1))
    first, second = on(SUITE, "a", retired()), on(SUITE, "a", promoted(CASE))
    new, found = patched(SUITE, keep, first, second)
    assert (new, found.kept, found.overruled) == (SUITE, ("a",), (first, second))
    new, found = patched(SUITE, first, second)
    assert cases_of(new)["a"].stratum == "medium"
    assert found.overruled == (first,)


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (0, "leaves no stretch cases; mint new ones"),
        (1, "leaves 1 stretch case, fewer than 10; mint new ones"),
        (9, "leaves 9 stretch cases, fewer than 10; mint new ones"),
        (10, ""),
    ],
)
def test_too_few_stretch_cases_are_told(left, words):
    suite = suite_of(*(row(f"c{number}") for number in range(left + 1)))
    _, found = patched(suite, on(suite, "c0", promoted(CASE)))
    assert (found.stretch_before, found.stretch_after) == (left + 1, left)
    assert found.stretch_words == words
    assert FEWEST_STRETCH == 10


# -- what is refused -----------------------------------------------------------


def test_every_decision_that_does_not_fit_is_told_and_nothing_is_written():
    gone = on(SUITE, "a", retired())
    changed = on(SUITE, "7", promoted(CASE), who="Bo")
    suite = SUITE.replace(b'"id": "a"', b'"id": "b"').replace(b'{"prompt":"p"', b'{"prompt":"q"')
    assert refused(suite, gone, changed, minting({**NEW_ROW, "id": "c"})) == (
        "nothing was changed: 3 problems\n"
        'case "a" (retire, Ada): no such case in this suite; was it retired, or is this another '
        "suite?\n"
        'case "7" (promote, Bo): changed since it was decided on (line 3); review it again\n'
        'case "c" (mint, Ada): its id is taken on line 4; give the new case another id'
    )


def test_ids_as_numbers_and_as_text_are_the_same():
    assert refused(SUITE, minting({**NEW_ROW, "id": "7"})).endswith("give the new case another id")
    assert refused(SUITE, minting({**NEW_ROW, "id": 7}, case_id="7")).endswith("another id")


@pytest.mark.parametrize(
    ("decision", "problem"),
    [
        (
            on(SUITE, "7", Change(kind="fix_check", fields={"max_chars": 0})),
            'case "7" (fix_check, Ada): the new row, line 3, field max_chars: a budget below 1 '
            "(found 0); write a whole number of 1 or more",
        ),
        (
            on(SUITE, "7", Change(kind="fix_check", fields={"promt": "x"})),
            'case "7" (fix_check, Ada): the new row, line 3, field promt: unknown field (found '
            "promt); did you mean prompt? A check under another name is never made",
        ),
        (
            minting({"id": "new", "prompt": "p"}),
            'case "new" (mint, Ada): the new row, line 5, field stratum: missing; every case needs '
            "one of easy, medium, stretch",
        ),
        (
            minting(NEW_ROW, case_id="old"),
            'case "old" (mint, Ada): mint names another id in its row; write the same id in both',
        ),
        (
            on(SUITE, "7", Change(kind="fix_check", fields={"id": "8"})),
            'case "7" (fix_check, Ada): a case keeps its id; retire it and mint another one',
        ),
        (
            on(SUITE, "7", Change(kind="fix_check", fields={"note": ["n"]})),
            'case "7" (fix_check, Ada): a note that is no text; write it in quotes',
        ),
        (
            on(SUITE, "7", Change(kind="fix_check", fields={"x": {1, 2}})),
            'case "7" (fix_check, Ada): fields that JSON cannot hold; write plain JSON in whole '
            "characters, not too deep",
        ),
    ],
)
def test_a_row_that_the_loader_would_refuse_is_refused(decision, problem):
    assert refused(SUITE, decision) == f"nothing was changed: {problem}"


def test_a_suite_that_would_be_empty_is_refused():
    suite = suite_of(row())
    assert refused(suite, on(suite, "a", retired())) == (
        "nothing was changed: the suite would have 1 row error; line 1: no cases; write one case "
        "a line"
    )


def test_a_suite_with_row_errors_is_not_patched():
    out = BytesIO()
    with pytest.raises(SuiteError, match="duplicate id"):
        patch_suite(BytesIO(suite_of(row(), row())), [], out)
    assert out.getvalue() == b""


class Changing(BytesIO):
    """Is a file that somebody else saves between two readings."""

    def seek(self, place, whence=0):
        self.getbuffer()[15:16] = b"b"
        return super().seek(place, whence)


def test_a_suite_that_changes_meanwhile_is_not_patched():
    suite, out = suite_of(row(case_id="xx"), row("c")), BytesIO()
    decisions = [on(suite, "c", retired())]
    with pytest.raises(PatchError, match="changed while it was read; try again"):
        patch_suite(Changing(suite), decisions, out)
    assert out.getvalue() == b""


# -- whatever the suite --------------------------------------------------------

texts = st.text(max_size=8)
needle_texts = st.text(max_size=5).map(lambda text: f"n{text}")
needles = st.lists(needle_texts, max_size=2)
extras = st.fixed_dictionaries(
    {},
    optional={
        "completion": texts | st.none(),
        "must_include": needles,
        "must_include_any": st.lists(st.lists(needle_texts, min_size=1, max_size=2), max_size=2),
        "note": texts | st.none(),
        "weight": st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
        "owner": st.dictionaries(texts, texts, max_size=2),
    },
)
ends = st.sampled_from([b"\n", b"\r\n", b" \n", b"\n\n", b"\n \r\n"])


@st.composite
def suites(draw):
    """Draws a suite, each line written in a way of its own."""
    suite = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    count = draw(st.integers(1, 8))
    for number in range(count):
        case_id = draw(st.sampled_from([f"c{number}", number]))
        stratum = draw(st.sampled_from(["easy", "stretch"]))
        fields = {"id": case_id, "stratum": stratum, "prompt": draw(texts), **draw(extras)}
        names = draw(st.permutations(list(fields)))
        separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,  ", "\t:  ")]))
        line = json.dumps(
            {name: fields[name] for name in names},
            ensure_ascii=draw(st.booleans()),
            separators=separators,
        )
        suite += line.encode() + draw(ends)
    return suite.rstrip(b"\r\n ") if draw(st.booleans()) else suite


def changes_of(case: Case) -> st.SearchStrategy[Change]:
    wordings = [accepted(case, needle, f"{needle}, or so") for needle in case.must_include]
    fix = Change(kind="fix_check", fields={"max_chars": 77, "must_not_include": ["é\u2028"]})
    return st.sampled_from([promoted(case), retired(), kept(), fix, *wordings])


@settings(deadline=None)
@given(st.data())
def test_untouched_lines_stay_byte_for_byte_and_touched_ones_change_as_decided(data):
    suite = data.draw(suites())
    cases = cases_of(suite)
    chosen = data.draw(st.lists(st.sampled_from(sorted(cases)), unique=True))
    decisions = [on(suite, case_id, data.draw(changes_of(cases[case_id]))) for case_id in chosen]
    if data.draw(st.booleans()) or all(
        one.change.kind == "retire" for one in decisions if len(decisions) == len(cases)
    ):
        decisions.append(minting())
    new, found = patched(suite, *decisions)
    old_lines = lines_of(suite)
    expected = list(old_lines)
    for one in found.touched:
        if one.kind != "mint":
            assert old_lines[one.line - 1] == one.before
            expected[one.line - 1] = one.after
    old_part = b"".join(expected)
    minted_part = b"".join(one.after for one in found.touched if one.kind == "mint")
    joint = new[len(old_part) : len(new) - len(minted_part)]
    assert new == old_part + joint + minted_part
    open_end = minted_part and old_part and not old_part.endswith(b"\n")
    assert joint in ((b"\n", b"\r\n") if open_end else (b"",))
    for one in found.touched:
        if one.kind not in ("mint", "retire"):
            (decision,) = [other for other in decisions if other.case_id == one.case_id]
            before, after = (
                json.loads(line.decode("utf-8-sig")) for line in (one.before, one.after)
            )
            note = cases_of(new)[one.case_id].note or ""
            assert after == before | decision.change.fields | {"note": note}
            assert note.startswith(before.get("note") or "")
    assert b"".join(apply_by_hand(suite, unified_diff(BytesIO(suite), found, "s"))) == new


def lines_of(data: bytes) -> list[bytes]:
    return BytesIO(data).readlines()


def apply_by_hand(suite: bytes, diff):
    """Applies a unified diff as its definition says: an independent reading of it."""
    old, place = lines_of(suite), 0
    lines = lines_of(b"".join(diff))
    result: list[bytes] = []
    for number, line in enumerate(lines[2:], start=2):
        bare = number + 1 < len(lines) and lines[number + 1].startswith(b"\\")
        content = line[1:-1] if bare else line[1:]
        match line[:1]:
            case b"@":
                start = int(line.split(b" ")[1].split(b",")[0].removeprefix(b"-")) - 1
                result += old[place:start]
                place = start
                assert len(result) + 1 == int(line.split(b"+")[1].split(b" ")[0].split(b",")[0])
            case b" " | b"-":
                assert old[place] == content
                place += 1
        if line[:1] in (b" ", b"+"):
            result.append(content)
    return [*result, *old[place:]]


# -- the diff ------------------------------------------------------------------

ODD_NAME = "my süite\x1b\n.jsonl"


def diff_of(suite: bytes, *decisions: Decision, name="suite.jsonl") -> bytes:
    _, found = patched(suite, *decisions)
    return b"".join(unified_diff(BytesIO(suite), found, name))


def test_a_diff_shows_each_touched_line_between_its_neighbours():
    suite = suite_of(*(row(f"c{number}") for number in range(1, 21)))
    lines = lines_of(suite)
    decisions = [on(suite, f"c{number}", retired()) for number in (1, 9, 20)]
    assert diff_of(suite, *decisions, minting()) == b"".join(
        [
            b"--- a/suite.jsonl\n",
            b"+++ b/suite.jsonl\n",
            b"@@ -1,4 +1,3 @@\n",
            b"-" + lines[0],
            *(b" " + line for line in lines[1:4]),
            b"@@ -6,7 +5,6 @@\n",
            *(b" " + line for line in lines[5:8]),
            b"-" + lines[8],
            *(b" " + line for line in lines[9:12]),
            b"@@ -17,4 +15,4 @@\n",
            *(b" " + line for line in lines[16:19]),
            b"-" + lines[19],
            b"+" + MINTED + b"\n",
        ]
    )


def test_without_change_there_is_no_diff():
    assert diff_of(SUITE, on(SUITE, "a", kept())) == b""


def test_a_name_of_odd_characters_is_spelled_out():
    head = diff_of(SUITE, on(SUITE, "a", retired()), name=ODD_NAME).split(b"\n")[:2]
    assert head == [
        "--- a/my süite\\x1b\\n.jsonl\t".encode(),
        "+++ b/my süite\\x1b\\n.jsonl\t".encode(),
    ]


SEPARATOR = "\u2028\u2029\x85"
GIT_SUITES = {
    "plain": suite_of(*(row(f"c{number}") for number in range(30))),
    "crlf": suite_of(*(row(f"c{number}") for number in range(9)), end=b"\r\n"),
    "no last line end": suite_of(*(row(f"c{number}") for number in range(9)))[:-1],
    "crlf, no last line end": suite_of(*(row(f"c{n}") for n in range(9)), end=b"\r\n")[:-2],
    "byte order mark": b"\xef\xbb\xbf" + suite_of(*(row(f"c{number}") for number in range(9))),
    "line separators": b"".join(
        json.dumps(row(f"c{number}", note=f"é{SEPARATOR}x"), ensure_ascii=False).encode() + b"\n"
        for number in range(9)
    ),
    "blank lines": b"\n\n" + suite_of(*(row(f"c{number}") for number in range(9)), end=b"\n \n"),
}
FIX = Change(kind="fix_check", fields={"must_include": [f"ü{SEPARATOR}"], "max_chars": 7})


@pytest.mark.skipif(which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("name", ["suite.jsonl", "evals/my süite 'x' \"y\".jsonl"])
@pytest.mark.parametrize("which_lines", ["all", "first", "last", "mint", "last and mint"])
@pytest.mark.parametrize("suite", GIT_SUITES.values(), ids=GIT_SUITES)
def test_git_applies_the_diff(suite, which_lines, name, tmp_path):
    last = f"c{len(cases_of(suite)) - 1}"
    decisions = {
        "all": [
            on(suite, "c0", promoted(CASE)), on(suite, "c3", FIX), on(suite, last, retired()),
            minting(),
        ],
        "first": [on(suite, "c0", retired())],
        "last": [on(suite, last, FIX)],
        "mint": [minting()],
        "last and mint": [on(suite, last, promoted(CASE)), minting()],
    }[which_lines]  # fmt: skip
    new, found = patched(suite, *decisions)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(suite)
    diff = b"".join(unified_diff(BytesIO(suite), found, name))
    options = {"cwd": tmp_path, "input": diff, "capture_output": True}
    done = subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], **options)
    assert (done.returncode, done.stderr) == (0, b"")
    assert path.read_bytes() == new


# -- size ----------------------------------------------------------------------


def test_a_row_of_a_megabyte_is_changed():
    big = row("big", note="é\\ \u2028" * 150_000)
    suite = suite_of(row(), big, row("c"))
    new, found = patched(suite, on(suite, "big", promoted(CASE)))
    diff = b"".join(unified_diff(BytesIO(suite), found, "s"))
    assert json.loads(lines_of(new)[1])["note"].startswith(big["note"])
    assert len(diff) > 2 * len(suite) * 0.9


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A suite of 100,000 cases, and decisions on its first, a middle and its last one."""
    path = tmp_path_factory.mktemp("large") / "suite.jsonl"
    with path.open("wb") as out:
        for number in range(100_000):
            out.write(b'{"id": "c%d", "stratum": "stretch", "prompt": "p"}\n' % number)
    of_all = on(suite_of(row("c0")), "c0", retired())
    ids = ("c0", "c500", "c99999")
    return path, [*(msgspec.structs.replace(of_all, case_id=one) for one in ids), minting()]


def patched_file(path, decisions, target):
    """Patches a file to another and returns what was done, and the diff."""
    with path.open("rb") as source, target.open("wb") as out:
        found = patch_suite(source, decisions, out)
        source.seek(0)
        return found, b"".join(unified_diff(source, found, "suite.jsonl"))


def test_a_suite_of_100_000_cases_is_patched(large, tmp_path):
    suite, decisions = large
    found, diff = patched_file(suite, decisions, tmp_path / "new.jsonl")
    assert (found.stretch_before, found.stretch_after) == (100_000, 99_998)
    assert diff.count(b"\n@@ ") == 3
    old, new = lines_of(suite.read_bytes()), lines_of((tmp_path / "new.jsonl").read_bytes())
    assert new == [*old[1:500], *old[501:-1], MINTED + b"\n"]


def test_a_suite_of_40_mb_takes_little_memory(tmp_path):
    suite = tmp_path / "suite.jsonl"
    long = "p" * 4_000
    with suite.open("wb") as out:
        for number in range(10_000):
            row_of = b'{"id": "c%d", "stratum": "stretch", "prompt": "%s"}\n'
            out.write(row_of % (number, long.encode()))
    first = suite_of(row("c0", prompt=long))
    ids = ("c0", "c500", "c9999")
    decided = on(first, "c0", retired())
    decisions = [msgspec.structs.replace(decided, case_id=one) for one in ids]
    tracemalloc.start()
    try:
        patched_file(suite, decisions, tmp_path / "new.jsonl")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20
