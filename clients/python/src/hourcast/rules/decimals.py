"""Exact decimals: text as sources write it, and `Fraction`."""

from __future__ import annotations

import re
from fractions import Fraction

_DECIMAL = re.compile(r"[-+]?\d+(\.\d+)?")


def decimal(text: str) -> Fraction:
    """Reads an exact decimal: sign, digits, fraction, no exponent. Raises `ValueError` on anything else."""
    if _DECIMAL.fullmatch(text) is None:
        raise ValueError(f'"{text}" is no decimal number such as "-28477.73"')
    return Fraction(text)


def round_half_away(value: Fraction, digits: int) -> str:
    """As text with this number of decimals, half away from zero. Zero has no sign."""
    units = (2 * abs(value.numerator) * 10**digits + value.denominator) // (2 * value.denominator)
    figures = str(units).rjust(digits + 1, "0")
    point = len(figures) - digits
    text = figures if digits == 0 else f"{figures[:point]}.{figures[point:]}"
    return f"-{text}" if value < 0 and units > 0 else text


def shortest(value: Fraction) -> str:
    """The shortest text that equals the value. Raises `ValueError` where no finite decimal does, such as for 1/3."""
    digits = 0
    while (value.numerator * 10**digits) % value.denominator != 0:
        if digits > value.denominator.bit_length():
            raise ValueError(f"{value} is no finite decimal")
        digits += 1
    return round_half_away(value, digits)
