import { secondsUntil } from '../clock.ts';
import type { Round } from '../entities/round.ts';
import { PAGE_SIZES } from '../limits.ts';
import { pageSize } from '../reads/paging.ts';
import { pageOfAll, type Slice } from '../reads/prediction-pages.ts';
import type { PredictionRow } from '../reads/predictions.ts';
import { DomainError, refused } from '../rules/errors.ts';
import { spacedSeconds, timeText } from '../rules/hours.ts';
import { figureOf, UNITS } from '../rules/payoffs.ts';
import type { Context } from './context.ts';
import { leadSeconds, submissionReference } from './references.ts';
import type { PredictionResolvers, QueryResolvers } from './schema-types.ts';

export const predictionQueries = {
  predictions: (_root, args, context) =>
    context.services.read((em) => pageOfAll(em, args, context.services.clock.now())),
} satisfies QueryResolvers;

export const predictionFields = {
  agent: ({ agentId }, _args, context) => context.loaders.agent.load(agentId),
  round: ({ roundId }, _args, context) => context.loaders.round.load(roundId),
  question: async ({ roundId }, _args, context) => (await context.loaders.round.load(roundId)).question,
  questionType: async ({ roundId }, _args, context) => (await context.loaders.round.load(roundId)).questionType,
  submittedAt: ({ submittedAt }, { format }) => timeText(submittedAt, format),
  isCorrect: ({ isCorrect }) => (isCorrect === null ? null : Number(isCorrect)),
  pnlUsd: ({ pnlUsd }) => (pnlUsd === null ? null : Number(pnlUsd)),
  edge: ({ edge }) => figureOf(edge, UNITS.edge),
  contribution: ({ contribution }) => figureOf(contribution, UNITS.contribution),
  peerScore: ({ peerScore }) => figureOf(peerScore, UNITS.peer),
  replayed: ({ replayed }) => replayed ?? false,
  dryRun: ({ dryRun }) => dryRun ?? false,
  leadSeconds: (prediction) => leadSeconds(prediction),
  reference: (prediction, _args, context) => submissionReference(context, prediction),
} satisfies PredictionResolvers;

interface EntriesRequest {
  readonly limit?: number | null;
  /** The id of the last entry of the page before. */
  readonly after?: number | null;
}

/** A round's predictions in the order of submission. */
export function entriesPage(context: Context, round: Round, asked: EntriesRequest): Promise<readonly PredictionRow[]> {
  const slice: Slice = { orderBy: 'OLDEST', limit: limitOf(asked), behind: asked.after ?? 0 };
  return context.loaders.predictionSlice(slice).load(round.id);
}

/** When to ask again for a round that is over: mostly it is decided by then. */
const DECIDING_SECONDS = 5;

/** A decided round's predictions by place; of a void one, which has no places, in the order of submission. */
export async function resultsPage(
  context: Context,
  round: Round,
  asked: EntriesRequest,
): Promise<readonly PredictionRow[]> {
  const limit = limitOf(asked);
  switch (round.status) {
    case 'resolved': {
      const slice: Slice = { orderBy: 'PLACE', limit, behind: await placeOf(context, round, asked.after) };
      return context.loaders.predictionSlice(slice).load(round.id);
    }
    case 'void':
      return entriesPage(context, round, asked);
    case 'resolving':
      throw new DomainError(
        'results_not_ready',
        `Round ${round.id} has no results yet: it ended at ${spacedSeconds(round.endTime)} UTC and its outcome is being decided.`,
        { retryAfter: DECIDING_SECONDS },
      );
    case 'active':
    case 'upcoming':
      throw new DomainError(
        'results_not_ready',
        `Round ${round.id} has no results yet: it ends at ${spacedSeconds(round.endTime)} UTC.`,
        { retryAfter: secondsUntil(context.services.clock, round.endTime) },
      );
  }
}

function limitOf({ limit }: EntriesRequest): number {
  return pageSize('limit', limit, PAGE_SIZES.entries);
}

async function placeOf(context: Context, round: Round, after: number | null | undefined): Promise<number> {
  if (after == null) return 0;
  const entry = await context.loaders.placedEntry.load(after);
  if (entry?.roundId === round.id) return entry.place;
  throw refused('after', `the id of an entry of round ${round.id}`, after);
}
