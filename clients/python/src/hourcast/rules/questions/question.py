"""A question, and the assets that decide it."""

from __future__ import annotations

from typing import Mapping, NamedTuple, Optional, Tuple

from .candle import Candle

Hour = Mapping[str, Candle]
"""The candles of one hour by asset; an asset without a usable one is absent."""


class Params(NamedTuple):
    """The question in structured form; None where its type has no such part."""

    subject: Optional[str] = None
    operator: Optional[str] = None
    """`>`, `>=`, `<=`, `within` or `same_sign`."""
    threshold_pct: Optional[str] = None
    """Signed percent of the start price, a decimal such as `"-0.35"`."""
    n: Optional[int] = None
    """For `breadth`: the number of the 8 assets."""


class Question(NamedTuple):
    question_type: str
    prediction_format: str
    question: str
    choices: Tuple[str, ...]
    assets: Tuple[str, ...]
    """Every asset whose candle decides."""
    params: Params
