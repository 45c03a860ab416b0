import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ARCHIVED_PLACES } from '../../entities/archive.ts';
import type { DB, Row } from '../../entities/tables.ts';
import { byAlias } from '../../reads/plan/by-alias.ts';
import { parts } from '../../reads/plan/parts.ts';
import type { LogDeps } from '../../transparency/append.ts';
import { appendFrozen } from '../../transparency/record-digests.ts';
import { UNDECIDED_STATUSES } from '../../rules/round-states.ts';
import { type Sum, sumType, TOTALS } from '../../rules/sums.ts';
import { ARCHIVE_KINDS, type ArchivePeriod, periodOf } from '../../rules/windows.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { SCORES } from '../../reads/scores.ts';
import { inCountingTransaction } from '../ledger/locks.ts';
import { totalsOfScores } from '../ledger/sum-columns.ts';
import { rows } from '../../reads/sql.ts';

/** The periods that ended by `now`, have a resolved round, none that waits, and no archive yet; the oldest first. */
export async function periodsToFreeze(em: SqlEntityManager, now: Date): Promise<readonly ArchivePeriod[]> {
  const tables = em.getKysely<DB>();
  const days = await tables
    .selectFrom('rounds')
    .select((of) => [
      of.fn<Date>('date_trunc', [sql.lit('day'), 'start_time', sql.lit('UTC')]).as('day'),
      of.fn<boolean>('bool_or', [of('status', '=', 'resolved')]).as('has'),
      of.fn<boolean>('bool_or', [of('status', 'in', UNDECIDED_STATUSES)]).as('waits'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute();
  const frozen = await tables.selectFrom('archives').select('period').execute();
  const known = new Set(frozen.map(({ period }) => period));
  return ARCHIVE_KINDS.flatMap((kind) => {
    const byName = Map.groupBy(days, ({ day }) => periodOf(kind, day).name);
    return [...byName.values()].flatMap((daysOf) => {
      const [first] = daysOf;
      const period = first && periodOf(kind, first.day);
      const isDone = daysOf.some(({ has }) => has) && !daysOf.some(({ waits }) => waits);
      return period && isDone && period.end <= now && !known.has(period.name) ? [period] : [];
    });
  });
}

export interface FreezingDeps extends LogDeps {
  readonly newEm: () => SqlEntityManager;
}

/**
 * Stores a period's board in one row, and appends it to the log, unless it is stored already. The order is that of
 * reads/plan/board.ts: points, wins, ascending id; equal points share a rank.
 */
export async function freezePeriod({ newEm, ...deps }: FreezingDeps, period: ArchivePeriod, now: Date): Promise<void> {
  await inCountingTransaction(newEm, async (transaction) => {
    const insert = () => insertArchive(transaction, period, now);
    const [frozen] = await withPlannerHint(transaction, 'hashJoins', insert);
    if (frozen !== undefined) await appendFrozen(transaction, deps, { period: period.name, at: now });
  });
}

const { r, s } = byAlias({ r: 'rounds', s: 'scores' });

/** True if a score `s` belongs to the period. The bounds let an index find it in any join. */
const OF_PERIOD = sql`${s('round_id')} in (select id from of_period)
  and ${s('round_id')} >= (select min(id) from of_period) and ${s('round_id')} <= (select max(id) from of_period)`;

/** The totals of a place `p`, by name: decimals as text. */
const TOTALS_SHOWN = sql.join(
  Object.entries<Sum>(TOTALS).map(([name, sum]) => {
    const column = sql.ref(`p.${sum.column}`);
    return sql.join([sql.lit(name), typeof sumType(sum) === 'string' ? column : parts.cast(column, 'text')]);
  }),
);

/** Returns the period, or nothing where it is stored. */
function insertArchive(
  transaction: SqlEntityManager,
  { name, kind, start, end }: ArchivePeriod,
  now: Date,
): Promise<readonly Pick<Row<'archives'>, 'period'>[]> {
  return rows<Pick<Row<'archives'>, 'period'>>(transaction)`
    with of_period as materialized (
      select ${r('id')} from rounds r
      where ${r('status')} = 'resolved' and ${r('start_time')} >= ${start} and ${r('start_time')} < ${end}
    ), sums as materialized (
      select ${s('agent_id')}, ${totalsOfScores()}, count(${s('edge_millionths')}) as edge_n,
        coalesce(sum(${s('edge_millionths')}) * 0.000001, 0) as edge_sum,
        coalesce(sum(${s('edge_millionths')}::numeric * ${s('edge_millionths')}) * 0.000000000001, 0) as edge_squares
      from ${SCORES} s where ${OF_PERIOD} group by ${s('agent_id')}
    ), places as (
      select *, rank() over (order by points desc) as rank,
        row_number() over (order by points desc, wins desc, agent_id) as position
      from sums order by position limit ${ARCHIVED_PLACES}
    ), answers as (
      select ${s('agent_id')}, ${s('is_correct')}, row_number() over of_agent
        - row_number() over (partition by ${s('agent_id')}, ${s('is_correct')} order by ${s('round_id')}) as run
      from ${SCORES} s
      where ${OF_PERIOD} and ${s('agent_id')} in (select agent_id from places)
      window of_agent as (partition by ${s('agent_id')} order by ${s('round_id')})
    ), streaks as (
      select agent_id, max(length) as best
      from (select agent_id, count(*) as length from answers where is_correct group by agent_id, run) runs group by agent_id
    )
    insert into archives (period, kind, start_time, end_time, rounds, agents, rankings, frozen_at)
    select ${name}, ${kind}, ${start}, ${end}, (select count(*) from of_period), (select count(*) from sums),
      coalesce(jsonb_agg(jsonb_build_object('rank', p.rank, 'agentId', p.agent_id, ${TOTALS_SHOWN},
        'bestStreak', coalesce(t.best, 0), 'edgeN', p.edge_n, 'edgeSum', p.edge_sum::text,
        'edgeSquares', p.edge_squares::text) order by p.position), '[]'), ${now}
    from places p left join streaks t on t.agent_id = p.agent_id
    on conflict (period) do nothing returning period`;
}
