import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type PredictionRow, predictionByKey } from '../reads/predictions.ts';
import { DomainError, refused } from '../rules/errors.ts';
import { spacedSeconds } from '../rules/hours.ts';
import { checkIdempotencyKey, checkConfidence, checkPrediction, IDEMPOTENCY_WINDOW } from '../rules/predictions.ts';
import { type Context, requireViewer } from './context.ts';
import { roundRunningAt } from './current-round.ts';
import type { OfferedPrediction } from './prediction-writer.ts';
import type { MutationResolvers } from './schema-types.ts';

export const submissionMutations = {
  /** The order of checks is decided: key, shape, spectator, repeat, round and value, one per agent and round. */
  async submitPrediction(_root, { roundId, prediction, confidence, idempotencyKey }, context): Promise<PredictionRow> {
    const agent = await requireViewer(context);
    checkConfidence(confidence);
    if (idempotencyKey != null) checkIdempotencyKey(idempotencyKey);
    if (agent.mode === 'spectate') {
      throw new DomainError(
        'FORBIDDEN',
        'A spectator cannot predict; POST /api/me/activate, or the mutation activate, makes it a competitor.',
      );
    }
    const offered = { roundId, agentId: agent.id, prediction, confidence, idempotencyKey: idempotencyKey ?? null };
    const { clock, lockMs, reconcile } = context;
    const urgent: Urgent = { em: context.newUrgentEm(), clock, lockMs, reconcile };
    const earlier = await earlierAnswer(urgent.em, offered, clock.now());
    if (earlier !== null) return earlier;
    await checkOpen(urgent, offered);

    const accepted = await context.writer.write(offered);
    if (accepted === null) return refusal(urgent, offered);
    return { ...UNSCORED, ...offered, ...accepted, agentName: agent.name };
  },
} satisfies MutationResolvers;

const UNSCORED = { score: null, isCorrect: null, streakBonus: null, place: null, arenaPoints: null, pnlUsd: null };

/** What a submission asks with: connections that no reader can take. */
type Urgent = Pick<Context, 'em' | 'clock' | 'lockMs' | 'reconcile'>;

async function checkOpen(urgent: Urgent, offered: OfferedPrediction): Promise<void> {
  const now = urgent.clock.now();
  const current = await roundRunningAt(urgent, now);
  if (current === null) throw new DomainError('BAD_REQUEST', 'No round takes predictions at present.');
  if (offered.roundId !== current.id) {
    throw refused('roundId', `${current.id}, the id of the current round`, offered.roundId);
  }
  if (now.getTime() >= current.endTime.getTime() - urgent.lockMs) {
    throw new DomainError(
      'BAD_REQUEST',
      `The round is locked: round ${current.id} takes no more predictions before it ends at ${spacedSeconds(current.endTime)} UTC.`,
    );
  }
  checkPrediction(current.choices, offered.prediction);
}

/** Why the inserting statement took nothing: the agent's earlier prediction, or a round that ended meanwhile. */
async function refusal(urgent: Urgent, offered: OfferedPrediction): Promise<PredictionRow> {
  const earlier = await earlierAnswer(urgent.em, offered, urgent.clock.now());
  if (earlier !== null) return earlier;
  await checkOpen(urgent, offered);
  throw new DomainError(
    'CONFLICT',
    `This agent has already predicted in round ${offered.roundId}; one prediction per agent and round.`,
  );
}

/**
 * The answer that the agent got for the same key and body within the last 24 hours, or null. The same key with
 * another body is a `CONFLICT`.
 */
async function earlierAnswer(
  em: SqlEntityManager,
  offered: OfferedPrediction,
  now: Date,
): Promise<PredictionRow | null> {
  const { agentId, idempotencyKey } = offered;
  if (idempotencyKey === null) return null;
  const since = new Date(now.getTime() - IDEMPOTENCY_WINDOW);
  const first = await predictionByKey(em, { agentId, idempotencyKey }, since);
  if (first === undefined) return null;
  const same =
    first.roundId === offered.roundId &&
    first.prediction === offered.prediction &&
    first.confidence === offered.confidence;
  if (!same) {
    throw new DomainError(
      'CONFLICT',
      (nameOf) =>
        `This ${nameOf('idempotencyKey')} was used within 24 hours for another prediction; use a new one for a new prediction.`,
    );
  }
  return { ...first, replayed: true };
}
