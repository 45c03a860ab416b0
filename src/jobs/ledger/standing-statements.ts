import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';

import type { Row } from '../../entities/tables.ts';
import { byAlias } from '../../reads/plan/by-alias.ts';
import { FIRST_TIER, type Tier, TIERS } from '../../rules/tiers.ts';
import { SUMS } from '../../rules/sums.ts';
import { PERIODS } from '../../rules/windows.ts';
import { parts } from '../../reads/plan/parts.ts';
import { anyOf } from '../../reads/fragments.ts';
import type { Move } from './moves.ts';
import { scoreSums } from './sum-columns.ts';

const WINDOW_COLUMNS = PERIODS.flatMap((period) =>
  Object.values(SUMS).map(({ column }) => ({ name: `${period}_${column}` as const, period, sum: column })),
);

/** The columns of `standings` in the order in which `standingsAfter` selects them. */
export const STANDING_COLUMNS = [
  'agent_id',
  ...WINDOW_COLUMNS.map(({ name }) => name),
  'current_streak',
  'best_streak',
  'tier',
] as const satisfies readonly (keyof Row<'standings'>)[];

export interface TierChange {
  readonly agentId: number;
  readonly from: Tier;
  readonly to: Tier;
}

/** The standings of agents with a score in the moves, or of all agents. */
export type Whose = 'touched' | 'all';

/** The correct predictions in a row of agents `w` with standings `t`, and the most of them before. */
export interface Streaks {
  readonly current: RawBuilder<unknown>;
  readonly best: RawBuilder<unknown>;
  /** The table `k` that both are read from: `agent_id`, `current` and `best`. */
  readonly table?: RawBuilder<{ agent_id: number }>;
}

const { t, n } = byAlias({ t: 'standings', n: 'standings' });
const [CURRENT, BEST] = [sql`coalesce(${t('current_streak')}, 0)`, sql`coalesce(${t('best_streak')}, 0)`];

/** The streaks after a resolution, whose own move is the first. */
export const STREAKS_RESOLVED: Streaks = {
  current: sql`case when m0.agent_id is null then ${t('current_streak')}
    else ${streakAfter(sql`m0.wins = 1`, t('current_streak'))} end`,
  best: BEST,
};

export const STREAKS_KEPT: Streaks = { current: CURRENT, best: BEST };

/** The streaks that a table has for some agents. */
export function streaksOf(table: RawBuilder<unknown>): Streaks {
  const [current, best] = [sql`coalesce(k.current, ${CURRENT})`, sql`coalesce(k.best, ${BEST})`];
  return { current, best, table: table.$castTo<{ agent_id: number }>() };
}

/**
 * A query for the standings after the moves: the columns of `standings`, and the tier before (`tier_before`). Each agent has
 * at most one score in a round, so the scores of each move are joined to the standing once.
 */
export function standingsAfter(moves: readonly Move[], whose: Whose, streaks: Streaks): RawBuilder<unknown> {
  const sums = WINDOW_COLUMNS.map(({ name, period, sum }) => {
    const moved = moves.map(({ windows, sign }, index) =>
      windows.includes(period) ? ` ${sign === 1 ? '+' : '-'} coalesce(m${index}.${sum}, 0)` : '',
    );
    return `coalesce(t.${name}, 0)${moved.join('')} as ${name}`;
  });
  const { table } = streaks;
  const joined = table === undefined ? sql`` : sql`left join ${table} k on k.agent_id = w.agent_id`;
  return sql`
    with next as (
      select w.agent_id, ${sql.raw(sums.join(', '))}, ${streaks.current} as current_streak, ${streaks.best} as best_before,
        coalesce(${t('tier')}, ${FIRST_TIER}) as tier_before
      from ${whose === 'all' ? everybody(moves) : touched(moves, streaks)} ${joined}
    )
    select agent_id, ${sql.raw(WINDOW_COLUMNS.map(({ name }) => name).join(', '))}, current_streak,
      greatest(best_before, current_streak) as best_streak, ${TIER_OF_STANDING} as tier, tier_before
    from next n`;
}

