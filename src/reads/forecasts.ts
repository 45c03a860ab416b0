import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, sql } from 'kysely';

import type { RoundForecast } from '../entities/forecasts.ts';
import type { DB, Row } from '../entities/tables.ts';
import { CHECKPOINTS, type Checkpoint } from '../rules/forecast/forecast.ts';
import { meansIn, type Pool } from '../rules/forecast/made.ts';
import { NO_TOTALS, type Totals } from '../rules/forecast/mixture.ts';
import { type AliasedTables, anyOf } from './fragments.ts';
import type { RoundRow } from './plan/round.ts';
import { IN_FORCE } from './scores.ts';
import { numberedRows } from './table-functions.ts';

/** A recorded forecast with its Brier scores, null until its round is resolved. */
export interface RecordedForecast extends RoundForecast {
  readonly brier: number | null;
  readonly expertBriers: readonly number[] | null;
}

type Lists = {
  readonly f: 'round_forecasts';
  readonly s: 'forecast_scores';
  readonly g: 'forecast_pools';
};

const is = expressionBuilder<AliasedTables<Lists>, 'f' | 's' | 'g'>();

/** A list as JSON, which is parsed faster than an array of PostgreSQL. */
export function json<Table extends keyof Lists, Name extends keyof Row<Lists[Table]> & string>(
  table: Table,
  name: Name,
) {
  return is.fn<Row<Lists[Table]>[Name]>('to_json', [sql.ref(`${table}.${name}`)]);
}

/** The recorded forecasts of these rounds, by round and minute. */
export async function recordedForecasts(
  em: SqlEntityManager,
  rounds: readonly number[],
): Promise<readonly RecordedForecast[]> {
  return em
    .getKysely<DB>()
    .selectFrom('round_forecasts as f')
    .leftJoin('forecast_scores as s', (on) =>
      on.onRef('s.round_id', '=', 'f.round_id').onRef('s.minute', '=', 'f.minute').on(IN_FORCE),
    )
    .where('f.round_id', '=', anyOf(rounds))
    .orderBy('f.round_id')
    .orderBy('f.minute')
    .select(['f.round_id as roundId', 'f.minute', 'f.recorded_at as recordedAt', 'f.entries'])
    .select(['f.decided_until as decidedUntil', json('f', 'unpriced').as('unpriced')])
    .select([json('f', 'probabilities').as('probabilities'), json('f', 'said').as('said')])
    .select([json('f', 'weights').as('weights'), 's.brier', json('s', 'expert_briers').as('expertBriers')])
    .execute();
}

/** The inputs of a round's forecast at any point of its hour, beside the price; null until it is resolved. */
export async function storedPools(em: SqlEntityManager, { id, choices }: Pick<RoundRow, 'id' | 'choices'>) {
  const found = await em
    .getKysely<DB>()
    .selectFrom('forecast_pools as g')
    .where('g.round_id', '=', id)
    .select(['g.decided_until as decidedUntil', json('g', 'points').as('points'), json('g', 'entries').as('entries')])
    .select([json('g', 'unpriced').as('unpriced'), json('g', 'means').as('means')])
    .select(newestTotals(is.ref('g.decided_until')).as('totals'))
    .executeTakeFirst();
  if (found === undefined) return null;
  const means = meansIn(found.means, choices.length);
  const pools = found.points.flatMap((point, rank): readonly Pool[] => {
    const [own, entries] = [means[rank], found.entries[rank] ?? 0];
    return own === undefined ? [] : [{ point, entries, known: !found.unpriced.includes(point), means: own }];
  });
  return { decidedUntil: found.decidedUntil, pools, totals: totalsByMinute(found.totals) };
}

/** The totals of each checkpoint after the last decision until then, as a list in their order; null before any. */
export function newestTotals(until: Expression<Date>) {
  const newest = is
    .selectFrom('forecast_scores as s')
    .where('s.minute', '=', sql.ref<number>('m.minute'))
    .where('s.decided_at', '<=', until)
    .orderBy('s.decided_at', 'desc')
    .limit(is.lit(1))
    .select(json('s', 'totals').as('totals'));
  const totals = is.fn.agg<readonly (Totals | null)[]>('json_agg', [newest]).orderBy(sql.ref('m.place'));
  const checkpoints = numberedRows('m', { minute: [CHECKPOINTS, 'int'] });
  return is.selectFrom(checkpoints).select(totals.as('totals')).$asScalar().$notNull();
}

export function totalsByMinute(totals: readonly (Totals | null)[]): ReadonlyMap<Checkpoint, Totals> {
  return new Map(CHECKPOINTS.map((minute, place) => [minute, totals[place] ?? NO_TOTALS]));
}
