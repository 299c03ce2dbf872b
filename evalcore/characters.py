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

APOSTROPHES = (
    "\u00b4\u02bb\u02bc\u02bd\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a"
    "\u275b\u275c\ua78c"
)
"""Typographic forms of `'`; the backtick is Markdown's, and another character."""

QUOTES = (
    "\u00ab\u00bb\u02ba\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u2e42\u301d\u301e"
    "\u301f"
)
"""Typographic forms of `"`."""

DASHES = (
    "\u02d7\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796"
    "\u2e17\u2e1a\u2e3a\u2e3b\u2e40\ufe31\ufe32\ufe58\ufe63"
)
"""Hyphens, dashes and minus signs drawn as a level stroke, all but `-` itself: Unicode's Dash
(PropList.txt) without superscripts and wavy ones, and three more that look like it."""

FULL_WIDTH = "\uff01-\uff5e"
"""Full-width forms of the printable ASCII characters, in their order."""
