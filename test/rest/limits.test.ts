import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Answer, startService, type TestService } from '../support/service.ts';
import { register } from '../support/agents.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { expectRefusal } from '../support/refusals.ts';
import { ALL_ENDPOINTS, named, pathWith } from '../support/spec-endpoints.ts';
import { sharedService } from '../support/shared.ts';
import { stillLimiter } from '../support/still-limiter.ts';

const service = sharedService(() => ({ rateLimits: true }));

/** Limit and what remains, as the headers tell. */
function budgetOf({ headers }: Answer) {
  return [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
}

function post(body: unknown) {
  return service.request('POST', '/api/agents/register', { body });
}

test('registration accepts 3 an hour from an address, and counts refused ones', async () => {
  expect(budgetOf(await post({ name: 'first' }))).toEqual(['3', '2']);
  const broken = await post('{broken');
  expectRefusal(broken, 400);
  expect(budgetOf(broken)).toEqual(['3', '1']);
  const taken = await post({ name: 'FIRST' });
  expectRefusal(taken, 409);
  expect(budgetOf(taken)).toEqual(['3', '0']);
  for (const body of [{ name: 'fourth' }, '{broken']) {
    const refused = await post(body);
    expectRefused(refused, 3600);
    expect(budgetOf(refused)).toEqual(['3', '0']);
  }
});

function expectRefused(answer: Answer, windowSeconds: number): void {
  expectRefusal(answer, 429, /limit/i);
  const retryAfter = answer.headers.get('retry-after');
  expect(retryAfter).toMatch(/^\d+$/);
  expect(Number(retryAfter)).toBeGreaterThan(windowSeconds - 30);
  expect(Number(retryAfter)).toBeLessThanOrEqual(windowSeconds);
}

const OTHERS = ALL_ENDPOINTS.filter(({ path }) => path !== '/api/agents/register');

describe('on a service of their own', () => {
  let limited: TestService;
  let key: string;
  let weight = 1;

  beforeAll(async () => {
    limited = await startService({ rateLimits: stillLimiter(() => weight) });
    ({ key } = await register(limited, 'limited'));
    await limited.nextHour();
  });

  afterAll(() => endQuietly(limited));

  const ask = async ({ method, path }: (typeof OTHERS)[number]): Promise<Answer> => {
    const answer = await limited.request(method, pathWith({ path }), { key });
    if (answer.body.api_key !== undefined) key = answer.body.api_key;
    return answer;
  };

  test.each(named(OTHERS))('%s has its own limit, returns the remainder, and then 429', async (_, row) => {
    // The second request counts as all but the last one.
    for (const left of [row.requests - 1, 1, 0]) {
      weight = left === 1 ? row.requests - 2 : 1;
      const answer = await ask(row);
      expect(answer.status).not.toBe(429);
      expect(answer.headers.has('retry-after')).toBe(false);
      expect(budgetOf(answer)).toEqual([String(row.requests), String(left)]);
    }
    for (let again = 0; again < 3; again += 1) {
      const refused = await ask(row);
      expectRefused(refused, row.windowSeconds);
      expect(budgetOf(refused)).toEqual([String(row.requests), '0']);
    }
  });
});

test('HEAD counts as GET', async () => {
  expect(budgetOf(await service.request('GET', '/api/health'))).toEqual(['120', '119']);
  expect(budgetOf(await service.request('HEAD', '/api/health'))).toEqual(['120', '118']);
});

test('answers without a limit have no limit headers', async () => {
  for (const path of ['/api/unknown', '/api/agents/register'])
    expect(budgetOf(await service.request('GET', path))).toEqual([null, null]);
});
