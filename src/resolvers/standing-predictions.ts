import { isDeepStrictEqual } from 'node:util';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { StandingAgent, StandingRow } from '../entities/standing-predictions.ts';
import { ANY_ASSET } from '../entities/tallies.ts';
import { standingOf } from '../reads/plan/standing-predictions.ts';
import { lapseTime, type StandingRow as Given } from '../rules/standing.ts';
import { type Context, requireActor } from './context.ts';
import { changeOwn } from './registration.ts';
import type { MutationResolvers } from './schema-types.ts';
import { refuseSpectator } from './submission.ts';

export const standingMutations = {
  setStanding: (_root, { rows: given }, context) => replaceRows(context, given),
  clearStanding: (_root, _args, context) => replaceRows(context, []),
} satisfies MutationResolvers;

async function replaceRows(context: Context, given: readonly Given[]) {
  const agent = await requireActor(context);
  if (given.length > 0) refuseSpectator(agent);
  const now = context.services.clock.now();
  return changeOwn(context, agent.id, async (present, em) => {
    if (present !== null) await storeRows(em, { agentId: present.id, given, now });
    return standingOf(em, agent.id);
  });
}

async function storeRows(
  em: SqlEntityManager,
  { agentId, given, now }: { readonly agentId: number; readonly given: readonly Given[]; readonly now: Date },
): Promise<void> {
  const former = await em.find(StandingRow, { agentId });
  const kept = given.map(({ questionType, asset: about, prediction, confidence }) => {
    const asset = about ?? ANY_ASSET;
    const row = former.find((one) => one.questionType === questionType && one.asset === asset);
    const values = { answers: [...prediction], confidence, setAt: now };
    if (row === undefined) return em.create(StandingRow, { agentId, questionType, asset, ...values });
    const isSame = row.confidence === confidence && isDeepStrictEqual(row.answers, values.answers);
    return isSame ? row : em.assign(row, values);
  });
  for (const row of former) if (!kept.includes(row)) em.remove(row);
  if (given.length === 0) await em.nativeDelete(StandingAgent, { agentId });
  else await em.upsert(StandingAgent, { agentId, lapsesAt: lapseTime(now), lapseTold: false });
  await em.flush();
}
