import { Counter, Gauge, type Registry } from 'prom-client';

import type { PartStatus, QueueCounts } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { PoolUse } from '../database/timed-pool.ts';
import { ANSWERERS, type ReplicaFigures } from '../database/reads.ts';
import { REPLICA_STATES } from '../database/replica-watch.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import type { Market, SourceState } from '../market/market.ts';
import { SECOND } from '../rules/hours.ts';
import { ROUND_STATUSES } from '../rules/round-states.ts';
import { PARTS, type UnreadyParts } from './readiness.ts';
import type { RoundFigures } from './round-figures.ts';

const SOURCE_STATES: readonly SourceState[] = ['new', 'up', 'down', 'open'];

/** An observation at a scrape. Parts that failed are null, and their metrics absent. */
export interface Observation {
  readonly rounds: RoundFigures | null;
  readonly queues: Readonly<Record<string, QueueCounts>> | null;
  readonly unready: UnreadyParts;
  readonly shared: readonly PartStatus[];
  readonly pools: Readonly<Record<string, PoolUse>>;
  /** Null without a replica. */
  readonly replica: ReplicaFigures | null;
  /** Open connections of the feed, by transport. */
  readonly subscribers: Readonly<Record<string, number>>;
  readonly feed: Pick<LogFollower, 'lastSeq'> | null;
  readonly market: Pick<Market, 'status'>;
  readonly clock: Clock;
}

/** Service metrics; the returned function sets all of them. Label values come only from fixed lists. */
export function serviceMetrics(registry: Registry): (observed: Observation) => void {
  const shows = METRICS.map(({ name, help, labels, values, counts = false }) => {
    const metric = new (counts ? Counter : Gauge)({ name, help, labelNames: labels, registers: [registry] });
    return (observed: Observation): void => {
      const found = values(observed);
      if (found === null) return;
      metric.reset();
      // Without labels, a reset means 0.
      if (labels.length === 0) metric.remove();
      for (const [of, value] of found) metric.labels(...of).inc(value);
    };
  });
  return (observed) => {
    for (const show of shows) show(observed);
  };
}

type Values = readonly (readonly [of: readonly string[], value: number])[];

interface MetricRow {
  readonly name: string;
  readonly help: string;
  readonly labels: string[];
  /** True for a counter; otherwise a gauge. */
  readonly counts?: boolean;
  /** Null: unchanged. */
  readonly values: (observed: Observation) => Values | null;
}

const METRICS: readonly MetricRow[] = [
  {
    name: 'hourcast_ready',
    help: 'Whether a part of the service is ready (1) or not (0), as /readyz returns.',
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
    help: 'The longest time that a round has waited for its outcome, in real seconds; 0 when none waits.',
    labels: [],
    values: ({ rounds, clock }) =>
      rounds === null ? [] : [[[], rounds.waitingSince === null ? 0 : apart(clock, rounds.waitingSince, clock.now())]],
  },
  {
    name: 'hourcast_last_resolution_seconds',
    help: 'Real seconds from the end of the hour to the decision, for the round decided last.',
    labels: [],
    values: ({ rounds, clock }) =>
      rounds?.lastDecided == null ? [] : [[[], apart(clock, rounds.lastDecided.endTime, rounds.lastDecided.decidedAt)]],
  },
  {
    name: 'hourcast_resolution_failed_tries_total',
    help: 'Failed attempts to decide a round, over all processes: its candles were missing, or there was an error.',
    labels: [],
    counts: true,
    values: ({ rounds }) => (rounds === null ? null : [[[], rounds.failedTries]]),
  },
  {
    name: 'hourcast_predictions_total',
    help: 'Predictions accepted, over all processes.',
    labels: [],
    counts: true,
    values: ({ rounds }) => (rounds === null ? null : [[[], rounds.predictions]]),
  },
  {
    name: 'hourcast_registrations_total',
    help: 'Agents registered, over all processes; a name that is registered again after it was released does not count twice.',
    labels: [],
    counts: true,
    values: ({ rounds }) => (rounds === null ? null : [[[], rounds.registrations]]),
  },
  {
    name: 'hourcast_decisions_total',
    help: 'Decisions about rounds, over all processes: first decisions by outcome (resolved or void), and amendments (amended).',
    labels: ['kind'],
    counts: true,
    values: ({ rounds }) =>
      rounds === null ? null : Object.entries(rounds.decisions).map(([kind, count]) => [[kind], count]),
  },
  {
    name: 'hourcast_webhooks',
    help: 'Webhooks by state; active ones whose tries fail are failing.',
    labels: ['state'],
    values: ({ rounds }) =>
      rounds === null ? [] : Object.entries(rounds.webhooks).map(([state, count]) => [[state], count]),
  },
  {
    name: 'hourcast_ids_left',
    help: 'Unused ids: of predictions (53 bits), and of agents and events (31 bits).',
    labels: ['of'],
    values: ({ rounds }) => (rounds === null ? [] : Object.entries(rounds.idsLeft).map(([of, left]) => [[of], left])),
  },
  {
    name: 'hourcast_market_source_state',
    help: 'The state of a source of prices: 1 for the current state, 0 for the others.',
    labels: ['source', 'state'],
    values: ({ market }) =>
      market
        .status()
        .flatMap(({ source, state }) => SOURCE_STATES.map((one) => [[source, one], Number(one === state)] as const)),
  },
  {
    name: 'hourcast_market_source_success_age_seconds',
    help: 'Service seconds since a source of prices last answered.',
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
    name: 'hourcast_market_source_late_total',
    help: 'Attempts to decide an hour for which a source of prices that was not down had no final candle.',
    labels: ['source'],
    counts: true,
    values: ({ market }) => market.status().map(({ source, lateTries }) => [[source], lateTries]),
  },
  {
    name: 'hourcast_feed_connections',
    help: 'Open connections of the live feed, by transport.',
    labels: ['transport'],
    values: ({ subscribers }) => Object.entries(subscribers).map(([transport, count]) => [[transport], count]),
  },
  {
    name: 'hourcast_feed_last_seq',
    help: 'The seq of the newest event that this process has read.',
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
    name: 'hourcast_dependency_up',
    help: 'Whether a store that processes share, such as Redis, answers.',
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
  {
    name: 'hourcast_replica_state',
    help: 'The state of the replica at the last check: 1 for the current state, 0 for the others.',
    labels: ['state'],
    values: ({ replica }) =>
      replica === null ? [] : REPLICA_STATES.map((one) => [[one], Number(one === replica.state)] as const),
  },
  {
    name: 'hourcast_replica_reads_total',
    help: 'Reads that the replica may answer, by the server that answered.',
    labels: ['answerer'],
    counts: true,
    values: ({ replica }) =>
      replica === null ? [] : ANSWERERS.map((answerer) => [[answerer], replica.reads[answerer]] as const),
  },
  {
    name: 'hourcast_clock_steps_total',
    help: "Times that the machine's clock was found changed, by the effect on service time.",
    labels: ['result'],
    counts: true,
    values: ({ clock }) => Object.entries(clock.steps?.() ?? {}).map(([result, count]) => [[result], count]),
  },
];

/** Real seconds from one instant of service time to another. */
function apart(clock: Clock, from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / SECOND / clock.speed;
}
