import { type RawBuilder, sql } from 'kysely';

import { FIRST_TIER, type Tier, TIERS } from '../../rules/tiers.ts';
import { type SumName, SUMS, windowColumn } from '../../rules/sums.ts';
import { PERIODS } from '../../rules/windows.ts';
import type { Move } from './moves.ts';
import { scoreSums } from './sum-columns.ts';

const WINDOW_COLUMNS = PERIODS.flatMap((period) =>
  Object.values(SUMS).map(({ column }) => ({ name: `${period}_${column}`, period, sum: column })),
);

/** The columns of `standings` in the order in which `standingsAfter` gives them. */
export const STANDING_COLUMNS: readonly string[] = [
  'agent_id',
  ...WINDOW_COLUMNS.map(({ name }) => name),
  'current_streak',
  'best_streak',
  'tier',
];

export interface TierChange {
  readonly agentId: number;
  readonly from: Tier;
  readonly to: Tier;
}

/** The standings of agents with a score in the moves, or everybody's. */
export type Whose = 'touched' | 'all';

/** The correct predictions in a row of the agents `w` with standings `t`, and at best before. */
export interface Streaks {
  readonly current: RawBuilder<unknown>;
  readonly best: RawBuilder<unknown>;
  /** Joins of what both are read from, and a union with the agents who have any there. */
  readonly from: RawBuilder<unknown>;
  readonly agents: RawBuilder<unknown>;
}

/** The streaks after a resolution, whose own move is the first. */
export const STREAKS_RESOLVED: Streaks = {
  current: sql`case when m0.agent_id is null then t.current_streak else ${streakAfter(sql`m0.wins = 1`, sql`t.current_streak`)} end`,
  best: sql`coalesce(t.best_streak, 0)`,
  from: sql``,
  agents: sql``,
};

export const STREAKS_KEPT: Streaks = {
  current: sql`coalesce(t.current_streak, 0)`,
  best: sql`coalesce(t.best_streak, 0)`,
  from: sql``,
  agents: sql``,
};

/** The streaks that the table `k` has of some agents, in its columns `current` and `best`. */
export function streaksOf(k: RawBuilder<unknown>): Streaks {
  return {
    current: sql`coalesce(k.current, t.current_streak, 0)`,
    best: sql`coalesce(k.best, t.best_streak, 0)`,
    from: sql`left join ${k} k on k.agent_id = w.agent_id`,
    agents: sql`union select agent_id from ${k} k`,
  };
}

/**
 * The standings after the moves: the columns of `standings`, and the tier before (`tier_before`). Each agent has at most
 * one score in a round, so the scores of each move are joined to the standing once.
 */
export function standingsAfter(moves: readonly Move[], whose: Whose, streaks: Streaks): RawBuilder<unknown> {
  const sums = WINDOW_COLUMNS.map(({ name, period, sum }) => {
    const moved = moves.map(({ windows, sign }, index) =>
      windows.includes(period) ? ` ${sign === 1 ? '+' : '-'} coalesce(m${index}.${sum}, 0)` : '',
    );
    return `coalesce(t.${name}, 0)${moved.join('')} as ${name}`;
  });
  return sql`
    with next as (
      select w.agent_id, ${sql.raw(sums.join(', '))}, ${streaks.current} as current_streak, ${streaks.best} as best_before,
        coalesce(t.tier, ${FIRST_TIER}) as tier_before
      from ${whose === 'all' ? everybody(moves) : touched(moves, streaks)} ${streaks.from}
    )
    select agent_id, ${sql.raw(WINDOW_COLUMNS.map(({ name }) => name).join(', '))}, current_streak,
      greatest(best_before, current_streak) as best_streak, (${TIER_OF_STANDING}) as tier, tier_before
    from next n`;
}

