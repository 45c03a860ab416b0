import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';

import { describeWithRedis } from '../../support/redis-installed.ts';
import type { AnswerTally } from '../../faults/answer-tally.ts';
import { type ArenaUnderFault, arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { redisSite, type RedisSite } from '../../faults/redis-site.ts';
import { attempt } from '../../faults/attempt.ts';
import { recordOf } from '../../support/http.ts';

const SPEED = 1_200;
const BUDGET = 30;
/** More than a job's lock and the look for jobs that belong to nobody: 5 s and 2 s. */
const LOST_JOB_S = Number(process.env['WORKER_FROZEN_SECONDS'] ?? 8);
const KILLS = Number(process.env['REDIS_KILLS'] ?? 8);
const AWAY_S = Number(process.env['REDIS_AWAY_SECONDS'] ?? 10);

/** All that is open, also where opening the rest has failed. */
const opened = new AsyncDisposableStack();
let site: RedisSite;
let arena: ArenaUnderFault;
/** Of an agent that asks the process that counts. */
let key: string;

/** Asks as an agent until it is refused; answers how often it was not. */
async function budgetOf(during: AnswerTally): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const answer = await attempt(site.counting.url, { method: 'GET', path: '/api/me', key });
    during.take(answer);
    if (answer.status === 429) return taken;
    expect(answer.status).toBe(200);
  }
}

/** Submissions are taken as if nothing were; on a busy machine a request may wait too long and be refused. */
const unshaken = (during: AnswerTally): void => expect(during.countOf(201)).toBeGreaterThan(during.countOf(503));

describeWithRedis('two API processes and two workers on one Redis', () => {
  beforeAll(async () => {
    site = opened.use(await redisSite(SPEED));
    arena = opened.use(
      await arenaUnderFault({
        urls: site.apis.map(({ url }) => url),
        connection: async () => site.postgres.connection,
        speed: SPEED,
        seed: 13,
      }),
    );
    const body = { name: 'counted' };
    key = String(
      recordOf((await attempt(site.apis[0].url, { method: 'POST', path: '/api/agents/register', body })).body)[
        'api_key'
      ],
    );
  });

  afterAll(() => opened.disposeAsync());

  test('processes predict, count and decide without Redis, and share it again when it is back', () =>
    arena.undergo({
      name: `Redis killed (SIGKILL), back empty after ${AWAY_S} s`,
      async happen(during) {
        await site.redis.kill();
        const away = delay(1000 * AWAY_S);
        await site.decides(2);
        // Each process counts for itself, from a fresh budget.
        expect(await budgetOf(during)).toBe(BUDGET);
        await away;
        await site.redis.start();
      },
      seen: unshaken,
    }));

  test('processes continue with a restarted, empty Redis', () =>
    arena.undergo({
      name: 'Redis killed and restarted at once, empty',
      async happen() {
        await site.redis.kill();
        await site.redis.start();
        await site.decides(1);
      },
      seen: unshaken,
    }));

  test('processes continue with a Redis emptied during their work', () =>
    arena.undergo({
      name: 'Redis emptied (FLUSHALL) six times in 2 s',
      async happen() {
        for (let times = 0; times < 6; times += 1) {
          await site.redis.cli('flushall');
          await delay(350);
        }
      },
      seen: unshaken,
    }));

  test('a frozen Redis delays no client', () =>
    arena.undergo({
      name: 'Redis frozen (SIGSTOP) for 6 s',
      async happen(during) {
        site.redis.freeze();
        const over = delay(6_000);
        await budgetOf(during);
        await site.decides(1);
        await over;
        site.redis.wake();
      },
      seen: unshaken,
    }));

  test('clients get a retry time while PostgreSQL is down too, and nothing is lost', () =>
    arena.undergo({
      name: 'Redis and PostgreSQL killed (SIGKILL), both back after 3 s',
      async happen() {
        await Promise.all([site.redis.kill(), site.postgres.kill()]);
        await delay(3_000);
        await Promise.all([site.redis.start(), site.postgres.start()]);
      },
      seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
    }));

  test('a worker frozen in a resolution longer than its job’s lock does nothing twice', () =>
    arena.undergo({
      name: `a worker frozen (SIGSTOP) in a resolution for ${LOST_JOB_S} s`,
      async happen() {
        const held = await site.heldInResolution();
        held.worker.signal('SIGSTOP');
        await held.letGo();
        await delay(1000 * LOST_JOB_S);
        held.worker.signal('SIGCONT');
      },
      seen: unshaken,
    }));

  test('the remaining worker decides a killed worker’s round and the following hours', () =>
    arena.undergo({
      name: 'a worker killed (SIGKILL) in a resolution and back after the next two, then both in turns',
      async happen() {
        const held = await site.heldInResolution();
        await held.worker.end('SIGKILL');
        await held.letGo();
        await site.decides(2);
        await held.worker.start();
        for (const worker of site.workers) {
          await worker.end('SIGKILL');
          await worker.start();
        }
      },
      seen: unshaken,
    }));

  test('each round is decided once, in order and in time, despite killed workers and emptied Redis', () =>
    arena.undergo({
      name: `a worker killed (SIGKILL) in each of ${KILLS} rounds, and Redis emptied (FLUSHALL) in every second`,
      async happen() {
        const since = await site.decisions();
        for (let kills = 0; kills < KILLS; kills += 1) {
          const held = await site.heldInResolution();
          await held.worker.end('SIGKILL');
          if (kills % 2 === 1) await site.redis.cli('flushall');
          await held.letGo();
          await held.worker.start();
          await site.decides(1);
        }
        const decided = (await site.decisions()).slice(since.length);
        const late = decided.map(({ serviceSeconds }) => serviceSeconds / SPEED);
        if (process.env['PRINT_FAULTS'] !== undefined)
          process.stdout.write(
            `${decided.length} rounds decided, at most ${Math.max(...late).toFixed(1)} s after their hours\n`,
          );
        expect(decided.length).toBeGreaterThanOrEqual(KILLS);
        expect(decided.map(({ times }) => times)).toEqual(decided.map(() => 1));
        expect(decided.map(({ id }) => id)).toEqual(decided.map(({ id }) => id).toSorted((one, other) => one - other));
        expect(Math.max(...late)).toBeLessThan(60);
      },
      seen: unshaken,
    }));

  test('the remaining API process serves all clients when the other is killed', () =>
    arena.undergo({
      name: 'one of two that serve killed (SIGKILL), back after 2 s',
      async happen() {
        await site.apis[0].end('SIGKILL');
        await delay(2_000);
        await site.apis[0].start();
      },
      seen: unshaken,
    }));

  test('each outage of Redis is logged once, and its end once', () => {
    for (const process of [site.apis[1], site.counting]) {
      const output = process.output();
      const [lost, back] = [/Redis is out of reach/g, /Redis is back/g].map((text) => output.match(text)?.length ?? 0);
      // A busy machine may keep Redis silent once more.
      expect(lost).toBeGreaterThanOrEqual(4);
      expect(lost).toBeLessThanOrEqual(8);
      expect(back).toBe(lost);
      expect(output).not.toMatch(/Something failed/);
    }
  });
});
