import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { eachSum, SCORE_COLUMNS } from '../../reads/breakdowns.ts';
import { SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import { PERIODS } from '../../rules/windows.ts';
import { counting } from './locks.ts';

/** Which words `w` of rounds `r` are meant, and how they move in the window of a place in `PERIODS`: 1 enters it, -1 leaves it, 0 stays. */
interface ModelMove {
  readonly where: RawBuilder<unknown>;
  readonly sign: (place: number) => RawBuilder<unknown>;
}

/**
 * Moves scored predictions that name a model into the sums of their windows, or out of them. Whoever moves any waits for the others before
 * it reads, so that words which an operator hides are taken out exactly where the round is counted.
 */
export async function moveModels(transaction: SqlEntityManager, { where, sign }: ModelMove): Promise<void> {
  await rows(transaction)`lock table model_sums in share row exclusive mode`;
  const moves = PERIODS.map((period, place) => sql`(${period}::text, ${sign(place)})`);
  await rows(transaction)`
    insert into model_sums as t (model, period, ${eachSum((name) => name)})
    select f.model, f.period, ${eachSum((_, sum) => sql`f.sign * ${sum}`)}
    from (
      select w.model, m.period, m.sign, ${SCORE_COLUMNS}
      from rationales w join rounds r on r.id = w.round_id
      join ${SCORES} s on s.round_id = w.round_id and s.agent_id = w.agent_id
      cross join lateral (values ${sql.join(moves)}) m(period, sign)
      where ${where} and w.model is not null and w.hidden_at is null and m.sign <> 0 offset 0
    ) f
    group by f.model, f.period, f.sign order by 1, 2
    on conflict (model, period) do update set ${eachSum((name) => sql`${name} = t.${name} + excluded.${name}`)}`;
  await rows(transaction)`delete from model_sums where period = any(${[...PERIODS]}) and n = 0`;
}

/**
 * Waits for submissions that are storing words, and lets none store any before the transaction ends: the next ones then see what it
 * has made of their agents. Call it before rows of agents are locked: an amendment, too, which this waits for, has the sums first.
 */
export async function lockWords(transaction: SqlEntityManager): Promise<void> {
  await counting(transaction, () => rows(transaction)`lock table model_sums, rationales in share row exclusive mode`);
}

/** Takes an agent's words, or those of one round, out of all sums, before they are gone. */
export async function forgetModels(transaction: SqlEntityManager, where: RawBuilder<unknown>): Promise<void> {
  await moveModels(transaction, { where, sign: signOfLeaving });
}

function signOfLeaving(place: number): RawBuilder<unknown> {
  return sql`-((r.kind_windows >> ${sql.lit(place)}) & 1)`;
}
