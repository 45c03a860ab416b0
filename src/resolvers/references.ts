import { pageSize } from '../reads/paging.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import type { ReadPoint } from '../references/reference-cache.ts';
import { ASSETS } from '../rules/assets.ts';
import { GRID_POINTS, gridPointAt, gridTime } from '../rules/grid.ts';
import { addHours, hourOf, SECOND } from '../rules/hours.ts';
import { isDecided } from '../rules/round-states.ts';
import type { Context } from './context.ts';
import type { Resolvers } from './schema-types.ts';

const POINTS = { default: 60, max: GRID_POINTS } as const;

export const referenceResolvers = {
  Round: {
    async reference(round, args, context) {
      const most = pageSize('points', args.points, POINTS);
      const now = context.services.clock.now();
      const points = isDecided(round.status) ? await storedPoints(context, round, most) : pastPoints(round, now, most);
      if (points.length === 0) return [];
      const found = await context.services.references.read({ roundId: round.id, points, now });
      return found === null ? [] : [...found.byPoint.values()];
    },
    /** The newer of the last two points with prices, which arrive after their instant. Only for an active round. */
    async latestReference({ id, startTime, status }, _args, { services: { references, clock } }) {
      const now = clock.now();
      const newest = gridPointAt(startTime, now);
      if (status !== 'active' || newest < 0) return null;
      const points = newest === 0 ? [0] : [newest, newest - 1];
      const found = await references.read({ roundId: id, points, now });
      const shown = points.flatMap((point) => found?.byPoint.get(point) ?? []);
      return shown.find(({ known }) => known) ?? shown[0] ?? null;
    },
    async referenceBasis({ id, startTime }, _args, { services: { references, clock } }) {
      const now = clock.now();
      if (startTime > now) return null;
      const found = await references.read({ roundId: id, points: [0], now });
      return found?.evidence.basis ?? null;
    },
    async quotes(round, _args, context) {
      await fillMinutes(context, round);
      const [quotes = NO_QUOTES] = await context.loaders.quotes.load(round.id);
      return quotes;
    },
  },
  /** At the moment of the submission. */
  Prediction: {
    leadSeconds: ({ submittedAt }) => (addHours(hourOf(submittedAt), 1).getTime() - submittedAt.getTime()) / SECOND,
    async reference({ roundId, submittedAt }, _args, { services: { references, clock } }) {
      const point = gridPointAt(hourOf(submittedAt), submittedAt);
      const found = await references.read({ roundId, points: [point], now: clock.now() });
      const reference = found?.byPoint.get(point);
      if (reference === undefined) throw new Error(`Round ${roundId} is missing although it was predicted`);
      return probabilitiesOf(reference);
    },
  },
  ReferencePoint: {
    at: ({ evidence, point }) => gridTime(evidence.startTime, point),
    probabilities: (reference) => probabilitiesOf(reference),
    prices: ({ evidence, quote }) =>
      quote === null
        ? []
        : evidence.assets.map((asset, index) => ({
            asset,
            priceUsd: quote.prices[index] ?? 0,
            openUsd: evidence.quotes.get(0)?.prices[index] ?? null,
            highUsd: quote.highs[index] ?? 0,
            lowUsd: quote.lows[index] ?? 0,
          })),
  },
  ReferenceBasis: {
    covariance: ({ covariance }) =>
      ASSETS.map((_, row) => covariance.slice(row * ASSETS.length, (row + 1) * ASSETS.length)),
  },
} satisfies Resolvers;

const NO_QUOTES = { points: [], prices: [], highs: [], lows: [] };

async function storedPoints(context: Context, round: RoundRow, most: number): Promise<readonly number[]> {
  await fillMinutes(context, round);
  const [{ points: stored } = NO_QUOTES] = await context.loaders.quotedPoints.load(round.id);
  return stored.length <= most ? stored : stored.filter((point) => point % stepOf(most) === 0);
}

function pastPoints({ startTime }: RoundRow, now: Date, most: number): readonly number[] {
  const step = stepOf(most);
  const count = Math.floor(gridPointAt(startTime, now) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => index * step);
}

function stepOf(most: number): number {
  return Math.ceil(GRID_POINTS / most);
}

async function fillMinutes({ services: { references, clock } }: Context, { id, status }: RoundRow): Promise<void> {
  if (status === 'resolved') await references.fillMinutes(id, clock.now());
}

function probabilitiesOf({ evidence, probabilities }: ReadPoint) {
  return evidence.question.choices.map((answer, index) => ({ answer, probability: probabilities[index] ?? 0 }));
}
