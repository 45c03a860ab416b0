import { afterEach, beforeEach, expect, test } from '@jest/globals';

import type { Bus, EventStream } from '../../src/backplane/backplane.ts';
import { localBus } from '../../src/backplane/local.ts';
import { appendEvents, checkResumable, databaseLog } from '../../src/feed/event-log.ts';
import { type LogFollower, openLogFollower } from '../../src/feed/log-follower.ts';
import { readLogHead, relayedLog, startRelay } from '../../src/feed/relayed-log.ts';
import { redisParts } from '../backplane/redis/parts.ts';
import { type Arena, openArena } from '../support/arena.ts';
import { until } from '../support/poll.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { describeWithRedis } from '../support/redis-installed.ts';

const NOON = new Date('2026-01-01T12:00:00Z');

let closing: AsyncDisposableStack;
let arena: Arena;
let redis: TestRedis;
let stream: EventStream;
/** What relays wrote to the log of the process. */
let warned: string[];
let announced: number;
let reported: unknown[];

const noting = {
  announce: () => void (announced += 1),
  warn: (message: string) => void warned.push(message),
  report: (error: unknown) => void reported.push(error),
};

/** A worker's follower and relay, until it is stopped. */
interface Worker extends AsyncDisposable {
  readonly bus: Bus;
  readonly feed: LogFollower;
}

