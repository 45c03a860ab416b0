import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { databaseLog, forgetOldEvents } from '../../src/feed/event-log.ts';
import { openLogFollower } from '../../src/feed/log-follower.ts';
import { startService, type TestService } from '../support/service.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, madeUpEvents, publish, type Seen, seqs, write } from '../support/written-events.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService({ start: '2026-01-01T12:10:00Z' });
});
afterEach(() => service.stop());

/** Writes ten events in the middle of the day. */
async function tenEvents(day: string): Promise<void> {
  service.clock.set(`${day}T12:30:00Z`);
  await publish(service, 10);
}

async function resumed(after: number, count: number): Promise<readonly (number | undefined)[]> {
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after });
  return seqsOf(await received.first(count));
}

/** The next events, as a process reads them that remembers none of the deleted ones. */
async function resumedLater(after: number): Promise<readonly number[]> {
  const log = await openLogFollower({ source: databaseLog(service.newEm), bus: localBus(), report: service.report });
  try {
    await log.checkResumable(after);
    return (await log.readAfter(after)).events.map(({ seq }) => seq);
  } finally {
    await log.stop();
  }
}

function seqsOf(seen: readonly { readonly data?: Seen | null | undefined }[]): readonly (number | undefined)[] {
  return seen.map(({ data }) => data?.events.seq);
}

test('events of the last 30 days are kept, older ones deleted, with the bound', async () => {
  await using following = receive<Seen>(socketClient(service.url), EVENTS, { after: 0 });
  await tenEvents('2026-01-01');
  await tenEvents('2026-01-15');
  await tenEvents('2026-02-01');
  // The service has read them all.
  await following.first(33);
  await forgetOldEvents(service.newEm(), service.clock.now());
  expect(await endOfLog(service)).toBe(33);
  await expect(resumedLater(12)).rejects.toThrow('the oldest stored event is 14');
  expect(await resumedLater(13)).toEqual(seqs(14, 33));
  expect(await resumed(12, 21)).toEqual(seqs(13, 33));
  const refused = await service.request('GET', '/api/events?after=34');
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('stored event is 14') } });
});

test('events deleted before a process reads them leave no gap in its replay', async () => {
  await using following = receive<Seen>(socketClient(service.url), EVENTS, { after: 0 });
  expect(seqsOf(await following.first(3))).toEqual(seqs(1, 3));
  for (const day of ['2026-01-01', '2026-02-01']) {
    service.clock.set(`${day}T12:30:00Z`);
    // Without a nudge: the process reads the log when the first ten are gone.
    await write(service, madeUpEvents(10));
  }
  await forgetOldEvents(service.newEm(), service.clock.now());
  service.nudge();
  await following.first(4);
  expect(await resumed(13, 10)).toEqual(seqs(14, 23));
});

test('the turn of an hour deletes old events', async () => {
  service.clock.set('2026-01-31T12:11:00Z');
  await service.turn();
  await expect(resumedLater(0)).rejects.toThrow('the oldest stored event is 4');
});

test('an emptied log continues with its next number', async () => {
  service.clock.set('2026-03-01T12:30:00Z');
  await forgetOldEvents(service.newEm(), service.clock.now());
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: 3 });
  await expect(resumedLater(2)).rejects.toThrow('the oldest stored event is 4');
  await publish(service, 1);
  expect(seqsOf(await received.first(1))).toEqual([4]);
});

test('a newer event with an older time leaves no gap', async () => {
  await tenEvents('2026-01-20');
  await tenEvents('2026-01-10');
  service.clock.set('2026-02-15T00:00:00Z');
  await forgetOldEvents(service.newEm(), service.clock.now());
  expect(await resumedLater(3)).toEqual(seqs(4, 23));
});
