import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { payoffsOf, STREAK_STEPS } from '../rules/scoring.ts';
import { ARENA_BONUSES } from '../rules/ranking.ts';
import { planned } from './planning.ts';

/**
 * Scores every prediction of a round at once. The rules come in as data: what each confidence earns, the streak
 * steps, the bonuses by place. Rows are written in the order of agents, in which two of the table's three indexes
 * grow from page to page. The order of places is `byPlace` of rules/ranking.ts; a test holds the two together. What
 * confidence and correctness decide of it is ranked once for each payoff (`class`), so that the sort compares numbers.
 * A round of few (`isLarge` false) looks each agent's streak up, whatever the planner believes of their number; one of
 * many reads the streaks of all.
 */
export async function scorePredictions(
  transaction: SqlEntityManager,
  round: Round,
  { answer, isLarge }: { readonly answer: string; readonly isLarge: boolean },
): Promise<void> {
  const insert = () => insertScores(transaction, round, { answer, isLarge });
  await (isLarge ? planned(transaction, 'whole', insert) : insert());
}

async function insertScores(
  transaction: SqlEntityManager,
  round: Round,
  { answer, isLarge }: { readonly answer: string; readonly isLarge: boolean },
): Promise<void> {
  const streak = isLarge
    ? sql`t.current_streak`
    : sql`(select current_streak from standings where agent_id = p.agent_id)`;
  const payoffs = JSON.stringify(payoffsOf(round.choices.length));
  await sql`
    with payoffs as (
      select e.*, rank() over (
        order by e.score desc, case when e.correct then -e.confidence else e.confidence end
      ) as class
      from jsonb_to_recordset(${payoffs}::jsonb) as e(confidence smallint, correct boolean, score smallint,
        "pnlUsd" numeric(7, 2), brier numeric(5, 4), "referenceBrier" numeric(7, 6))
    ), ranked as (
      select p.round_id, p.agent_id, e.*,
        case when e.correct then coalesce(${streak}, 0) + 1 else 0 end as streak,
        row_number() over (order by e.class, p.submitted_at, p.id) as place
      from predictions p
      join payoffs e on e.confidence = p.confidence and e.correct = (p.prediction = ${answer})
      ${isLarge ? sql`left join standings t on t.agent_id = p.agent_id` : sql``}
      where p.round_id = ${round.id}
    )
    insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd, brier, reference_brier)
    select r.round_id, r.agent_id, r.correct, r.score,
      ${STREAK_BONUS}, r.place, ${ARENA_POINTS},
      r."pnlUsd", r.brier, r."referenceBrier"
    from ranked r
    order by r.agent_id`.execute(transaction.getKysely());
}

/** The steps and bonuses as conditions: looked up in a table for each row they took a tenth of the statement. */
const STREAK_BONUS = sql`case ${sql.join(
  STREAK_STEPS.toReversed().map(({ wins, bonus }) => sql`when r.streak >= ${wins}::int then ${bonus}::int`),
  sql` `,
)} else 0 end`;

const ARENA_POINTS = sql.join(
  ARENA_BONUSES.map(
    ({ upToPlace, points }) => sql`case when r.place <= ${upToPlace}::int then ${points}::int else 0 end`,
  ),
  sql` + `,
);