/** How many of an agent's answers in a row were right at each of them: `answers` has these with the times of the decisions. */
export function streaksIn(answers: RawBuilder<unknown>): RawBuilder<unknown> {
  const inOrder = sql`order by decided_at, round_id`;
  return sql`
    select agent_id, round_id, decided_at,
      count(*) filter (where is_correct) over (partition by agent_id, misses ${inOrder}) as streak
    from (
      select *, count(*) filter (where not is_correct) over (partition by agent_id ${inOrder}) as misses from ${answers}
    ) counted`;
}

/** Correct predictions in a row, with one more; `before` is null before the first. */
export function streakAfter(isCorrect: RawBuilder<unknown>, before: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${isCorrect} then coalesce(${before}, 0) + 1 else 0 end`;
}

/**
 * All agents `w` with their standings `t` and the sums of each move. Agents with a score that leaves have a standing, so
 * every join is on its key, in whose order the standings and each round's scores are read.
 */
function everybody([first, ...left]: readonly Move[]): RawBuilder<unknown> {
  const leave = left.map(
    ({ rounds }, index) =>
      sql`left join ${scoreSums(rounds)} ${aliasOf(index + 1)} on ${aliasOf(index + 1)}.agent_id = t.agent_id`,
  );
  return sql`standings t ${sql.join(leave, sql` `)}
    full join ${scoreSums(first?.rounds ?? [])} m0 on m0.agent_id = t.agent_id
    cross join lateral (select coalesce(t.agent_id, m0.agent_id) as agent_id) w`;
}

/** The same of those whom the moves touch, looked up one by one. */
function touched(moves: readonly Move[], { agents }: Streaks): RawBuilder<unknown> {
  const ids = moves.flatMap(({ rounds }) => rounds.map(({ id }) => id));
  const joined = moves.map(
    ({ rounds }, index) => sql`left join lateral ${scoreSums(rounds, sql`w.agent_id`)} ${aliasOf(index)} on true`,
  );
  return sql`(select distinct agent_id from scores where round_id = any(${ids}::int[]) ${agents}) w
    left join lateral (select * from standings where agent_id = w.agent_id offset 0) t on true
    ${sql.join(joined, sql` `)}`;
}

/** The alias of a move's sums. */
function aliasOf(index: number): RawBuilder<unknown> {
  return sql.raw(`m${index}`);
}

/**
 * The highest tier whose row the standing `n` meets, as `tierOf` of rules/tiers.ts has it. The thresholds come in as
 * data; the edge's condition is the squared form of rules/tiers.ts, and a test holds the two together.
 */
const TIER_OF_STANDING = sql.join(
  [
    sql`case`,
    ...TIERS.toReversed().map(({ tier, points, competitions, standardErrors: m }) => {
      const reached = Number.isFinite(points) ? sql`${alltime('points')} >= ${points}::int` : sql`true`;
      const sure = m === null ? sql`true` : m === 0 ? sql`${alltime('edge')} > 0` : edgeExceeds(m);
      const counted = m === null ? alltime('competitions') : sql`${alltime('competitions')} - ${alltime('standing')}`;
      return sql`when ${reached} and ${counted} >= ${competitions}::int and ${sure} then ${tier}::text`;
    }),
    sql`end`,
  ],
  sql` `,
);

/** An all-time sum of the standing `n`. */
function alltime(sum: SumName): RawBuilder<unknown> {
  return sql.ref(`n.${windowColumn('alltime', sum)}`);
}

/** In numerics: the squares of sums are more than an integer holds. */
function edgeExceeds(standardErrors: number): RawBuilder<unknown> {
  const sum = alltime('edge');
  const square = sql`${sum}::numeric * ${sum}`;
  const edges = sql`(${alltime('competitions')} - ${alltime('withoutEdge')})`;
  return sql`${sum} > 0 and ${square} * (${edges} - 1)
    > ${standardErrors ** 2}::int * (${edges} * ${alltime('edgeSquares')}::numeric - ${square})`;
}
