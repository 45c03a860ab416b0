import { Round } from '../entities/round.ts';
import { addHours, HOUR, hourOf, SECOND, timeText } from '../rules/hours.ts';
import { planOf } from '../rules/questions/asking.ts';
import { ARENA_POINTS_POOL, type RoundStatus, VERTICAL_ID } from '../rules/round-states.ts';
import { figureOf, UNITS } from '../rules/payoffs.ts';
import { roundRunningAt, roundStartingAfter } from './current-round.ts';
import { wholeNumberWithin } from '../reads/paging.ts';
import { crowdFrom, crowdPoints } from '../reads/crowd.ts';
import { roundPage, voidHours } from '../reads/rounds.ts';
import { entriesPage, resultsPage } from './predictions.ts';
import { referenceBasis, referencePoints, storedQuotes } from './references.ts';
import type {
  AgreedCandleResolvers,
  EvidenceResolvers,
  QueryResolvers,
  RoundAssetResolvers,
  RoundResolvers,
} from './schema-types.ts';

const MAX_SCHEDULED_HOURS = 168;

/** What is to be counted for a crowd: nothing, the predictions themselves, or the tallies that a resolution left. */
const COUNTED: Readonly<Record<RoundStatus, 'nothing' | 'predictions' | 'tallies'>> = {
  upcoming: 'nothing',
  active: 'predictions',
  resolving: 'predictions',
  resolved: 'tallies',
  void: 'tallies',
};

export const roundQueries = {
  currentRound: (_root, _args, context) => roundRunningAt(context, context.services.clock.now()),
  nextRound: (_root, _args, context) => roundStartingAfter(context, context.services.clock.now()),
  round: (_root, { id }, context) => context.services.read((em) => em.findOne(Round, { id })),
  rounds: (_root, args, context) => context.services.read((em) => roundPage(em, args, context.services.clock.now())),
  async schedule(_root, { hours }, context) {
    const count = wholeNumberWithin('hours', hours ?? 24, { min: 1, max: MAX_SCHEDULED_HOURS });
    const first = addHours(hourOf(context.services.clock.now()), 1);
    const cancelled = await context.services.read((em) => voidHours(em, first, addHours(first, count)));
    return Array.from({ length: count }, (_, index) => new Date(first.getTime() + index * HOUR))
      .filter((startTime) => !cancelled.has(startTime.getTime()))
      .map((startTime) => {
        const { questionType, assets } = planOf(startTime);
        return { startTime, endTime: addHours(startTime, 1), questionType, assets: [...assets] };
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
    Math.max(0, Math.floor((round.endTime.getTime() - context.services.clock.now().getTime()) / SECOND)),
  arenaPointsPool: () => ARENA_POINTS_POOL,
  verticalId: () => VERTICAL_ID,
  decidedAt: (round) => round.decidedAt ?? null,
  difficulty: ({ difficultyMillionths }) => figureOf(difficultyMillionths, UNITS.difficulty),
  predictions: ({ id }, args, { loaders }) => loaders.roundPredictions(args).load(id),
  async crowd(round, _args, { loaders }) {
    const counted = COUNTED[round.status];
    if (counted === 'nothing') return null;
    const counts = await (counted === 'tallies' ? loaders.decidedCrowd.load(round.id) : loaders.openCrowd.load(round));
    return crowdFrom(counts, round.choices);
  },
  async crowdHistory(round, _args, { loaders }) {
    const counted = COUNTED[round.status];
    if (counted === 'nothing') return null;
    const counts = await (counted === 'tallies'
      ? loaders.decidedMinutes.load(round.id)
      : loaders.openCrowd.load(round));
    return [...crowdPoints(counts, round)];
  },
  evidence: ({ id }, _args, { loaders }) => loaders.evidence.load(id),
  agreedCandles: ({ id }, _args, { loaders }) => loaders.agreedCandles.load(id),
  reference: (round, asked, context) => referencePoints(context, round, asked),
  quotes: (round, _args, context) => storedQuotes(context, round),
  referenceBasis: (round, _args, context) => referenceBasis(context, round),
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
