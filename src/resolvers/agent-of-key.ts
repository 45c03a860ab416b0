import { Agent } from '../entities/agent.ts';
import type { Context } from './context.ts';
import { bearerKey, keyHash } from './keys.ts';
import { isReleased } from './reservation.ts';

/**
 * The agent that an `Authorization` header speaks for. Null when there is no key of the right form, when nobody
 * holds it, or when its holder was a spectator whose reservation ran out.
 */
export async function agentOfKey(
  context: Pick<Context, 'em' | 'clock' | 'keyPepper'>,
  authorization: string | undefined,
): Promise<Agent | null> {
  const key = bearerKey(authorization);
  if (key === null) return null;
  const agent = await context.em.findOne(Agent, { keyHash: keyHash(key, context.keyPepper) });
  return agent === null || isReleased(agent, context.clock.now()) ? null : agent;
}
