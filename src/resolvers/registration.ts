import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { GraphQLResolveInfo } from 'graphql';
import { sql } from 'kysely';

import { Agent } from '../entities/agent.ts';
import { isAgent } from '../reads/agents.ts';
import type { AgentRow } from '../reads/plan/agent.ts';
import { one } from '../reads/plan/plan.ts';
import { agentRow } from '../reads/plan/rows.ts';
import { byEntityManager } from '../reads/plan/read-column.ts';
import { NAME_RESERVATION_DAYS, nameKey } from '../rules/agents.ts';
import { DomainError } from '../rules/errors.ts';
import { DAY } from '../rules/hours.ts';
import { addressOf, lineOf } from '../rules/words.ts';
import { type Context, requireActor } from './context.ts';
import { roundStartingAfter } from './current-round.ts';
import { keyHash, newKey } from './keys.ts';
import { known, planned } from './planned.ts';
import { roundAsked } from './rounds.ts';
import type { ActivationResolvers, MutationResolvers, RegistrationResolvers } from './schema-types.ts';

/** What an agent does about itself: it registers, begins to compete, replaces its key, and says what it is. */
export const registrationMutations = {
  async register(_root, { name, mode, walletAddress }, context) {
    const now = context.services.clock.now();
    const apiKey = newKey(context.services.randomBytes);
    const agent = await insertAgent(context.services.newRegistrationEm(), nameKey(name), {
      name,
      mode: mode ?? 'compete',
      walletAddress: walletAddress ?? null,
      keyHash: keyHash(apiKey, context.services.keyPepper),
      registeredAt: now,
      reservedUntil: mode === 'spectate' ? new Date(now.getTime() + NAME_RESERVATION_DAYS * DAY) : null,
    });
    return { agentId: agent.id, apiKey };
  },
  async activate(_root, _args, context) {
    const agent = await requireActor(context);
    const now = context.services.clock.now();
    const activated = await context.services
      .newRegistrationEm()
      .nativeUpdate(
        Agent,
        { id: agent.id, mode: 'spectate', reservedUntil: { $gt: now } },
        { mode: 'compete', reservedUntil: null },
      );
    const message =
      activated > 0 ? `${agent.name} competes from now on.` : `${agent.name} competes already; nothing changed.`;
    return { mode: 'compete', message, at: now };
  },
  /** One conditional update: of several rotations at once with one key exactly one finds that key still there. */
  async rotateKey(_root, _args, context) {
    const agent = await requireActor(context);
    const apiKey = newKey(context.services.randomBytes);
    const [before, after] = [context.keyHash ?? '', keyHash(apiKey, context.services.keyPepper)];
    const held = { id: agent.id, keyHash: before };
    const rotated = await context.services.newRegistrationEm().nativeUpdate(Agent, held, { keyHash: after });
    if (rotated === 0) {
      throw new DomainError(
        'invalid_key',
        'This key was replaced by another rotation at the same moment; use the newer key.',
      );
    }
    context.services.knownKeys.note(before, null);
    context.services.knownKeys.note(after, agent.id);
    return {
      apiKey,
      message: 'The key is replaced: the old one is invalid from now on. Store the new one; it is shown only here.',
    };
  },
  async updateMe(_root, { about, url }, context, info) {
    const agent = await requireActor(context);
    const said = {
      ...(about != null && { about: lineOf('about', about) }),
      ...(url != null && { url: addressOf(url) }),
    };
    // What an operator has removed meanwhile stays so.
    const held = { id: agent.id, removedAt: null };
    if (Object.keys(said).length > 0) await context.services.newRegistrationEm().nativeUpdate(Agent, held, said);
    return agentAsWritten(agent.id, context, info);
  },
} satisfies MutationResolvers;

export const registrationFields = {
  agent: ({ agentId }, _args, context, info) => agentAsWritten(agentId, context, info),
} satisfies RegistrationResolvers;

/** The agent, read from where it was written. */
async function agentAsWritten(id: number, context: Context, info: GraphQLResolveInfo): Promise<AgentRow> {
  const row = agentRow(planned(context, info).field.selected);
  return known(await byEntityManager(context.em)(one(row, sql`agents a where ${isAgent({ id })}`)));
}

export const activationFields = {
  async nextRound({ at }, _args, context, info) {
    const round = await roundStartingAfter(context, at, roundAsked(context, info));
    if (round !== null) return round;
    throw new DomainError('unavailable', 'No coming round is stored yet; try again in a moment.', { retryAfter: 1 });
  },
} satisfies ActivationResolvers;

type NewAgent = Pick<Agent, 'name' | 'mode' | 'walletAddress' | 'keyHash' | 'registeredAt' | 'reservedUntil'>;

/** Takes the name; one whose reservation ran out is taken from its former holder in the same transaction. */
async function insertAgent(em: SqlEntityManager, key: string, agent: NewAgent): Promise<Agent> {
  try {
    return await em.transactional(async (transaction) => {
      await transaction.nativeUpdate(
        Agent,
        { nameKey: key, mode: 'spectate', reservedUntil: { $lte: agent.registeredAt } },
        { nameKey: null },
      );
      return transaction.create(Agent, { ...agent, nameKey: key });
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) {
      const message = `The name "${agent.name}" is taken; names are compared without regard to case. Choose another.`;
      throw new DomainError('name_taken', message, { cause: error, argument: 'name' });
    }
    throw error;
  }
}
