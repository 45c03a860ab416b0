import { Round } from '../entities/round.ts';
import { addHours, HOUR, hourOf, SECOND } from '../rules/hours.ts';
import { planOf } from '../rules/questions/rotation.ts';
import { ARENA_POINTS_POOL, VERTICAL_ID } from '../rules/round-states.ts';
import { roundRunningAt, roundStartingAfter } from './current-round.ts';
import { wholeNumberWithin } from './argument.ts';
import { crowdOf } from './crowds.ts';
import { roundPage } from './round-pages.ts';
import { entriesPage, resultsPage } from './round-predictions.ts';
import type {
  AgreedCandleResolvers,
  EvidenceResolvers,
  QueryResolvers,
  RoundAssetResolvers,
  RoundResolvers,
} from './schema-types.ts';
import { timeText } from './time-format.ts';

const MOST_SCHEDULED_HOURS = 168;

export const roundQueries = {
  currentRound: (_root, _args, context) => roundRunningAt(context, context.clock.now()),
  nextRound: (_root, _args, context) => roundStartingAfter(context, context.clock.now()),
  round: (_root, { id }, context) => context.em.findOne(Round, { id }),
  rounds: (_root, args, context) => roundPage(context.em, args),
  schedule(_root, { hours }, context) {
    const count = wholeNumberWithin('hours', hours ?? 24, { least: 1, most: MOST_SCHEDULED_HOURS });
    const first = addHours(hourOf(context.clock.now()), 1);
    return Array.from({ length: count }, (_, index) => {
      const startTime = new Date(first.getTime() + index * HOUR);
      const { questionType, assets } = planOf(startTime);
      return { startTime, questionType, assets: [...assets] };
    });
  },
} satisfies QueryResolvers;

export const roundFields = {
  choices: (round) => [...round.choices],
  params: ({ subject, operator, thresholdPct, n }) => ({
    subject: subject ?? null,
    operator: operator ?? null,
    thresholdPct: figure(thresholdPct),
    n: n ?? null,
  }),
  assets: (round, _args, context) => context.loaders.roundAssets.load(round.id),
  startTime: (round, { format }) => timeText(round.startTime, format),
  endTime: (round, { format }) => timeText(round.endTime, format),
  timeRemainingSeconds: (round, _args, context) =>
    Math.max(0, Math.floor((round.endTime.getTime() - context.clock.now().getTime()) / SECOND)),
  arenaPointsPool: () => ARENA_POINTS_POOL,
  verticalId: () => VERTICAL_ID,
  decidedAt: (round) => round.decidedAt ?? null,
  predictions: ({ id }, args, { loaders }) => loaders.roundPredictions(args).load(id),
  crowd: (round, _args, context) => crowdOf(round, context),
  evidence: ({ id }, _args, { loaders }) => loaders.evidence.load(id),
  agreedCandles: ({ id }, _args, { loaders }) => loaders.agreedCandles.load(id),
  entries: (round, page, context) => entriesPage(context, round, page),
  results: (round, page, context) => resultsPage(context, round, page),
} satisfies RoundResolvers;

export const roundAssetFields = {
  symbol: ({ asset }) => asset,
  startPriceUsd: ({ open }) => figure(open),
  endPriceUsd: ({ close }) => figure(close),
  highUsd: ({ high }) => figure(high),
  lowUsd: ({ low }) => figure(low),
  returnPct: ({ returnPct }) => figure(returnPct),
} satisfies RoundAssetResolvers;

/** Figures of evidence are never rounded: they are what verifies a round. */
export const evidenceFields = {
  symbol: ({ asset }) => asset,
  openUsd: ({ open }) => open ?? null,
  highUsd: ({ high }) => high ?? null,
  lowUsd: ({ low }) => low ?? null,
  closeUsd: ({ close }) => close ?? null,
  volume: ({ volume }) => volume ?? null,
  bodyHash: ({ bodyHash }) => bodyHash ?? null,
  sourceTime: ({ sourceTime }) => sourceTime ?? null,
  leftOut: ({ leftOut }) => leftOut ?? null,
} satisfies EvidenceResolvers;

export const agreedCandleFields = {
  symbol: ({ asset }) => asset,
  openUsd: ({ open }) => open,
  highUsd: ({ high }) => high,
  lowUsd: ({ low }) => low,
  closeUsd: ({ close }) => close,
} satisfies AgreedCandleResolvers;

/** A decimal column as the number that JSON carries. */
function figure(decimal: string | null | undefined): number | null {
  return decimal == null ? null : Number(decimal);
}
