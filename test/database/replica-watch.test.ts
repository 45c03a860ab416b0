import { beforeEach, expect, test } from '@jest/globals';

import { type ReplicaWatch, watchReplica } from '../../src/database/replica-watch.ts';

/** What the two servers return; a test changes it between two probes. */
let primary: { position: string | Error; requests: number };
let replica: { holds: boolean | Error; requests: unknown[][] };
let seq: number;
let messages: string[];
let watch: ReplicaWatch;

function orThrow<Value>(answer: Value | Error): Value {
  if (answer instanceof Error) throw answer;
  return answer;
}

beforeEach(() => {
  primary = { position: '0/10', requests: 0 };
  replica = { holds: true, requests: [] };
  seq = 7;
  messages = [];
  watch = watchReplica({
    async position() {
      primary.requests += 1;
      return orThrow(primary.position);
    },
    async holds(...positions) {
      replica.requests.push(positions);
      return orThrow(replica.holds);
    },
    seenSeq: () => seq,
    warn: (line) => void messages.push(line),
  });
});

test('a new replica is unchecked, then checked once while nothing changes', async () => {
  expect(watch.state()).toBe('new');
  expect(await watch.isCurrent()).toBe(true);
  expect(await watch.isCurrent()).toBe(true);
  expect(watch.state()).toBe('up');
  expect(replica.requests).toEqual([['0/10', 7]]);
});

test('the replica must have the newest event of this process', async () => {
  await watch.isCurrent();
  seq = 8;
  expect(await watch.isCurrent()).toBe(true);
  expect(replica.requests.at(-1)).toEqual(['0/10', 8]);
});

test('the replica must have the primary’s position after a commit of this process', async () => {
  await watch.isCurrent();
  watch.learn();
  primary.position = '0/20';
  replica.holds = false;
  expect(await watch.isCurrent()).toBe(false);
  expect(replica.requests.at(-1)).toEqual(['0/20', 7]);
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
  expect(primary.requests).toBeLessThanOrEqual(3);
});

test('a closed connection causes another check', async () => {
  await watch.isCurrent();
  watch.doubt();
  await watch.isCurrent();
  expect(replica.requests).toHaveLength(2);
});

test('a replica that does not answer is not used, with one log line', async () => {
  replica.holds = new Error('connect ECONNREFUSED');
  // The second comes while the first is in flight, and so is asked once more.
  expect(await Promise.all([watch.isCurrent(), watch.isCurrent()])).toEqual([false, false]);
  expect(await watch.isCurrent()).toBe(false);
  expect(watch.state()).toBe('away');
  expect(replica.requests).toHaveLength(2);
  expect(messages).toEqual([expect.stringContaining('The replica of DATABASE_READ_URL does not answer')]);
});

test('a current replica is read while the primary is down', async () => {
  await watch.isCurrent();
  primary.position = new Error('connect ECONNREFUSED');
  expect(await watch.isCurrent()).toBe(true);
  watch.learn();
  expect(await watch.isCurrent()).toBe(false);
  expect(watch.state()).toBe('up');
});
