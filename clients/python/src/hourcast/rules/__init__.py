"""The service's own rules: what is asked, who wins, what an answer earns, and what the price alone says.

They have the same bits as the service's; `rules/golden` of its repository has vectors of them.
"""

from .assets import ASSETS
from .crowd import CrowdFigures, TallyRow, crowd_figures, crowd_probabilities, difficulty_of
from .edge import edge_of, forecast_of, reference_brier
from .payoffs import Payoff, crowd_payoffs, edge_units, payoff_of
from .questions import Candle, Hour, Params, Plan, Question, history_needed, outcome_of, plan_of, question_of
from .ranking import arena_points_for
from .reference import Moment, SoFar, covariance_of, reference_at
from .scoring import pnl_usd, score_of, streak_bonus
from .statistics import MeanInterval, Sums, luck_of_pnl, luck_of_wins, mean_interval
from .versions import RULES_DIGESTS, RULES_VERSION, RULES_VERSIONS
from .windows import PERIODS, in_window, period_of

__all__ = [
    "ASSETS",
    "Candle",
    "CrowdFigures",
    "Hour",
    "MeanInterval",
    "Moment",
    "PERIODS",
    "Params",
    "Payoff",
    "Plan",
    "Question",
    "RULES_DIGESTS",
    "RULES_VERSION",
    "RULES_VERSIONS",
    "SoFar",
    "Sums",
    "TallyRow",
    "arena_points_for",
    "covariance_of",
    "crowd_figures",
    "crowd_payoffs",
    "crowd_probabilities",
    "difficulty_of",
    "edge_of",
    "edge_units",
    "forecast_of",
    "history_needed",
    "in_window",
    "luck_of_pnl",
    "luck_of_wins",
    "mean_interval",
    "outcome_of",
    "payoff_of",
    "period_of",
    "plan_of",
    "pnl_usd",
    "question_of",
    "reference_at",
    "reference_brier",
    "score_of",
    "streak_bonus",
]
