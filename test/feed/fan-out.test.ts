import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'graphql';

import { localBus } from '../../src/backplane/local.ts';
import { type LogFollower, openLogFollower } from '../../src/feed/log-follower.ts';
import type { NewEvent } from '../../src/feed/event-log.ts';
import { type Hub, openHub } from '../../src/feed/hub.ts';
import { INTERVALS } from '../../src/feed/bounds.ts';
import { sharedOperation } from '../../src/feed/operation.ts';
import type { CostBudget } from '../../src/feed/executions.ts';
import { frameHead, type SharedPayload } from '../../src/feed/frames.ts';
import type { Sink } from '../../src/feed/shared-execution.ts';
import { pendingWork } from '../../src/in-flight.ts';
import { makeLoaders } from '../../src/resolvers/loaders.ts';
import { openCrowds } from '../../src/reads/crowd.ts';
import { OWN_FIELDS } from '../../src/resolvers/agents.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { DomainError } from '../../src/rules/errors.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Collected, collector } from '../support/collector.ts';
import { endOfLog, EVENTS, madeUpEvents, write } from '../support/written-events.ts';

const SUBSCRIBERS = 20;
const BUS = localBus();
const SCHEMA = makeSchema();

let service: TestService;
let feed: LogFollower;
let hub: Hub;
/** Whose eyes each execution saw with. */
let executions: (string | null)[];
/** What was paid for them: which budget, whose. */
let payments: { readonly budget: CostBudget; readonly address: string; readonly cost: number }[];
/** Statements that executions needed. */
let statements: number;
/** Addresses that can pay nothing. */
let poor: Set<string>;
beforeEach(async () => {
  service = await startService();
  feed = await openLogFollower({ newEm: service.newEm, bus: BUS, report: (error) => service.reported.push(error) });
  const { clock } = service;
  hub = openHub({
    log: feed,
    clock,
    intervals: INTERVALS,
    countEntries: async () => null,
    spend: async (budget, address, cost) => {
      if (poor.has(address)) throw new DomainError('RATE_LIMITED', `${address} can pay nothing`, { retryAfter: 1 });
      payments.push({ budget, address, cost });
    },
    work: pendingWork(),
    report: () => {},
  });
  executions = [];
  payments = [];
  statements = 0;
  poor = new Set();
});
afterEach(async () => {
  hub.stop();
  await feed.stop();
  await service.stop();
});

interface Asking {
  readonly document?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly authorization?: string;
  readonly address?: string;
}

/** Subscribes; answers the payloads that come, whose identity tells who shares them. */
function subscribe({
  document = EVENTS,
  variables = {},
  authorization,
  address = '10.0.0.1',
}: Asking): Collected<SharedPayload> {
  const payloads = collector<SharedPayload>();
  const operation = sharedOperation(
    {
      schema: SCHEMA,
      ownFields: OWN_FIELDS,
      newContext: (viewer) => {
        executions.push(viewer);
        const em = service.newEm();
        const find = em.find.bind(em);
        em.find = (...asked) => {
          statements += 1;
          return find(...asked);
        };
        return {
          market: service.market,
          clock: service.clock,
          loaders: makeLoaders((work) => work(em), openCrowds(service.newEm)),
        };
      },
      formatErrors: (errors) => errors,
      costOf: () => 10,
    },
    { document: parse(document), operationName: null, variables, authorization: authorization ?? null },
  );
  const sink: Sink = {
    address,
    send: (payload) => payloads.add(payload),
    ready: async () => {},
    fail: (error) => payloads.fail(error),
  };
  hub.subscribe(sink, operation);
  return payloads;
}

/** Subscribes one for each asking, lets them have what there is, then writes `count` events; answers what came of them. */
async function hearing(askings: readonly Asking[], count: number): Promise<readonly (readonly SharedPayload[])[]> {
  const all = askings.map(subscribe);
  await Promise.all(all.map((one) => one.first(1)));
  // Who has caught up is told by the next event.
  executions.length = 0;
  const before = all.map(({ items }) => items.length);
  await write(service, madeUpEvents(count));
  BUS.nudge();
  const found = await Promise.all(all.map((one, place) => one.first((before[place] ?? 0) + count)));
  return found.map((payloads) => payloads.slice(-count));
}

/** Writes events, and waits until the log follower has read them: what subscribes from then on replays all of them. */
async function writeSeen(events: readonly NewEvent[]): Promise<void> {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const stop = feed.onEvents(() => resolve());
  await write(service, events);
  BUS.nudge();
  await seen;
  stop();
}

/** What a subscriber of that operation reads. */
// oxlint-disable-next-line typescript/no-explicit-any
function messageOf(id: string, payload: SharedPayload | undefined): any {
  return JSON.parse(`${String(frameHead(id))}${String(payload?.tail)}`);
}

const many = (asking: Asking): Asking[] => Array.from({ length: SUBSCRIBERS }, () => asking);

test('subscribers of the same document share one execution and one serialisation an event', async () => {
  const [first = [], ...others] = await hearing(many({}), 5);
  expect(executions).toHaveLength(5);
  for (const other of others) expect(other.every((payload, place) => payload === first[place])).toBe(true);
});

test('subscribers who began at different places share once they are live', async () => {
  const askings = Array.from({ length: SUBSCRIBERS }, (_, place) => ({ variables: { after: place % 3 } }));
  const all = askings.map(subscribe);
  await Promise.all(all.map((one, place) => one.first(3 - (place % 3))));
  executions.length = 0;
  await write(service, madeUpEvents(4));
  BUS.nudge();
  const found = await Promise.all(all.map((one, place) => one.first(7 - (place % 3))));
  expect(executions).toHaveLength(4);
  expect(new Set(found.map((payloads) => payloads.at(-1))).size).toBe(1);
});

