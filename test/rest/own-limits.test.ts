import { describe, expect, test } from '@jest/globals';

import { register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';
import { ALL_ENDPOINTS } from '../support/spec-endpoints.ts';

const counting = sharedService(() => ({ rateLimits: true }));
const unlimited = sharedService();

interface Budget {
  readonly name: string;
  readonly scope: string;
  readonly covers: readonly string[];
  readonly limit: number;
  readonly remaining: number;
  readonly window_seconds: number;
  readonly resets_in_seconds: number;
}

const owner = { name: 'owner', key: '' };

async function budgets(key: string): Promise<readonly Budget[]> {
  const { status, body } = await counting.request('GET', '/api/me/limits', { key });
  expect({ status, unlimited: body.unlimited }).toEqual({ status: 200, unlimited: false });
  return body.budgets;
}

const byName = async (key: string) => new Map((await budgets(key)).map((budget) => [budget.name, budget]));

const remainders = (all: readonly Budget[]) =>
  Object.fromEntries(all.filter(({ name }) => name !== 'ownLimits').map(({ name, remaining }) => [name, remaining]));

describe('GET /api/me/limits', () => {
  test('the budgets are those of every documented endpoint, each with its limit and scope', async () => {
    owner.key = (await register(counting, owner.name)).key;
    const all = await budgets(owner.key);
    for (const { method, path, needsKey, requests, windowSeconds } of ALL_ENDPOINTS) {
      const found = all.filter(({ covers }) => covers.includes(`${method} ${path}`));
      const scope = needsKey ? 'agent' : 'address';
      expect(found).toEqual([expect.objectContaining({ scope, limit: requests, window_seconds: windowSeconds })]);
    }
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['exports', 'graphqlRequest', 'queryCost']));
    expect(all.map(({ name }) => name)).not.toContain('admin');
  });

  test('a request shows in its own budget alone, and reading the budgets in no other', async () => {
    const before = remainders(await budgets(owner.key));
    await counting.request('GET', '/api/me', { key: owner.key });
    await counting.request('GET', '/api/stats');
    const { me = 0, stats = 0, ...others } = before;
    const after = await budgets(owner.key);
    expect(remainders(after)).toEqual({ me: me - 1, stats: stats - 1, ...others });
    expect(remainders(await budgets(owner.key))).toEqual(remainders(after));
    expect(after.find(({ name }) => name === 'me')?.resets_in_seconds).toBe(60);
    expect(after.find(({ name }) => name === 'rotateKey')).toMatchObject({ remaining: 3, resets_in_seconds: 0 });
  });

  test('an agent sees its own windows and its address’s, and a refused request empties none further', async () => {
    for (let n = 0; n < 40; n += 1) await counting.request('GET', '/api/me', { key: owner.key });
    const other = await register(counting, 'other');
    expect((await byName(owner.key)).get('me')).toMatchObject({ remaining: 0, resets_in_seconds: 60 });
    expect((await byName(other.key)).get('me')).toMatchObject({ remaining: 30, resets_in_seconds: 0 });
    expect((await byName(other.key)).get('register')?.remaining).toBe(1);
  });

  test('reading is limited itself, and needs a key', async () => {
    const reader = await register(counting, 'reader');
    for (let left = 29; left >= 0; left -= 1) {
      const own = (await budgets(reader.key)).find(({ name }) => name === 'ownLimits');
      expect(own?.remaining).toBe(left);
    }
    expectRefusal(await counting.request('GET', '/api/me/limits', { key: reader.key }), 429);
    expectRefusal(await counting.request('GET', '/api/me/limits'), 401);
  });

  test('GraphQL has the same, and a service without limits has none', async () => {
    const query = '{ ownLimits { unlimited budgets { name limit } } }';
    const { ownLimits } = await dataOf(counting, query, { key: owner.key });
    expect(ownLimits).toMatchObject({ unlimited: false, budgets: expect.arrayContaining([{ name: 'me', limit: 30 }]) });
    const { key } = await register(unlimited, 'free');
    const { body } = await unlimited.request('GET', '/api/me/limits', { key });
    expect(body).toEqual({ unlimited: true, budgets: [] });
  });
});
