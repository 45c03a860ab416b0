import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Client } from 'pg';

import { until } from '../support/poll.ts';
import { processDatabase } from '../support/process-database.ts';
import { expectOutagesOnce } from '../support/outages.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { describeWithRedis } from '../support/redis-installed.ts';
import { launch, type RunningService, type Settings } from '../support/process.ts';

/** A round in two seconds. */
const FAST = { CLOCK_START: '2026-01-01T12:10:00Z', CLOCK_SPEED: '1800', MARKET: 'simulated' };
const SLOW = { CLOCK_START: '2026-01-01T12:10:00Z', MARKET: 'simulated' };

let closing: AsyncDisposableStack;
let database: Client;
let redis: TestRedis;
let settings: Settings;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  ({ client: database, settings } = closing.use(await processDatabase()));
});

afterEach(async () => {
  await closing.disposeAsync();
});

async function start(more: Settings): Promise<RunningService> {
  return closing.use(await launch({ ...settings, ...more }));
}

/** Predicts in the round that runs, through `service`; false when none does yet, or the hour turned meanwhile. */
async function predict(service: RunningService, key: string): Promise<boolean> {
  const { round } = (await service.get('/api/rounds/current')).body;
  if (round === null) return false;
  const body = JSON.stringify({ round_id: round.id, prediction: round.choices[0], confidence: 60 });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const { status } = await fetch(`${service.url}/api/predictions`, { method: 'POST', headers, body });
  return status === 201;
}

async function resolutions(): Promise<readonly number[]> {
  const { rows } = await database.query<{ count: number }>(
    `select (select count(*)::int from events e where e.round_id = r.id and e.kind in ('ROUND_RESOLVED', 'ROUND_VOID'))
     from rounds r where r.status in ('resolved', 'void')`,
  );
  return rows.map(({ count }) => count);
}

describeWithRedis('processes with roles', () => {
  beforeEach(async () => {
    redis = closing.use(await startRedis());
    settings = { ...settings, REDIS_URL: redis.url };
  });

  test('processes decide rounds, accept predictions and stop in time while Redis is down', async () => {
    const early = await start({ ...FAST, ROLE: 'worker' });
    const api = await start({ ...FAST, ROLE: 'api' });
    const { api_key: key } = (await api.post('/api/agents/register', { name: 'Unshaken' })).body;
    await redis.kill();
    const late = await start({ ...FAST, ROLE: 'worker' });
    const before = (await resolutions()).length;
    await until('a prediction', () => predict(api, key));
    await until('three more decided rounds', async () => (await resolutions()).length >= before + 3);
    expect(new Set(await resolutions())).toEqual(new Set([1]));
    const began = performance.now();
    const ended = await Promise.all([early, late, api].map((service) => service.end()));
    expect(performance.now() - began).toBeLessThan(10_000);
    for (const { code, stdout, stderr } of ended) {
      expect([code, stderr]).toEqual([0, '']);
      expectOutagesOnce(stdout);
      expect(stdout).not.toContain('"level":"error"');
    }
  });
});

test('a second process without REDIS_URL gets a warning, and is not refused', async () => {
  const first = await start(SLOW);
  const second = await start(SLOW);
  expect((await second.get('/api/rounds/current')).status).toBe(200);
  const warning = /Another process runs on this database, and not both have REDIS_URL/;
  expect((await first.end()).stdout).not.toMatch(warning);
  expect((await second.end()).stdout).toMatch(warning);
});
