import { get } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { DAY } from '../../src/rules/hours.ts';
import { predict, register } from '../support/agents.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { pathWith } from '../support/spec-endpoints.ts';

const KEPT = ENDPOINTS.filter(({ cached }) => cached?.for === 'everybody').map(({ path }) => pathWith({ path }));

/** One that keeps answers, and one that makes each anew. */
let keeping: TestService;
let fresh: TestService;
let seen = 0;

beforeAll(async () => {
  const same = { logLevel: 'debug', rateLimits: true, trustProxy: true };
  keeping = await startService({ ...same, keeping: { ms: DAY } });
  fresh = await startService({ ...same, keeping: { bytes: 0 } });
  for (const service of [keeping, fresh]) {
    await predict(service, await register(service, 'player'));
    await service.nextHour();
  }
});
beforeEach(() => {
  seen = keeping.logged.length;
});
afterAll(async () => {
  await endQuietly(keeping);
  await endQuietly(fresh);
});

/** Each test asks from an address of its own, so that budgets are whole. */
let addresses = 0;
const newAddress = (): string => `10.0.0.${(addresses += 1)}`;

/** The same question twice of the one, so that the second is answered from what the first has left; and once of the other. */
async function bothWays(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const options = { headers: { 'x-forwarded-for': newAddress(), 'x-request-id': 'asked', ...headers } };
  await keeping.request('GET', path, { headers: { 'x-forwarded-for': newAddress() } });
  return [await keeping.request(method, path, options), await fresh.request(method, path, options)] as const;
}

/** Everything but when it was sent. */
function whole({ status, body, headers }: Answer) {
  return { status, body, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')) };
}

describe.each(KEPT)('cached answer of %s', (path) => {
  test.each(['GET', 'HEAD'])(
    'a cached answer to %s has the status, headers and bytes of a fresh one',
    async (method) => {
      const [kept, anew] = await bothWays(method, path);
      expect(whole(kept)).toEqual(whole(anew));
      expect(kept.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    },
  );

  test('a cached answer returns 304 for every condition like a fresh one', async () => {
    const { headers } = await fresh.request('GET', path, { headers: { 'x-forwarded-for': newAddress() } });
    const etag = headers.get('etag') ?? '';
    for (const condition of [etag, etag.slice(2), `"x", ${etag}`, '*', 'W/"5-other"', '"other"', 'broken', '']) {
      // fetch itself asks past every cache otherwise.
      const conditions = { 'if-none-match': condition, 'cache-control': 'max-age=0' };
      const [kept, anew] = await bothWays('GET', path, conditions);
      expect({ condition, ...whole(kept) }).toEqual({ condition, ...whole(anew) });
    }
  });
});

test('a cached answer returns 304 also without Cache-Control', async () => {
  const { headers } = await keeping.request('GET', '/api/leaderboard');
  const statuses = await Promise.all(
    [headers.get('etag') ?? '', 'W/"5-other"'].map((etag) => rawStatus(keeping, '/api/leaderboard', etag)),
  );
  expect(statuses).toEqual([304, 200]);
});

/** With no header that the caller has not asked for. */
async function rawStatus(service: TestService, path: string, etag: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  get(service.url + path, { headers: { 'if-none-match': etag } }, (response) => {
    response.resume().once('end', () => resolve(response.statusCode));
  }).once('error', reject);
  return promise;
}

test('a cached answer is logged, counted and timed', async () => {
  const count = async (): Promise<string[]> => {
    const { body } = await keeping.request('GET', '/metrics');
    return String(body)
      .split('\n')
      .filter((line) =>
        /^hourcast_http_request(s_total|_duration_seconds_count)\{route="\/api\/rounds\/recent",method="GET"(,status="200")?\}/.test(
          line,
        ),
      );
  };
  await keeping.request('GET', '/api/rounds/recent?limit=7');
  const before = await count();
  seen = keeping.logged.length;
  await keeping.request('GET', '/api/rounds/recent?limit=7', { headers: { 'x-request-id': 'mine' } });
  const [line] = keeping.logged.slice(seen).map((text) => JSON.parse(text));
  expect(line).toEqual({
    level: 'debug',
    time: expect.any(String),
    requestId: 'mine',
    method: 'GET',
    route: '/api/rounds/recent',
    path: '/api/rounds/recent',
    status: 200,
    ms: expect.any(Number),
    msg: 'Answered',
  });
  const raised = before.map((text) => text.replace(/\d+$/, (figure) => String(Number(figure) + 1)));
  expect(await count()).toEqual(raised);
});

test('a cached answer counts once against the rate limit, and gets 429 beyond it', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const left: unknown[] = [];
  for (let n = 0; n < 61; n += 1) {
    const answer = await keeping.request('GET', '/api/agents/1', { headers });
    left.push(answer.headers.get('x-ratelimit-remaining'));
    if (n < 60) continue;
    expect(answer.status).toBe(429);
    expect(answer.body.error).toMatch(/^Rate limit for GET \/api\/agents\/\{agent_id\} reached: 60 per minute\./);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(left).toEqual([...Array.from({ length: 60 }, (_, n) => String(59 - n)), '0']);
});

test('a refusal is not cached', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  expect((await keeping.request('GET', '/api/agents/2', { headers })).status).toBe(404);
  await register(keeping, 'second');
  expect((await keeping.request('GET', '/api/agents/2', { headers })).status).toBe(200);
});
