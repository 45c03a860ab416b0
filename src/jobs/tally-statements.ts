import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../entities/tallies.ts';
import type { TallyRow } from '../rules/crowd.ts';
import { eachWindow, signsOf, type WindowMoves } from './window-moves.ts';

/** Counts what a round that is being decided was answered: the crowd's figures, also of a void one; returns the counts. */
export async function tallyRound(transaction: SqlEntityManager, roundId: number): Promise<readonly TallyRow[]> {
  const { rows } = await sql<TallyRow>`
    insert into round_tallies (round_id, prediction, confidence, n)
    select round_id, prediction, confidence, count(*) from predictions where round_id = ${roundId}
    group by round_id, prediction, confidence
    returning prediction as answer, confidence, n`.execute(transaction.getKysely());
  return rows;
}

/**
 * Moves the whole field's tallies: those of the round enter the windows that it lies in, and those of rounds that a
 * newer end pushes out of a window leave it. The round has its tallies and its outcome already.
 */
export async function updateFieldTallies(transaction: SqlEntityManager, moves: WindowMoves): Promise<void> {
  await sql`
    with signs as (${signsOf(moves)}),
    change as (
      select a.asset, r.question_type, jsonb_array_length(r.choices) as choice_count, t.confidence,
        t.prediction = r.outcome as is_correct, ${eachWindow((period) => `sum(g.${period} * t.n) as ${period}`)}
      from signs g
      join rounds r on r.id = g.round_id
      join round_tallies t on t.round_id = r.id
      cross join lateral (
        select ${ANY_ASSET} as asset union all select asset from round_assets where round_id = r.id
      ) a
      group by 1, 2, 3, 4, 5
    )
    insert into field_tallies (asset, question_type, choice_count, confidence, is_correct, ${eachWindow((period) => `${period}_n`)})
    select asset, question_type, choice_count, confidence, is_correct,
      ${eachWindow((period) => `coalesce(f.${period}_n, 0) + c.${period}`)}
    from change c left join field_tallies f using (asset, question_type, choice_count, confidence, is_correct)
    on conflict (asset, question_type, choice_count, confidence, is_correct)
      do update set ${eachWindow((period) => `${period}_n = excluded.${period}_n`)}`.execute(transaction.getKysely());
}
