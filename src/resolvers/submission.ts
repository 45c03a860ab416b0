import type { Round } from '../entities/round.ts';
import { DomainError } from '../rules/errors.ts';
import { spacedSeconds } from '../rules/hours.ts';
import { checkIdempotencyKey } from '../rules/idempotency-key.ts';
import { checkConfidence, checkPrediction } from '../rules/prediction.ts';
import { type Context, requireViewer } from './context.ts';
import { roundRunningAt } from './current-round.ts';
import { earlierAnswer } from './idempotency.ts';
import type { PredictionRow } from './prediction-rows.ts';
import type { OfferedPrediction } from './prediction-writer.ts';
import type { MutationResolvers } from './schema-types.ts';

export const submissionMutations = {
  /** The order of checks is decided: key, shape, spectator, repeat, round and value, one per agent and round. */
  async submitPrediction(_root, { roundId, prediction, confidence, idempotencyKey }, context): Promise<PredictionRow> {
    const agent = await requireViewer(context);
    checkConfidence(confidence);
    if (idempotencyKey != null) checkIdempotencyKey(idempotencyKey);
    if (agent.mode === 'spectate') {
      throw new DomainError('FORBIDDEN', 'A spectator cannot predict; POST /api/me/activate makes it a competitor.');
    }
    const offered = { roundId, agentId: agent.id, prediction, confidence, idempotencyKey: idempotencyKey ?? null };
    const now = context.clock.now();
    const earlier = await earlierAnswer(context.em, offered, now);
    if (earlier !== null) return earlier;
    checkOpen(await roundRunningAt(context, now), offered, { now, lockMs: context.lockMs });

    const accepted = await context.writer.write(offered);
    if (accepted === null) return refusal(context, offered);
    return { ...UNSCORED, ...offered, ...accepted, agentName: agent.name };
  },
} satisfies MutationResolvers;

const UNSCORED = { score: null, isCorrect: null, streakBonus: null, place: null, arenaPoints: null, pnlUsd: null };

function checkOpen(current: Round | null, offered: OfferedPrediction, at: { now: Date; lockMs: number }): void {
  if (current === null) throw new DomainError('BAD_REQUEST', 'No round takes predictions at present.');
  if (offered.roundId !== current.id) {
    throw new DomainError(
      'BAD_REQUEST',
      `round_id ${offered.roundId} is not the current round, which is ${current.id}.`,
    );
  }
  if (at.now.getTime() >= current.endTime.getTime() - at.lockMs) {
    throw new DomainError(
      'BAD_REQUEST',
      `The round is locked: round ${current.id} takes no more predictions before it ends at ${spacedSeconds(current.endTime)} UTC.`,
    );
  }
  checkPrediction(current.choices, offered.prediction);
}

/** Why the inserting statement took nothing: the agent's earlier prediction, or a round that ended meanwhile. */
async function refusal(context: Context, offered: OfferedPrediction): Promise<PredictionRow> {
  const now = context.clock.now();
  const earlier = await earlierAnswer(context.em, offered, now);
  if (earlier !== null) return earlier;
  const current = await roundRunningAt(context, now);
  checkOpen(current, offered, { now, lockMs: context.lockMs });
  throw new DomainError(
    'CONFLICT',
    `This agent has already predicted in round ${offered.roundId}; one prediction per agent and round.`,
  );
}
