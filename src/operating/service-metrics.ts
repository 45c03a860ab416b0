import { Gauge, type Registry } from 'prom-client';

import type { PartStatus } from '../backplane/backplane.ts';
import type { QueueCounts } from '../backplane/queue.ts';
import type { Clock } from '../clock.ts';
import type { PoolUse } from '../entities/pool-use.ts';
import type { Feed } from '../feed/feed.ts';
import type { Market, SourceState } from '../market/market.ts';
import { SECOND } from '../rules/hours.ts';
import { ROUND_STATUSES } from '../rules/round-states.ts';
import { PARTS, type Unready } from './readiness.ts';
import type { RoundFigures } from './round-figures.ts';

const SOURCE_STATES: readonly SourceState[] = ['new', 'up', 'down', 'open'];

/** What the gauges show, as it is at the moment of a scrape. What could not be found out is null, and shows nothing. */
export interface Observed {
  readonly rounds: RoundFigures | null;
  readonly queues: Readonly<Record<string, QueueCounts>> | null;
  readonly unready: Unready;
  readonly shared: readonly PartStatus[];
  readonly pools: Readonly<Record<string, PoolUse>>;
  /** Open connections of the feed, by the door that they came through. */
  readonly subscribers: Readonly<Record<string, number>>;
  readonly feed: Pick<Feed, 'lastSeq'> | null;
  readonly market: Pick<Market, 'status'>;
  readonly clock: Clock;
}

/** Gauges of the service itself; the returned function sets them all. Label values come from lists of ours alone. */
export function serviceMetrics(registry: Registry): (observed: Observed) => void {
  const shows = GAUGES.map(({ name, help, labels, values }) => {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] });
    return (observed: Observed): void => {
      gauge.reset();
      // Without labels, a reset means 0.
      if (labels.length === 0) gauge.remove();
      for (const [of, value] of values(observed)) gauge.set(Object.fromEntries(zip(labels, of)), value);
    };
  });
  return (observed) => {
    for (const show of shows) show(observed);
  };
}

type Values = readonly (readonly [of: readonly string[], value: number])[];

interface GaugeRow {
  readonly name: string;
  readonly help: string;
  readonly labels: string[];
  readonly values: (observed: Observed) => Values;
}

const GAUGES: readonly GaugeRow[] = [
  {
    name: 'hourcast_ready',
    help: 'Whether a part of the service is ready (1) or not (0), as /readyz tells.',
    labels: ['part'],
    values: ({ unready }) => PARTS.map((part) => [[part], Number(unready[part] === undefined)]),
  },
  {
    name: 'hourcast_rounds',
    help: 'Rounds by state.',
    labels: ['status'],
    values: ({ rounds }) =>
      rounds === null ? [] : ROUND_STATUSES.map((status) => [[status], rounds.byStatus[status] ?? 0]),
  },
  {
    name: 'hourcast_oldest_resolving_seconds',
    help: 'How long the round that has waited longest for its outcome has waited, in real seconds; 0 when none waits.',
    labels: [],
    values: ({ rounds, clock }) =>
      rounds === null ? [] : [[[], rounds.waitingSince === null ? 0 : apart(clock, rounds.waitingSince, clock.now())]],
  },
  {
    name: 'hourcast_last_resolution_seconds',
    help: 'From the end of the hour to the decision, in real seconds, of the round that was decided last.',
    labels: [],
    values: ({ rounds, clock }) =>
      rounds?.lastDecided == null ? [] : [[[], apart(clock, rounds.lastDecided.endTime, rounds.lastDecided.decidedAt)]],
  },
  {
    name: 'hourcast_market_source_state',
    help: 'The state of a source of prices: 1 for the one that it is in.',
    labels: ['source', 'state'],
    values: ({ market }) =>
      market
        .status()
        .flatMap(({ source, state }) => SOURCE_STATES.map((one) => [[source, one], Number(one === state)] as const)),
  },
  {
    name: 'hourcast_market_source_success_age_seconds',
    help: 'How long ago a source of prices last answered, in service seconds.',
    labels: ['source'],
    values: ({ market, clock }) =>
      market
        .status()
        .flatMap(({ source, lastSuccessAt }) =>
          lastSuccessAt === null
            ? []
            : [[[source], (clock.now().getTime() - lastSuccessAt.getTime()) / SECOND] as const],
        ),
  },
  {
    name: 'hourcast_feed_connections',
    help: 'Open connections of the live feed, by door.',
    labels: ['door'],
    values: ({ subscribers }) => Object.entries(subscribers).map(([door, count]) => [[door], count]),
  },
  {
    name: 'hourcast_feed_last_seq',
    help: 'The newest event that this process has seen.',
    labels: [],
    values: ({ feed }) => (feed === null ? [] : [[[], feed.lastSeq()]]),
  },
  {
    name: 'hourcast_queue_jobs',
    help: 'Jobs in a queue, by state, over all processes.',
    labels: ['queue', 'state'],
    values: ({ queues }) =>
      Object.entries(queues ?? {}).flatMap(([queue, counts]) =>
        Object.entries(counts).map(([state, count]) => [[queue, state], count] as const),
      ),
  },
  {
    name: 'hourcast_shared_part_up',
    help: 'Whether the store of a part that processes share answers.',
    labels: ['part', 'driver'],
    values: ({ shared }) => shared.map(({ part, driver, up }) => [[part, driver], Number(up)]),
  },
  {
    name: 'hourcast_database_connections',
    help: 'Connections of a pool: in use, idle, and callers that wait for one.',
    labels: ['pool', 'state'],
    values: ({ pools }) =>
      Object.entries(pools).flatMap(([pool, { inUse, idle, waiting }]) => [
        [[pool, 'in_use'], inUse] as const,
        [[pool, 'idle'], idle] as const,
        [[pool, 'waiting'], waiting] as const,
      ]),
  },
];

/** Real seconds from one instant of service time to another. */
function apart(clock: Clock, from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / SECOND / clock.speed;
}

function zip(labels: readonly string[], values: readonly string[]): [string, string][] {
  return labels.map((label, place) => [label, values[place] ?? '']);
}
