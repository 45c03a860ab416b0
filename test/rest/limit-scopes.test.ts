import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Answer, startService } from '../support/service.ts';
import { type Player, register } from '../support/agents.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const STRANGE_KEY = `pk_live_${'0'.repeat(48)}`;

const service = sharedService(() => ({ rateLimits: true }));
let one: Player;
let two: Player;

beforeAll(async () => {
  one = await register(service, 'one');
  two = await register(service, 'two');
});

function remaining({ headers }: Answer): string | null {
  return headers.get('x-ratelimit-remaining');
}

test('an endpoint with a key counts by agent', async () => {
  for (let left = 29; left >= 0; left -= 1)
    expect(remaining(await service.request('GET', '/api/me', { key: one.key }))).toBe(String(left));
  expectRefusal(await service.request('GET', '/api/me', { key: one.key }), 429);
  expect(remaining(await service.request('GET', '/api/me', { key: two.key }))).toBe('29');
});

test('failed authentication counts by address, whatever the key', async () => {
  for (let left = 4; left >= 0; left -= 1) {
    const answer = await service.request('POST', '/api/me/activate', { key: [undefined, 'x', STRANGE_KEY][left % 3] });
    expectRefusal(answer, 401);
    expect([answer.headers.get('x-ratelimit-limit'), remaining(answer)]).toEqual(['5', String(left)]);
  }
  const refused = await service.request('POST', '/api/me/activate');
  expectRefusal(refused, 429);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);

  expect(remaining(await service.request('POST', '/api/me/activate', { key: one.key }))).toBe('4');
  const elsewhere = await service.request('POST', '/api/me/rotate-key');
  expect([elsewhere.status, remaining(elsewhere)]).toEqual([401, '2']);
});

test('an agent keeps its rate limit’s count when it changes its key', async () => {
  expect(remaining(await service.request('POST', '/api/predictions', { key: two.key }))).toBe('29');
  const { body } = await service.request('POST', '/api/me/rotate-key', { key: two.key });
  expect(remaining(await service.request('POST', '/api/predictions', { key: body.api_key }))).toBe('28');
});

test('/api/agents/{id} has one limit for all ids, unknown and malformed ones too', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => (n % 10 === 9 ? 'x' : String(n + 1)));
  for (const [n, id] of ids.entries())
    expect(remaining(await service.request('GET', `/api/agents/${id}`))).toBe(String(59 - n));
  for (const id of ['1', '61', 'x']) expectRefusal(await service.request('GET', `/api/agents/${id}`), 429);
});

test('a public endpoint counts by address, with a key or without', async () => {
  const keys = [undefined, one.key, two.key, 'wrong'];
  const left = [];
  for (const key of keys) left.push(remaining(await service.request('GET', '/api/stats', { key })));
  expect(left).toEqual(['119', '118', '117', '116']);
});

test('results and entries have a limit each, over all rounds', async () => {
  const left = [];
  for (const path of ['1/results', '2/results', '1/entries', '2/entries'])
    left.push(remaining(await service.request('GET', `/api/rounds/${path}`)));
  expect(left).toEqual(['119', '118', '119', '118']);
});

describe('concurrent requests', () => {
  test('concurrent requests are accepted up to exactly the limit', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => service.request('GET', '/api/rounds/recent?limit=1')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });
});

test('RATE_LIMITS=off turns counting and headers off', async () => {
  const free = await startService({ rateLimits: false });
  for (let n = 0; n < 5; n += 1) {
    const { status, headers } = await free.request('POST', '/api/agents/register', { body: { name: `free-${n}` } });
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([201, null]);
  }
  await endQuietly(free);
});
