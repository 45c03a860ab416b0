"""An agent's backtest on past rounds.

    from hourcast.backtest import backtest, candle_folder

    run = backtest(candle_folder("./candles", start, end), agent, at=20)

The agent gets each question with the market data of a minute. Scores follow the service's rules.
"""

from .as_of import AsOfMarket
from .candle_folder import candle_folder
from .exported_rounds import exported_rounds
from .past import HourCandle, Past, PastRound, Shown
from .rank import rank_among
from .run import BacktestRun, backtest

__all__ = [
    "AsOfMarket",
    "BacktestRun",
    "HourCandle",
    "Past",
    "PastRound",
    "Shown",
    "backtest",
    "candle_folder",
    "exported_rounds",
    "rank_among",
]
