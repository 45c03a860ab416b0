import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { type Tier, TIERS } from '../rules/tiers.ts';
import { inWindow, PERIODS, windowStart } from '../rules/windows.ts';

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
  SUMS.map(({ column, of }) => ({ column: `${period}_${column}`, period, of })),
);

const WRITTEN_COLUMNS = [
  ...WINDOW_COLUMNS.map(({ column }) => column),
  'current_streak',
  'best_streak',
  'skill_sum',
  'skill_square_sum',
  'tier',
];

interface TierChange {
  readonly agentId: number;
  readonly from: Tier;
  readonly to: Tier;
}

/**
 * Moves the standings of everybody whom the round touches: its scores enter the windows that it lies in, and scores of
 * rounds that a newer end pushes out of a window leave it; streaks, skill and tier follow. Returns whose tier changed.
 * The tiers' thresholds come in as a table; the skill condition is the squared form of rules/tiers.ts, and a test
 * holds the two together.
 */
export async function updateStandings(
  transaction: SqlEntityManager,
  round: Round,
  newestBefore: Date | null,
): Promise<readonly TierChange[]> {
  const columns = raw(WRITTEN_COLUMNS.join(', '));
  const { rows } = await sql<TierChange>`
    with signs as (${windowSigns(round, newestBefore)}),
    change as (
      select s.agent_id, ${raw(WINDOW_COLUMNS.map(({ column, period, of }) => `sum(g.${period} * (${of})) as ${column}`).join(', '))},
        bool_or(s.is_correct) filter (where g.round_id = ${round.id}) as correct,
        coalesce(sum(s.reference_brier - s.brier) filter (where g.round_id = ${round.id}), 0) as d
      from signs g join scores s on s.round_id = g.round_id
      group by s.agent_id
    ), next as (
      select c.agent_id, ${raw(WINDOW_COLUMNS.map(({ column }) => `coalesce(t.${column}, 0) + c.${column} as ${column}`).join(', '))},
        case when c.correct is null then coalesce(t.current_streak, 0)
          when c.correct then coalesce(t.current_streak, 0) + 1 else 0 end as current_streak,
        coalesce(t.best_streak, 0) as best_before,
        coalesce(t.skill_sum, 0) + c.d as skill_sum, coalesce(t.skill_square_sum, 0) + c.d * c.d as skill_square_sum,
        coalesce(t.tier, ${TIERS[0]?.tier ?? null}) as tier_before
      from change c left join standings t on t.agent_id = c.agent_id
    ), judged as (
      select n.*, greatest(n.best_before, n.current_streak) as best_streak, (${TIER_OF_NEXT}) as tier from next n
    ), written as (
      insert into standings (agent_id, ${columns}) select agent_id, ${columns} from judged
      on conflict (agent_id) do update set ${raw(WRITTEN_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', '))}
    )
    select agent_id as "agentId", tier_before as "from", tier as "to" from judged
    where tier <> tier_before order by agent_id`.execute(transaction.getKysely());
  return rows;
}

/** The highest tier whose row the standing `n` meets, as `tierOf` of rules/tiers.ts has it. */
const TIER_OF_NEXT = sql`
  select r.tier from jsonb_to_recordset(${JSON.stringify(TIERS.map((row, level) => ({ ...row, level, points: Number.isFinite(row.points) ? row.points : null })))}::jsonb)
    as r(tier text, level int, points int, competitions int, "standardErrors" int)
  where (r.points is null or n.alltime_points >= r.points) and n.alltime_competitions >= r.competitions
    and (r."standardErrors" is null or (n.skill_sum > 0 and (r."standardErrors" = 0 or
      n.skill_sum * n.skill_sum * (n.alltime_competitions - 1) > r."standardErrors" * r."standardErrors"
        * (n.alltime_competitions * n.skill_square_sum - n.skill_sum * n.skill_sum))))
  order by r.level desc limit 1`;

/** Text that this file made of its own tables. */
function raw(text: string): RawBuilder<unknown> {
  return sql.raw(text);
}

/**
 * SQL of the rounds whose scores enter (1) or leave (-1) windows now that `round` is resolved: `round_id` and a column
 * of signs for each window, named after it. `newestBefore` is the newest resolved round's end before.
 */
export function windowSigns(round: Round, newestBefore: Date | null): RawBuilder<unknown> {
  const newest = newestBefore !== null && newestBefore > round.endTime ? newestBefore : round.endTime;
  const entering = PERIODS.map(
    (period) => sql`${Number(inWindow(period, newest, round.endTime))}::int as ${sql.ref(period)}`,
  );
  const leaving = PERIODS.map((period) => {
    const [after, until] = [newestBefore && windowStart(period, newestBefore), windowStart(period, newest)];
    if (after === null || until === null) return sql`0`;
    return sql`case when end_time > ${after} and end_time <= ${until} then -1 else 0 end`;
  });
  const far = farthestLeaving(newestBefore);
  const left = far === null ? sql`false` : sql`end_time > ${far} and end_time <= ${newestBefore}`;
  return sql`
    select ${round.id}::int as round_id, ${sql.join(entering)}
    union all
    select * from (
      select id, ${sql.join(leaving.map((sign, place) => sql`${sign} as ${sql.ref(`sign_${place}`)}`))}
      from rounds where status = 'resolved' and ${left}
    ) l where ${sql.join(
      PERIODS.map((_, place) => sql`${sql.ref(`sign_${place}`)} <> 0`),
      sql` or `,
    )}`;
}

/** No round that ended at or before this leaves any window now. */
function farthestLeaving(newestBefore: Date | null): Date | null {
  if (newestBefore === null) return null;
  const starts = PERIODS.flatMap((period) => windowStart(period, newestBefore) ?? []);
  return new Date(Math.min(...starts.map((start) => start.getTime())));
}
