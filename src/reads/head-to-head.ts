import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';

import type { DB } from '../entities/tables.ts';
import { estimate } from '../rules/breakdowns.ts';
import type { Sums } from '../rules/statistics/means.ts';
import type { Period } from '../rules/windows.ts';
import { type AliasedTables, wholeUnits } from './fragments.ts';
import { windowRounds } from './rounds.ts';
import { SCORES } from './scores.ts';

/** Two agents on the resolved rounds that both predicted; paired differences are above 0 where the first was better. */
export type SharedRecord = NonNullable<Awaited<ReturnType<typeof sharedRecord>>>;

interface Ids {
  readonly a: number;
  readonly b: number;
}

const of = expressionBuilder<AliasedTables<{ x: 'scores'; y: 'scores' }>, 'x' | 'y'>();

const POINTS_Y = of.parens(of('y.score', '+', of.ref('y.streak_bonus')));

/** By how much a score `x` is better than a score `y` of its round, in whole units. */
const GAINS = [
  wholeUnits(of.parens(of('y.brier', '-', of.ref('x.brier'))), 10_000, 'int4').as('brier'),
  wholeUnits(of.parens(of('x.edge_millionths', '-', of.ref('y.edge_millionths'))), 1, 'int8').as('edge'),
  of(of('x.score', '+', of.ref('x.streak_bonus')), '-', POINTS_Y).as('points'),
  wholeUnits(of.parens(of('x.pnl_usd', '-', of.ref('y.pnl_usd'))), 100, 'int8').as('cents'),
] as const;

/** Their record in a window; null where one of them is unknown. One statement, whose cost follows the first one's record. */
export async function sharedRecord(em: SqlEntityManager, { a, b }: Ids, window: Period) {
  const found = await em
    .getKysely<DB>()
    .with(
      (shared) => shared('shared').materialized(),
      (tables) =>
        tables
          .selectFrom(SCORES.as('x'))
          .innerJoin(SCORES.as('y'), (on) => on.onRef('y.round_id', '=', 'x.round_id').on('y.agent_id', '=', b))
          .innerJoin(windowRounds({ window, questionType: null, asset: null }).as('r'), 'r.id', 'x.round_id')
          .where('x.agent_id', '=', a)
          .select(GAINS),
    )
    .selectFrom('shared')
    .select((is) => {
      const agents = is.selectFrom('agents').where('id', 'in', [a, b]);
      const sumsIn = (name: 'brier' | 'edge' | 'points' | 'cents', unit: number) => {
        const times = sql.lit(unit);
        return jsonBuildObject({
          n: is.fn.count(name),
          sum: is(is.fn.sum(name), '*', times),
          squareSum: is(is(is.fn.sum(is(name, '*', is.ref(name))), '*', times), '*', times),
        }).$castTo<Sums>();
      };
      return [
        is(agents.select(is.fn.countAll<number>().as('n')), '=', a === b ? 1 : 2).as('known'),
        is.fn.countAll<number>().as('n'),
        is.fn.countAll<number>().filterWhere('brier', '>', is.lit(0)).as('aAhead'),
        is.fn.countAll<number>().filterWhere('brier', '<', is.lit(0)).as('bAhead'),
        sumsIn('brier', 0.0001).as('brier'),
        sumsIn('edge', 0.000_001).as('edge'),
        sumsIn('points', 1).as('points'),
        sumsIn('cents', 0.01).as('pnl'),
      ];
    })
    .executeTakeFirst();
  if (found?.known !== true) return null;
  const { n, aAhead, bAhead, brier, edge, points, pnl } = found;
  const figures = { brierGain: estimate(brier), edgeGain: estimate(edge), pointsGain: estimate(points) };
  return { aId: a, bId: b, n, aAhead, bAhead, even: n - aAhead - bAhead, ...figures, pnlGainUsd: estimate(pnl) };
}
