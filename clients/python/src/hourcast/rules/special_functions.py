"""ln, exp and functions of them, from sums, products and quotients only: the service's bits on every machine.

`math.log`, `math.exp` and `math.erf` are those of the platform, whose last bits differ.
"""

from __future__ import annotations

import math
from typing import Callable

from .floats import half_up

_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10
_SQRT2 = 1.4142135623730951
_SQRT1_2 = 0.7071067811865476
_ODD_PARTS = tuple(1 / odd for odd in range(23, 0, -2))


def ln(value: float) -> float:
    """The natural logarithm. Raises `ValueError` unless the value is finite and above 0."""
    if not 0 < value < math.inf:
        raise ValueError(f"ln needs a finite number above 0 (got {value})")
    exponent = 0
    mantissa = value
    while mantissa > _SQRT2:
        mantissa /= 2
        exponent += 1
    while mantissa < _SQRT1_2:
        mantissa *= 2
        exponent -= 1
    argument = (mantissa - 1) / (mantissa + 1)
    square = argument * argument
    series = 0.0
    for part in _ODD_PARTS:
        series = series * square + part
    return exponent * _LN2_HIGH + (2 * argument * series + exponent * _LN2_LOW)


def exp(value: float) -> float:
    """e to the power of `value`; 0 and infinity beyond what a double holds."""
    if value < -745:
        return 0.0
    if value > 709.7:
        return math.inf
    twos = half_up(value / (_LN2_HIGH + _LN2_LOW))
    rest = value - twos * _LN2_HIGH - twos * _LN2_LOW
    series = 1.0
    for term in range(16, 0, -1):
        series = 1 + (series * rest) / term
    for _ in range(twos):
        series *= 2
    for _ in range(-twos):
        series /= 2
    return series


_ROOT_TWO_PI = 2.5066282746310002
_TAIL_FROM = 3.5
_TAIL_LEVELS = 60


def _normal_density(z: float) -> float:
    return exp((-z * z) / 2) / _ROOT_TWO_PI


def normal_cdf(z: float) -> float:
    """P(Z <= z) of a standard normal Z: Marsaglia's series, in the tails Laplace's continued fraction."""
    # The series of NaN would never end.
    if math.isnan(z):
        raise ValueError("z must be a number (got NaN)")
    if z > _TAIL_FROM:
        return 1 - _upper_tail(z)
    if z < -_TAIL_FROM:
        return _upper_tail(-z)
    term = sum_ = z
    before, odd = 0.0, 3
    while sum_ != before:
        before = sum_
        term *= (z * z) / odd
        sum_ += term
        odd += 2
    return 0.5 + sum_ * _normal_density(z)


def _upper_tail(z: float) -> float:
    fraction = z
    for level in range(_TAIL_LEVELS, 0, -1):
        fraction = z + level / fraction
    return _normal_density(z) / fraction


_Z975 = 1.959963984540054
STUDENT_MIN_FREEDOM = 19


def student975(freedom: int) -> float:
    """Student's t at 97.5 %. Raises `ValueError` below `STUDENT_MIN_FREEDOM` degrees of freedom."""
    if not freedom >= STUDENT_MIN_FREEDOM:
        raise ValueError(f"the degrees of freedom must be at least {STUDENT_MIN_FREEDOM} (got {freedom})")
    z = _Z975
    square = z * z
    terms = (
        (z * (square + 1)) / 4,
        (z * ((5 * square + 16) * square + 3)) / 96,
        (z * (((3 * square + 19) * square + 17) * square - 15)) / 384,
        (z * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945)) / 92160,
    )
    sum_ = 0.0
    for term in reversed(terms):
        sum_ = (sum_ + term) / freedom
    return sum_ + z


def uniforms(seed: int) -> Callable[[], float]:
    """Numbers from 0 to below 1 that depend only on the seed: mulberry32, in 32-bit arithmetic."""
    state = seed

    def draw() -> float:
        nonlocal state
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ (state >> 15)) * (1 | state)) & 0xFFFFFFFF
        mixed = ((mixed + (((mixed ^ (mixed >> 7)) * (61 | mixed)) & 0xFFFFFFFF)) & 0xFFFFFFFF) ^ mixed
        return (mixed ^ (mixed >> 14)) / 2**32

    return draw
