import { pageOf } from '../reads/plan/page.ts';
import { parts } from '../reads/plan/parts.ts';
import { fieldsNamed, ofParent } from '../reads/plan/plan.ts';
import { predictionRow } from '../reads/plan/rows.ts';
import { type AllPredictionsRequest, wholePageOf } from '../reads/prediction-pages.ts';
import { timeText } from '../rules/hours.ts';
import { figureOf, UNITS } from '../rules/payoffs.ts';
import type { Context } from './context.ts';
import { agentWith, existingRow, plannedField, roundWith } from './planned.ts';
import type { Resolvers } from './schema-types.ts';

export const predictionResolvers = {
  Query: {
    async predictions(_root, _args, context, info) {
      const { field, read } = plannedField(context, info);
      const request: AllPredictionsRequest = field.args;
      const page = pageOf(wholePageOf(request, context.services.clock.now()), field.selected, predictionRow);
      return read(ofParent(parts.cast<number>(parts.val(request.agentId ?? 0), 'integer'), page));
    },
  },
  Prediction: {
    agent: ({ agentId }, _args, context, info) => agentWith(agentId, context, info),
    round: ({ roundId }, _args, context, info) => roundWith(roundId, context, info),
    question: ({ question, roundId }, _args, context) =>
      question ?? predictedRound(roundId, context).then((round) => round.question),
    questionType: ({ questionType, roundId }, _args, context) =>
      questionType ?? predictedRound(roundId, context).then((round) => round.questionType),
    submittedAt: ({ submittedAt }, { format }) => timeText(submittedAt, format),
    isCorrect: ({ isCorrect }) => (isCorrect == null ? null : Number(isCorrect)),
    pnlUsd: ({ pnlUsd }) => (pnlUsd == null ? null : Number(pnlUsd)),
    brier: ({ brier }) => (brier == null ? null : Number(brier)),
    edge: ({ edge }) => figureOf(edge, UNITS.edge),
    arenaEdge: ({ arenaEdge }) => figureOf(arenaEdge, UNITS.edge),
    contribution: ({ contribution }) => figureOf(contribution, UNITS.contribution),
    peerScore: ({ peerScore }) => figureOf(peerScore, UNITS.peer),
    standing: ({ standing }) => standing ?? false,
    replayed: ({ replayed }) => replayed ?? false,
    dryRun: ({ dryRun }) => dryRun ?? false,
  },
} satisfies Resolvers;

const QUESTION = fieldsNamed('question', 'questionType');

/** The question of a prediction that was read without it: one just accepted. */
async function predictedRound(roundId: number, { loaders }: Context) {
  return existingRow(await loaders.round(QUESTION).load(roundId));
}
