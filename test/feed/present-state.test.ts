import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { MINUTE } from '../../src/rules/hours.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { predict, register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Received, receive, socketClient } from '../support/socket-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ intervals: { entriesMs: 10, marketMs: 10 }, adminToken: TOKEN });
});
afterAll(() => service.stop());

/** The id of the round that is being played. */
const playing = async (): Promise<number> => (await currentRound(service)).id;

interface RoundSeen extends Record<string, unknown> {
  readonly roundUpdated: { readonly id: number; readonly status: string; readonly totalEntries: number };
}

const ROUND = 'subscription ($id: Int) { roundUpdated(id: $id) { id status totalEntries outcome } }';

function rounds(variables: Record<string, unknown> = {}): Received<RoundSeen> {
  return receive<RoundSeen>(socketClient(service.url), ROUND, variables);
}

async function enter(name: string): Promise<void> {
  expect(await predict(service, await register(service, name))).toMatchObject({ status: 201 });
}

test('the board comes at once, and again when it changes', async () => {
  await enter('somebody');
  const document =
    'subscription ($limit: Int) { leaderboardUpdated(limit: $limit) { period updatedAt rankings { name } } }';
  await using received = receive(socketClient(service.url), document, { limit: 5 });
  await received.first(1);
  await service.nextHour();
  const all = await received.first(2);
  expect(all.map(({ data }) => data?.['leaderboardUpdated'])).toEqual([
    { period: 'weekly', updatedAt: '2026-01-01T12:10:00.000Z', rankings: [] },
    { period: 'weekly', updatedAt: '2026-01-01T13:10:00.000Z', rankings: [{ name: 'somebody' }] },
  ]);
});

test('roundUpdated has the present state first, then each transition', async () => {
  const id = await playing();
  await using received = rounds();
  await received.first(1);
  await service.nextHour();
  await service.nextHour();
  const all = await received.first(9);
  expect(all.map(({ data }) => `${data?.roundUpdated.id} ${data?.roundUpdated.status}`)).toEqual([
    `${id} active`,
    `${id} resolving`,
    `${id + 1} active`,
    `${id + 2} upcoming`,
    `${id} resolved`,
    `${id + 1} resolving`,
    `${id + 2} active`,
    `${id + 3} upcoming`,
    `${id + 1} resolved`,
  ]);
});

test('a subscription to one round has only that one, with its outcome at the end', async () => {
  const id = (await playing()) + 1;
  await using received = rounds({ id });
  await received.first(1);
  await service.nextHour();
  await service.nextHour();
  const all = await received.first(4);
  expect(all.map(({ data }) => data?.roundUpdated)).toEqual([
    { id, status: 'upcoming', totalEntries: 0, outcome: null },
    { id, status: 'active', totalEntries: 0, outcome: null },
    { id, status: 'resolving', totalEntries: 0, outcome: null },
    { id, status: 'resolved', totalEntries: 0, outcome: expect.any(String) },
  ]);
});

test('the round can be the default of a variable', async () => {
  const id = (await playing()) + 1;
  const document = `subscription ($id: Int = ${id}) { roundUpdated(id: $id) { id status } }`;
  await using received = receive<RoundSeen>(socketClient(service.url), document);
  await received.first(1);
  await service.nextHour();
  const all = await received.first(2);
  expect(all.map(({ data }) => `${data?.roundUpdated.id} ${data?.roundUpdated.status}`)).toEqual([
    `${id} upcoming`,
    `${id} active`,
  ]);
});

test('predictions change the count of entries, also the first', async () => {
  await service.nextHour();
  await using received = rounds({ id: await playing() });
  await received.first(1);
  await enter('first');
  await received.first(2);
  await enter('second');
  const all = await received.first(3);
  expect(all.map(({ data }) => data?.roundUpdated.totalEntries)).toEqual([0, 1, 2]);
});

test('entries are counted anew in each round, and only changes are sent', async () => {
  for (const name of ['of-one-hour', 'of-another-hour']) {
    await service.nextHour();
    await using received = rounds({ id: await playing() });
    await received.first(1);
    await enter(name);
    const all = await received.first(2);
    expect(all.map(({ data }) => data?.roundUpdated.totalEntries)).toEqual([0, 1]);
  }
});

test('subscribers that join at the turn of a round never see it go back', async () => {
  const order = ['upcoming', 'active', 'resolving', 'resolved'];
  const first = await playing();
  const received: Received<RoundSeen>[] = [];
  for (let hour = 0; hour < 6; hour += 1) {
    const turning = service.nextHour();
    received.push(...Array.from({ length: 5 }, () => rounds({ id: first + hour })));
    await turning;
  }
  await service.nextHour();
  for (const one of received) {
    const all = await one.until((found) => found.at(-1)?.data?.roundUpdated.status === 'resolved');
    const places = all.map(({ data }) => order.indexOf(data?.roundUpdated.status ?? ''));
    expect(places).toEqual([...new Set(places)].toSorted((left, right) => left - right));
  }
  await Promise.all(received.map((one) => one[Symbol.asyncDispose]()));
});

test('after the running round was voided, roundUpdated begins with the next change', async () => {
  await service.nextHour();
  const id = await playing();
  expect(await act(service, 'void', id)).toMatchObject({ status: 200 });
  const client = socketClient(service.url);
  await using joined = receive<RoundSeen>(client, ROUND);
  await using prices = receive(client, 'subscription { marketUpdated { source } }');
  await prices.first(2);
  await service.nextHour();
  const all = await joined.first(1);
  expect(all.map(({ data }) => `${data?.roundUpdated.id} ${data?.roundUpdated.status}`)).toEqual([`${id + 1} active`]);
});

test('an unknown round is NOT_FOUND', async () => {
  await using received = rounds({ id: 999 });
  await expect(received.first(1)).rejects.toThrow(/There is no round 999.*NOT_FOUND/);
});

test('prices come at once, and again with time', async () => {
  const document = 'subscription { marketUpdated { timestamp source } }';
  await using received = receive(socketClient(service.url), document);
  await received.first(2);
  const before = service.clock.now();
  const after = new Date(before.getTime() + MINUTE);
  service.clock.set(after);
  const all = await received.until((found) => JSON.stringify(found.at(-1)).includes(after.toISOString()));
  expect(all[0]?.data).toEqual({ marketUpdated: { timestamp: before.toISOString(), source: 'scripted' } });
});

test.each([
  ['a word for a number', ROUND, { id: 'one' }],
  ['a number that no round can have', ROUND, { id: 2 ** 31 }],
  ['an unknown window', 'subscription ($p: Period) { leaderboardUpdated(period: $p) { period } }', { p: 'hourly' }],
  ['too long a board', 'subscription { leaderboardUpdated(limit: 101) { period } }', {}],
  ['a word for a seq', 'subscription ($after: Int) { events(after: $after) { seq } }', { after: 'one' }],
  ['an unknown kind', 'subscription ($kinds: [EventKind!]) { events(kinds: $kinds) { seq } }', { kinds: ['NOTHING'] }],
  ['a missing variable', 'subscription ($id: Int!) { roundUpdated(id: $id) { id } }', {}],
])('%s is BAD_REQUEST before any message', async (_what, document, variables) => {
  await using received = receive(socketClient(service.url), document, variables);
  await expect(received.first(1)).rejects.toThrow(/BAD_REQUEST/);
  expect(service.reported).toEqual([]);
});
