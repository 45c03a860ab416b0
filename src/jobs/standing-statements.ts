import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { type Tier, TIERS } from '../rules/tiers.ts';
import { inWindow, PERIODS, windowStart } from '../rules/windows.ts';

/**
 * Adds the round's scores to every window that it lies in, and takes out those of rounds that a newer end pushes out
 * of a window. Each standing is touched once; one without competitions goes.
 */
export async function moveWindows(transaction: SqlEntityManager, round: Round, newestBefore: Date | null): Promise<void> {
  const newest = newestBefore !== null && newestBefore > round.endTime ? newestBefore : round.endTime;
  const windows = PERIODS.map((period) => ({
    period,
    enters: inWindow(period, newest, round.endTime),
    leavesAfter: newestBefore && windowStart(period, newestBefore),
    leavesUntil: newestBefore && windowStart(period, newest),
  }));
  await sql`
    with windows as (
      select * from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) as w(
        period text, enters boolean, "leavesAfter" timestamptz, "leavesUntil" timestamptz)
    ), moved as (
      select w.period, ${round.id}::int as round_id, 1 as sign from windows w where w.enters
      union all
      select w.period, r.id, -1 from windows w
      join rounds r on r.end_time > w."leavesAfter" and r.end_time <= w."leavesUntil"
      where r.status = 'resolved'
    ), change as (
      select m.period, s.agent_id,
        sum(m.sign * (s.score + s.streak_bonus)) as points, sum(m.sign * s.arena_points) as arena_points,
        sum(m.sign * s.is_correct::int) as wins, sum(m.sign) as competitions, sum(m.sign * s.pnl_usd) as pnl_usd,
        sum(m.sign * s.brier) as brier_sum, sum(m.sign * s.reference_brier) as reference_brier_sum
      from moved m join scores s on s.round_id = m.round_id
      group by m.period, s.agent_id
    )
    merge into standings t using change c on t.period = c.period and t.agent_id = c.agent_id
    when matched and t.competitions + c.competitions = 0 then delete
    when matched then update set points = t.points + c.points, arena_points = t.arena_points + c.arena_points,
      wins = t.wins + c.wins, competitions = t.competitions + c.competitions, pnl_usd = t.pnl_usd + c.pnl_usd,
      brier_sum = t.brier_sum + c.brier_sum, reference_brier_sum = t.reference_brier_sum + c.reference_brier_sum
    when not matched then
      insert (period, agent_id, points, arena_points, wins, competitions, pnl_usd, brier_sum, reference_brier_sum)
      values (c.period, c.agent_id, c.points, c.arena_points, c.wins, c.competitions, c.pnl_usd, c.brier_sum,
        c.reference_brier_sum)`.execute(transaction.getKysely());
}

export interface TierChange {
  readonly agentId: number;
  readonly from: Tier;
  readonly to: Tier;
}

/**
 * Moves streaks, skill sums and tiers of those who predicted in the round, and answers whose tier changed. The tiers'
 * thresholds come in as a table; the skill condition is the squared form of rules/tiers.ts, and a test holds the two
 * together. Call it after `moveWindows`: tiers look at the all-time standing.
 */
export async function updateTrackRecords(transaction: SqlEntityManager, roundId: number): Promise<readonly TierChange[]> {
  const tiers = TIERS.map((row, level) => ({ ...row, level, points: Number.isFinite(row.points) ? row.points : null }));
  const { rows } = await sql<TierChange>`
    with tiers as (
      select * from jsonb_to_recordset(${JSON.stringify(tiers)}::jsonb) as r(
        tier text, level int, points bigint, competitions int, "standardErrors" numeric)
    ), moved as (
      select s.agent_id, st.points, st.competitions as n,
        case when s.is_correct then coalesce(t.current_streak, 0) + 1 else 0 end as streak,
        coalesce(t.best_streak, 0) as best,
        coalesce(t.skill_sum, 0) + (s.reference_brier - s.brier) as s,
        coalesce(t.skill_square_sum, 0) + (s.reference_brier - s.brier) ^ 2 as q,
        coalesce(t.tier, 'bronze') as old_tier
      from scores s
      join standings st on st.period = 'alltime' and st.agent_id = s.agent_id
      left join track_records t on t.agent_id = s.agent_id
      where s.round_id = ${roundId}
    ), judged as (
      select m.*, (
        select r.tier from tiers r
        where (r.points is null or m.points >= r.points) and m.n >= r.competitions
          and (r."standardErrors" is null or (m.s > 0 and (r."standardErrors" = 0
            or m.s * m.s * (m.n - 1) > r."standardErrors" * r."standardErrors" * (m.n * m.q - m.s * m.s))))
        order by r.level desc limit 1
      ) as tier
      from moved m
    ), written as (
      insert into track_records (agent_id, current_streak, best_streak, skill_sum, skill_square_sum, tier)
      select agent_id, streak, greatest(best, streak), s, q, tier from judged
      on conflict (agent_id) do update set current_streak = excluded.current_streak,
        best_streak = excluded.best_streak, skill_sum = excluded.skill_sum,
        skill_square_sum = excluded.skill_square_sum, tier = excluded.tier
    )
    select agent_id as "agentId", old_tier as "from", tier as "to" from judged
    where tier <> old_tier order by agent_id`.execute(transaction.getKysely());
  return rows;
}