/**
 * The streaks of agents at each of their answers. `answers` is a table with its alias, of `agent_id`, `round_id`,
 * `decided_at` and `is_correct`.
 */
export function streaksIn(answers: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select agent_id, round_id, decided_at, count(*) filter (where is_correct)
      over (partition by agent_id, misses order by decided_at, round_id) as streak
    from (
      select *, count(*) filter (where not is_correct)
        over (partition by agent_id order by decided_at, round_id) as misses from ${answers}
    ) counted`;
}

/** Correct predictions in a row, with one more; `before` is null before the first. */
export function streakAfter(isCorrect: Expression<unknown>, before: Expression<unknown>): RawBuilder<unknown> {
  return sql`case when ${isCorrect} then coalesce(${before}, 0) + 1 else 0 end`;
}

/**
 * All agents `w` with their standings `t` and the sums of each move. Agents whose score leaves a window have a standing, so
 * every join is on its key. The standings and each round's scores are read in its order.
 */
function everybody([first, ...left]: readonly Move[]): RawBuilder<unknown> {
  const leave = left.map(({ rounds }, index) => {
    const sums = sql.ref(`m${index + 1}`);
    return sql`left join ${scoreSums(rounds)} ${sums} on ${sums}.agent_id = t.agent_id`;
  });
  return sql`standings t ${sql.join(leave, sql` `)}
    full join ${scoreSums(first?.rounds ?? [])} m0 on m0.agent_id = t.agent_id
    cross join lateral (select coalesce(t.agent_id, m0.agent_id) as agent_id) w`;
}

/** The same of agents whom the moves touch, looked up one by one. */
function touched(moves: readonly Move[], { table }: Streaks): RawBuilder<unknown> {
  const ids = moves.flatMap(({ rounds }) => rounds.map(({ id }) => id));
  const scored = parts.selectFrom('scores').distinct().select('agent_id').where('round_id', '=', anyOf(ids));
  const agents = table === undefined ? scored : scored.union(parts.selectFrom(table.as('k')).select('k.agent_id'));
  const standing = parts
    .selectFrom('standings')
    .selectAll()
    .whereRef('agent_id', '=', sql.ref('w.agent_id'))
    .offset(parts.lit(0));
  const joined = moves.map(
    ({ rounds }, index) =>
      sql`left join lateral ${scoreSums(rounds, sql.ref('w.agent_id'))} ${sql.ref(`m${index}`)} on true`,
  );
  return sql`${agents} w left join lateral ${standing} t on true ${sql.join(joined, sql` `)}`;
}

/**
 * The highest tier whose row the standing `n` meets, as `tierOf` of rules/tiers.ts decides. The thresholds are data from
 * there; the edge's condition is the squared form, and a test compares the two.
 */
const TIER_OF_STANDING = sql`case ${sql.join(
  TIERS.toReversed().map(({ tier, points, competitions, standardErrors }) => {
    const reached = Number.isFinite(points) ? [parts(n('alltime_points'), '>=', points)] : [];
    const submitted = sql<number>`${n('alltime_competitions')} - ${n('alltime_standing_n')}`;
    const counted = standardErrors === null ? n('alltime_competitions') : submitted;
    const sure = standardErrors === null ? [] : [edgeExceeds(standardErrors)];
    return sql`when ${parts.and([...reached, parts(counted, '>=', competitions), ...sure])} then ${sql.lit(tier)}`;
  }),
  sql` `,
)} end`;

/** Computed as `numeric`: squares of sums would overflow an integer. */
function edgeExceeds(standardErrors: number): Expression<SqlBool> {
  const edge = n('alltime_edge_sum');
  if (standardErrors === 0) return sql`${edge} > 0`;
  const edges = sql`(${n('alltime_competitions')} - ${n('alltime_without_edge')})`;
  const square = sql`${edge}::numeric * ${edge}`;
  return sql`(${edge} > 0 and ${square} * (${edges} - 1) > ${standardErrors ** 2}::int
    * (${edges} * ${n('alltime_edge_square_sum')}::numeric - ${square}))`;
}
