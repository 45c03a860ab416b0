import { Agent } from '../entities/agent.ts';
import { DomainError } from '../rules/errors.ts';
import { requireViewer } from './context.ts';
import { keyHash, newKey } from './keys.ts';
import type { MutationResolvers } from './schema-types.ts';

export const keyRotationMutations = {
  /** One conditional update: of several rotations at once with one key exactly one finds that key still there. */
  async rotateKey(_root, _args, context) {
    const agent = await requireViewer(context);
    const apiKey = newKey(context.randomBytes);
    const [before, after] = [context.keyHash ?? '', keyHash(apiKey, context.keyPepper)];
    const rotated = await context.em.nativeUpdate(Agent, { id: agent.id, keyHash: before }, { keyHash: after });
    if (rotated === 0) {
      throw new DomainError(
        'invalid_key',
        'This key was replaced by another rotation at the same moment; use the newer key.',
      );
    }
    context.knownKeys.note(before, null);
    context.knownKeys.note(after, agent.id);
    return {
      apiKey,
      message: 'The key is replaced: the old one is invalid from now on. Store the new one; it is shown only here.',
    };
  },
} satisfies MutationResolvers;
