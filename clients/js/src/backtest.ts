/* Backtests an agent on past rounds: their questions, the market as of a minute, and the service's own scores. */
export { type AskedRound, asOf, type AsOfMarket, type AsOfPrice, programInput, referenceOf } from './backtest/as-of.ts';
export { type Agent, backtest, type Backtest, type BacktestOptions, type BacktestRun } from './backtest/backtest.ts';
export { type ExportedOptions, exportedRounds } from './backtest/exported-rounds.ts';
export { candleFolder, pastOf, type Prices } from './backtest/candle-folder.ts';
export type { HourCandle, Past, PastRound, Shown, Span } from './backtest/past.ts';
export { type Place, type Rank, rankAmong } from './backtest/rank.ts';
export { type Answer, scored, type ScoredAnswer } from './backtest/scored-answer.ts';
