import { LockMode, type SqlEntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { GraphQLResolveInfo } from 'graphql';

import { lockUntilCommit } from '../entities/advisory-locks.ts';
import { Agent } from '../entities/agent.ts';
import type { DB } from '../entities/tables.ts';
import { isReleased } from '../reads/agents.ts';
import { AGENTS, type AgentRow } from '../reads/plan/agent.ts';
import { one } from '../reads/plan/plan.ts';
import { agentRow } from '../reads/plan/rows.ts';
import { byEntityManager } from '../reads/plan/read-column.ts';
import { NAME_RESERVATION_DAYS, nameKey } from '../rules/agents.ts';
import { DomainError } from '../rules/errors.ts';
import { DAY } from '../rules/hours.ts';
import { addressOf, lineOf } from '../rules/agent-texts.ts';
import { type Context, requireActor } from './context.ts';
import { roundStartingAfter } from './current-round.ts';
import { keyHash, newKey } from './keys.ts';
import { existingRow, plannedField } from './planned.ts';
import { roundRequest } from './rounds.ts';
import type { Resolvers } from './schema-types.ts';

export const registrationResolvers = {
  Mutation: {
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
      const { id, name } = await requireActor(context);
      const now = context.services.clock.now();
      const activated = await changeOwn(context, id, (agent) => {
        if (agent?.mode !== 'spectate' || isReleased(agent, now)) return false;
        agent.mode = 'compete';
        agent.reservedUntil = null;
        return true;
      });
      const message = activated ? `${name} competes from now on.` : `${name} competes already; nothing changed.`;
      return { mode: 'compete', message, at: now };
    },
    async rotateKey(_root, _args, context) {
      const { id } = await requireActor(context);
      const apiKey = newKey(context.services.randomBytes);
      const [before, after] = [context.keyHash ?? '', keyHash(apiKey, context.services.keyPepper)];
      await changeOwn(context, id, (agent) => {
        if (agent?.keyHash !== before)
          throw new DomainError(
            'invalid_key',
            'Another rotation replaced this key at the same moment; use the newer key.',
          );
        agent.keyHash = after;
      });
      context.services.knownKeys.note(before, null);
      context.services.knownKeys.note(after, id);
      return {
        apiKey,
        message: 'The key is replaced: the old one is invalid from now on. Store the new one; it is shown only here.',
      };
    },
    async updateMe(_root, { about, url }, context, info) {
      const { id } = await requireActor(context);
      const changes = {
        ...(about != null && { about: lineOf('about', about) }),
        ...(url != null && { url: addressOf(url) }),
      };
      await changeOwn(context, id, (agent, em) => agent && em.assign(agent, changes));
      return agentAsWritten(id, context, info);
    },
  },
  Registration: {
    agent: ({ agentId }, _args, context, info) => agentAsWritten(agentId, context, info),
  },
  Activation: {
    async nextRound({ at }, _args, context, info) {
      const round = await roundStartingAfter(at, roundRequest(context, info));
      if (round !== null) return round;
      throw new DomainError('unavailable', 'No coming round is stored yet; try again in a moment.', { retryAfter: 1 });
    },
  },
} satisfies Resolvers;

async function agentAsWritten(id: number, context: Context, info: GraphQLResolveInfo): Promise<AgentRow> {
  const row = agentRow(plannedField(context, info).field.selected);
  return existingRow(await byEntityManager(context.em)(one(row, AGENTS.where('a.id', '=', id))));
}

/** Changes an agent's rows in a transaction that locks it; `change` gets null if an operator removed the agent. */
export function changeOwn<Result>(
  { services }: Context,
  id: number,
  change: (agent: Agent | null, em: SqlEntityManager) => Result | Promise<Result>,
): Promise<Result> {
  return services.newRegistrationEm().transactional(async (em) => {
    // MikroORM's lock modes use FOR UPDATE, which waits for every resolution that stores rows of the agent.
    const own = em.getKysely<DB>().selectFrom('agents').where('id', '=', id).where('removed_at', 'is', null);
    const row = await own.selectAll().forNoKeyUpdate().executeTakeFirst();
    return change(row === undefined ? null : em.map(Agent, row), em);
  });
}

type NewAgent = Pick<Agent, 'name' | 'mode' | 'walletAddress' | 'keyHash' | 'registeredAt' | 'reservedUntil'>;

async function insertAgent(em: SqlEntityManager, key: string, agent: NewAgent): Promise<Agent> {
  try {
    return await em.transactional(async (transaction) => {
      await lockUntilCommit(transaction, 'registrations');
      const released = { nameKey: key, mode: 'spectate', reservedUntil: { $lte: agent.registeredAt } } as const;
      const former = await transaction.findOne(Agent, released, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (former !== null) former.nameKey = null;
      // The unit of work would insert before it updates.
      await transaction.flush();
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
