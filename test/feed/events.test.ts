import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, publish, type Seen } from '../support/written-events.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const WITH_ROUNDS = `subscription ($after: Int) { events(after: $after) { seq kind at roundId round { id status } } }`;

test('a subscriber from the start gets all past events, then new ones', async () => {
  await using received = receive<Seen>(socketClient(service.url), WITH_ROUNDS, { after: 0 });
  const past = await received.first(3);
  expect(past.map(({ data }) => data?.events)).toEqual([
    { seq: 1, kind: 'ROUND_STORED', at: '2026-01-01T12:10:00.000Z', roundId: 1, round: { id: 1, status: 'active' } },
    { seq: 2, kind: 'ROUND_STORED', at: '2026-01-01T12:10:00.000Z', roundId: 2, round: { id: 2, status: 'upcoming' } },
    { seq: 3, kind: 'ROUND_OPENED', at: '2026-01-01T12:10:00.000Z', roundId: 1, round: { id: 1, status: 'active' } },
  ]);
  await service.nextHour();
  const all = await received.first(8);
  expect(all.map(({ data }) => `${data?.events.seq} ${data?.events.kind} ${data?.events.roundId}`)).toEqual([
    '1 ROUND_STORED 1',
    '2 ROUND_STORED 2',
    '3 ROUND_OPENED 1',
    '4 ROUND_CLOSED 1',
    '5 ROUND_OPENED 2',
    '6 ROUND_STORED 3',
    '7 ROUND_RESOLVED 1',
    '8 LEADERBOARD_CHANGED 1',
  ]);
});

test('a subscriber from now on first gets a heartbeat with its position', async () => {
  const last = await endOfLog(service);
  await using received = receive<Seen>(socketClient(service.url), EVENTS);
  await received.first(1);
  await publish(service, 2);
  const all = await received.first(3);
  expect(all.map(({ data }) => [data?.events.kind, data?.events.seq])).toEqual([
    ['HEARTBEAT', last],
    ['ROUND_STORED', last + 1],
    ['ROUND_OPENED', last + 2],
  ]);
});

test('a subscriber with kinds gets only those, in order, past and new', async () => {
  const kinds = ['ROUND_OPENED', 'TIER_CHANGED'];
  const before = await endOfLog(service);
  await publish(service, 10);
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: before, kinds });
  await received.first(4);
  await publish(service, 10);
  const all = await received.first(8);
  const expected = [2, 5, 7, 10, 12, 15, 17, 20].map((place) => before + place);
  expect(all.map(({ data }) => data?.events.seq)).toEqual(expected);
  expect(new Set(all.map(({ data }) => data?.events.kind))).toEqual(new Set(kinds));
});

test('a single kind outside a list is a list of one', async () => {
  const before = await endOfLog(service);
  await publish(service, 5);
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: before, kinds: 'ROUND_CLOSED' });
  expect((await received.first(1)).map(({ data }) => data?.events.seq)).toEqual([before + 3]);
});

test('the start can be the default of a variable', async () => {
  const document = 'subscription ($after: Int = 1) { events(after: $after) { seq } }';
  await using received = receive<Seen>(socketClient(service.url), document);
  expect((await received.first(2)).map(({ data }) => data?.events.seq)).toEqual([2, 3]);
});

test('the start can be a literal in the document', async () => {
  await using received = receive<Seen>(socketClient(service.url), 'subscription { events(after: 2) { seq } }');
  expect((await received.first(1)).map(({ data }) => data?.events.seq)).toEqual([3]);
});

test.each([999_999, -1])('an `after` of %p is refused with the oldest stored event', async (after) => {
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after });
  await expect(received.first(1)).rejects.toThrow(/BAD_REQUEST/);
  await expect(received.first(1)).rejects.toThrow('the oldest stored event is 1');
});
