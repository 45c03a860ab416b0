import { isDeepStrictEqual } from 'node:util';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from 'pg';

import { examine } from '../../src/doctor/doctor.ts';
import { TOKEN } from '../operating/admin.ts';
import { launch, type RunningService, type Settings } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';
import { expectOutagesOnce } from '../support/outages.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { describeWithRedis } from '../support/redis-installed.ts';
import { type ClientSettings, receive, socketClient } from '../support/socket-client.ts';
import { socketSubscriber, streamSubscriber } from '../support/subscriber.ts';
import { until } from '../support/poll.ts';

/** A round in four seconds. */
const FAST = { CLOCK_START: '2026-01-01T12:10:00Z', CLOCK_SPEED: '900' };

/** What the pages subscribe to, and an event's own fields. */
const DOCUMENTS = {
  plain: 'subscription { events(after: 0) { seq kind at roundId payload } }',
  rounds: `subscription ($kinds: [EventKind!]) {
    events(after: 0, kinds: $kinds) { seq kind round { id question choices startTime assets { symbol } } } }`,
  states: 'subscription { roundUpdated { id status outcome } }',
  boards: 'subscription { leaderboardUpdated(limit: 3) { period rankings { rank name } } }',
};

let closing: AsyncDisposableStack;
let database: Client;
let redis: TestRedis;
let shared: Settings;

/** A Redis and a database; what starts from here on ends with `end`. */
async function begin(): Promise<void> {
  closing = new AsyncDisposableStack();
  redis = closing.use(await startRedis());
  const { client, settings } = closing.use(await processDatabase());
  database = client;
  shared = { ...settings, REDIS_URL: redis.url };
}

const end = (): Promise<void> => closing.disposeAsync();

/** Without a database but for those that have one. */
function start(role: string, more: Settings = {}): Promise<RunningService> {
  const settings = role === 'feed' ? { REDIS_URL: redis.url, DATA_DIR: '/nowhere' } : shared;
  return launch({ ...settings, ...FAST, ...more, ROLE: role }).then((service) => closing.use(service));
}

function received(url: string, query: string, more: ClientSettings & { readonly kinds?: readonly string[] } = {}) {
  return closing.use(receive(socketClient(url, more), query, { kinds: more.kinds ?? null }));
}

/** Subscribes again after a fault of the service, as clients do: another process may answer too late on a busy machine. */
function firstHeard(url: string, query: string, more?: ClientSettings, count = 1): Promise<readonly unknown[]> {
  return until('an answer, or a refusal', () =>
    received(url, query, more)
      .first(count)
      .catch((error: unknown) => {
        if (String(error).includes('closed with 1013')) return null;
        throw error;
      }),
  );
}

describeWithRedis('a process with ROLE=feed beside one with a database', () => {
  let feed: RunningService;
  let whole: RunningService;
  beforeAll(async () => {
    await begin();
    [feed, whole] = await Promise.all([start('feed'), start('all')]);
  });
  afterAll(end);

  test('it sends what a process with a database sends, and reads none', async () => {
    const urls = [whole.url, feed.url];
    const kinds = ['ROUND_STORED'];
    const [plain, rounds] = await Promise.all(
      [DOCUMENTS.plain, DOCUMENTS.rounds].map((query, place) =>
        Promise.all(urls.map((url) => received(url, query, { kinds }).first([12, 3][place] ?? 0))),
      ),
    );
    for (const pair of [plain, rounds]) expect(pair?.[1]).toEqual(pair?.[0]);
    // Those without a place in the log begin with what is newest: one of them may begin an hour later.
    for (const [query, count] of [
      [DOCUMENTS.states, 4],
      [DOCUMENTS.boards, 1],
    ] as const) {
      await until('the same from both', async () => {
        const [one, other] = await Promise.all(urls.map((url) => firstHeard(url, query, {}, count)));
        return isDeepStrictEqual(one, other);
      });
    }
    expect((await feed.get('/readyz')).body).toEqual({ ready: true, not_ready: {} });
  });

  test('doctor finds nothing wrong with its settings, though no database is there', async () => {
    const settings = { REDIS_URL: redis.url, DATA_DIR: '/nowhere', ROLE: 'feed', ADMIN_TOKEN: TOKEN };
    for (const port of [new URL(feed.url).port, '1']) {
      const found = await examine({ ...settings, PORT: port }, () => new Date());
      expect(found.filter(({ wrong }) => wrong)).toEqual([]);
    }
  });

  test('it refuses what needs the database, and names the processes that have one', async () => {
    const named = /ROLE=api/;
    for (const query of [
      '{ health { status } }',
      'mutation { rotateKey { apiKey } }',
      '{ __schema { types { name } } }',
    ])
      await expect(firstHeard(feed.url, query)).rejects.toThrow(named);
    const own = 'subscription { roundUpdated { id predictions(first: 1) { nodes { rationale } } } }';
    await expect(firstHeard(feed.url, own, { key: 'pk_live_unread' })).rejects.toThrow(named);
    expect(await firstHeard(feed.url, own)).toMatchObject([{ data: { roundUpdated: { id: expect.any(Number) } } }]);
    const unknown = 'subscription { asked: roundUpdated(id: 4000) { id } }';
    await expect(firstHeard(feed.url, unknown)).rejects.toThrow('There is no round 4000.');
    const path = await feed.get('/api/leaderboard');
    expect(path).toMatchObject({ status: 404, body: { code: 'unknown_path', error: expect.stringMatching(named) } });
    expect(await firstHeard(feed.url, DOCUMENTS.plain, { key: 'pk_live_unread' })).toHaveLength(1);
  });

  test('its subscribers miss and double nothing while Redis is lost, emptied and back', async () => {
    await using socket = socketSubscriber('the socket', [feed.url]);
    await using stream = streamSubscriber('the stream', [feed.url]);
    await Promise.all([socket, stream].map((one) => one.reaches(8)));
    await redis.cli('flushall');
    await Promise.all([socket, stream].map((one) => one.reaches(one.last + 4)));
    await redis.kill();
    const before = await lastSeq();
    await until('events that Redis does not see', async () => (await lastSeq()) > before + 3);
    await redis.start();
    const missed = await lastSeq();
    await Promise.all([socket, stream].map((one) => one.reaches(missed + 4)));
    expect([...socket.faults, ...stream.faults]).toEqual([]);
    const ended = await Promise.all([feed.end(), whole.end()]);
    for (const { code, stderr, stdout } of ended) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expectOutagesOnce(stdout);
    }
  });
});

