import { serviceClock } from '../support/service-clock.ts';
import type { Uptime } from '../support/service-process.ts';
import type { Ask } from '../support/snapshot.ts';

const HOUR_MS = 3_600_000;

/** Real time in which a round that is over is decided, while the service answers. */
const DECIDED_WITHIN_MS = 20_000;

/** Where an hour takes less, a busy machine may fall behind: hours are then judged with `everyHour` alone. */
const HOUR_TO_KEEP_UP_WITH_MS = 5000;

/** Hours that the service answered from end to end have a round, and none that is over waits for long. */
export async function hourDifferences(
  ask: Ask,
  uptimes: readonly Uptime[],
  everyHour: boolean,
): Promise<readonly string[]> {
  const clock = await serviceClock(ask);
  if (clock === undefined) return uptimes.length === 0 ? [] : ['the platform has no row, although a service was up'];
  if (!everyHour && HOUR_MS / clock.speed < HOUR_TO_KEEP_UP_WITH_MS) return [];
  const rounds = await ask<{ id: number; start: Date; status: string }>(
    'select id, start_time as start, status from rounds',
  );
  const known = new Set(rounds.map(({ start }) => start.getTime()));
  const now = Date.now();
  const missing = uptimes
    .flatMap(({ from, to }) => hoursBetween(clock.toService(from), clock.toService(to ?? now)))
    .filter((hour) => !known.has(hour))
    .map((hour) => `hour ${new Date(hour).toISOString()}: no round, although the service was up`);
  const since = Math.min(...uptimes.flatMap(({ from, to }) => (to === null ? [from] : [])), Number.POSITIVE_INFINITY);
  const stuck = rounds
    .filter(({ status }) => ['upcoming', 'active', 'resolving'].includes(status))
    .filter(({ start }) => now - Math.max(clock.toReal(start.getTime() + HOUR_MS), since) > DECIDED_WITHIN_MS)
    .map(({ id, status }) => `round ${id}: is ${status} more than ${DECIDED_WITHIN_MS} ms after it could be decided`);
  return [...missing, ...stuck];
}

/** The beginnings of the whole hours between two instants. */
function hoursBetween(from: number, to: number): number[] {
  const first = Math.ceil(from / HOUR_MS) * HOUR_MS;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / HOUR_MS)) }, (_, index) => first + index * HOUR_MS);
}
