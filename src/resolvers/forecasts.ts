import type { PointForecast } from '../forecasts/running.ts';
import type { ShownForecast } from '../forecasts/shown.ts';
import { type CheckpointRecord, type CheckpointSums, reliabilitySums } from '../reads/forecast-record.ts';
import { storedPools } from '../reads/forecasts.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import { referenceLookup } from '../references/references.ts';
import { BENCHMARK_MINUTE } from '../rules/benchmarks.ts';
import { estimate } from '../rules/breakdowns.ts';
import { refused, wholeNumberWithin } from '../rules/errors.ts';
import { CANDIDATES } from '../rules/forecast/candidates.ts';
import { type Checkpoint, checkpointPoint, CHECKPOINTS, vectorsIn } from '../rules/forecast/forecast.ts';
import { forecastFrom } from '../rules/forecast/made.ts';
import { EXPERTS } from '../rules/forecast/mixture.ts';
import { ALL_KINDS } from '../rules/forecast/record.ts';
import { reliabilityOf } from '../rules/forecast/reliability.ts';
import { GRID_MS, gridTime } from '../rules/grid.ts';
import { HOUR, MINUTE } from '../rules/hours.ts';
import { type Kind, KINDS, requestedKind } from '../rules/kinds.ts';
import { type Interval, meanInterval } from '../rules/statistics/means.ts';
import { RULES_VERSION } from '../rules/versions.ts';
import type { Period } from '../rules/windows.ts';
import type { Context } from './context.ts';
import type { Resolvers } from './schema-types.ts';

export const forecastResolvers = {
  Query: {
    async forecastRecord(_root, { period, questionType, asset }, context) {
      const kind = requestedKind(questionType, asset, 'record');
      const window = period ?? 'alltime';
      const sums = await recordSums({ kind, period: window }, context);
      let bins: ReturnType<CheckpointRecord['bins']> | undefined;
      const readBins = () =>
        (bins ??= context.services.read((em) => reliabilitySums(em, { kind: kind ?? ALL_KINDS, window })));
      return {
        rulesVersion: RULES_VERSION,
        period: window,
        checkpoints: sums.map((one) => ({ ...one, bins: readBins })),
      };
    },
  },
  Round: {
    /** Recorded at a checkpoint, else computed for active and resolved rounds; without a minute, for the present. */
    async forecast(round, { minute }, { services, loaders }) {
      const now = services.clock.now();
      if (minute == null)
        return round.status === 'active' ? computedForecast(round, await services.forecasts(round, now)) : null;
      wholeNumberWithin('minute', minute, { min: 0, max: HOUR / MINUTE - 1 });
      if (CHECKPOINTS.some((one) => one === minute))
        return (await recordedOf(round, loaders)).find(({ recorded }) => recorded.minute === minute) ?? null;
      const point = (minute * MINUTE) / GRID_MS;
      if (gridTime(round.startTime, point) > now) return null;
      if (round.status === 'active') return computedForecast(round, await services.forecasts(round, now, point));
      if (round.status !== 'resolved') return null;
      const stored = await services.read((em) => storedPools(em, round));
      if (stored === null) return null;
      const found = await services.references.read({ roundId: round.id, points: [point], now });
      const inputs = { ...stored, choices: round.choices, referenceAtPoint: referenceLookup(found?.byPoint) };
      return computedForecast(round, { ...forecastFrom(inputs, point), decidedUntil: stored.decidedUntil });
    },
    forecasts: (round, _args, { loaders }) => recordedOf(round, loaders),
    async missedForecasts({ id, startTime }, _args, { services, loaders }) {
      const recorded = (await loaders.forecasts.load(id)).map(({ minute }) => minute);
      const now = services.clock.now().getTime();
      return CHECKPOINTS.filter(
        (minute) => now > startTime.getTime() + (minute + 1) * MINUTE && !recorded.includes(minute),
      );
    },
  },
  Forecast: {
    roundId: ({ round }) => round.id,
    rulesVersion: ({ round }) => round.rulesVersion,
    minute: ({ recorded }) => recorded?.minute ?? null,
    at: ({ round, point }) => gridTime(round.startTime, point),
    recordedAt: ({ recorded }) => recorded?.recordedAt ?? null,
    known: ({ unpriced, point }) => !unpriced.includes(point),
    unpriced: ({ unpriced }) => [...unpriced],
    probabilities: (forecast) => answersOf(forecast, forecast.probabilities),
    price: (forecast) => answersOf(forecast, forecast.said[0] ?? []),
    crowd: (forecast) => (forecast.entries === 0 ? null : answersOf(forecast, forecast.said[1] ?? [])),
    priceWeight: ({ weights }) => weights[0] ?? 0,
    candidates: (forecast) =>
      CANDIDATES.map((name, index) => ({
        name,
        probabilities: answersOf(forecast, forecast.said[index + 1] ?? []),
        weight: forecast.weights[index + 1] ?? 0,
        brier: forecast.recorded?.expertBriers?.[index + 1] ?? null,
      })),
    brier: ({ recorded }) => recorded?.brier ?? null,
    priceBrier: ({ recorded }) => recorded?.expertBriers?.[0] ?? null,
  },
  ForecastRecord: {
    betterAt: (_record, _args, context) => kindsWhere(context, ({ low }) => low > 0),
    worseAt: (_record, _args, context) => kindsWhere(context, ({ high }) => high < 0),
  },
  ForecastCheckpoint: {
    brier: (sums) => meanOf(sums.brier, sums),
    priceBrier: (sums) => meanOf(sums.expertBriers[0], sums),
    crowdBrier: (sums) => meanOf(sums.expertBriers[1], sums),
    edge: ({ edge }) => estimate(edge),
    totalBrier: ({ brier }) => brier,
    totalPriceBrier: ({ expertBriers }) => expertBriers[0] ?? 0,
    bestCandidate: ({ rounds, expertBriers }) => {
      const [, ...candidates] = expertBriers;
      return rounds === 0 ? null : (EXPERTS[1 + candidates.indexOf(Math.min(...candidates))] ?? null);
    },
    calibration: async ({ bins, minute }) => reliabilityOf(await bins(), minute),
  },
} satisfies Resolvers;

