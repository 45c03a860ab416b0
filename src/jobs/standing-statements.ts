import { type RawBuilder, sql } from 'kysely';

import { type Tier, TIERS } from '../rules/tiers.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import type { WindowMoves } from './window-moves.ts';

/** What a window adds up, and the figure of a score `s` that it adds. */
const SUMS = [
  { column: 'points', of: 's.score + s.streak_bonus' },
  { column: 'arena_points', of: 's.arena_points' },
  { column: 'wins', of: 's.is_correct::int' },
  { column: 'competitions', of: '1' },
  { column: 'pnl_usd', of: 's.pnl_usd' },
  { column: 'brier_sum', of: 's.brier' },
  { column: 'reference_brier_sum', of: 's.reference_brier' },
] as const;

const WINDOW_COLUMNS = PERIODS.flatMap((period) =>
  SUMS.map(({ column }) => ({ name: `${period}_${column}`, period, sum: column })),
);

/** The columns of `standings` in the order in which `standingsAfter` gives them. */
export const STANDING_COLUMNS: readonly string[] = [
  'agent_id',
  ...WINDOW_COLUMNS.map(({ name }) => name),
  'current_streak',
  'best_streak',
  'skill_sum',
  'skill_square_sum',
  'tier',
];

/** An agent whose tier a resolution has changed. */
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
 * standing once, and no sum is formed over rows that are put together first. The tiers' thresholds come in as a table; the skill condition is the squared form of
 * rules/tiers.ts, and a test holds the two together.
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
        case when e.agent_id is null then t.current_streak when e.wins = 1 then coalesce(t.current_streak, 0) + 1 else 0
          end as current_streak,
        coalesce(t.best_streak, 0) as best_before,
        coalesce(t.skill_sum, 0) + coalesce(e.d, 0) as skill_sum,
        coalesce(t.skill_square_sum, 0) + coalesce(e.d * e.d, 0) as skill_square_sum,
        coalesce(t.tier, ${TIERS[0]?.tier ?? null}) as tier_before
      from ${agentsOf(moves, whose)}
      ${sql.join(
        left.map((period) => {
          const name = sql.raw(leavingName(period));
          return sql`left join ${leavingScores(moves.leaving[period])} ${name} on ${name}.agent_id = w.agent_id`;
        }),
        sql` `,
      )}
    )
    select agent_id, ${sql.raw(WINDOW_COLUMNS.map(({ name }) => name).join(', '))}, current_streak,
      greatest(best_before, current_streak) as best_streak, skill_sum, skill_square_sum, (${TIER_OF_NEXT}) as tier,
      tier_before
    from next n`;
}

/** The agents `w` with their standings `t` and their scores `e` in the round. */
function agentsOf({ roundId, leaving }: WindowMoves, whose: Whose): RawBuilder<unknown> {
  const entering = sql`(
    select s.agent_id, ${figures('')}, s.reference_brier - s.brier as d from scores s where s.round_id = ${roundId})`;
  if (whose === 'all')
    return sql`${entering} e full join standings t on t.agent_id = e.agent_id
      cross join lateral (select coalesce(t.agent_id, e.agent_id) as agent_id) w`;
  const rounds = [roundId, ...PERIODS.flatMap((period) => leaving[period])];
  return sql`(select distinct agent_id from scores where round_id = any(${rounds})) w
    left join standings t on t.agent_id = w.agent_id
    left join ${entering} e on e.agent_id = w.agent_id`;
}

function leavingName(period: Period): string {
  return `leaving_${period}`;
}

/** What each agent's scores in these rounds come to. One round needs no grouping. */
function leavingScores(rounds: readonly number[]): RawBuilder<unknown> {
  const [only] = rounds;
  return rounds.length === 1
    ? sql`(select s.agent_id, ${figures('')} from scores s where s.round_id = ${only})`
    : sql`(select s.agent_id, ${figures('sum')} from scores s where s.round_id = any(${[...rounds]}) group by s.agent_id)`;
}

function figures(aggregate: '' | 'sum'): RawBuilder<unknown> {
  return sql.raw(SUMS.map(({ column, of }) => `${aggregate}(${of}) as ${column}`).join(', '));
}

/** The highest tier whose row the standing `n` meets, as `tierOf` of rules/tiers.ts has it. */
const TIER_OF_NEXT = sql.join(
  [
    sql`case`,
    ...TIERS.toReversed().map(({ tier, points, competitions, standardErrors: m }) => {
      const reached = Number.isFinite(points) ? sql`n.alltime_points >= ${points}::int` : sql`true`;
      const skilled = m === null ? sql`true` : m === 0 ? sql`n.skill_sum > 0` : skillExceeds(m);
      return sql`when ${reached} and n.alltime_competitions >= ${competitions}::int and ${skilled} then ${tier}::text`;
    }),
    sql`end`,
  ],
  sql` `,
);

function skillExceeds(standardErrors: number): RawBuilder<unknown> {
  return sql`n.skill_sum > 0 and n.skill_sum * n.skill_sum * (n.alltime_competitions - 1)
    > ${standardErrors ** 2}::int * (n.alltime_competitions * n.skill_square_sum - n.skill_sum * n.skill_sum)`;
}
