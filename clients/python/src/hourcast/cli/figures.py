"""Formats figures and tables."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import List, Optional, Sequence


def signed(value: float, digits: int = 0) -> str:
    """With its sign, such as `+1.50`; zero has none."""
    return f"{'+' if rounded(value, digits) > 0 else ''}{fixed(value, digits)}"


def fixed(value: float, digits: int) -> str:
    """With this number of decimals. Formats of Python round halves to even."""
    return f"{rounded(value, digits):.{digits}f}"


def percent(share: Optional[float]) -> str:
    """A share as whole percent; empty if unknown."""
    return "" if share is None else f"{fixed(share * 100, 0)} %"


def rounded(value: float, digits: int = 6) -> float:
    """Rounded to `digits` decimals, half away from zero; never -0."""
    return float(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)) + 0.0


def mean_of(values: Sequence[float]) -> float:
    return sum(values) / len(values)


_FEWEST = 10


def margin_of(values: Sequence[float]) -> Optional[float]:
    """Half of the 95 % interval of the mean; None for fewer than ten values, for which it would be unreliable."""
    if len(values) < _FEWEST:
        return None
    mean = mean_of(values)
    variance = sum((one - mean) ** 2 for one in values) / (len(values) - 1)
    return 1.96 * math.sqrt(variance / len(values))


def columns(rows: Sequence[Sequence[str]]) -> List[str]:
    """Lines of columns: numbers to the right, texts to the left."""
    lines = [""] * len(rows)
    for at in range(len(rows[0])):
        cells = [row[at] for row in rows]
        width = max(map(len, cells))
        is_number = all(re.fullmatch(r"[-+\d.% ±]*", cell) for cell in cells[1:])
        aligned = [cell.rjust(width) if is_number else cell.ljust(width) for cell in cells]
        lines = [f"{line}  {cell}" if at > 0 else cell for line, cell in zip(lines, aligned)]
    return [line.rstrip() for line in lines]


def in_short(question: str) -> str:
    """The question without its parts in parentheses, which may be nested."""
    return re.sub(r" \((?:[^()]|\([^()]*\))*\)", "", question)
