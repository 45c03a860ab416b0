import { beforeEach, expect, test } from '@jest/globals';

import { type ReplicaWatch, watchReplica } from '../../src/database/replica-watch.ts';

/** What the two servers say; a test changes it between two questions. */
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
    tell: (line) => void told.push(line),
  });
});

test('a replica is new until it was asked, and asked once while nothing changes', async () => {
  expect(watch.state()).toBe('new');
  expect(await watch.isCurrent()).toBe(true);
  expect(await watch.isCurrent()).toBe(true);
  expect(watch.state()).toBe('up');
  expect(replica.asked).toEqual([['0/10', 7]]);
});

test('it is held to the newest event that this process has seen', async () => {
  await watch.isCurrent();
  seq = 8;
  expect(await watch.isCurrent()).toBe(true);
  expect(replica.asked.at(-1)).toEqual(['0/10', 8]);
});

test('it is held to where the primary stands after a commit that the process has learnt of', async () => {
  await watch.isCurrent();
  watch.learn();
  primary.position = '0/20';
  replica.holds = false;
  expect(await watch.isCurrent()).toBe(false);
  expect(replica.asked.at(-1)).toEqual(['0/20', 7]);
  expect(watch.state()).toBe('behind');
});

test('a commit that is learnt of during a check is not covered by it', async () => {
  const first = watch.isCurrent();
  watch.learn();
  expect(await first).toBe(true);
  replica.holds = false;
  expect(await watch.isCurrent()).toBe(false);
});

test('readers at the same moment share one check', async () => {
  await watch.isCurrent();
  watch.learn();
  const all = await Promise.all(Array.from({ length: 20 }, () => watch.isCurrent()));
  expect(new Set(all)).toEqual(new Set([true]));
  // The one that runs when the others come, and the one that they share.
  expect(primary.asked).toBeLessThanOrEqual(3);
});

test('where a connection has ended it is asked anew', async () => {
  await watch.isCurrent();
  watch.doubt();
  await watch.isCurrent();
  expect(replica.asked).toHaveLength(2);
});

test('one that does not answer is left alone, and told once', async () => {
  replica.holds = new Error('connect ECONNREFUSED');
  // The second comes while the first is in flight, and so is asked once more.
  expect(await Promise.all([watch.isCurrent(), watch.isCurrent()])).toEqual([false, false]);
  expect(await watch.isCurrent()).toBe(false);
  expect(watch.state()).toBe('away');
  expect(replica.asked).toHaveLength(2);
  expect(told).toEqual([expect.stringContaining('The replica of DATABASE_READ_URL does not answer')]);
});

test('one that holds all that was seen is read while the primary is away', async () => {
  await watch.isCurrent();
  primary.position = new Error('connect ECONNREFUSED');
  expect(await watch.isCurrent()).toBe(true);
  watch.learn();
  expect(await watch.isCurrent()).toBe(false);
  expect(watch.state()).toBe('up');
});
