import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import type { KeptReferences } from '../references/kept-references.ts';
import { checkpointAt } from '../rules/forecast/forecast.ts';
import { forecastFrom, type MadeForecast, pointsNeeded } from '../rules/forecast/made.ts';
import { gridPointAt } from '../rules/grid.ts';
import { readGrounds, type StoredGrounds } from './grounds.ts';

interface RunningRound {
  readonly id: number;
  readonly startTime: Date;
  readonly choices: readonly string[];
}

/** The forecast at the last grid point before a moment. */
export interface ForecastNow extends MadeForecast {
  readonly point: number;
  readonly entries: number;
  readonly decidedUntil: Date;
}

/** The forecast of the running round, made once for all who ask at the same point. */
export type ForecastOfRunning = (round: RunningRound, now: Date) => Promise<ForecastNow>;

interface Kept {
  readonly roundId: number;
  readonly grounds: StoredGrounds;
  readonly made: ForecastNow | null;
}

interface RunningDeps {
  readonly newEm: () => SqlEntityManager;
  readonly references: KeptReferences;
}

/**
 * Reads each prediction of the running round once: ids grow in the order of commits, and agents' records stay as they are until
 * the next decision, with which all is read anew.
 */
export function runningForecasts({ newEm, references }: RunningDeps): ForecastOfRunning {
  let kept: Kept | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const make = async (round: RunningRound, now: Date): Promise<ForecastNow> => {
    const point = gridPointAt(round.startTime, now);
    const before = kept?.roundId === round.id ? kept : null;
    const grounds = await groundsAfter(newEm, { round, point, known: before?.grounds ?? null });
    const given = grounds.given.filter((one) => one.point < point);
    const made = before?.made ?? null;
    const isSame = made !== null && made.point === point && made.entries === given.length;
    if (isSame && before?.grounds.decidedUntil.getTime() === grounds.decidedUntil.getTime()) return made;
    const { choices } = round;
    const found = await references.read({ roundId: round.id, points: pointsNeeded({ given, point }), now });
    const priceAt = (at: number): readonly number[] | null => {
      const reference = found?.byPoint.get(at);
      return reference?.known === true ? reference.probabilities : null;
    };
    const forecast = forecastFrom({ choices, point, given, totals: grounds.totals, priceAt });
    const { decidedUntil } = grounds;
    const fresh = { ...forecast, point, entries: given.length, decidedUntil };
    kept = { roundId: round.id, grounds, made: forecast.unpriced.length === 0 ? fresh : null };
    return fresh;
  };
  return async (round, now) => {
    const made = last.then(
      () => withoutDeadline(() => make(round, now)),
      () => withoutDeadline(() => make(round, now)),
    );
    last = made;
    made.catch(() => {});
    return beforeDeadline(made);
  };
}

interface GroundsNeeded {
  readonly round: RunningRound;
  readonly point: number;
  readonly known: StoredGrounds | null;
}

async function groundsAfter(
  newEm: () => SqlEntityManager,
  { round, point, known }: GroundsNeeded,
): Promise<StoredGrounds> {
  const asked = { roundId: round.id, startTime: round.startTime, weightsOf: checkpointAt(point) };
  const afterId = known?.given.at(-1)?.id ?? 0;
  const more = await readGrounds(newEm(), { ...asked, afterId });
  if (known === null || afterId === 0) return more;
  if (known.decidedUntil.getTime() !== more.decidedUntil.getTime()) return readGrounds(newEm(), asked);
  return { ...more, given: more.given.length === 0 ? known.given : [...known.given, ...more.given] };
}
