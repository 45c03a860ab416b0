import { expect, test } from '@jest/globals';

import { EVENTS, madeUpEvents } from '../support/written-events.ts';
import { type Asking, messageOf, watchedHubs } from './watched-hub.ts';

const SUBSCRIBERS = 20;

const hub = watchedHubs();

const many = (asking: Asking): Asking[] => Array.from({ length: SUBSCRIBERS }, () => asking);

test('subscribers of the same document share one execution and serialisation per event', async () => {
  const [first = [], ...others] = await hub().hearing(many({}), 5);
  expect(hub().executions).toHaveLength(5);
  for (const other of others) expect(other.every((payload, place) => payload === first[place])).toBe(true);
});

test('subscribers from different positions share once they are live', async () => {
  const askings = Array.from({ length: SUBSCRIBERS }, (_, place) => ({ variables: { after: place % 3 } }));
  const all = askings.map(hub().subscribe);
  await Promise.all(all.map((one, place) => one.first(3 - (place % 3))));
  hub().executions.length = 0;
  await hub().publish(madeUpEvents(4));
  const found = await Promise.all(all.map((one, place) => one.first(7 - (place % 3))));
  expect(hub().executions).toHaveLength(4);
  expect(new Set(found.map((payloads) => payloads.at(-1))).size).toBe(1);
});

test('subscribers that reconnect concurrently share their missed events', async () => {
  await hub().writeSeen(madeUpEvents(10));
  const all = many({ variables: { after: 3 } }).map(hub().subscribe);
  const [first = [], ...others] = await Promise.all(all.map((one) => one.first(10)));
  expect(hub().executions).toHaveLength(1);
  for (const other of others) expect(other.every((payload, place) => payload === first[place])).toBe(true);
});

test('subscribers with the same document in other spacing share', async () => {
  const document = EVENTS.replaceAll(/\s+/g, ' ');
  const found = await hub().hearing([{}, { document }], 1);
  expect(hub().executions).toHaveLength(1);
  expect(found[0]?.[0]).toBe(found[1]?.[0]);
});

test('subscribers with different documents or variables do not share', async () => {
  const other = 'subscription { events { seq } }';
  const askings = [{}, { document: other }, { variables: { kinds: ['ROUND_STORED'] } }];
  const found = await hub().hearing(askings, 1);
  expect(hub().executions).toHaveLength(3);
  expect(new Set(found.map(([payload]) => payload)).size).toBe(3);
});

test('a variable other than the start keeps subscribers apart', async () => {
  const document = `subscription ($n: Int!) { events(after: $n) { seq round { predictions(first: $n) { nodes { id } } } } }`;
  const found = await hub().hearing(
    [1, 2].map((n) => ({ document, variables: { n } })),
    1,
  );
  expect(hub().executions).toHaveLength(2);
  expect(found[0]?.[0]).not.toBe(found[1]?.[0]);
});

test('subscribers whose fragments differ in text or variables do not share', async () => {
  const fields = 'subscription ($on: Boolean = true) { events { seq ...Rest } } fragment Rest on Event';
  const [document, other] = [`${fields} { kind @include(if: $on) }`, `${fields} { at @include(if: $on) }`];
  const found = await hub().hearing([{ document }, { document: other }, { document, variables: { on: false } }], 1);
  expect(hub().executions).toHaveLength(3);
  expect(new Set(found.map(([payload]) => payload)).size).toBe(3);
});

test('callers with and without keys share public documents, executed without a key', async () => {
  await hub().hearing([{}, { authorization: 'Bearer one' }, { authorization: 'Bearer two' }], 1);
  expect(hub().executions).toEqual([null]);
});

test('callers with keys do not share documents with own fields', async () => {
  const document = `subscription { events(after: 2) { seq round { predictions(first: 1) { edges { node { agent { ...Own } } } } } } }
    fragment Own on Agent { name registeredAt }`;
  await hub().hearing(
    [{ document }, { document, authorization: 'Bearer one' }, { document, authorization: 'Bearer one' }],
    1,
  );
  expect(hub().executions).toHaveLength(2);
  expect(new Set(hub().executions)).toEqual(new Set(['Bearer one', null]));
});

test('a frame is the message of graphql-transport-ws for any id', async () => {
  const document = 'subscription { events { kind payload } }';
  const [[payload] = []] = await hub().hearing([{ document }], 1);
  const event = { data: { events: { kind: 'ROUND_STORED', payload: { number: 0 } } } };
  for (const id of ['a', 'b "quoted" \\ \u0000']) {
    expect(messageOf(id, payload)).toEqual({ id, type: 'next', payload: event });
  }
});

test('subscribers that start concurrently share one read of the present state', async () => {
  const document = 'subscription { marketUpdated { source } }';
  const all = many({ document }).map(hub().subscribe);
  const found = await Promise.all(all.map((one) => one.first(1)));
  expect(hub().executions).toHaveLength(1);
  expect(new Set(found.map(([payload]) => payload)).size).toBe(1);
});
