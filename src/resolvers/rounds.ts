import type { GraphQLResolveInfo } from 'graphql';

import { secondsUntil } from '../clock.ts';
import { crowdFrom, crowdPoints } from '../reads/crowd.ts';
import { pageOf } from '../reads/plan/page.ts';
import { one, type PlanSelection } from '../reads/plan/plan.ts';
import { type RoundRow, ROUNDS } from '../reads/plan/round.ts';
import { cachedPlan, roundRow } from '../reads/plan/rows.ts';
import { roundsPageOf, voidHours } from '../reads/rounds.ts';
import { byEntityManager } from '../reads/plan/read-column.ts';
import type { Asset } from '../rules/assets.ts';
import { DomainError, refused, wholeNumberWithin } from '../rules/errors.ts';
import { addHours, HOUR, hourOf, SECOND, spacedSeconds, timeText } from '../rules/hours.ts';
import { figureOf, UNITS } from '../rules/payoffs.ts';
import { planOf } from '../rules/questions/asking.ts';
import { ARENA_POINTS_POOL, isDecided, isOver, VERTICAL_ID } from '../rules/round-states.ts';
import type { Context } from './context.ts';
import { type RoundRequest, roundRunningAt, roundStartingAfter } from './current-round.ts';
import { candlesOver } from './market-data.ts';
import { plannedField } from './planned.ts';
import type { Resolvers } from './schema-types.ts';

const MAX_SCHEDULED_HOURS = 168;

const candleFields = {
  symbol: ({ asset }: { readonly asset: Asset }) => asset,
  openUsd: <Price>({ open }: { readonly open: Price }) => open,
  highUsd: <Price>({ high }: { readonly high: Price }) => high,
  lowUsd: <Price>({ low }: { readonly low: Price }) => low,
  closeUsd: <Price>({ close }: { readonly close: Price }) => close,
};

export const roundResolvers = {
  Query: {
    currentRound: (_root, _args, context, info) =>
      roundRunningAt(context.services.clock.now(), roundRequest(context, info)),
    nextRound: (_root, _args, context, info) =>
      roundStartingAfter(context.services.clock.now(), roundRequest(context, info)),
    round: (_root, { id }, context, info) => {
      const { field, read } = plannedField(context, info);
      return read(one(roundRow(field.selected), ROUNDS.where('r.id', '=', id)));
    },
    async rounds(_root, { ended }, context, info) {
      const { field, read } = plannedField(context, info);
      const page = ended == null ? timelessPage : roundsPage(context.services.clock.now());
      return read(page(field));
    },
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
  },
  Round: {
    choices: (round) => [...round.choices],
    params: ({ subject, operator, thresholdPct, n }) => ({ subject, operator, thresholdPct: figure(thresholdPct), n }),
    startTime: (round, { format }) => timeText(round.startTime, format),
    endTime: (round, { format }) => timeText(round.endTime, format),
    timeRemainingSeconds: (round, _args, context) =>
      Math.max(0, Math.floor((round.endTime.getTime() - context.services.clock.now().getTime()) / SECOND)),
    arenaPointsPool: () => ARENA_POINTS_POOL,
    verticalId: () => VERTICAL_ID,
    difficulty: ({ difficultyMillionths }) => figureOf(difficultyMillionths, UNITS.difficulty),
    async crowd(round, _args, { loaders }) {
      if (round.status === 'upcoming') return null;
      // Decided rounds have tallies; until then the predictions are counted.
      const counts = await (isDecided(round.status)
        ? loaders.decidedCrowd.load(round.id)
        : loaders.openCrowd.load(round));
      return crowdFrom(counts, round.choices);
    },
    async crowdHistory(round, _args, { loaders }) {
      if (round.status === 'upcoming') return null;
      const counts = await (isDecided(round.status)
        ? loaders.decidedMinutes.load(round.id)
        : loaders.openCrowd.load(round));
      return crowdPoints(counts, round);
    },
    results: (round, { after }, context) => withoutResults(context, round, after),
  },
  RoundAsset: {
    symbol: ({ asset }) => asset,
    startPriceUsd: ({ open }) => figure(open),
    endPriceUsd: ({ close }) => figure(close),
    highUsd: ({ high }) => figure(high),
    lowUsd: ({ low }) => figure(low),
    returnPct: ({ returnPct }) => figure(returnPct),
    candles: async ({ asset }, { hours }, { services }) => candlesOver(services, asset, hours),
  },
  Evidence: candleFields,
  AgreedCandle: candleFields,
} satisfies Resolvers;

const roundsPage =
  (now: Date) =>
  ({ args, selected }: PlanSelection) =>
    pageOf(roundsPageOf(args, now), selected, roundRow);

/** Only `ended` compares rounds with the time. */
const timelessPage = cachedPlan(roundsPage(new Date(0)));

export function roundRequest(context: Context, info: GraphQLResolveInfo): RoundRequest {
  const { field, read } = plannedField(context, info);
  const { reconcile } = context.services;
  return { row: roundRow(field.selected), read, reconcile, readAgain: byEntityManager(context.em) };
}

const DECIDING_SECONDS = 5;

function withoutResults(
  { services: { clock } }: Pick<Context, 'services'>,
  { id, status, endTime }: RoundRow,
  after: number | null | undefined,
): never {
  if (isDecided(status)) throw refused('after', `the id of an entry of round ${id}`, after);
  const end = `${spacedSeconds(endTime)} UTC`;
  const [why, retryAfter] = isOver(status)
    ? [`it ended at ${end} and its outcome is being decided`, DECIDING_SECONDS]
    : [`it ends at ${end}`, secondsUntil(clock, endTime)];
  throw new DomainError('results_not_ready', `Round ${id} has no results yet: ${why}.`, { retryAfter });
}

function figure(decimal: string | null): number | null {
  return decimal === null ? null : Number(decimal);
}
