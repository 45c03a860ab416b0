import { type RawBuilder, sql } from 'kysely';

import { FIRST_TIER, type Tier, TIERS } from '../../rules/tiers.ts';
import { type SumName, SUMS, windowColumn } from '../../rules/sums.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import { SCORES } from '../../reads/scores.ts';
import { allSums, scoreSums } from './sum-columns.ts';
import { windowed, type WindowMoves } from './window-moves.ts';

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

/** Whose standings: those whom the moves touch, or everybody with a standing or a score in the round. */
export type Whose = 'touched' | 'all';

/**
 * The standings after the moves: the columns of `standings`, and what tier it was before (`tier_before`). Each agent has
 * at most one score in a round, so the round's scores and those of each window's leaving rounds are joined to the
 * standing once, and no sum is formed over rows that are put together first.
 */
export function standingsAfter(moves: WindowMoves, whose: Whose): RawBuilder<unknown> {
  const left = PERIODS.filter((period) => moves.leaving[period].length > 0);
  const sums = WINDOW_COLUMNS.map(({ name, period, sum }) => {
    const enters = moves.entering.includes(period) ? ` + coalesce(e.${sum}, 0)` : '';
    const leaves = left.includes(period) ? ` - coalesce(${leavingName(period)}.${sum}, 0)` : '';
    return `coalesce(t.${name}, 0)${enters}${leaves} as ${name}`;
  });
  return sql`
    with next as (
      select w.agent_id, ${sql.raw(sums.join(', '))},
        case when e.agent_id is null then t.current_streak else ${streakAfter(sql`e.wins = 1`, sql`t.current_streak`)} end
          as current_streak,
        coalesce(t.best_streak, 0) as best_before,
        coalesce(t.tier, ${FIRST_TIER}) as tier_before
      from ${whose === 'all' ? everybody(moves, left) : touched(moves, left)}
    )
    ${WITH_TIERS}`;
}

/** What the scores in force of these rounds add to the sums of each window of now, a row an agent. */
export function sumsOfRounds(rounds: readonly number[]): RawBuilder<unknown> {
  const windows = PERIODS.map((period) => sql`${windowed(period)} as ${sql.ref(`in_${period}`)}`);
  const sums = WINDOW_COLUMNS.map(({ name, period, sum }) => {
    return sql`coalesce(sum(${sql.ref(sum)}) filter (where ${sql.ref(`in_${period}`)}), 0) as ${sql.ref(name)}`;
  });
  return sql`
    select agent_id, ${sql.join(sums)} from (
      select s.agent_id, ${sql.join(windows)}, ${allSums()} from ${SCORES} s
      join (select *, jsonb_array_length(choices) as choice_count from rounds) r on r.id = s.round_id
      cross join platform p where s.round_id = any(${[...rounds]}::int[])
    ) figures group by agent_id`;
}

/**
 * The same after an amendment: without what some rounds added before it, which stands in `before`, and with what they add now.
 * `streaks` has those of the agents who have predicted in the amended round: in how many of them in a row they are right by now, and at best were.
 */
export function standingsAmended(
  rounds: readonly number[],
  { before, streaks }: { readonly before: RawBuilder<unknown>; readonly streaks: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const columns = WINDOW_COLUMNS.map(
    ({ name }) => `coalesce(t.${name}, 0) - coalesce(b.${name}, 0) + coalesce(x.${name}, 0) as ${name}`,
  );
  return sql`
    with after as (${sumsOfRounds(rounds)}),
    next as (
      select w.agent_id, ${sql.raw(columns.join(', '))}, coalesce(k.current, t.current_streak, 0) as current_streak,
        coalesce(k.best, t.best_streak, 0) as best_before, coalesce(t.tier, ${FIRST_TIER}) as tier_before
      from (select agent_id from ${before} b union select agent_id from after union select agent_id from ${streaks} k) w
      left join standings t on t.agent_id = w.agent_id left join ${before} b on b.agent_id = w.agent_id
      left join after x on x.agent_id = w.agent_id left join ${streaks} k on k.agent_id = w.agent_id
    )
    ${WITH_TIERS}`;
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
 * All agents `w` with their standings `t`, their scores `e` in the round and those of each window that leave it. Whoever
 * has a score that leaves has a standing, so that every join is on the standing's key, in whose order the standings and
 * each round's scores are read.
 */
function everybody({ round, leaving }: WindowMoves, left: readonly Period[]): RawBuilder<unknown> {
  const leave = left.map((period) => {
    const name = sql.raw(leavingName(period));
    return sql`left join ${scoreSums(leaving[period])} ${name} on ${name}.agent_id = t.agent_id`;
  });
  return sql`standings t ${sql.join(leave, sql` `)}
    full join ${scoreSums([round])} e on e.agent_id = t.agent_id
    cross join lateral (select coalesce(t.agent_id, e.agent_id) as agent_id) w`;
}

/** The same of those whom the moves touch, looked up one by one. */
function touched({ round, leaving }: WindowMoves, left: readonly Period[]): RawBuilder<unknown> {
  const rounds = [round, ...left.flatMap((period) => leaving[period])].map(({ id }) => id);
  const ofAgent = sql`w.agent_id`;
  const leave = left.map((period) => {
    const figures = scoreSums(leaving[period], ofAgent);
    return sql`left join lateral ${figures} ${sql.raw(leavingName(period))} on true`;
  });
  return sql`(select distinct agent_id from scores where round_id = any(${rounds})) w
    left join lateral (select * from standings where agent_id = w.agent_id offset 0) t on true
    left join lateral ${scoreSums([round], ofAgent)} e on true
    ${sql.join(leave, sql` `)}`;
}

function leavingName(period: Period): string {
  return `leaving_${period}`;
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

/** Ends both: `next` has the sums and streaks. */
const WITH_TIERS = sql`
  select agent_id, ${sql.raw(WINDOW_COLUMNS.map(({ name }) => name).join(', '))}, current_streak,
    greatest(best_before, current_streak) as best_streak, (${TIER_OF_STANDING}) as tier, tier_before
  from next n`;

/** In numerics: the squares of sums are more than an integer holds. */
function edgeExceeds(standardErrors: number): RawBuilder<unknown> {
  const sum = alltime('edge');
  const square = sql`${sum}::numeric * ${sum}`;
  const edges = sql`(${alltime('competitions')} - ${alltime('withoutEdge')})`;
  return sql`${sum} > 0 and ${square} * (${edges} - 1)
    > ${standardErrors ** 2}::int * (${edges} * ${alltime('edgeSquares')}::numeric - ${square})`;
}
