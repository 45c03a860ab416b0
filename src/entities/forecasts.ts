import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

import type { Checkpoint } from '../rules/forecast/forecast.ts';
import { JUDGED } from '../rules/forecast/reliability.ts';
import { appendOnly, belongsTo, checksAdded, numbers } from './table-parts.ts';
import { Round } from './round.ts';

/**
 * What all agents together said of a round at a checkpoint (`src/rules/forecast`), written while the round runs and never
 * afterwards: one that was missed is missing. Triggers refuse every change, and what comes once the round is over.
 */
export const RoundForecast = defineEntity({
  name: 'RoundForecast',
  tableName: 'round_forecasts',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    minute: p.smallint().$type<Checkpoint>().primary().autoincrement(false),
    recordedAt: p.datetime(3),
    /** How many predictions it is made of: of those before its minute the first ones, by their ids. */
    entries: p.integer(),
    /** When the newest decision was made of which agents' records and the weights know. */
    decidedUntil: p.datetime(3),
    /** The grid points of those predictions, of the start and of the checkpoint itself at which no price was known. */
    unpriced: p.array(Number).columnType('smallint[]'),
    /** In the order of the round's choices. */
    probabilities: numbers(),
    /** What each expert said (`EXPERTS`), one behind the other. */
    said: numbers(),
    /** How much each expert counted. */
    weights: numbers(),
  },
  triggers: [
    appendOnly('round_forecasts'),
    checksAdded('round_forecasts', { name: 'round_forecasts_in_time', refuse: 'refuse_late_forecast' }),
  ],
  checks: [
    { name: 'round_forecasts_minute_check', expression: 'minute > 0 and minute < 60' },
    { name: 'round_forecasts_entries_check', expression: 'entries >= 0' },
    {
      name: 'round_forecasts_lengths_check',
      expression: 'cardinality(said) = cardinality(weights) * cardinality(probabilities)',
    },
  ],
});

export type RoundForecast = InferEntity<typeof RoundForecast>;

/**
 * How good a recorded forecast of a resolved round was, and all of its checkpoint until then. An amendment of the round adds a row of its
 * own time; that of a round which it makes void counts for the totals alone. A trigger refuses every change.
 */
export const ForecastScore = defineEntity({
  name: 'ForecastScore',
  tableName: 'forecast_scores',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    minute: p.smallint().primary().autoincrement(false),
    /** When the round was decided, or amended: the order in which totals follow each other. */
    decidedAt: p.datetime(3).primary(),
    /** Brier scores, from 0 to 2: of the forecast, and of each expert. */
    brier: p.float().columnType('double precision'),
    expertBriers: numbers(),
    /** The experts' over this round and all before it. */
    totals: numbers(),
  },
  triggers: [appendOnly('forecast_scores')],
  uniques: [{ name: 'forecast_scores_order', properties: ['minute', 'decidedAt'] }],
});

/**
 * What the forecast of a resolved round follows from at any grid point, beside the price there: the means over all predictions
 * until the end of each point at which something was said (`src/rules/forecast/pooling.ts`). A trigger refuses every change.
 */
export const ForecastPools = defineEntity({
  name: 'ForecastPools',
  tableName: 'forecast_pools',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    /** When the newest decision was made of which agents' records and the weights know: the one before the round's own. */
    decidedUntil: p.datetime(3),
    /** The start, and the grid points at which something was said, ascending. */
    points: p.array(Number).columnType('smallint[]'),
    /** How many had predicted by their ends. */
    entries: p.array(Number).columnType('int[]'),
    /** Those of the points at which no price was known. */
    unpriced: p.array(Number).columnType('smallint[]'),
    /** Point by point, in the order of `MEANS`, a number for each answer; null where nobody counts. */
    means: numbers().$type<(number | null)[]>(),
  },
  triggers: [appendOnly('forecast_pools')],
  checks: [{ name: 'forecast_pools_lengths_check', expression: 'cardinality(entries) = cardinality(points)' }],
});

export type ForecastPools = InferEntity<typeof ForecastPools>;

/** How often what was called likely has happened, over all resolved rounds (`src/rules/forecast/reliability.ts`): kept by resolution. */
export const ForecastReliability = defineEntity({
  name: 'ForecastReliability',
  tableName: 'forecast_reliability',
  properties: {
    minute: p.smallint().primary().autoincrement(false),
    judged: p.enum(JUDGED).primary(),
    bin: p.smallint().primary().autoincrement(false),
    n: p.integer(),
    hits: p.integer(),
    /** Millionths. */
    sum: p.bigint('number'),
  },
  checks: [{ name: 'forecast_reliability_n_check', expression: 'n > 0 and hits <= n' }],
});
