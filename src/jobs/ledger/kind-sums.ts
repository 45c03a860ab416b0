import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { rows } from '../../reads/sql.ts';
import { HOUR, SECOND } from '../../rules/hours.ts';
import { type Kind, KINDS, type KindWindow } from '../../rules/kinds.ts';
import { SUMS } from '../../rules/sums.ts';
import { type Period, WINDOW_LENGTHS } from '../../rules/windows.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { counting, lockFollowing } from './locks.ts';
import { SCORED_ROUND, type ScoredRound, windowed } from './moves.ts';
import { scoreSums } from './sum-columns.ts';

/** The windows whose sums are stored. In a shorter one a kind has so few rounds that their scores are added up on request. */
const STORED: readonly Period[] = ['monthly', 'alltime'];

/** The rounds that a request adds up at most: storing them writes the whole list of agents. */
const MOST_PENDING = 8;

/** The rounds of a long history that one statement adds up. */
const MOST_AT_ONCE = 200;

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

/** SQL of whether a round `r` is of a kind. */
function isOf(kind: string): RawBuilder<unknown> {
  return sql`${sql.ref(kind)} in (r.question_type, r.subject)`;
}

/** Stored sums `k` count a round `r` that was decided by their time and lay in their window. */
function isCounted(period: Period): RawBuilder<unknown> {
  return sql`coalesce(r.decided_at <= k.as_of and ${windowed(period, sql`k.newest_end`)}, false)`;
}

/** One row a kind; none before the first resolution. Rounds are found by their starts or decisions, however many there are. */
export async function pendingSums(
  em: SqlEntityManager,
  period: Period,
  kinds: readonly Kind[],
): Promise<readonly PendingSums[]> {
  const length = WINDOW_LENGTHS[period];
  const mayMove =
    length === null
      ? sql`r.decided_at > coalesce(k.as_of, '-infinity')`
      : sql`r.start_time > least(k.newest_end, p.newest_resolved_end) - make_interval(secs => ${(length + HOUR) / SECOND})`;
  return rows<PendingSums>(em)`
    select w.kind, ${period}::text as period, p.boards_updated_at as "asOf", p.newest_resolved_end as "newestEnd", coalesce((
      select jsonb_agg(to_jsonb(m) order by m."decidedAt") from (
        select ${SCORED_ROUND}, ${windowed(period)}::int - ${isCounted(period)}::int as sign, r.decided_at as "decidedAt"
        from rounds r where r.status = 'resolved' and ${isOf('w.kind')} and ${mayMove}
      ) m where m.sign <> 0), '[]') as rounds
    from platform p cross join unnest(${[...kinds]}::text[]) w(kind)
    left join kind_sums k on k.kind = w.kind and k.period = ${period}
    where p.id = 1 and p.newest_resolved_end is not null`;
}

const COLUMNS = Object.values(SUMS).map(({ column }) => sql.ref(column));

/** The sums of a kind in a window with these rounds as a table, a row an agent; each sum's name has the prefix. */
export function sumsWith({ kind, period, rounds }: PendingSums, prefix = ''): RawBuilder<unknown> {
  const parts = ([1, -1] as const).map((sign) => rounds.filter((round) => round.sign === sign));
  const [entering, leaving] = parts.map((part) => part.length > 0 && scoreSums(part));
  const sums = Object.values(SUMS).map(({ column }) => {
    const entered = entering ? ` + coalesce(e.${column}, 0)` : '';
    return sql.raw(
      `coalesce(b.${column}, 0)${entered}${leaving ? ` - coalesce(l.${column}, 0)` : ''} as ${prefix}${column}`,
    );
  });
  // In a `from`, each list would be stored as a table of its own first.
  const stored = sql.join([
    sql`unnest(agent_id) as agent_id`,
    ...COLUMNS.map((column) => sql`unnest(${column}) as ${column}`),
  ]);
  return sql`(
    select agent_id, ${sql.join(sums)}
    from (select ${stored} from kind_sums where kind = ${kind} and period = ${period}) b
    ${entering ? sql`full join ${entering} e using (agent_id)` : sql``}
    ${leaving ? sql`left join ${leaving} l using (agent_id)` : sql``})`;
}

/** Stores the sums that a request would have to add up from more rounds than `MOST_PENDING`. */
export async function storeKindSums(newEm: () => SqlEntityManager, isStopped: () => boolean): Promise<void> {
  for (const period of STORED)
    for (;;) {
      const pending = await pendingSums(newEm(), period, KINDS);
      const due = pending.filter(({ rounds }) => rounds.length > MOST_PENDING);
      for (const { kind } of due) {
        if (isStopped()) return;
        await newEm().transactional((transaction) => storeSums(transaction, { kind, period }));
      }
      if (!due.some(({ rounds }) => rounds.length > MOST_AT_ONCE)) break;
    }
}

/** Stores the oldest rounds of a long history first. Does nothing where another process has stored them meanwhile. */
async function storeSums(transaction: SqlEntityManager, { kind, period }: KindWindow): Promise<void> {
  await counting(transaction, async () => {
    await lockFollowing(transaction);
    const [pending] = await pendingSums(transaction, period, [kind]);
    if (pending === undefined || pending.rounds.length <= MOST_PENDING) return;
    const first = pending.rounds.slice(0, MOST_AT_ONCE);
    const last = first.at(-1);
    const isPart = period === 'alltime' && first.length < pending.rounds.length && last !== undefined;
    await writeSums(transaction, isPart ? { ...pending, rounds: first, asOf: new Date(last.decidedAt) } : pending);
  });
}

/** Adds the scores in force of these rounds to the stored sums that count them, or (-1) takes them out. */
export async function moveKindSums(
  transaction: SqlEntityManager,
  roundIds: readonly number[],
  sign: 1 | -1,
): Promise<void> {
  for (const period of STORED) {
    const counted = await rows<PendingSums>(transaction)`
      select k.kind, ${period}::text as period, k.as_of as "asOf", k.newest_end as "newestEnd", (
        select jsonb_agg(to_jsonb(m)) from (
          select ${SCORED_ROUND}, ${sql.lit(sign)} as sign from rounds r
          where r.id = any(${[...roundIds]}::int[]) and r.status = 'resolved' and ${isOf('k.kind')}
            and ${isCounted(period)}
        ) m) as rounds
      from kind_sums k where k.period = ${period} order by k.kind`;
    for (const sums of counted) if (sums.rounds !== null) await writeSums(transaction, sums);
  }
}

/** Agents who have no round of the kind in the window any more are left out. */
async function writeSums(transaction: SqlEntityManager, sums: PendingSums): Promise<void> {
  const { kind, period, asOf, newestEnd } = sums;
  const lists = [sql.ref('agent_id'), ...COLUMNS];
  const state = [sql.ref('as_of'), sql.ref('newest_end')];
  await withPlannerHint(
    transaction,
    'hashJoins',
    () => rows(transaction)`
      insert into kind_sums (kind, period, as_of, newest_end, ${sql.join(lists)})
      select ${kind}, ${period}, ${asOf}::timestamptz, ${newestEnd}::timestamptz,
        ${sql.join(lists.map((column) => sql`coalesce(array_agg(${column}), '{}')`))}
      from (select * from ${sumsWith(sums)} s where competitions > 0 order by agent_id) s
      on conflict (kind, period) do update set
        ${sql.join([...state, ...lists].map((column) => sql`${column} = excluded.${column}`))}`,
  );
}
