import csv
from io import StringIO

import pytest

from evalcore.spreadsheet import csv_bytes


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_what_a_spreadsheet_would_obey_gets_an_apostrophe(cell):
    assert read(csv_bytes(["head"], [[cell]])) == [["head"], [f"'{cell}"]]


@pytest.mark.parametrize("cell", ["", "9 of 20", "a,b", 'say "no"', "two\nlines", "ü 東京", "1-1"])
def test_any_other_cell_comes_back_letter_for_letter(cell):
    assert read(csv_bytes(["head", "x"], [[cell, "y"]])) == [["head", "x"], [cell, "y"]]


def test_a_spreadsheet_is_told_the_encoding():
    assert csv_bytes(["head"], []).startswith(b"\xef\xbb\xbf")
