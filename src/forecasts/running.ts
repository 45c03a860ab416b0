import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { batcher } from '../batching.ts';
import { withoutDeadline } from '../deadline.ts';
import type { ReferenceCache } from '../references/reference-cache.ts';
import { referenceLookup } from '../references/references.ts';
import { forecastFrom, type MadeForecast, newPools, type Pools, pointsNeeded } from '../rules/forecast/made.ts';
import { joinedByPoint, type PointPredictions } from '../rules/forecast/said.ts';
import { gridPointAt } from '../rules/grid.ts';
import { type ForecastRound, readForecastInputs, type ForecastInputs } from './forecast-inputs.ts';

/** The forecast at a grid point. */
export interface PointForecast extends MadeForecast {
  readonly decidedUntil: Date;
}

/** The forecast of the running round at a past grid point; at the last one by default. */
export type ComputeForecast = (round: ForecastRound, now: Date, at?: number) => Promise<PointForecast>;

/** The predictions of the running round that are read already. */
interface CachedPools extends Pick<ForecastInputs, 'decidedUntil' | 'lastId'> {
  readonly roundId: number;
  /** All grid points before `until`. */
  readonly pools: Pools;
  readonly until: number;
  /** The predictions from that point on. */
  readonly later: readonly PointPredictions[];
}

interface ForecastRequest {
  readonly round: ForecastRound;
  readonly now: Date;
  readonly point: number;
}

/** The maximum of callers that one read serves: they share a few dozen grid points. */
const MAX_BATCH = 1_000;

interface RunningDeps {
  readonly newEm: () => SqlEntityManager;
  readonly references: ReferenceCache;
}

/**
 * Reads each prediction of the running round once: ids grow in the order of commits, and agents' records change only with a
 * decision, after which everything is read again. Requests during a read share the next one, which computes each point once.
 */
export function runningForecasts({ newEm, references }: RunningDeps): ComputeForecast {
  let kept: CachedPools | null = null;
  const make = async (
    round: ForecastRound,
    requests: readonly ForecastRequest[],
  ): Promise<ReadonlyMap<number, PointForecast>> => {
    const now = new Date(Math.max(...requests.map((one) => one.now.getTime())));
    const point = gridPointAt(round.startTime, now);
    const wanted = [...new Set(requests.map((one) => one.point))];
    const { before, inputs } = await inputsAfter(newEm, round, kept?.roundId === round.id ? kept : null);
    const all = joinedByPoint([...(before?.later ?? []), ...inputs.predictions]);
    const [added, later] = [all.filter((one) => one.point < point), all.filter((one) => one.point >= point)];
    const points = pointsNeeded(added, ...wanted);
    const referenceAtPoint = referenceLookup((await references.read({ roundId: round.id, points, now }))?.byPoint);
    const pools = before?.pools ?? newPools(round.choices);
    kept = null;
    pools.add(added, referenceAtPoint);
    const { decidedUntil, lastId, totals } = inputs;
    const rest = { choices: round.choices, pools: pools.all, totals, referenceAtPoint };
    const forecasts = wanted.map((one) => [one, { ...forecastFrom(rest, one), decidedUntil }] as const);
    // A price that was missed may still come.
    const isWhole = pools.all.every(({ known }) => known);
    kept = isWhole ? { roundId: round.id, decidedUntil, lastId, pools, until: point, later } : null;
    return new Map(forecasts);
  };
  const makeAll = async (batch: readonly ForecastRequest[]): Promise<readonly PointForecast[]> => {
    const made = new Map<number, ReadonlyMap<number, PointForecast>>();
    for (const [id, requests] of Map.groupBy(batch, ({ round }) => round.id)) {
      const [first] = requests;
      if (first !== undefined) made.set(id, await make(first.round, requests));
    }
    return batch.flatMap(({ round, point }) => made.get(round.id)?.get(point) ?? []);
  };
  const { add } = batcher<ForecastRequest, PointForecast>({
    inFlight: 1,
    max: MAX_BATCH,
    run: (batch) => withoutDeadline(() => makeAll(batch)),
  });
  return (round, now, at) => add({ round, now, point: at ?? gridPointAt(round.startTime, now) });
}

/** The predictions since `known`. After a newer decision or a late prediction for an earlier point: all of them, with `before` null. */
async function inputsAfter(
  newEm: () => SqlEntityManager,
  round: ForecastRound,
  known: CachedPools | null,
): Promise<{ readonly before: CachedPools | null; readonly inputs: ForecastInputs }> {
  if (known === null) return { before: null, inputs: await readForecastInputs(newEm(), round) };
  const more = await readForecastInputs(newEm(), round, known.lastId);
  const isSame = known.decidedUntil.getTime() === more.decidedUntil.getTime();
  const isLater = more.predictions.every(({ point }) => point >= known.until);
  if (isSame && isLater) return { before: known, inputs: more };
  return { before: null, inputs: await readForecastInputs(newEm(), round) };
}