test('subscribers who come back at the same time share what they have missed', async () => {
  await writeSeen(madeUpEvents(10));
  const all = many({ variables: { after: 3 } }).map(subscribe);
  const [first = [], ...others] = await Promise.all(all.map((one) => one.first(10)));
  expect(executions).toHaveLength(1);
  for (const other of others) expect(other.every((payload, place) => payload === first[place])).toBe(true);
});

test('those who write the same document in another way share', async () => {
  const document = EVENTS.replaceAll(/\s+/g, ' ');
  const found = await hearing([{}, { document }], 1);
  expect(executions).toHaveLength(1);
  expect(found[0]?.[0]).toBe(found[1]?.[0]);
});

test('different documents, and different variables, do not share', async () => {
  const other = 'subscription { events { seq } }';
  const askings = [{}, { document: other }, { variables: { kinds: ['ROUND_STORED'] } }];
  const found = await hearing(askings, 1);
  expect(executions).toHaveLength(3);
  expect(new Set(found.map(([payload]) => payload)).size).toBe(3);
});

test('a variable that says more than where to begin keeps subscribers apart', async () => {
  const document = `subscription ($n: Int!) { events(after: $n) { seq round { predictions(first: $n) { totalCount } } } }`;
  const found = await hearing(
    [1, 2].map((n) => ({ document, variables: { n } })),
    1,
  );
  expect(executions).toHaveLength(2);
  expect(found[0]?.[0]).not.toBe(found[1]?.[0]);
});

test('callers with and without keys share what is everybody’s, seen with nobody’s eyes', async () => {
  await hearing([{}, { authorization: 'Bearer one' }, { authorization: 'Bearer two' }], 1);
  expect(executions).toEqual([null]);
});

test('callers with keys do not share a document that asks for what is one’s own', async () => {
  const document = `subscription { events(after: 2) { seq round { predictions(first: 1) { edges { node { agent { ...Own } } } } } } }
    fragment Own on Agent { name registeredAt }`;
  await hearing(
    [{ document }, { document, authorization: 'Bearer one' }, { document, authorization: 'Bearer one' }],
    1,
  );
  expect(executions).toHaveLength(2);
  expect(new Set(executions)).toEqual(new Set(['Bearer one', null]));
});

test('a frame is the message of graphql-transport-ws, whatever the id', async () => {
  const document = 'subscription { events { kind payload } }';
  const [[payload] = []] = await hearing([{ document }], 1);
  const told = { data: { events: { kind: 'ROUND_STORED', payload: { number: 0 } } } };
  for (const id of ['a', 'b "quoted" \\ \u0000']) {
    expect(messageOf(id, payload)).toEqual({ id, type: 'next', payload: told });
  }
});

test('subscribers who begin at the same time share one look at the present', async () => {
  const document = 'subscription { marketUpdated { source } }';
  const all = many({ document }).map(subscribe);
  const found = await Promise.all(all.map((one) => one.first(1)));
  expect(executions).toHaveLength(1);
  expect(new Set(found.map(([payload]) => payload)).size).toBe(1);
});

test('what all are told live is paid once an event, by their addresses in turn', async () => {
  await hearing(
    Array.from({ length: 4 }, (_, place) => ({ address: `10.0.0.${place % 2}` })),
    6,
  );
  const updates = payments.filter(({ budget }) => budget === 'subscriptionUpdates');
  expect(updates.map(({ cost }) => cost)).toEqual(Array.from({ length: 6 }, () => 10));
  const byAddress = [...Map.groupBy(updates, ({ address }) => address).values()];
  expect(byAddress.map(({ length }) => length)).toEqual([3, 3]);
});

test('an address that can pay nothing is told with the others as long as one of them can', async () => {
  const all = ['10.0.0.1', '10.0.0.2'].map((address) => subscribe({ address }));
  await Promise.all(all.map((one) => one.first(1)));
  poor.add('10.0.0.1');
  await write(service, madeUpEvents(4));
  BUS.nudge();
  await Promise.all(all.map((one) => one.first(5)));
  poor.add('10.0.0.2');
  await write(service, madeUpEvents(1));
  BUS.nudge();
  for (const one of all) await expect(one.first(6)).rejects.toThrow('can pay nothing');
});

test('who asks at the same time as one that can pay nothing is told at its own expense', async () => {
  await writeSeen(madeUpEvents(10));
  poor.add('10.0.0.1');
  const asking = { variables: { after: 0 } };
  const [refused, told] = [
    subscribe({ ...asking, address: '10.0.0.1' }),
    subscribe({ ...asking, address: '10.0.0.2' }),
  ];
  await expect(refused?.first(1)).rejects.toThrow('can pay nothing');
  await told?.first(10);
});

test('a replay loads what its events ask for together', async () => {
  await writeSeen(madeUpEvents(10));
  const told = subscribe({ variables: { after: 0 } });
  const all = await endOfLog(service);
  await told.first(all);
  expect(executions).toHaveLength(1);
  expect(payments).toEqual([{ budget: 'subscriptionReplays', address: '10.0.0.1', cost: 10 * all }]);
});

test('a replay asks for the rounds of all its events in one statement, and for plain events in none', async () => {
  const roundId = 1;
  await writeSeen(madeUpEvents(50).map((event) => ({ ...event, roundId })));
  const all = await endOfLog(service);
  const plain = subscribe({ variables: { after: 0 } });
  await plain.first(all);
  expect(statements).toBe(0);
  const nested = subscribe({ document: 'subscription { events(after: 0) { seq round { id status } } }' });
  const payloads = await nested.first(all);
  expect(statements).toBe(1);
  expect(messageOf('1', payloads.at(-1)).payload.data.events).toEqual({
    seq: all,
    round: { id: roundId, status: 'active' },
  });
});