describeWithRedis('a process with ROLE=feed', () => {
  beforeEach(begin);
  afterEach(end);

  test('it outlives a Redis that does not answer, and returns 503 for what it cannot look up', async () => {
    const [feed, worker] = await Promise.all([start('feed'), start('all')]);
    await using socket = socketSubscriber('the socket', [feed.url]);
    await socket.reaches(8);
    const resumed = (after: number) => fetch(`${feed.url}/api/events?after=${after}`);
    redis.freeze();
    const unknown = await resumed(999_999);
    expect(unknown.status).toBe(503);
    expect(unknown.headers.get('retry-after')).toBe('2');
    expect((await unknown.json()).error).toContain('The event log cannot be read');
    await expect(received(feed.url, 'subscription { roundUpdated { id } }').first(1)).rejects.toThrow();
    const known = await resumed(3);
    expect(known.status).toBe(200);
    await known.body?.cancel();
    await until('events that it does not see', async () => (await lastSeq()) > socket.last + 3);
    redis.wake();
    await socket.reaches((await lastSeq()) + 4);
    expect((await resumed(999_999)).status).toBe(400);
    expect(socket.faults).toEqual([]);
    await redis.kill();
    for (const { code } of await Promise.all([feed.end(), worker.end()])) expect(code).toBe(0);
  });

  test('it stops without the answers that it waits for', async () => {
    const [feed, other, worker] = await Promise.all([start('feed'), start('feed'), start('worker')]);
    const ends: string[] = [];
    const asking = [feed, other].map(async ({ url }, place) => {
      await expect(received(url, DOCUMENTS.boards).first(1)).rejects.toThrow();
      ends.push(`wait ${place}`);
    });
    await until('a question of both', async () => (await redis.cli('llen', '{hourcast}:questions:wait')) === '2');
    expect(await feed.end()).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining('"error"') });
    ends.push('process 0');
    await Promise.all(asking);
    expect(ends).toEqual(['wait 0', 'process 0', 'wait 1']);
    for (const service of [other, worker]) expect((await service.end()).code).toBe(0);
  });

  test('it stops when another log begins, as after a restored backup', async () => {
    const [feed, worker] = await Promise.all([start('feed'), start('all')]);
    await worker.end();
    await database.query('update log_state set epoch = epoch + 1');
    await start('all');
    expect(await feed.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Another log has begun') });
    const next = await start('feed');
    const [oldest] = await received(next.url, DOCUMENTS.plain).first(1);
    expect(oldest).toMatchObject({ data: { events: { seq: 1 } } });
  });
});

async function lastSeq(): Promise<number> {
  const { rows } = await database.query<{ seq: number }>('select last_seq as seq from platform');
  return rows[0]?.seq ?? 0;
}
