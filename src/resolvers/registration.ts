import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { Agent } from '../entities/agent.ts';
import { NAME_RESERVATION_DAYS, nameKey } from '../rules/agents.ts';
import { DomainError } from '../rules/errors.ts';
import { DAY } from '../rules/hours.ts';
import { keyHash, newKey } from './keys.ts';
import type { MutationResolvers } from './schema-types.ts';

export const registrationMutations = {
  async register(_root, { name, mode, walletAddress }, context) {
    const now = context.clock.now();
    const apiKey = newKey(context.randomBytes);
    const agent = await insertAgent(context.em, nameKey(name), {
      name,
      mode: mode ?? 'compete',
      walletAddress: walletAddress ?? null,
      keyHash: keyHash(apiKey, context.keyPepper),
      registeredAt: now,
      reservedUntil: mode === 'spectate' ? new Date(now.getTime() + NAME_RESERVATION_DAYS * DAY) : null,
    });
    return { agent, apiKey };
  },
} satisfies MutationResolvers;

/** Takes the name; one whose reservation ran out is taken from its former holder in the same transaction. */
async function insertAgent(em: SqlEntityManager, key: string, agent: Omit<Agent, 'id' | 'nameKey'>): Promise<Agent> {
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
