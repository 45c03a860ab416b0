import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { ANY_ASSET } from '../../entities/tallies.ts';
import { rows } from '../../reads/sql.ts';
import { PERIODS } from '../../rules/windows.ts';
import { eachWindow, windowed } from './window-moves.ts';

/** Adds rounds to the windows that they lie in now, or (-1) takes them out of these; those without an outcome count nowhere. */
export async function moveField(transaction: SqlEntityManager, rounds: readonly number[], sign: 1 | -1): Promise<void> {
  const signs = PERIODS.map((period) => sql`${sql.lit(sign)} * ${windowed(period)}::int as ${sql.ref(period)}`);
  await addFieldTallies(
    transaction,
    sql`select r.id as round_id, ${sql.join(signs)} from rounds r cross join platform p
      where r.id = any(${[...rounds]}::int[]) and r.status = 'resolved'`,
  );
}

/**
 * Adds to the whole field's tallies; `signs`: a table of rounds, which have their tallies and their outcomes already, and by how
 * much they count in each window.
 */
export async function addFieldTallies(transaction: SqlEntityManager, signs: RawBuilder<unknown>): Promise<void> {
  await rows(transaction)`
    with signs as (${signs}),
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
      do update set ${eachWindow((period) => `${period}_n = excluded.${period}_n`)}`;
}
