import { pageOfAll } from './prediction-pages.ts';
import type { PredictionResolvers, QueryResolvers } from './schema-types.ts';
import { timeText } from './time-format.ts';

export const predictionQueries = {
  predictions: (_root, args, { em }) => pageOfAll(em, args),
} satisfies QueryResolvers;

export const predictionFields = {
  agent: ({ agentId }, _args, context) => context.loaders.agent.load(agentId),
  round: ({ roundId }, _args, context) => context.loaders.round.load(roundId),
  question: async ({ roundId }, _args, context) => (await context.loaders.round.load(roundId)).question,
  questionType: async ({ roundId }, _args, context) => (await context.loaders.round.load(roundId)).questionType,
  submittedAt: ({ submittedAt }, { format }) => timeText(submittedAt, format),
  isCorrect: ({ isCorrect }) => (isCorrect === null ? null : Number(isCorrect)),
  pnlUsd: ({ pnlUsd }) => (pnlUsd === null ? null : Number(pnlUsd)),
  replayed: ({ replayed }) => replayed ?? false,
} satisfies PredictionResolvers;
