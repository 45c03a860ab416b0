import { beforeEach, expect, test } from '@jest/globals';

import { type ReplicaWatch, watchReplica } from '../../src/database/replica-watch.ts';

/** What the two servers return; a test changes it between two probes. */
let primary: { position: string | Error; asked: number };
let replica: { holds: boolean | Error; asked: unknown[][] };
let seq: number;
let told: string[];
let watch: ReplicaWatch;

function orThrow<Value>(said: Value | Error): Value {
  if (said instanceof Error) throw said;
  return said;
}

beforeEach(() => {
  primary = { position: '0/10', asked: 0 };
  replica = { holds: true, asked: [] };
  seq = 7;
  told = [];
  watch = watchReplica({
    async position() {
      primary.asked += 1;
      return orThrow(primary.position);
    },
    async holds(...asked) {
      replica.asked.push(asked);
      return orThrow(replica.holds);
    },
    seenSeq: () => seq,
    warn: (line) => void told.push(line),
  });
});

test('a new replica is unchecked, then checked once while nothing changes', async () => {
  expect(watch.state()).toBe('new');
  expect(await watch.isCurrent()).toBe(true);
  expect(await watch.isCurrent()).toBe(true);
  expect(watch.state()).toBe('up');
  expect(replica.asked).toEqual([['0/10', 7]]);
});

test('the replica must have the newest event of this process', async () => {
  await watch.isCurrent();
  seq = 8;
  expect(await watch.isCurrent()).toBe(true);
  expect(replica.asked.at(-1)).toEqual(['0/10', 8]);
});

test('the replica must have the primary’s position after a commit of this process', async () => {
  await watch.isCurrent();
  watch.learn();
  primary.position = '0/20';
  replica.holds = false;
  expect(await watch.isCurrent()).toBe(false);
  expect(replica.asked.at(-1)).toEqual(['0/20', 7]);
  expect(watch.state()).toBe('behind');
});

test('a commit learnt during a check is not covered by it', async () => {
  const first = watch.isCurrent();
  watch.learn();
  expect(await first).toBe(true);
  replica.holds = false;
  expect(await watch.isCurrent()).toBe(false);
});

test('concurrent readers share one check', async () => {
  await watch.isCurrent();
  watch.learn();
  const all = await Promise.all(Array.from({ length: 20 }, () => watch.isCurrent()));
  expect(new Set(all)).toEqual(new Set([true]));
  // The one that runs when the others come, and the one that they share.
  expect(primary.asked).toBeLessThanOrEqual(3);
});

test('a closed connection causes another check', async () => {
  await watch.isCurrent();
  watch.doubt();
  await watch.isCurrent();
  expect(replica.asked).toHaveLength(2);
});

test('a replica that does not answer is not used, with one log line', async () => {
  replica.holds = new Error('connect ECONNREFUSED');
  // The second comes while the first is in flight, and so is asked once more.
  expect(await Promise.all([watch.isCurrent(), watch.isCurrent()])).toEqual([false, false]);
  expect(await watch.isCurrent()).toBe(false);
  expect(watch.state()).toBe('away');
  expect(replica.asked).toHaveLength(2);
  expect(told).toEqual([expect.stringContaining('The replica of DATABASE_READ_URL does not answer')]);
});

test('a current replica is read while the primary is down', async () => {
  await watch.isCurrent();
  primary.position = new Error('connect ECONNREFUSED');
  expect(await watch.isCurrent()).toBe(true);
  watch.learn();
  expect(await watch.isCurrent()).toBe(false);
  expect(watch.state()).toBe('up');
});
