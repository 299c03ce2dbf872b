import pytest

from evalcore.matching import Haystack
from evalcore.nearness import near_miss


@pytest.mark.parametrize(
    ("text", "needle", "differs", "found"),
    [
        ("I don’t know", "don't", "typographic apostrophe", "don’t"),
        ("say “yes” now", '"yes"', "typographic quotation mark", "“yes”"),
        ("pages 5–7.", "5-7", "hyphen or dash", "5–7"),
        ("a - b", "—", "hyphen or dash", "-"),
        ("10\xa0kg", "10 kg", "no-break space", "10\xa0kg"),
        ("10\u202fkg", "10 kg", "no-break space", "10\u202fkg"),
        ("two\n words", "two words", "white space", "two\n words"),
        ("in\u200bvoice", "invoice", "invisible character", "in\u200bvoice"),
        ("invoice", "in\u200bvoice", "invisible character", "invoice"),
        ("１２３", "123", "full-width form", "１２３"),
        (
            "don’t\xa0go",
            "don't go",
            "typographic apostrophe, no-break space",
            "don’t\xa0go",
        ),
        ("a **b** c", "a b c", "matches after removing Markdown", "a **b** c"),
        ("see [the page](http://x.y) now", "the page now", "matches after removing Markdown",
         "the page](http://x.y) now"),
        ("snake\\_case", "snake_case", "matches after removing Markdown", "snake\\_case"),
        ("pаypal", "paypal", "letters of another script that look the same", "pаypal"),
        ("Οslo", "oslo", "letters of another script that look the same", "Οslo"),
        ("москва", "mockba", None, None),
    ],
)  # fmt: skip
def test_what_differs(text: str, needle: str, differs: str | None, found: str | None):
    near = near_miss(Haystack(text), needle)
    if differs is None:
        assert near is None
        return
    assert near is not None
    name, start, end = near
    assert (name, text[start:end]) == (differs, found)


@pytest.mark.parametrize(
    ("text", "needle"),
    [("", "x"), ("a b", "ab"), ("10²", "102"), ("cafe", "café"), ("* _", "*"[:0] + "zz")],
)
def test_what_is_not_near(text: str, needle: str):
    assert near_miss(Haystack(text), needle) is None
