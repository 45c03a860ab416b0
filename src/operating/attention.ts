import type { Clock } from '../clock.ts';
import { HOUR, MINUTE } from '../rules/hours.ts';
import type { Observation } from './service-metrics.ts';

export interface Alarm {
  /** As in docs/operating.md. */
  readonly alarm: string;
  readonly what: string;
}

/** The remaining ids, of agents or events, at which the alarm starts. */
const IDS_LEFT = 500_000_000;

/** The alarms of docs/operating.md that one observation shows; the others need a period. */
const ALARMS: Readonly<Record<string, (seen: Observation) => readonly string[]>> = {
  NotReady: ({ unready }) => Object.values(unready),
  RoundStuck: ({ rounds, clock }) =>
    waited(clock, rounds?.waitingSince, 10 * MINUTE) ? ['A round has waited for its outcome for over 10 minutes.'] : [],
  RoundNearlyVoid: ({ rounds, clock }) =>
    waited(clock, rounds?.waitingSince, 12 * HOUR)
      ? ['A round has waited for its outcome for over 12 hours; it is void 24 hours after its end.']
      : [],
  NoWorker: ({ queues }) =>
    Object.entries(queues ?? {}).flatMap(([name, { waiting }]) =>
      waiting > 0 ? [`${waiting} jobs of ${name} wait for a worker.`] : [],
    ),
  RedisDown: ({ shared }) =>
    shared.flatMap(({ part, driver, up }) => (up ? [] : [`The ${part} (${driver}) does not answer.`])),
  PoolExhausted: ({ pools }) =>
    Object.entries(pools).flatMap(([name, { inUse, waiting }]) =>
      // Subscriptions queue by design.
      waiting > 0 && name !== 'feed' ? [poolSentence(name, inUse, waiting)] : [],
    ),
  ReplicaUnread: ({ replica }) =>
    replica === null || replica.state === 'up' ? [] : [`The replica is ${replica.state}.`],
  IdsEnd: ({ rounds }) =>
    Object.entries(rounds?.idsLeft ?? {}).flatMap(([of, left]) =>
      left < IDS_LEFT ? [`${left} unused ids for ${of} are left.`] : [],
    ),
};

function poolSentence(name: string, inUse: number, waiting: number): string {
  const [are, wait] = [
    inUse === 1 ? 'The one connection' : `All ${inUse} connections`,
    waiting === 1 ? 'waits' : 'wait',
  ];
  return (
    `${are} to the database for ${name} ${inUse === 1 ? 'is' : 'are'} in use, and ${waiting} more ${wait} for one. For a moment that is ` +
    'normal when an hour begins; if it lasts for minutes, statements of PostgreSQL are slow, or DATABASE_CONNECTIONS is too low.'
  );
}

export function alarmsIn(seen: Observation): readonly Alarm[] {
  return Object.entries(ALARMS).flatMap(([alarm, holds]) => holds(seen).map((what) => ({ alarm, what })));
}

/** Sources that do not respond, with their last error. */
export function sourcesDown({ market }: Pick<Observation, 'market'>) {
  return market
    .status()
    .filter(({ state }) => state === 'down' || state === 'open')
    .map(({ source, state, lastSuccessAt, lastErrorAt, lastError }) => ({
      source,
      state,
      last_success_at: lastSuccessAt,
      last_error_at: lastErrorAt,
      last_error: lastError,
    }));
}

function waited(clock: Clock, since: Date | null | undefined, realMs: number): boolean {
  return since != null && clock.now().getTime() - since.getTime() > realMs * clock.speed;
}
