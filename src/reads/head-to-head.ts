import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { estimate } from '../rules/breakdowns.ts';
import type { Sums } from '../rules/statistics/means.ts';
import type { Period } from '../rules/windows.ts';
import { windowRounds } from './rounds.ts';
import { rows } from './sql.ts';
import { SCORES } from './scores.ts';

/** Two agents on the resolved rounds that both predicted; differences are paired, above 0 the first was better. */
export type SharedRecord = NonNullable<Awaited<ReturnType<typeof sharedRecord>>>;

interface Ids {
  readonly a: number;
  readonly b: number;
}

type Differences = Readonly<Record<'n' | 'aAhead' | 'bAhead', number>> &
  Readonly<Record<'brier' | 'edge' | 'points' | 'pnl', Sums>>;

/** Their record in a window; null where one of them is unknown. One statement, bounded by what the first has predicted. */
export async function sharedRecord(em: SqlEntityManager, { a, b }: Ids, window: Period) {
  const [found] = await rows<Differences & { readonly known: boolean }>(em)`
    with shared as materialized (
      select ((y.brier - x.brier) * 10000)::int4 as brier, (x.edge_millionths - y.edge_millionths)::int8 as edge,
        (x.score + x.streak_bonus) - (y.score + y.streak_bonus) as points, ((x.pnl_usd - y.pnl_usd) * 100)::int8 as cents
      from ${SCORES} x
      join ${SCORES} y on y.round_id = x.round_id and y.agent_id = ${b}
      join ${windowRounds({ window, questionType: null, asset: null })} r on r.id = x.round_id
      where x.agent_id = ${a}
    )
    select (select count(*) from agents where id in (${a}, ${b})) = ${a === b ? 1 : 2} as known,
      count(*)::int as n, count(*) filter (where brier > 0)::int as "aAhead",
      count(*) filter (where brier < 0)::int as "bAhead",
      ${sumsIn(sql`brier`, 0.0001)} as brier, ${sumsIn(sql`edge`, 0.000_001)} as edge,
      ${sumsIn(sql`points`, 1)} as points, ${sumsIn(sql`cents`, 0.01)} as pnl
    from shared`;
  if (found?.known !== true) return null;
  const { n, aAhead, bAhead, brier, edge, points, pnl } = found;
  const figures = { brierGain: estimate(brier), edgeGain: estimate(edge), pointsGain: estimate(points) };
  return { aId: a, bId: b, n, aAhead, bAhead, even: n - aAhead - bAhead, ...figures, pnlGainUsd: estimate(pnl) };
}

/** The sums of a column of whole numbers that count this unit, which are cheaper to add up than decimals. */
function sumsIn(column: RawBuilder<unknown>, unit: number): RawBuilder<unknown> {
  return sql`json_build_object('n', count(${column}), 'sum', sum(${column}) * ${unit}::numeric,
    'squareSum', sum(${column} * ${column}) * ${unit}::numeric * ${unit}::numeric)`;
}
