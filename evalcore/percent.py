"""Rates as people read them: percent, cut and never rounded up."""

import math
from decimal import Decimal
from fractions import Fraction


def exact(value: float) -> Fraction:
    """Returns the fraction that the shortest decimal text of a float stands for."""
    return Fraction(repr(value))


def percent(rate: float | Fraction) -> str:
    """Returns a rate as whole percent, cut and never rounded up: 199 of 200 is "99 %"."""
    whole = exact(rate) if isinstance(rate, float) else rate
    return f"{math.floor(whole * 100)} %"


def exact_percent(value: float) -> str:
    """Returns a threshold as percent with every decimal place it was written with."""
    text = f"{Decimal(repr(value)) * 100:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"
