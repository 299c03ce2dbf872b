import timeit
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.difference import MAX_CHARS, Piece, is_cut, word_diff

TEXTS = st.text() | st.lists(
    st.sampled_from(
        ["fox", "dog", " ", "\n", ", ", "e\u0301", "👩\u200d💻", "שלום", "\0", "\u202e", "犬"]
    )
).map("".join)


def same(text):
    return Piece(kind="same", text=text)


def gone(text):
    return Piece(kind="gone", text=text)


def new(text):
    return Piece(kind="new", text=text)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", []),
        ("", "a fox", [new("a fox")]),
        ("a fox", "", [gone("a fox")]),
        ("a fox", "a fox", [same("a fox")]),
        ("a fox", "a dog", [same("a "), gone("fox"), new("dog")]),
        ("a fox", "a quick fox", [same("a "), new("quick "), same("fox")]),
        ("a fox ran", "a fox", [same("a fox"), gone(" ran")]),
        ("a fox\nran", "a fox ran", [same("a fox"), gone("\n"), new(" "), same("ran")]),
        ("the quick brown fox", "the slow red fox",
         [same("the "), gone("quick brown"), new("slow red"), same(" fox")]),
        ("a fox, then b", "a dog, now b",
         [same("a "), gone("fox, then"), new("dog, now"), same(" b")]),
        ("one. two.", "six. ten.", [gone("one. two"), new("six. ten"), same(".")]),
        ("Fox", "fox", [gone("Fox"), new("fox")]),
        ("cafe", "cafe\u0301", [gone("cafe"), new("cafe\u0301")]),
        ("हिन्दी", "हिन्दू", [same("हिन्"), gone("दी"), new("दू")]),
        ("犬が走る", "猫が走る", [gone("犬"), new("猫"), same("が走る")]),
        ("hi 👩\u200d💻", "ho 👩\u200d💻", [gone("hi"), new("ho"), same(" 👩\u200d💻")]),
        ("a\0b", "a\0c", [same("a\0"), gone("b"), new("c")]),
        ("שלום עולם", "שלום לכם", [same("שלום "), gone("עולם"), new("לכם")]),
    ],
)  # fmt: skip
def test_a_replaced_phrase_is_one_gone_and_one_new_piece(before, after, expected):
    assert word_diff(before, after) == expected


@given(TEXTS, TEXTS)
def test_the_pieces_give_both_texts_back(before, after):
    pieces = word_diff(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after


@given(TEXTS, TEXTS)
def test_no_piece_is_empty_and_no_two_of_a_kind_are_neighbours(before, after):
    pieces = word_diff(before, after)
    assert all(piece.text for piece in pieces)
    neighbours = [(one.kind, two.kind) for one, two in pairwise(pieces)]
    assert all(one != two for one, two in neighbours)
    assert ("new", "gone") not in neighbours


@given(TEXTS)
def test_a_text_and_itself_are_the_same_throughout(text):
    assert word_diff(text, text) == ([same(text)] if text else [])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", False),
        ("x" * MAX_CHARS, "", False),
        ("x" * (MAX_CHARS + 1), "", True),
        ("", "x" * (MAX_CHARS + 1), True),
    ],
)
def test_a_caller_learns_that_the_end_is_left_out(before, after, expected):
    assert is_cut(before, after) is expected


def test_what_lies_past_the_bound_is_not_compared():
    assert word_diff("x" * MAX_CHARS + " fox", "x" * MAX_CHARS + " dog") == [same("x" * MAX_CHARS)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (" ".join(map(str, range(100_000))), " ".join(map(str, range(100_000, 200_000)))),
        (".," * MAX_CHARS, ",;" * MAX_CHARS),
        ("".join(map(chr, range(0x4E00, 0x9FFF))), "".join(map(chr, range(0x9FFF, 0x4E00, -1)))),
        ("e" + "\u0301" * MAX_CHARS, "a" + "\u0301" * MAX_CHARS),
        ("a b " * MAX_CHARS, "b c " * MAX_CHARS),
    ],
    ids=["distinct words", "signs", "ideographs", "combining marks", "few words"],
)
def test_hostile_texts_take_well_under_a_second(before, after):
    took = min(timeit.repeat(lambda: word_diff(before, after), number=1, repeat=2))
    assert took < 0.8
