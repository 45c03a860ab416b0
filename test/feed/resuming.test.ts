import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { type Seeded, seeded } from '../support/seeded.ts';
import { startService, type TestService } from '../support/service.ts';
import { collector } from '../support/collector.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, madeUpEvents, type Seen, seqs, write } from '../support/written-events.ts';

const ALL = 1000;
const SUBSCRIBERS = 50;
const WRITERS = 4;
const LARGEST_TRANSACTION = 7;
const LONGEST_STAY = 600;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Writes in many transactions, some at the same time; every other one tells the feed. */
async function writeAll(random: Seeded, last: number, onCommit: (count: number) => void): Promise<void> {
  let left = last;
  const writer = async (): Promise<void> => {
    while (left > 0) {
      const count = Math.min(left, random.between(1, LARGEST_TRANSACTION));
      left -= count;
      await write(service, madeUpEvents(count));
      if (random.chance(0.5)) service.nudge();
      onCommit(count);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  service.nudge();
}

/** Joins, leaves and comes back from where it was; answers where it began and all that it saw. */
async function restless(random: Seeded, [first, last]: readonly [number, number], committed: () => number) {
  const start = random.chance(0.3) ? null : random.between(first, committed());
  const seen: number[] = [];
  let began = start;
  for (let at = start; at === null || at < last; at = seen.at(-1) ?? began) {
    await using received = receive<Seen>(socketClient(service.url), EVENTS, at === null ? {} : { after: at });
    const stay = random.between(1, LONGEST_STAY);
    const found = await received.until((all) => all.length > stay || all.at(-1)?.data?.events.seq === last);
    for (const { data } of found) {
      if (data?.events.kind === 'HEARTBEAT') began ??= data.events.seq;
      else if (data) seen.push(data.events.seq);
    }
  }
  return { began: began ?? 0, seen };
}

test.each([1, 2])('subscribers that come and go get their range without gap or duplicate (seed %p)', async (seed) => {
  const random = seeded(seed);
  const first = await endOfLog(service);
  const last = first + ALL;
  let committed = first;
  const commits = collector<number>();
  const written = writeAll(random, ALL, (count) => {
    committed += count;
    commits.add(committed);
  });
  const subscribers = Array.from({ length: SUBSCRIBERS }, async () => {
    const entrance = random.between(first, last - 1);
    await commits.until(() => committed >= entrance);
    return restless(random, [first, last], () => committed);
  });
  const outcomes = await Promise.all(subscribers);
  await written;
  for (const { began, seen } of outcomes) expect(seen).toEqual(seqs(began + 1, last));
  expect(service.reported).toEqual([]);
});