function computedForecast(round: RoundRow, forecast: PointForecast): ShownForecast {
  return { ...forecast, round, recorded: null };
}

export function checkpointAt(minute: number): Checkpoint {
  const found = CHECKPOINTS.find((one) => one === minute);
  if (found === undefined) throw refused('minute', `one of ${CHECKPOINTS.join(', ')}`, minute);
  return found;
}

async function recordedOf(round: RoundRow, loaders: Context['loaders']) {
  return (await loaders.forecasts.load(round.id)).map((recorded) => ({
    ...recorded,
    round,
    recorded,
    point: checkpointPoint(recorded.minute),
    said: vectorsIn(recorded.said, round.choices.length),
  }));
}

function answersOf({ round: { choices } }: ShownForecast, vector: readonly number[]) {
  return choices.map((answer, index) => ({ answer, probability: vector[index] ?? 0 }));
}

/** The sums of a kind's rounds; without a kind, of all rounds. */
export async function recordSums(
  { kind, period: window }: { readonly kind: Kind | null; readonly period: Period },
  { loaders }: Context,
): Promise<readonly CheckpointSums[]> {
  const of = kind ?? ALL_KINDS;
  return window === 'alltime' ? loaders.forecastRecord.load(of) : loaders.windowRecord.load({ kind: of, window });
}

async function kindsWhere({ loaders }: Context, isIt: (interval: Interval) => boolean): Promise<readonly Kind[]> {
  const records = await Promise.all(KINDS.map((kind) => loaders.forecastRecord.load(kind)));
  return KINDS.filter((_, place) => {
    const judged = records[place]?.find(({ minute }) => minute === BENCHMARK_MINUTE);
    const interval = judged && meanInterval(judged.edge);
    return interval != null && isIt(interval);
  });
}

export function meanOf(sum: number | undefined, { rounds }: Pick<CheckpointSums, 'rounds'>): number | null {
  return rounds === 0 || sum === undefined ? null : sum / rounds;
}
