import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'graphql';

import { localBus } from '../../src/backplane/local-bus.ts';
import { type Feed, openFeed } from '../../src/feed/feed.ts';
import { type Hub, openHub } from '../../src/feed/hub.ts';
import { INTERVALS } from '../../src/feed/intervals.ts';
import { sharedOperation } from '../../src/feed/operation.ts';
import { frameHead, type SharedPayload, type Sink } from '../../src/feed/sink.ts';
import { underWay } from '../../src/under-way.ts';
import { OWN_FIELDS } from '../../src/resolvers/own-fields.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Collected, collector } from './collector.ts';
import { EVENTS, madeUpEvents, write } from './written-events.ts';

const SUBSCRIBERS = 20;
const BUS = localBus();
const SCHEMA = makeSchema();

let service: TestService;
let feed: Feed;
let hub: Hub;
/** Whose eyes each execution saw with. */
let executions: (string | null)[];
beforeEach(async () => {
  service = await startService();
  feed = await openFeed({ newEm: service.newEm, bus: BUS, report: (error) => service.reported.push(error) });
  const { clock } = service;
  hub = openHub({
    feed,
    clock,
    intervals: INTERVALS,
    countEntries: async () => null,
    work: underWay(),
    report: () => {},
  });
  executions = [];
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
}

/** Subscribes; answers the payloads that come, whose identity tells who shares them. */
function subscribe({ document = EVENTS, variables = {}, authorization }: Asking): Collected<SharedPayload> {
  const payloads = collector<SharedPayload>();
  const operation = sharedOperation(
    {
      schema: SCHEMA,
      ownFields: OWN_FIELDS,
      newContext: (viewer) => {
        executions.push(viewer);
        return { market: service.market, clock: service.clock };
      },
      formatErrors: (errors) => errors,
    },
    { document: parse(document), operationName: null, variables, authorization: authorization ?? null },
  );
  const sink: Sink = {
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
  await write(service, madeUpEvents(10));
  BUS.nudge();
  const all = many({ variables: { after: 3 } }).map(subscribe);
  await Promise.all(all.map((one) => one.first(10)));
  expect(executions).toHaveLength(10);
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
    expect(JSON.parse(String(payload?.frame(frameHead(id))))).toEqual({ id, type: 'next', payload: told });
  }
});

test('subscribers who begin at the same time share one look at the present', async () => {
  const document = 'subscription { marketUpdated { source } }';
  const all = many({ document }).map(subscribe);
  const found = await Promise.all(all.map((one) => one.first(1)));
  expect(executions).toHaveLength(1);
  expect(new Set(found.map(([payload]) => payload)).size).toBe(1);
});
