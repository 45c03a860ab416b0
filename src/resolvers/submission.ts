import { secondsUntil } from '../clock.ts';
import type { PredictionRow } from '../reads/plan/prediction.ts';
import { predictionOf } from '../reads/predictions.ts';
import { DomainError } from '../rules/errors.ts';
import { spacedSeconds } from '../rules/hours.ts';
import { checkPrediction, IDEMPOTENCY_WINDOW, isChoice } from '../rules/predictions.ts';
import { lineOf, rationaleOf } from '../rules/agent-texts.ts';
import { leafHashText, predictionLeaf, wordsDigest } from '../transparency/leaves.ts';
import { leafOf } from '../transparency/proofs.ts';
import { unauthenticated } from './admission.ts';
import { type Context, requireActor } from './context.ts';
import { type KeyHolder, refuseBlocked } from './keys.ts';
import type { OfferedPrediction } from './prediction-writer.ts';
import type { Resolvers } from './schema-types.ts';

export const submissionResolvers = {
  Mutation: {
    /** One statement accepts; otherwise the checks run one by one to find the reason. */
    async submitPrediction(
      _root,
      { roundId, prediction, confidence, idempotencyKey = null, dryRun, rationale, model },
      context,
    ): Promise<PredictionRow> {
      const words = {
        rationale: rationale == null ? null : rationaleOf(rationale),
        model: model == null ? null : lineOf('model', model),
      };
      const submission = { roundId, prediction, confidence, idempotencyKey, ...words };
      if (dryRun) return tried(context, submission);
      return (await accepted(context, submission)) ?? acceptedOrExplained(context, submission);
    },
  },
} satisfies Resolvers;

type Submission = Required<Omit<OfferedPrediction, 'keyHash'>>;

type AgentSubmission = Submission & { readonly agentId: number };

/** Null unless the writer's one statement accepts it. */
async function accepted({ keyHash, services }: Context, submission: Submission): Promise<PredictionRow | null> {
  if (keyHash === null || !isChoice(submission.prediction)) return null;
  const written = await services.writer.write({ keyHash, ...submission });
  if (written === null) return null;
  const { roundId, prediction, confidence } = submission;
  const { agentId, submittedAt } = written;
  const words = wordsDigest(submission);
  const leaf = predictionLeaf({ roundId, agentId, prediction, confidence, submittedAt, standing: false, words });
  return { ...submission, ...written, leafHash: leafHashText(leaf) };
}

/** Throws the first check that fails, and counts it as a refusal. */
async function acceptedOrExplained(context: Context, submission: Submission): Promise<PredictionRow> {
  try {
    const { offered, earlier } = await checked(context, submission);
    if (earlier !== null) return earlier;
    // Just after the turn of an hour the round was not open at the first try.
    const row = (await hasPredicted(context, offered)) ? null : await accepted(context, submission);
    return row ?? (await repeatOrRefusal(context, offered));
  } catch (error) {
    context.countRefusal(submission.roundId, error);
    throw error;
  }
}

/** A dry run: the same checks, nothing written. */
async function tried(context: Context, submission: Submission): Promise<PredictionRow> {
  const { agent, offered, earlier } = await checked(context, submission);
  if (earlier !== null) return { ...earlier, dryRun: true };
  if (await hasPredicted(context, offered)) throw alreadyPredicted(offered);
  return { ...offered, id: 0, agentName: agent.name, submittedAt: context.services.clock.now(), dryRun: true };
}

/** The order is fixed: key, shape (both before), block, spectator, repeat, round, value. `earlier` is for a repeat. */
async function checked(context: Context, submission: Submission) {
  await context.authenticate('predictions');
  const agent = await requireActor(context);
  refuseSpectator(agent);
  const offered: AgentSubmission = { ...submission, agentId: agent.id };
  const earlier = await earlierPrediction(context, offered);
  if (earlier === null) await checkOpen(context, offered);
  return { agent, offered, earlier };
}

export function refuseSpectator({ mode }: Pick<KeyHolder, 'mode'>): void {
  if (mode !== 'spectate') return;
  throw new DomainError(
    'spectator_cannot_predict',
    'A spectator cannot predict; POST /api/me/activate, or the mutation activate, makes it a competitor.',
  );
}

async function checkOpen(context: Context, offered: AgentSubmission): Promise<void> {
  const now = context.services.clock.now();
  const current = await context.services.submissionLookups.openRound.add(now);
  if (current === null) throw new DomainError('no_current_round', 'No round is open for predictions.');
  if (offered.roundId !== current.id) {
    throw new DomainError(
      'not_current_round',
      (nameOf) => `${nameOf('roundId')} must be ${current.id}, the id of the current round (got ${offered.roundId}).`,
      { argument: 'roundId' },
    );
  }
  if (now.getTime() >= current.endTime.getTime() - context.services.lockMs) {
    throw new DomainError(
      'round_locked',
      `The round is locked: round ${current.id} takes no more predictions before it ends at ${spacedSeconds(current.endTime)} UTC.`,
      { retryAfter: secondsUntil(context.services.clock, current.endTime) },
    );
  }
  checkPrediction(current.choices, offered.prediction);
}

/** The state changed after the checks: another prediction, the end of the round, or a replaced key. */
async function repeatOrRefusal(context: Context, offered: AgentSubmission): Promise<PredictionRow> {
  const earlier = await earlierPrediction(context, offered);
  if (earlier !== null) return earlier;
  await checkOpen(context, offered);
  if (!(await hasPredicted(context, offered))) throw await keyRefusal(context);
  throw alreadyPredicted(offered);
}

async function keyRefusal(context: Context): Promise<DomainError> {
  const holder = await context.services.keys.add(context.keyHash ?? '');
  if (holder !== null) refuseBlocked(holder);
  return unauthenticated(context.caller);
}

function hasPredicted({ services }: Context, { roundId, agentId }: AgentSubmission): Promise<boolean> {
  return services.submissionLookups.hasPredicted.add({ roundId, agentId });
}

function alreadyPredicted({ roundId }: AgentSubmission): DomainError {
  const message = `This agent has already predicted in round ${roundId}; one prediction per agent and round.`;
  return new DomainError('already_predicted', message);
}

/** Within 24 hours, with the first rationale and model, or null. Another prediction is a `CONFLICT`. */
async function earlierPrediction({ services }: Context, offered: AgentSubmission): Promise<PredictionRow | null> {
  const { newSubmissionEm, submissionLookups, clock } = services;
  const { agentId, idempotencyKey } = offered;
  if (idempotencyKey === null) return null;
  const since = new Date(clock.now().getTime() - IDEMPOTENCY_WINDOW);
  const roundId = await submissionLookups.roundByKey.add({ agentId, idempotencyKey, since });
  const first = roundId === null ? null : await predictionOf(newSubmissionEm(), { roundId, agentId });
  if (first === null) return null;
  const same =
    first.roundId === offered.roundId &&
    first.prediction === offered.prediction &&
    first.confidence === offered.confidence;
  if (!same) {
    throw new DomainError(
      'idempotency_key_reused',
      (nameOf) =>
        `This ${nameOf('idempotencyKey')} was used within 24 hours for another prediction; use a new one for a new prediction.`,
    );
  }
  // Not from the row: an operator may have hidden its words.
  const stored = await leafOf(newSubmissionEm(), first.id);
  return { ...first, ...(stored && { leafHash: leafHashText(stored.leaf) }), replayed: true };
}
