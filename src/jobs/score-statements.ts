import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { payoffsOf, STREAK_STEPS } from '../rules/scoring.ts';
import { ARENA_BONUSES } from '../rules/ranking.ts';

/**
 * Scores every prediction of a round at once. The rules come in as tables: what each confidence earns, the streak
 * steps, the bonuses by place. The order of places is `byPlace` of rules/ranking.ts; a test holds the two together.
 */
export async function scorePredictions(transaction: SqlEntityManager, round: Round, answer: string): Promise<void> {
  const payoffs = JSON.stringify(payoffsOf(round.choices.length));
  await sql`
    with payoffs as (
      select * from jsonb_to_recordset(${payoffs}::jsonb) as e(
        confidence smallint, correct boolean, score smallint, "pnlUsd" numeric, brier numeric, "referenceBrier" numeric)
    ), streak_steps as (
      select * from jsonb_to_recordset(${JSON.stringify(STREAK_STEPS)}::jsonb) as s(wins int, bonus smallint)
    ), arena_bonuses as (
      select * from jsonb_to_recordset(${JSON.stringify(ARENA_BONUSES)}::jsonb) as b("upToPlace" int, points smallint)
    ), ranked as (
      select p.round_id, p.agent_id, e.*,
        case when e.correct then coalesce(t.current_streak, 0) + 1 else 0 end as streak,
        row_number() over (
          order by e.score desc, case when e.correct then -p.confidence else p.confidence end, p.submitted_at, p.id
        ) as place
      from predictions p
      join payoffs e on e.confidence = p.confidence and e.correct = (p.prediction = ${answer})
      left join standings t on t.agent_id = p.agent_id
      where p.round_id = ${round.id}
    )
    insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd, brier, reference_brier)
    select r.round_id, r.agent_id, r.correct, r.score,
      coalesce((select max(s.bonus) from streak_steps s where s.wins <= r.streak), 0), r.place,
      coalesce((select sum(b.points) from arena_bonuses b where r.place <= b."upToPlace"), 0),
      r."pnlUsd", r.brier, r."referenceBrier"
    from ranked r
    order by r.place`.execute(transaction.getKysely());
}
