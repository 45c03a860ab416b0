import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { newestTotals, totalsByMinute } from '../reads/forecasts.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { rows } from '../reads/sql.ts';
import { gridPointOf } from '../references/references.ts';
import type { Checkpoint } from '../rules/forecast/forecast.ts';
import type { Totals } from '../rules/forecast/mixture.ts';
import { DOUBTED_ROUNDS, type PointPredictions, RECORD_UNITS, sureLow } from '../rules/forecast/said.ts';
import { INTERVAL_MIN_ROUNDS } from '../rules/statistics/means.ts';
import { student975 } from '../rules/statistics/special-functions.ts';

/** The basis of a forecast beside prices, at one moment. */
export interface ForecastInputs {
  /** The time of the newest decision that records and totals include. */
  readonly decidedUntil: Date;
  readonly totals: ReadonlyMap<Checkpoint, Totals>;
  /** In no order; a grid point may come several times. */
  readonly predictions: readonly PointPredictions[];
  /** The greatest id of all predictions that are read. */
  readonly lastId: number;
}

export type ForecastRound = Pick<RoundRow, 'id' | 'startTime' | 'choices'>;

interface InputsRow {
  readonly decidedUntil: Date;
  readonly totals: readonly (Totals | null)[];
  readonly lastId: number | null;
  /** Point, answer, confidence, how many, contributors, weight by record. */
  readonly alike: readonly (readonly [number, string, number, number, number, number])[] | null;
  /** Point, answer, confidence, how many, and their agents' edges: n, sum, sum of squares. */
  readonly sure: readonly (readonly [number, string, number, number, number, number, number])[] | null;
}

const { g, s, t } = byAlias({ g: 'predictions', s: 'standings', t: 'standings' });

/** Bounds of the intervals' quantiles, slightly widened. */
const QUANTILES = { least: student975(1e9) - 1e-6, most: student975(INTERVAL_MIN_ROUNDS - 1) + 1e-6 } as const;

/**
 * The predictions of a round with ids above `afterId`, without standing ones, counted by answer, confidence and time. One
 * statement, so that all rows are of one state.
 */
export async function readForecastInputs(
  em: SqlEntityManager,
  { id, startTime, choices }: ForecastRound,
  afterId = 0,
): Promise<ForecastInputs> {
  const [found] = await rows<InputsRow>(em)`
    with ${saidOf(id, startTime, afterId)}
    select p.boards_updated_at as "decidedUntil", (select max(id) from predictions where round_id = ${id} and id > ${afterId}) as "lastId",
      ${newestTotals(parts.cast<Date>(sql.lit('infinity'), 'timestamptz'))} as totals,
      (select json_agg(json_build_array(point, prediction, confidence, many, contributors, record)) from alike) as alike,
      (select json_agg(json_build_array(point, prediction, confidence, many, n, sum, squares)) from best) as sure
    from platform p where p.id = 1`;
  if (found === undefined) throw new Error('The platform has no row');
  const alike = (found.alike ?? []).map(([point, answer, confidence, n, contributors, record]) => {
    return { point, alike: [{ pickIndex: choices.indexOf(answer), confidence, n, contributors, record }], sure: [] };
  });
  const sure = (found.sure ?? []).flatMap(([point, answer, confidence, many, n, sum, squareSum]) => {
    const answered = { pickIndex: choices.indexOf(answer), confidence, n: many };
    const low = sureLow({ n, sum, squareSum });
    return low > 0 ? [{ point, alike: [], sure: [{ ...answered, low }] }] : [];
  });
  const { decidedUntil, lastId } = found;
  return {
    decidedUntil,
    totals: totalsByMinute(found.totals),
    predictions: [...alike, ...sure],
    lastId: lastId ?? afterId,
  };
}

/**
 * The queries `alike`, and `best`: agents whose edge may surely lie above 0, without those that ten of the same grid point
 * surely surpass. Sums are of whole numbers, so that their order does not matter.
 */
function saidOf(roundId: number, startTime: Date, afterId: number): RawBuilder<unknown> {
  const least = sql`(mean - ${QUANTILES.most}::float8 * error)`;
  return sql`given as not materialized (
      select ${g('agent_id')}, ${g('prediction')}, ${g('confidence')},
        ${gridPointOf(g('submitted_at'), parts.cast(parts.val(startTime), 'timestamptz'))} as point,
        coalesce(${s('alltime_competitions')} - ${s('alltime_without_edge')}, 0) as n, coalesce(${s('alltime_edge_sum')}, 0) as sum,
        coalesce(${s('alltime_edge_square_sum')}, 0)::float8 as squares
      from predictions g left join standings s on ${s('agent_id')} = ${g('agent_id')}
      where ${g('round_id')} = ${roundId} and ${g('id')} > ${afterId} and not ${g('standing')}
    ), alike as materialized (
      select point, prediction, confidence, count(*) as many, count(*) filter (where sum > 0) as contributors,
        sum(case when sum > 0 then sum * ${RECORD_UNITS}::int / (n + ${DOUBTED_ROUNDS}::int) else 0 end) as record,
        array_agg(agent_id) filter (where n >= ${INTERVAL_MIN_ROUNDS}::int and sum > 0
          and sum::float8 * sum * (n - 1) > ${QUANTILES.least ** 2}::float8 * (n * squares - sum::float8 * sum)) as sure
      from given group by point, prediction, confidence
    ), sure as materialized (
      select a.point, a.prediction, a.confidence, count(*) as many, n, sum, squares, sum / n as mean,
        sqrt(greatest(0, squares - sum * sum / n) / (n - 1) / n) as error
      from alike a cross join unnest(a.sure) as one(agent_id)
      cross join lateral (
        select (${t('alltime_competitions')} - ${t('alltime_without_edge')})::float8 as n, ${t('alltime_edge_sum')}::float8 as sum,
          ${t('alltime_edge_square_sum')}::float8 as squares
        from standings t where ${t('agent_id')} = one.agent_id offset 0
      ) s
      group by a.point, a.prediction, a.confidence, n, sum, squares
    ), best as (
      select s.* from sure s
      join (select point, (array_agg(${least} order by ${least} desc))[10] as tenth from sure group by point) t
        on t.point = s.point and (mean - ${QUANTILES.least}::float8 * error) >= coalesce(t.tenth, 0)
    )`;
}
