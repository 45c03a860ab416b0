import { Agent } from '../entities/agent.ts';
import { DomainError } from '../rules/errors.ts';
import { type ActivationResult, requireViewer } from './context.ts';
import { roundStartingAfter } from './current-round.ts';
import type { MutationResolvers } from './schema-types.ts';

export const activationMutations = {
  async activate(_root, _args, context): Promise<ActivationResult> {
    const agent = await requireViewer(context);
    const now = context.clock.now();
    const activated = await context.em.nativeUpdate(
      Agent,
      { id: agent.id, mode: 'spectate', reservedUntil: { $gt: now } },
      { mode: 'compete', reservedUntil: null },
    );
    const nextRound = await roundStartingAfter(context, now);
    if (nextRound === null)
      throw new DomainError('UNAVAILABLE', 'No coming round is stored yet; try again in a moment.', { retryAfter: 1 });
    const message =
      activated > 0 ? `${agent.name} competes from now on.` : `${agent.name} competes already; nothing changed.`;
    return { mode: 'compete', message, nextRound };
  },
} satisfies MutationResolvers;
