import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import type { Checkpoint } from '../rules/forecast/forecast.ts';
import type { RecordSums } from '../rules/forecast/record.ts';
import { type BinSums, PROBABILITY_SOURCES } from '../rules/forecast/reliability.ts';
import { appendOnly, belongsTo, checksAdded, index, numbers } from './table-parts.ts';
import { Round } from './round.ts';

/**
 * The arena's forecast of a round at a checkpoint (`src/rules/forecast`). It is written while the round runs or never:
 * triggers reject changes and late rows.
 */
export const RoundForecast = defineEntity({
  name: 'RoundForecast',
  tableName: 'round_forecasts',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    minute: p.smallint().$type<Checkpoint>().primary().autoincrement(false),
    recordedAt: p.datetime(3),
    /** The number of predictions in it: the first ones by id, from before its minute. */
    entries: p.integer(),
    /** The time of the newest decision in agents' records and weights. */
    decidedUntil: p.datetime(3),
    /** The grid points without a known price. Only those of predictions, the start and the checkpoint are checked. */
    unpriced: p.array(Number).columnType('smallint[]'),
    /** In the order of the round's choices. */
    probabilities: numbers(),
    /** Each expert's probabilities (`EXPERTS`), concatenated. */
    said: numbers(),
    /** The experts' weights. */
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
 * The score of a recorded forecast of a resolved round, with the totals of its checkpoint so far. An amendment adds a
 * row; if it made the round void, the row counts for the totals alone.
 */
export const ForecastScore = defineEntity({
  name: 'ForecastScore',
  tableName: 'forecast_scores',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    minute: p.smallint().primary().autoincrement(false),
    /** The time of the decision or amendment, which orders the totals. */
    decidedAt: p.datetime(3).primary(),
    /** Brier scores, 0-2, of the forecast and of each expert. */
    brier: p.float().columnType('double precision'),
    expertBriers: numbers(),
    /** The experts' sums over this round and all before it. */
    totals: numbers(),
  },
  triggers: [appendOnly('forecast_scores')],
  uniques: [{ name: 'forecast_scores_order', properties: ['minute', 'decidedAt'] }],
  indexes: [index('forecast_scores_decided', '"forecast_scores" ("decided_at")')],
});

/**
 * The inputs of a resolved round's forecast at any grid point, except the price: at each point with a new prediction, the
 * means over all so far (`src/rules/forecast/pooling.ts`).
 */
export const ForecastPools = defineEntity({
  name: 'ForecastPools',
  tableName: 'forecast_pools',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    /** The time of the newest decision in agents' records and weights: the last one before the round's own. */
    decidedUntil: p.datetime(3),
    /** The start, and the grid points with new predictions, ascending. */
    points: p.array(Number).columnType('smallint[]'),
    /** The number of predictions up to the end of each point. */
    entries: p.array(Number).columnType('int[]'),
    /** The points without a known price. */
    unpriced: p.array(Number).columnType('smallint[]'),
    /** For each point, in the order of `MEANS`, a number per answer; null where no prediction counts. */
    means: numbers().$type<(number | null)[]>(),
  },
  triggers: [appendOnly('forecast_pools')],
  checks: [{ name: 'forecast_pools_lengths_check', expression: 'cardinality(entries) = cardinality(points)' }],
});

/**
 * The frequency of outcomes by forecast probability, over all resolved rounds (`src/rules/forecast/reliability.ts`).
 * Resolution writes it.
 */
export const ForecastReliability = defineEntity({
  name: 'ForecastReliability',
  tableName: 'forecast_reliability',
  properties: {
    minute: p.smallint().primary().autoincrement(false),
    judged: p.enum(PROBABILITY_SOURCES).primary(),
    bin: p.smallint().primary().autoincrement(false),
    n: p.integer(),
    hits: p.integer(),
    /** Millionths. */
    sum: p.bigint('number'),
  },
  checks: [{ name: 'forecast_reliability_n_check', expression: 'n > 0 and hits <= n' }],
});

/**
 * The sums of a checkpoint's scores in force over all time, by kind and of all rounds. They include decisions up to
 * `as_of`. An amendment adds them up anew (`src/jobs/resolve/forecast-sums.ts`).
 */
export const ForecastSums = defineEntity({
  name: 'ForecastSums',
  tableName: 'forecast_sums',
  properties: {
    /** A `RecordKind`. */
    kind: p.text().primary(),
    minute: p.smallint().primary().autoincrement(false),
    asOf: p.datetime(3),
    sums: p.json<RecordSums>(),
    /** Those of forecast_reliability within a kind; empty for all rounds. */
    bins: p.json<readonly BinSums[]>(),
  },
});
