/*
 * The service's own rules: questions, outcomes, scores and the reference of the price. They are pure, with equal bits everywhere;
 * `rules/golden` in the service's repository has vectors.
 */
export { type Asset, ASSETS, type ByAsset, byAsset, isAsset } from '../../../src/rules/assets.ts';
export { type Candle, rangeOf, returnOf, returnPct } from '../../../src/rules/candle.ts';
export {
  crowdFigures,
  type CrowdFigures,
  crowdProbabilities,
  difficultyOf,
  type TallyRow,
} from '../../../src/rules/crowd.ts';
export { boundedBrier, edgeOf, forecastOf, isSettled, ownBrier, referenceBrier } from '../../../src/rules/edge.ts';
export { type Given, saidBy } from '../../../src/rules/forecast/said.ts';
export { CHECKPOINTS, type Forecast, forecastAt } from '../../../src/rules/forecast/forecast.ts';
export { type Means, newPooling, type Pooling } from '../../../src/rules/forecast/pooling.ts';
export { EXPERTS, NO_TOTALS, type Totals, totalsAfter } from '../../../src/rules/forecast/mixture.ts';
export {
  GRID_MS,
  GRID_POINTS,
  gridPointAt,
  type GridQuote,
  gridTime,
  momentAt,
  type ReferenceBasis,
  type RoundQuotes,
} from '../../../src/rules/grid.ts';
export {
  answerPayoffs,
  type AnswerPayoff,
  type DecidedRound,
  edgeAt,
  figureOf,
  inUnits,
  ownBriersOf,
  type Payoff,
  payoffOf,
  payoffsOf,
  referenceBriers,
  type References,
  UNITS,
} from '../../../src/rules/payoffs.ts';
export { historyNeeded, planOf, questionOf } from '../../../src/rules/questions/asking.ts';
export { candlesNeeded, type Outcome, outcomeOf } from '../../../src/rules/questions/deciding.ts';
export {
  type HistoryHour,
  type Plan,
  type Question,
  type QuestionParams,
  QUESTION_TYPES,
  type QuestionType,
} from '../../../src/rules/questions/question.ts';
export { HISTORY_HOURS } from '../../../src/rules/questions/thresholds.ts';
export { addHours, HOUR, MINUTE, spacedSeconds } from '../../../src/rules/hours.ts';
export { sign } from '../../../src/rules/fraction.ts';
export { arenaPointsFor, byPlace, type RankedEntry } from '../../../src/rules/ranking.ts';
export { COVARIANCE_HOURS, covarianceOf, edgesOf } from '../../../src/rules/reference/covariance.ts';
export type { AssetSoFar, ReferenceMoment } from '../../../src/rules/reference/moment.ts';
export { referenceAt } from '../../../src/rules/reference/reference.ts';
export { CONFIDENCE_BANDS, CONSISTENCY_BONUS, pnlUsd, scoreOf, streakBonus } from '../../../src/rules/scoring.ts';
export { luckOfPnl, luckOfWins, pnlChance } from '../../../src/rules/statistics/luck.ts';
export {
  INTERVAL_MIN_ROUNDS,
  meanInterval,
  type MeanInterval,
  skillInterval,
  type Sums,
} from '../../../src/rules/statistics/means.ts';
export { RULES_DIGESTS, RULES_VERSION, RULES_VERSIONS, type RulesVersion } from '../../../src/rules/versions.ts';
export { ARCHIVE_KINDS, inWindow, type Period, PERIODS, periodNamed, periodOf } from '../../../src/rules/windows.ts';
