import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { eventSource } from '../support/event-source.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, publish, type Seen, type SeenEvent, seqs } from '../support/written-events.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ intervals: { heartbeatMs: 20 } });
});
afterAll(() => service.stop());

function isHeartbeat({ kind }: Pick<SeenEvent, 'kind'>): boolean {
  return kind === 'HEARTBEAT';
}

/** Heartbeats repeat what was last, and events follow without a gap. */
function expectInOrder(seen: readonly Pick<SeenEvent, 'seq' | 'kind'>[], before: number): void {
  let last = before;
  for (const event of seen) {
    expect(event.seq).toBe(isHeartbeat(event) ? last : last + 1);
    last = event.seq;
  }
}

test('an idle WebSocket gets heartbeats with the log’s position', async () => {
  service.clock.set('2026-01-01T12:20:00Z');
  const last = await endOfLog(service);
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: last });
  const found = await received.first(3);
  const heartbeat = { seq: last, kind: 'HEARTBEAT', at: '2026-01-01T12:20:00.000Z', roundId: null, payload: {} };
  expect(found.map(({ data }) => data?.events)).toEqual([heartbeat, heartbeat, heartbeat]);
});

test('heartbeats come in order between events, and use no seq', async () => {
  const before = await endOfLog(service);
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: before });
  for (let written = 0; written < 60; written += 3) {
    await publish(service, 3);
    await received.until((all) => all.some(({ data }) => data?.events.seq === before + written + 3));
  }
  const all = await received.until((found) => found.at(-1)?.data?.events.kind === 'HEARTBEAT');
  expectInOrder(
    all.flatMap(({ data }) => (data ? [data.events] : [])),
    before,
  );
});

test('subscribers with kinds get heartbeats too, with the position after other events', async () => {
  const before = await endOfLog(service);
  const variables = { after: before, kinds: ['LEADERBOARD_CHANGED'] };
  await using received = receive<Seen>(socketClient(service.url), EVENTS, variables);
  await publish(service, 5);
  const all = await received.until((found) => found.at(-1)?.data?.events.seq === before + 5);
  expect(new Set(all.map(({ data }) => data?.events.kind))).toEqual(new Set(['HEARTBEAT']));
});

test('server-sent events have heartbeats in order, with the seq as id', async () => {
  const before = await endOfLog(service);
  using source = eventSource(`${service.url}/api/events?after=${before}`);
  await source.first(2);
  await publish(service, 30);
  const all = await source.until(
    (found) => found.at(-1)?.kind === 'HEARTBEAT' && found.some(({ seq }) => seq === before + 30),
  );
  expectInOrder(all, before);
  expect(all.every(({ id, seq }) => id === String(seq))).toBe(true);
  expect(all.filter((event) => !isHeartbeat(event)).map(({ seq }) => seq)).toEqual(seqs(before + 1, before + 30));
});
