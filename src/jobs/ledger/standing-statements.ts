import {
  type AliasableExpression,
  type Expression,
  expressionBuilder,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely';

import type { Row } from '../../entities/tables.ts';
import { FIRST_TIER, type Tier, TIERS } from '../../rules/tiers.ts';
import { SUMS } from '../../rules/sums.ts';
import { PERIODS } from '../../rules/windows.ts';
import { parts } from '../../reads/plan/parts.ts';
import { type AliasedTables, anyOf, firstTrue } from '../../reads/fragments.ts';
import { SCORES } from '../../reads/scores.ts';
import type { Move } from './moves.ts';
import { type AgentSums, movedSum, scoreSums } from './sum-columns.ts';

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
export type AgentScope = 'touched' | 'all';

/** The streaks of agents, as a table. */
export type StreakTable = Readonly<Record<'agent_id' | 'current' | 'best', number>>;

/** The correct predictions in a row of agents with standings `t`, and the most of them before. */
export interface Streaks {
  readonly current: AliasableExpression<number>;
  readonly best: AliasableExpression<number>;
  /** The table `k` that both are read from. */
  readonly table?: AliasableExpression<StreakTable>;
}

/** Agents `w` with standings `t`, the sums `m0`, `m1` and so on of each move, and streaks `k`. */
interface StandingTables extends AliasedTables<{ t: 'standings' }>, Record<`m${number}`, AgentSums> {
  readonly w: Pick<AgentSums, 'agent_id'>;
  readonly k: StreakTable;
}

const w = expressionBuilder<StandingTables, 't' | 'w' | 'k' | `m${number}`>();
const [CURRENT, BEST] = [w.fn.coalesce('t.current_streak', w.lit(0)), w.fn.coalesce('t.best_streak', w.lit(0))];
const AFTER = streakAfter(w('m0.wins', '=', w.lit(1)), w.ref('t.current_streak'));

/** The streaks after a resolution, whose own move is the first. */
export const STREAKS_RESOLVED: Streaks = {
  current: w.case().when('m0.agent_id', 'is', null).then(w.ref('t.current_streak')).else(AFTER).end(),
  best: BEST,
};

export const STREAKS_KEPT: Streaks = { current: CURRENT, best: BEST };

/** The streaks that a table has for some agents. */
export function streaksOf(table: AliasableExpression<StreakTable>): Streaks {
  return { current: w.fn.coalesce('k.current', CURRENT), best: w.fn.coalesce('k.best', BEST), table };
}

/**
 * A query for the standings after the moves: the columns of `standings`, and the tier before (`tier_before`). Each agent has
 * at most one score in a round, so the scores of each move are joined to the standing once.
 */
export function standingsAfter(moves: readonly Move[], whose: AgentScope, streaks: Streaks) {
  const next = whose === 'touched' ? touched(moves, streaks) : everybody(moves, streaks);
  const sums = WINDOW_COLUMNS.map(({ name, period, sum }) => {
    const own = moves.flatMap(({ windows, sign }, index) =>
      windows.includes(period) ? [[sign, w.ref(`m${index}.${sum}`)] as const] : [],
    );
    return movedSum(w.ref(`t.${name}`), own).as(name);
  });
  const others = [streaks.current.as('current_streak'), streaks.best.as('best_before')] as const;
  const tier = w.fn.coalesce('t.tier', w.val(FIRST_TIER)).as('tier_before');
  return parts
    .selectFrom(next.select([...sums, ...others, tier]).as('n'))
    .select(['agent_id', ...WINDOW_COLUMNS.map(({ name }) => name), 'current_streak'])
    .select(({ fn }) => fn<number>('greatest', ['best_before', 'current_streak']).as('best_streak'))
    .select([parts.parens(TIER_OF_STANDING).as('tier'), 'tier_before']);
}

/** Correct answers in a row of an agent up to a round. */
export interface Streak extends Pick<Row<'scores'>, 'agent_id' | 'round_id'>, Pick<Row<'rounds'>, 'decided_at'> {
  readonly streak: number;
}

type Answers = Expression<Omit<Streak, 'streak'> & Pick<Row<'scores'>, 'is_correct'>>;

/** The streaks of agents at each of these answers, on from those that dropped months carry. */
export function streaksIn(answers: Answers) {
  return sql<Streak>`(
    select agent_id, round_id, decided_at, count(*) filter (where is_correct)
      over (partition by agent_id, misses order by decided_at, round_id)
      + case misses when 0 then coalesce(carried, 0) else 0 end as streak
    from (
      select a.*, c.streak as carried, count(*) filter (where not is_correct)
        over (partition by a.agent_id order by decided_at, round_id) as misses
      from ${answers} a left join carried_streaks c on c.agent_id = a.agent_id
    ) counted)`;
}

/** All answers with scores. */
export const ANSWERS = parts
  .selectFrom(SCORES.as('s'))
  .innerJoin('rounds as r', 'r.id', 's.round_id')
  .select(['s.agent_id', 's.round_id', 's.is_correct', 'r.decided_at']);

/** The newest and the longest streak of each agent with these answers. */
export function streaksAfter(answers: Answers): RawBuilder<StreakTable> {
  return sql`(
    select agent_id, (array_agg(streak order by decided_at desc, round_id desc))[1] as current, max(streak) as best
    from ${streaksIn(answers)} all_streaks group by agent_id)`;
}

/** Correct predictions in a row, with one more; `before` is null before the first. */
export function streakAfter(isCorrect: Expression<SqlBool>, before: Expression<number | null>) {
  const more = parts(parts.fn.coalesce(before, parts.lit(0)), '+', parts.lit(1));
  return parts.case().when(isCorrect).then(more).else(parts.lit(0)).end();
}

/** All agents with their standings `t` and the sums of each move; with streaks `k` of all, those that have one. */
function everybody(moves: readonly Move[], { table }: Streaks) {
  if (table === undefined) return resolved(moves);
  const agents = w.selectFrom(table.as('k')).leftJoin('standings as t', 't.agent_id', 'k.agent_id');
  return moves
    .reduce((all, { rounds }, i) => all.leftJoin(scoreSums(rounds).as(`m${i}`), `m${i}.agent_id`, 'k.agent_id'), agents)
    .select('k.agent_id');
}

/**
 * The same after a resolution, whose own move is the first. Agents whose score leaves a window have a standing, so every join
 * is on its key. The standings and each round's scores are read in its order.
 */
function resolved([first, ...left]: readonly Move[]) {
  const leaving = left.map(({ rounds }, index) => [scoreSums(rounds), `m${index + 1}`] as const);
  return leaving
    .reduce((all, [sums, m]) => all.leftJoin(sums.as(m), `${m}.agent_id`, 't.agent_id'), w.selectFrom('standings as t'))
    .fullJoin(scoreSums(first?.rounds ?? []).as('m0'), 'm0.agent_id', 't.agent_id')
    .select(({ fn }) => fn.coalesce('t.agent_id', 'm0.agent_id').as('agent_id'));
}

/** The agents `w` whom the moves touch, with the same columns as `everybody`, looked up one by one. */
function touched(moves: readonly Move[], { table }: Streaks) {
  const ids = moves.flatMap(({ rounds }) => rounds.map(({ id }) => id));
  const scored = parts.selectFrom('scores').distinct().select('agent_id').where('round_id', '=', anyOf(ids));
  const agents = table === undefined ? scored : scored.union(parts.selectFrom(table.as('k')).select('k.agent_id'));
  const standing = w.selectFrom('standings').selectAll().whereRef('agent_id', '=', 'w.agent_id').offset(w.lit(0));
  const joined = moves.reduce(
    (some, { rounds }, index) =>
      some.leftJoinLateral(scoreSums(rounds, w.ref('w.agent_id')).as(`m${index}`), (on) => on.onTrue()),
    parts.selectFrom(agents.as('w')).leftJoinLateral(standing.as('t'), (on) => on.onTrue()),
  );
  const all = joined.select('w.agent_id');
  return table === undefined ? all : all.leftJoin(table.as('k'), 'k.agent_id', 'w.agent_id');
}

const n = expressionBuilder<AliasedTables<{ n: 'standings' }>, 'n'>();

/**
 * The highest tier whose row the standing `n` meets, as `tierOf` of rules/tiers.ts decides. The thresholds are data from
 * there; the edge's condition is the squared form, and a test compares the two.
 */
const TIER_OF_STANDING = firstTrue(
  TIERS.toReversed().map(({ tier, points, competitions, standardErrors }) => {
    const reached = Number.isFinite(points) ? [n('n.alltime_points', '>=', points)] : [];
    const all = n.ref('n.alltime_competitions');
    const counted = standardErrors === null ? all : n(all, '-', n.ref('n.alltime_standing_n').$castTo<number>());
    const sure = standardErrors === null ? [] : [edgeExceeds(standardErrors)];
    return [n.and([...reached, n(counted, '>=', competitions), ...sure]), sql.lit(tier)] as const;
  }),
  n.lit(null),
);

/** Computed as `numeric`: squares of sums would overflow an integer. */
function edgeExceeds(standardErrors: number): Expression<SqlBool> {
  const edge = n.ref('n.alltime_edge_sum');
  if (standardErrors === 0) return n(edge, '>', n.lit(0));
  const edges = n.parens('n.alltime_competitions', '-', n.ref('n.alltime_without_edge').$castTo<number>());
  const [square, squares] = [sql`${edge}::numeric * ${edge}`, n.ref('n.alltime_edge_square_sum')];
  return sql`(${edge} > 0 and ${square} * (${edges} - 1) > ${standardErrors ** 2}::int
    * (${edges} * ${squares}::numeric - ${square}))`;
}
