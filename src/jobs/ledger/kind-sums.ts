import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely';

import type { DB, Row } from '../../entities/tables.ts';
import { byAlias } from '../../reads/plan/by-alias.ts';
import { rows } from '../../reads/sql.ts';
import { HOUR } from '../../rules/hours.ts';
import { type Kind, KINDS, type KindWindow } from '../../rules/kinds.ts';
import { SUMS } from '../../rules/sums.ts';
import { type Period, WINDOW_LENGTHS } from '../../rules/windows.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { parts } from '../../reads/plan/parts.ts';
import { anyOf, interval } from '../../reads/fragments.ts';
import { unnested } from '../../reads/table-functions.ts';
import { inCountingTransaction, lockFollowing } from './locks.ts';
import { isInWindow, SCORED_ROUND, type ScoredRound } from './moves.ts';
import { type AgentSums, movedSum, scoreSums } from './sum-columns.ts';

/** The windows whose sums are stored. In a shorter one a kind has so few rounds that their scores are added up on request. */
const STORED: readonly Period[] = ['monthly', 'alltime'];

/** The most rounds that a request adds up: storing them rewrites the whole list of agents. */
const MAX_PENDING = 8;

/** The rounds of a long history that one statement adds up. */
const MAX_AT_ONCE = 200;

/** A round that the stored sums lack (1), or that has left the window since (-1). */
interface PendingRound extends ScoredRound {
  readonly sign: 1 | -1;
  readonly decidedAt: string;
}

/** The rounds that bring the stored sums of a kind in a window to the present. */
interface PendingSums extends KindWindow {
  /** In the order of their decisions. */
  readonly rounds: readonly PendingRound[];
  /** The time of the newest decision or amendment, and the end of the newest resolved round. */
  readonly asOf: Date;
  readonly newestEnd: Date;
}

const { r, k, p } = byAlias({ r: 'rounds', k: 'kind_sums', p: 'platform' });

/** The rounds of a kind that meet a condition, as a list with their signs; null where there are none. */
function signedRounds(kind: 'k.kind' | 'w.kind', where: Expression<SqlBool>, sign: Expression<number>) {
  return sql<readonly PendingRound[] | null>`(
    select jsonb_agg(to_jsonb(m) order by m."decidedAt") from (
      select ${SCORED_ROUND}, ${r('decided_at')} as "decidedAt", ${sign} as sign from rounds r
      where ${r('status')} = 'resolved' and ${sql.ref(kind)} in (${r('question_type')}, ${r('subject')}) and ${where}
    ) m where m.sign <> 0)`;
}

/** True if the stored sums include a round: it was decided by their time and lay in their window. */
function isCounted(period: Period): Expression<SqlBool> {
  const isOld = parts(r('decided_at'), '<=', k('as_of'));
  return parts.fn.coalesce(parts.and([isOld, isInWindow(period, k('newest_end'))]), parts.lit(false));
}

/** One row a kind; none before the first resolution. Rounds are found by an index on their starts or decisions. */
export async function pendingSums(
  em: SqlEntityManager,
  period: Period,
  kinds: readonly Kind[],
): Promise<readonly PendingSums[]> {
  const length = WINDOW_LENGTHS[period];
  const ends = parts.fn<Date>('least', [k('newest_end'), p('newest_resolved_end')]);
  const mayMove =
    length === null
      ? parts(r('decided_at'), '>', parts.fn.coalesce(k('as_of'), sql.lit('-infinity').$castTo<Date>()))
      : parts(r('start_time'), '>', parts(ends, '-', interval(length + HOUR)));
  const wasIn = parts.cast<number>(isCounted(period), 'integer');
  const sign = parts(parts.cast<number>(isInWindow(period), 'integer'), '-', wasIn);
  const none = sql.lit('[]').$castTo<readonly PendingRound[]>();
  return em
    .getKysely<DB>()
    .selectFrom('platform as p')
    .innerJoin(unnested('w', { kind: [kinds, 'text'] }), (join) => join.onTrue())
    .leftJoin('kind_sums as k', (join) => join.onRef('k.kind', '=', 'w.kind').on('k.period', '=', period))
    .where('p.id', '=', 1)
    .where('p.newest_resolved_end', 'is not', null)
    .select(['w.kind', sql.lit(period).as('period'), 'p.boards_updated_at as asOf'])
    .select(p('newest_resolved_end').$notNull().as('newestEnd'))
    .select(parts.fn.coalesce(signedRounds('w.kind', mayMove, sign), none).as('rounds'))
    .execute();
}

const LISTS = [
  'agent_id',
  ...Object.values(SUMS).map(({ column }) => column),
] as const satisfies readonly (keyof Row<'kind_sums'>)[];

/** Sums of agents: the stored ones, those that enter and those that leave. */
const of = expressionBuilder<Record<'b' | 'e' | 'l', AgentSums>, 'b' | 'e' | 'l'>();

