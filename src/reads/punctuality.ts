import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { PERIODS, windowStart } from '../rules/windows.ts';
import { type AliasedTables, compiled, seconds } from './fragments.ts';
import { recordset } from './table-functions.ts';

/** Delays of opening and deciding the rounds of a window, in real seconds: median and 99th percentile. */
export type PunctualityFigures = Awaited<ReturnType<typeof punctualityAt>>[number];

const r = expressionBuilder<AliasedTables<{ r: 'rounds' }>, 'r'>();

const amendments = r.selectFrom('amendments as a').whereRef('a.round_id', '=', 'r.id');

const FIRST_VOID_REASON = r
  .case()
  .when(r.not(r.exists(amendments)))
  .then(r.ref('r.void_reason'))
  .else(amendments.select('a.previous_void_reason').orderBy('a.id').limit(r.lit(1)))
  .end();

/** True if the first decision of the round `r`, before any amendment, was an operator's. */
export const ENDED_BY_OPERATOR = compiled(r(FIRST_VOID_REASON, 'is not distinct from', sql.lit('admin')));

/**
 * By bounded window, so that at most a month's rounds are read. Rounds that an operator ended count as not decided. The first
 * round is left out: its hour had begun before the service started.
 */
export async function punctualityAt(em: SqlEntityManager, now: Date, speed: number) {
  const windows = PERIODS.flatMap((period) => {
    const since = windowStart(period, now);
    return since === null ? [] : [{ period, since }];
  });
  const givenWindows = recordset('a', windows, { period: 'text', since: 'timestamptz' });
  const late = (at: 'r.opened_at' | 'r.decided_at', due: 'r.start_time' | 'r.end_time') =>
    r(seconds<number | null>(r(at, '-', r.ref(due))), '/', r.cast<number>(r.val(speed), 'float8'));
  return em
    .getKysely<DB>()
    .with('asked', (tables) => tables.selectFrom(givenWindows).selectAll())
    .with('late', (tables) =>
      tables
        .selectFrom('rounds as r')
        .where('r.start_time', '>', (of) => of.selectFrom('asked').select(({ fn }) => fn.min('since').as('since')))
        .where('r.start_time', '<=', now)
        .where('r.status', '<>', sql.lit('upcoming'))
        .where('r.id', '>', (of) => of.selectFrom('rounds').select(({ fn }) => fn.min('id').as('id')))
        .select(['r.start_time', late('r.opened_at', 'r.start_time').as('opened')])
        .select((of) =>
          of.case().when(of.not(ENDED_BY_OPERATOR)).then(late('r.decided_at', 'r.end_time')).end().as('decided'),
        ),
    )
    .selectFrom('asked as a')
    .leftJoin('late as l', (on) => on.onRef('l.start_time', '>', 'a.since'))
    .groupBy(['a.period', 'a.since'])
    .orderBy('a.since', 'desc')
    .select(['a.period'])
    .select(({ fn }) => {
      const quantile = (of: number, name: 'l.opened' | 'l.decided') =>
        fn.agg<number | null>('percentile_disc', [sql.lit(of)]).withinGroupOrderBy(name);
      return [
        fn.count<number>('l.start_time').as('rounds'),
        quantile(0.5, 'l.opened').as('openedP50Seconds'),
        quantile(0.99, 'l.opened').as('openedP99Seconds'),
        quantile(0.5, 'l.decided').as('decidedP50Seconds'),
        quantile(0.99, 'l.decided').as('decidedP99Seconds'),
      ];
    })
    .execute();
}
