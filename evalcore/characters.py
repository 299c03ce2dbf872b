"""Sets of characters, each written as the inside of a regular expression's brackets."""

WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""Unicode's White_Space (PropList.txt)."""

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt) and the braille blank."""

CONTROL = "\x00-\x1f\x7f-\x9f"
"""The C0 and C1 controls and DEL (general category Cc)."""

APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bb\u02bc\u02bd\u055a\u05f3"
"""Typographic forms of `'`."""

QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f\u05f4\u02ba"
"""Typographic forms of `"`."""

DASHES = (
    "\u058a\u05be\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e17\u2e3a\u2e3b"
    "\ufe31\ufe32\ufe58\ufe63"
)
"""Hyphens, dashes and the minus sign U+2212, all but `-` itself."""

FULL_WIDTH = "\uff01-\uff5e"
"""Full-width forms of the printable ASCII characters, in their order."""