/** A query for the sums of a kind in a window with these rounds, a row an agent; each sum's name has the prefix. */
export function sumsWith({ kind, period, rounds }: PendingSums, prefix = '') {
  const [entering, leaving] = [rounds.filter(({ sign }) => sign === 1), rounds.filter(({ sign }) => sign === -1)];
  const columns = Object.values(SUMS).map(({ column }) => {
    const entered = entering.length > 0 ? [[1, of.ref(`e.${column}`)] as const] : [];
    const left = leaving.length > 0 ? [[-1, of.ref(`l.${column}`)] as const] : [];
    return movedSum(of.ref(`b.${column}`), [...entered, ...left]).as(`${prefix}${column}`);
  });
  const agentId = entering.length > 0 ? of.fn.coalesce('b.agent_id', 'e.agent_id') : of.ref('b.agent_id');
  // In a `from`, each list would be stored as a table of its own first.
  const stored = parts.selectFrom('kind_sums').where('kind', '=', kind).where('period', '=', period);
  return parts
    .selectFrom(stored.select(({ fn }) => LISTS.map((name) => fn<number>('unnest', [name]).as(name))).as('b'))
    .$if(entering.length > 0, (all) => all.fullJoin(scoreSums(entering).as('e'), 'e.agent_id', 'b.agent_id'))
    .$if(leaving.length > 0, (all) => all.leftJoin(scoreSums(leaving).as('l'), (l) => l.on('l.agent_id', '=', agentId)))
    .select([agentId.as('agent_id'), ...columns]);
}

/** Stores the sums that a request would have to add up from more rounds than these. */
export async function storeKindSums(
  newEm: () => SqlEntityManager,
  isStopped: () => boolean,
  mostPending = MAX_PENDING,
): Promise<void> {
  for (const period of STORED)
    for (;;) {
      const pending = await pendingSums(newEm(), period, KINDS);
      const due = pending.filter(({ rounds }) => rounds.length > mostPending);
      for (const { kind } of due) {
        if (isStopped()) return;
        await inCountingTransaction(newEm, (transaction) => storeSums(transaction, { kind, period }, mostPending));
      }
      if (!due.some(({ rounds }) => rounds.length > MAX_AT_ONCE)) break;
    }
}

/**
 * Stores the oldest rounds of a long history first. Does nothing where another process has stored them meanwhile. The caller
 * holds the lock of counting.
 */
async function storeSums(
  transaction: SqlEntityManager,
  { kind, period }: KindWindow,
  mostPending: number,
): Promise<void> {
  await lockFollowing(transaction);
  const [pending] = await pendingSums(transaction, period, [kind]);
  if (pending === undefined || pending.rounds.length <= mostPending) return;
  const first = pending.rounds.slice(0, MAX_AT_ONCE);
  const last = first.at(-1);
  const isPart = period === 'alltime' && first.length < pending.rounds.length && last !== undefined;
  await writeSums(transaction, isPart ? { ...pending, rounds: first, asOf: new Date(last.decidedAt) } : pending);
}

/** Adds the scores in force of these rounds to the stored sums that count them, or (-1) subtracts them. */
export async function moveKindSums(
  transaction: SqlEntityManager,
  roundIds: readonly number[],
  sign: 1 | -1,
): Promise<void> {
  for (const period of STORED) {
    const isMoved = parts.and([parts(r('id'), '=', anyOf(roundIds)), isCounted(period)]);
    const counted = await transaction
      .getKysely<DB>()
      .selectFrom('kind_sums as k')
      .where('k.period', '=', period)
      .select(['k.kind', 'k.period', 'k.as_of as asOf', 'k.newest_end as newestEnd'])
      .select(signedRounds('k.kind', isMoved, parts.lit(sign)).as('rounds'))
      .orderBy('k.kind')
      .execute();
    for (const { rounds, ...sums } of counted) if (rounds !== null) await writeSums(transaction, { ...sums, rounds });
  }
}

/** Leaves out agents who have no round of the kind in the window any more. */
async function writeSums(transaction: SqlEntityManager, sums: PendingSums): Promise<void> {
  const { kind, period, asOf, newestEnd } = sums;
  const lists = LISTS.map((name) => `coalesce(array_agg(${name}), '{}')`);
  const updates = ['as_of', 'newest_end', ...LISTS].map((name) => `${name} = excluded.${name}`);
  const write = () => rows(transaction)`
    insert into kind_sums (kind, period, as_of, newest_end, ${sql.raw(LISTS.join(', '))})
    select ${kind}, ${period}, ${asOf}::timestamptz, ${newestEnd}::timestamptz, ${sql.raw(lists.join(', '))}
    from (select * from ${sumsWith(sums)} s where competitions > 0 order by agent_id) s
    on conflict (kind, period) do update set ${sql.raw(updates.join(', '))}`;
  await withPlannerHint(transaction, 'hashJoins', write);
}
