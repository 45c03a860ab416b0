import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { CHECKPOINTS, type Checkpoint } from '../rules/forecast/forecast.ts';
import { EXPERTS } from '../rules/forecast/mixture.ts';
import type { Sums } from '../rules/statistics/means.ts';
import type { Period } from '../rules/windows.ts';
import { windowRounds } from './rounds.ts';
import { rows } from './sql.ts';

/** A forecast as it was recorded, and how good it was; null until its round is resolved. */
export interface RecordedForecast {
  readonly roundId: number;
  readonly minute: Checkpoint;
  readonly recordedAt: Date;
  readonly entries: number;
  readonly decidedUntil: Date;
  readonly unpriced: readonly number[];
  readonly probabilities: readonly number[];
  /** What each expert said, one behind the other. */
  readonly said: readonly number[];
  readonly weights: readonly number[];
  readonly brier: number | null;
  readonly expertBriers: readonly number[] | null;
}

/** The recorded forecasts of these rounds, each round's in the order of time. */
export async function recordedForecasts(
  em: SqlEntityManager,
  rounds: readonly number[],
): Promise<readonly RecordedForecast[]> {
  return rows<RecordedForecast>(em)`
    select f.round_id as "roundId", f.minute, f.recorded_at as "recordedAt", f.entries, f.decided_until as "decidedUntil",
      to_json(f.unpriced) as unpriced, to_json(f.probabilities) as probabilities, to_json(f.said) as said,
      to_json(f.weights) as weights, s.brier, to_json(s.expert_briers) as "expertBriers"
    from round_forecasts f left join forecast_scores s on s.round_id = f.round_id and s.minute = f.minute
    where f.round_id = any(${[...rounds]}) order by f.round_id, f.minute`;
}

/** What the forecasts of a checkpoint come to over resolved rounds; sums are made in the order of decisions. */
export interface CheckpointSums {
  readonly minute: Checkpoint;
  readonly rounds: number;
  readonly brier: number;
  /** Of each expert, in the order of `EXPERTS`. */
  readonly expertBriers: readonly number[];
  /** The price's Brier score - the forecast's. */
  readonly edge: Sums;
}

/** A row for each checkpoint, also where no round of the window has one recorded. */
export async function forecastSums(em: SqlEntityManager, window: Period): Promise<readonly CheckpointSums[]> {
  const edge = sql`(s.expert_briers[1] - s.brier)`;
  const experts = EXPERTS.map((_, place) => sql`sum(s.expert_briers[${place + 1}::int] order by s.decided_at)`);
  const found = await rows<Omit<CheckpointSums, 'edge'> & { readonly sum: number; readonly squareSum: number }>(em)`
    select s.minute, count(*)::int as rounds, sum(s.brier order by s.decided_at) as brier,
      json_build_array(${sql.join(experts)}) as "expertBriers",
      sum(${edge} order by s.decided_at) as sum, sum(${edge} * ${edge} order by s.decided_at) as "squareSum"
    from forecast_scores s join ${windowRounds({ window, questionType: null, asset: null })} w on w.id = s.round_id
    group by s.minute`;
  return CHECKPOINTS.map((minute) => {
    const one = found.find((row) => row.minute === minute);
    if (one === undefined)
      return { minute, rounds: 0, brier: 0, expertBriers: EXPERTS.map(() => 0), edge: { n: 0, sum: 0, squareSum: 0 } };
    const { sum, squareSum, ...more } = one;
    return { ...more, edge: { n: one.rounds, sum, squareSum } };
  });
}
