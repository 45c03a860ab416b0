import { isDeepStrictEqual } from 'node:util';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { DefaultAnswerAgent, DefaultAnswer } from '../entities/default-answers.ts';
import { ANY_ASSET } from '../entities/tallies.ts';
import { defaultAnswersOf } from '../reads/plan/default-answers.ts';
import { lapseTime, type DefaultAnswer as Given } from '../rules/default-answers.ts';
import { type Context, requireActor } from './context.ts';
import { changeOwn } from './registration.ts';
import type { Resolvers } from './schema-types.ts';
import { refuseSpectator } from './submission.ts';

export const defaultAnswerResolvers = {
  Mutation: {
    setStanding: (_root, { rows: given }, context) => replaceRows(context, given),
    clearStanding: (_root, _args, context) => replaceRows(context, []),
  },
} satisfies Resolvers;

async function replaceRows(context: Context, given: readonly Given[]) {
  const agent = await requireActor(context);
  if (given.length > 0) refuseSpectator(agent);
  const now = context.services.clock.now();
  return changeOwn(context, agent.id, async (present, em) => {
    if (present !== null) await storeRows(em, { agentId: present.id, given, now });
    return defaultAnswersOf(em, agent.id);
  });
}

async function storeRows(
  em: SqlEntityManager,
  { agentId, given, now }: { readonly agentId: number; readonly given: readonly Given[]; readonly now: Date },
): Promise<void> {
  const former = await em.find(DefaultAnswer, { agentId });
  const kept = given.map(({ questionType, asset: about, prediction, confidence }) => {
    const asset = about ?? ANY_ASSET;
    const row = former.find((one) => one.questionType === questionType && one.asset === asset);
    const values = { answers: [...prediction], confidence, setAt: now };
    if (row === undefined) return em.create(DefaultAnswer, { agentId, questionType, asset, ...values });
    const isSame = row.confidence === confidence && isDeepStrictEqual(row.answers, values.answers);
    return isSame ? row : em.assign(row, values);
  });
  for (const row of former) if (!kept.includes(row)) em.remove(row);
  if (given.length === 0) await em.nativeDelete(DefaultAnswerAgent, { agentId });
  else await em.upsert(DefaultAnswerAgent, { agentId, lapsesAt: lapseTime(now), lapseTold: false });
  await em.flush();
}
