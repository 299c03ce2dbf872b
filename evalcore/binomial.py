"""The binomial distribution as far as small counts of passes ask for it."""

import math
from fractions import Fraction

_Z = 1.959963984540054  # the 97.5 % point of the standard normal distribution


def wilson(passed: int, n: int) -> tuple[float, float] | None:
    """Returns the Wilson 95 % score interval of a rate as (low, high), or None without cases.

    Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), without continuity correction.
    """
    if n == 0:
        return None
    middle = passed + _Z * _Z / 2
    reach = _Z * math.sqrt(passed * (n - passed) / n + _Z * _Z / 4)
    whole = n + _Z * _Z
    low = (middle - reach) / whole if passed > 0 else 0.0
    high = (middle + reach) / whole if passed < n else 1.0
    return low, high


def upper_tail(k: int, n: int, rate: Fraction) -> float:
    """Returns P(X >= k) for X binomial with n trials, to a relative error of about 1e-12.

    Below about 1e-300 it is 0. Sums outward from k on the side that falls, starting from the
    probability of k alone.
    """
    if k <= 0:
        return 1.0
    if k > n or rate == 0:
        return 0.0
    if rate == 1:
        return 1.0
    if k <= n * rate:
        return 1.0 - lower_tail(k - 1, n, rate)
    if k == n:
        return math.exp(n * log_rate(rate))
    odds = float(rate / (1 - rate))
    term = total = 1.0
    for successes in range(k, n):
        term *= (n - successes) / (successes + 1) * odds
        total += term
        if term < total * 1e-17:
            break
    return _probability_of(k, n, rate) * total


def lower_tail(k: int, n: int, rate: Fraction) -> float:
    """Returns P(X <= k) for X binomial with n trials, to a relative error of about 1e-12."""
    return upper_tail(n - k, n, 1 - rate)


def _probability_of(k: int, n: int, rate: Fraction) -> float:
    """Returns P(X = k) for 0 < k < n by the saddle point.

    Source: C. Loader, Fast and Accurate Computation of Binomial Probabilities (2000).
    """
    exponent = (
        _stirling_error(n)
        - _stirling_error(k)
        - _stirling_error(n - k)
        - _deviance(k, n * float(rate))
        - _deviance(n - k, n * float(1 - rate))
    )
    return math.exp(exponent) * math.sqrt(n / (2 * math.pi * k * (n - k)))


def _stirling_error(n: int) -> float:
    """Returns ln n! less Stirling's formula ln(sqrt(2 pi n) (n / e)^n)."""
    if n < 16:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
    square = n * n
    tail = 1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square
    return (1 / 12 - (1 / 360 - tail / square) / square) / n


def _deviance(count: int, mean: float) -> float:
    """Returns count ln(count / mean) + mean - count without cancellation near the mean."""
    gap = count - mean
    if abs(gap) >= 0.1 * (count + mean):
        return count * math.log(count / mean) - gap
    ratio = gap / (count + mean)
    total, power, odd = gap * ratio, 2 * count * ratio, 1
    while True:
        power *= ratio * ratio
        odd += 2
        if total + power / odd == total:
            return total
        total += power / odd


def log_rate(rate: Fraction) -> float:
    """Returns the natural logarithm, right also where the rate lies within 1e-16 of 1."""
    return math.log(rate) if rate < Fraction(1, 2) else math.log1p(-float(1 - rate))