async function worker(): Promise<Worker> {
  await using stack = new AsyncDisposableStack();
  const bus = localBus();
  const feed = await openLogFollower({ source: databaseLog(arena.newEm), bus, report: noting.report });
  stack.defer(() => feed.stop());
  const relay = await startRelay({ stream, newEm: arena.newEm, feed, ...noting });
  stack.defer(() => relay.stop());
  const kept = stack.move();
  return { bus, feed, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function append(count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({ kind: 'ROUND_STORED' as const, roundId: 1, payload: {} }));
  return arena.newEm().transactional((transaction) => appendEvents(transaction, NOON, events));
}

/** The log that a process without a database begins to follow. */
async function followed({ end } = databaseLog(arena.newEm)) {
  const heads = { changes: 0 };
  const onNewHead = (): void => void (heads.changes += 1);
  const head = await readLogHead(stream);
  const log = relayedLog({ stream, head, onNewHead, end });
  return { head, heads, ...log, seqs: async (seq: number) => (await log.after(seq, 10_000)).map((event) => event.seq) };
}

const copied = (): Promise<unknown> => until('the log is copied', async () => (await stream.head()) !== null);

describeWithRedis('the copy of the event log in Redis', () => {
  beforeEach(async () => {
    closing = new AsyncDisposableStack();
    [warned, announced, reported] = [[], 0, []];
    redis = closing.use(await startRedis());
    arena = await openArena();
    closing.defer(() => arena.close());
    const parts = await redisParts(redis.url);
    closing.defer(() => parts.close());
    if (parts.relay === null) throw new Error('Redis has no relay');
    ({ stream } = parts.relay);
  });
  afterEach(() => closing.disposeAsync());

  test('a worker copies more events than a page, then each new one, and announces only what it appends', async () => {
    await append(1_200);
    await using one = await worker();
    await copied();
    const log = await followed();
    expect(await log.bounds()).toEqual({ lastSeq: 1_200, oldestSeq: 1 });
    expect(await log.seqs(1_198)).toEqual([1_199, 1_200]);
    await until('the first announcement', () => announced > 0);
    const before = announced;
    await (await worker())[Symbol.asyncDispose]();
    await append(2);
    one.bus.nudge();
    await until('two more', async () => (await log.bounds()).lastSeq === 1_202);
    await until('the second announcement', () => announced > before);
    expect([before, announced]).toEqual([1, 2]);
    expect(reported).toEqual([]);
  });

  test('two workers copy each event once', async () => {
    await using one = await worker();
    await using other = await worker();
    await copied();
    const log = await followed();
    for (let count = 1; count <= 20; count += 1) {
      await append(3);
      for (const { bus } of [one, other]) bus.nudge();
    }
    await until('all events', async () => (await log.bounds()).lastSeq === 60);
    expect(await log.seqs(0)).toEqual(Array.from({ length: 60 }, (_, place) => place + 1));
  });

  test('a client can resume after an event that is not yet copied, and after none beyond the log', async () => {
    await append(5);
    const one = await worker();
    await copied();
    await one[Symbol.asyncDispose]();
    await append(3);
    const log = await followed();
    expect((await log.bounds()).lastSeq).toBe(5);
    await checkResumable(log, 8);
    await expect(checkResumable(log, 9)).rejects.toThrow('after must be a seq from 0 to 8,');
  });

  test('a number beyond the copy is not refused while no process with the database answers', async () => {
    await append(5);
    await using _worker = await worker();
    await copied();
    const log = await followed({ ...databaseLog(arena.newEm), end: () => Promise.reject(new Error('No answer')) });
    await checkResumable(log, 5);
    await expect(checkResumable(log, 6)).rejects.toMatchObject({ name: 'LogUnavailable' });
  });

  test('while Redis is emptied no log is read, and no number is refused', async () => {
    await append(30);
    const one = await worker();
    await copied();
    const log = await followed();
    await one[Symbol.asyncDispose]();
    await redis.cli('flushall');
    await expect(log.bounds()).rejects.toThrow('Redis has no copy of the event log');
    await expect(log.after(3, 10)).rejects.toThrow('Redis has no copy of the event log');
    await using _next = await worker();
    await copied();
    expect(await log.seqs(27)).toEqual([28, 29, 30]);
    expect(log.heads.changes).toBe(0);
  });

  test('a running worker copies the whole log again into a Redis that was emptied', async () => {
    await append(5);
    await using _worker = await worker();
    await copied();
    await redis.cli('flushall');
    await copied();
    const log = await followed();
    expect([await log.bounds(), await log.seqs(0)]).toEqual([{ lastSeq: 5, oldestSeq: 1 }, [1, 2, 3, 4, 5]]);
  });

  test('the copy loses events that the database has deleted with the next event', async () => {
    await append(5);
    await using one = await worker();
    await copied();
    const log = await followed();
    await arena.query('delete from events where seq <= 3');
    await append(1);
    one.bus.nudge();
    await until('a copy without them, and with the next', async () => {
      const { oldestSeq, lastSeq } = await log.bounds();
      return oldestSeq === 4 && lastSeq === 6;
    });
    expect(await log.seqs(0)).toEqual([4, 5, 6]);
  });

  test('a restored backup of the same log is another one: its events replace those that were copied', async () => {
    await append(5);
    const one = await worker();
    await copied();
    const log = await followed();
    await one[Symbol.asyncDispose]();
    await arena.query('update log_state set epoch = 9');
    await arena.query('update platform set last_seq = last_seq + 1000');
    await using next = await worker();
    await until('a new head', async () => (await readLogHead(stream)).epoch === 9);
    await expect(log.bounds()).rejects.toThrow('Redis has another event log');
    expect(log.heads.changes).toBe(1);
    const restored = await followed();
    expect(await restored.bounds()).toEqual({ lastSeq: 1_005, oldestSeq: 1 });
    const before = announced;
    next.bus.nudge();
    await append(1);
    next.bus.nudge();
    await until('the next event', async () => (await restored.seqs(5)).length > 0);
    await until('its announcement', () => announced > before);
    expect([await restored.seqs(5), announced - before]).toEqual([[1_006], 1]);
    expect(await redis.cli('keys', 'hourcast:events:*')).toMatch(/^hourcast:events:\S+ 9$/);
  });

  test('the head of another log is set only together with the removal of the replaced one', async () => {
    await append(5);
    const one = await worker();
    await copied();
    await one[Symbol.asyncDispose]();
    const head = await stream.head();
    await arena.query('update log_state set epoch = 9');
    await redis.cli('acl', 'setuser', 'default', '-del');
    await using _next = await worker();
    await until('a refused removal', () => reported.length > 0);
    expect(await stream.head()).toBe(head);
    await redis.cli('acl', 'setuser', 'default', '+del');
    await until('a new head', async () => (await readLogHead(stream)).epoch === 9);
    expect(await redis.cli('keys', 'hourcast:events:*')).toMatch(/^hourcast:events:\S+ 9$/);
  });

  test('an earlier log does not replace a later one, and its worker warns once', async () => {
    await append(5);
    await arena.query('update log_state set epoch = 4');
    const later = await worker();
    await copied();
    await later[Symbol.asyncDispose]();
    const head = await stream.head();
    await arena.query('update log_state set epoch = 3');
    await using earlier = await worker();
    await append(1);
    earlier.bus.nudge();
    await until('a warning', () => warned.length > 0);
    await append(1);
    earlier.bus.nudge();
    await until('it has read both', () => earlier.feed.lastSeq() === 7);
    expect(warned).toEqual([expect.stringMatching(/^Redis has the event log \S+ 4, and the database \S+ 3:/)]);
    expect(await stream.head()).toBe(head);
  });

  test('of two databases the one whose worker starts last is copied, whatever its epoch, and the other worker warns once', async () => {
    await append(5);
    await arena.query('update log_state set epoch = 2');
    await using one = await worker();
    await copied();
    const log = await followed();
    await arena.query("update log_state set origin = 'another', epoch = 1");
    await using other = await worker();
    await until('another head', async () => (await readLogHead(stream)).origin === 'another');
    await append(1);
    for (const { bus } of [one, other]) bus.nudge();
    await until('a warning', () => warned.length > 0);
    expect(warned).toEqual([expect.stringMatching(/^Redis has the event log another 1, and the database \S+ 2:/)]);
    await expect(log.after(0, 9)).rejects.toThrow('Redis has another event log');
    const present = await followed();
    await until('the sixth', async () => (await present.bounds()).lastSeq === 6);
    expect(await present.seqs(0)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('a clock that was anchored anew is no other log', async () => {
    await append(5);
    await using _one = await worker();
    await copied();
    const log = await followed();
    await arena.query("update platform set clock_real_at = clock_real_at + interval '1 s'");
    await using _other = await worker();
    const moved = log.head.clock.realAt.getTime() + 1_000;
    await until('its anchor', async () => (await readLogHead(stream)).clock.realAt.getTime() === moved);
    expect(await log.seqs(3)).toEqual([4, 5]);
    expect(log.heads.changes).toBe(0);
  });

  test('events of unknown kinds, as a newer worker writes them, are read', async () => {
    await append(1);
    await using _worker = await worker();
    await copied();
    const log = await followed();
    const [key = ''] = (await redis.cli('keys', 'hourcast:events:*')).split('\n');
    await redis.cli('xadd', key, '0-2', 'event', JSON.stringify({ kind: 'NEW', at: NOON, roundId: null, payload: {} }));
    expect(await log.after(1, 9)).toEqual([{ seq: 2, kind: 'NEW', at: NOON, roundId: null, payload: {} }]);
  });

  test('a Redis that is away is named as the cause', async () => {
    await using _worker = await worker();
    await copied();
    const log = await followed();
    await redis.kill();
    await expect(log.bounds()).rejects.toMatchObject({
      name: 'LogUnavailable',
      message: 'The event log in Redis cannot be read',
      cause: expect.any(Error),
    });
    await redis.start();
  });
});
