import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../entities/tallies.ts';
import { standingOf } from '../reads/plan/standing-predictions.ts';
import { rows } from '../reads/sql.ts';
import { lapseTime, type StandingRow } from '../rules/standing.ts';
import { type Context, requireActor } from './context.ts';
import type { MutationResolvers } from './schema-types.ts';
import { refuseSpectator } from './submission.ts';

export const standingMutations = {
  setStanding: (_root, { rows: given }, context) => replaceRows(context, given),
  clearStanding: (_root, _args, context) => replaceRows(context, []),
} satisfies MutationResolvers;

async function replaceRows(context: Context, given: readonly StandingRow[]) {
  const agent = await requireActor(context);
  if (given.length > 0) refuseSpectator(agent);
  const now = context.services.clock.now();
  return context.services.newRegistrationEm().transactional(async (transaction) => {
    // Of two at once one waits for the other, and what an operator has removed meanwhile stays so.
    const held = await rows(transaction)`
      select from agents where id = ${agent.id} and removed_at is null for no key update`;
    if (held.length > 0) await storeRows(transaction, { agentId: agent.id, given, now });
    return standingOf(transaction, agent.id);
  });
}

/** A row that is the same as before stays as old as it is. */
async function storeRows(
  transaction: SqlEntityManager,
  { agentId, given, now }: { readonly agentId: number; readonly given: readonly StandingRow[]; readonly now: Date },
): Promise<void> {
  const stored = given.map(({ asset, ...row }) => ({ ...row, asset: asset ?? ANY_ASSET }));
  const table = sql`jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as g("questionType" text, asset text,
    prediction text[], confidence smallint)`;
  await rows(transaction)`
    delete from standing_rows s where agent_id = ${agentId}
      and not exists (select from ${table} where g."questionType" = s.question_type and g.asset = s.asset)`;
  await rows(transaction)`
    insert into standing_rows as s (question_type, asset, agent_id, answers, confidence, set_at)
    select g."questionType", g.asset, ${agentId}::int, g.prediction, g.confidence, ${now}::timestamptz from ${table}
    on conflict (question_type, asset, agent_id) do update
    set answers = excluded.answers, confidence = excluded.confidence, set_at = excluded.set_at
    where (s.answers, s.confidence) is distinct from (excluded.answers, excluded.confidence)`;
  if (given.length === 0) await rows(transaction)`delete from standing_agents where agent_id = ${agentId}`;
  else
    await rows(transaction)`
      insert into standing_agents (agent_id, lapses_at) values (${agentId}, ${lapseTime(now)})
      on conflict (agent_id) do update set lapses_at = excluded.lapses_at, lapse_told = false`;
}
