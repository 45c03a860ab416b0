"""Questions and their winners."""

from .asking import Plan, history_needed, plan_of, question_of
from .candle import Candle, range_of, return_of
from .deciding import candles_needed, outcome_of
from .question import Hour, Params, Question

__all__ = [
    "Candle",
    "Hour",
    "Params",
    "Plan",
    "Question",
    "candles_needed",
    "history_needed",
    "outcome_of",
    "plan_of",
    "question_of",
    "range_of",
    "return_of",
]
