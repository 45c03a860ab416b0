import { afterEach, beforeEach } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { INTERVALS } from '../../src/feed/bounds.ts';
import { databaseLog, type NewEvent } from '../../src/feed/event-log.ts';
import { type LogFollower, openLogFollower } from '../../src/feed/log-follower.ts';
import type { CostBudget } from '../../src/feed/executions.ts';
import { frameHead, type SharedPayload } from '../../src/feed/frames.ts';
import { type Hub, openHub } from '../../src/feed/hub.ts';
import { sharedOperation } from '../../src/feed/operation.ts';
import type { Sink } from '../../src/feed/shared-execution.ts';
import { pendingWork } from '../../src/in-flight.ts';
import type { Read } from '../../src/database/reads.ts';
import { openCrowds } from '../../src/reads/open-crowds.ts';
import { OWN_FIELDS } from '../../src/resolvers/agents.ts';
import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { makeLoaders } from '../../src/resolvers/loaders.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { DomainError } from '../../src/rules/errors.ts';
import { type Collected, collector } from '../support/collector.ts';
import { startService, type TestService } from '../support/service.ts';
import { EVENTS, madeUpEvents, write } from '../support/written-events.ts';

interface Payment {
  readonly budget: CostBudget;
  readonly address: string;
  readonly cost: number;
}

/** How a test subscribes; unset: to the whole log, without a key. */
export interface Asking {
  readonly document?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly authorization?: string;
  readonly address?: string;
}

/** A hub on the log of a service, and what its executions were and cost. */
export interface WatchedHub {
  readonly service: TestService;
  /** Whose eyes each execution saw with. */
  readonly executions: (string | null)[];
  /** What was paid for them: which budget, whose. */
  readonly payments: readonly Payment[];
  /** Statements that executions needed. */
  readonly statements: () => number;
  /** Addresses that can pay nothing. */
  readonly poor: Set<string>;
  /** Subscribes; returns the payloads that come, whose identity tells who shares them. */
  readonly subscribe: (asking: Asking) => Collected<SharedPayload>;
  /** Writes events and tells the hub. */
  publish(events: readonly NewEvent[]): Promise<void>;
  /** Writes events, and waits until the log follower has read them: what subscribes from then on replays all of them. */
  writeSeen(events: readonly NewEvent[]): Promise<void>;
  /** Subscribes one for each asking, lets them have what there is, then writes `count` events; returns what came of them. */
  hearing(askings: readonly Asking[], count: number): Promise<readonly (readonly SharedPayload[])[]>;
  stop(): Promise<void>;
}

/** For each test of a file one of its own, on a service of its own. */
export function watchedHubs(): () => WatchedHub {
  let hub: WatchedHub;
  beforeEach(async () => {
    hub = await openWatchedHub();
  });
  afterEach(() => hub.stop());
  return () => hub;
}

async function openWatchedHub(): Promise<WatchedHub> {
  const service = await startService();
  const bus = localBus();
  const feed = await openLogFollower({
    source: databaseLog(service.newEm),
    bus,
    report: (error) => service.reported.push(error),
  });
  const seen = {
    executions: [] as (string | null)[],
    payments: [] as Payment[],
    statements: 0,
    poor: new Set<string>(),
  };
  const hub = openHub(hubDeps({ service, feed }, seen));
  const publish: WatchedHub['publish'] = async (events) => {
    await write(service, events);
    bus.nudge();
  };
  const subscribe = subscribing(service, hub, seen);
  return {
    service,
    ...seen,
    statements: () => seen.statements,
    subscribe,
    publish,
    async writeSeen(events) {
      const { promise: isSeen, resolve } = Promise.withResolvers<void>();
      const stop = feed.onEvents(() => resolve());
      await publish(events);
      await isSeen;
      stop();
    },
    async hearing(askings, count) {
      const all = askings.map(subscribe);
      await Promise.all(all.map((one) => one.first(1)));
      // Who has caught up is told by the next event.
      seen.executions.length = 0;
      const before = all.map(({ items }) => items.length);
      await publish(madeUpEvents(count));
      const found = await Promise.all(all.map((one, place) => one.first((before[place] ?? 0) + count)));
      return found.map((payloads) => payloads.slice(-count));
    },
    async stop() {
      hub.stop();
      await feed.stop();
      await service.stop();
    },
  };
}

/** What is noted while the hub runs. */
interface Noted {
  readonly executions: (string | null)[];
  readonly payments: Payment[];
  readonly poor: ReadonlySet<string>;
  statements: number;
}

function hubDeps(
  { service, feed }: { readonly service: TestService; readonly feed: LogFollower },
  { payments, poor }: Noted,
): Parameters<typeof openHub>[0] {
  return {
    log: feed,
    clock: service.clock,
    intervals: INTERVALS,
    countEntries: async () => null,
    spend: async (budget, address, cost) => {
      if (poor.has(address)) throw new DomainError('rate_limited', `${address} can pay nothing`, { retryAfter: 1 });
      payments.push({ budget, address, cost });
    },
    kept: { take: () => () => {} },
    work: pendingWork(),
    report: () => {},
  };
}

const SCHEMA = makeSchema();

function subscribing(service: TestService, hub: Hub, noted: Noted): WatchedHub['subscribe'] {
  const newContext = (viewer: string | null) => {
    noted.executions.push(viewer);
    return countingContext(service, noted);
  };
  const check = documentChecks(openDocuments(SCHEMA, costMeter(SCHEMA)));
  return ({ document = EVENTS, variables = {}, authorization = null, address = '10.0.0.1' }) => {
    const payloads = collector<SharedPayload>();
    const checked = check({ query: document, variables });
    if (!('operation' in checked)) throw checked[0];
    const deps = { ownFields: OWN_FIELDS, newContext, formatErrors: (errors: unknown) => errors };
    const operation = { ...sharedOperation(deps, checked, authorization), cost: 10 };
    const sink: Sink = {
      address,
      send: (payload) => payloads.add(payload),
      ready: async () => {},
      fail: (error) => payloads.fail(error),
    };
    hub.subscribe(sink, operation);
    return payloads;
  };
}

/** What resolvers get of an execution, whose statements are counted. */
function countingContext(service: TestService, noted: Noted) {
  const read: Read = (work) => {
    noted.statements += 1;
    return work(service.newEm());
  };
  return {
    services: { market: service.market, clock: service.clock },
    loaders: makeLoaders(read, openCrowds(service.newEm)),
  };
}

/** What a subscriber of that operation reads. */
// oxlint-disable-next-line typescript/no-explicit-any
export function messageOf(id: string, payload: SharedPayload | undefined): any {
  return JSON.parse(`${String(frameHead(id))}${String(payload?.tail)}`);
}
