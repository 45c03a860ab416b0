import type { IncomingMessage } from 'node:http';

import { describe, expect, test } from '@jest/globals';

import type { Limiter } from '../../src/backplane/backplane.ts';
import { openCounted } from '../../src/http/quick-exchange.ts';
import type { LimitName } from '../../src/limits.ts';

const REQUEST: IncomingMessage = Object.create(null);

/** A limiter with as many uses of each budget as `budgets` says, and what was counted with it. */
function scripted(budgets: Readonly<Partial<Record<LimitName, number>>>) {
  const left = new Map(Object.entries(budgets));
  const counts: string[] = [];
  const limiter: Limiter = {
    async count(limit, key, uses = 1) {
      counts.push(`${limit} ${key}`);
      const remaining = (left.get(limit) ?? 0) - uses;
      left.set(limit, remaining);
      const retryAfterSeconds = remaining < 0 ? 9 : null;
      return { limit: 10, remaining: Math.max(0, remaining), resetSeconds: 9, retryAfterSeconds };
    },
  };
  return { counts, counted: openCounted({ limiter, ipOf: () => '10.0.0.1' }), limiter };
}

describe('what is counted before anything is made for a request', () => {
  test('is each budget in turn, of its address, and what is told is the one with the least left', async () => {
    const { counts, counted, limiter } = scripted({ graphqlRequest: 5, stats: 2, market: 3 });
    const spent = await counted.spend(REQUEST, ['graphqlRequest', 'stats', 'market']);
    expect(spent).toMatchObject({ isWithin: true, allowance: { remaining: 1 } });
    expect(counts).toEqual(['graphqlRequest ip:10.0.0.1', 'stats ip:10.0.0.1', 'market ip:10.0.0.1']);
    expect(counted.limiterFor(REQUEST)).toBe(limiter);
  });

  test('is the budget of the agent where one is named', async () => {
    const { counts, counted } = scripted({ me: 1 });
    expect(await counted.spend(REQUEST, ['me'], 7)).toMatchObject({ isWithin: true });
    expect(await counted.spend(REQUEST, ['me'], 7)).toMatchObject({ isWithin: false });
    expect(counts).toEqual(['me agent:7', 'me agent:7']);
  });

  test('ends at a spent budget, and is handed out again in its order before anything else is counted', async () => {
    const { counts, counted } = scripted({ graphqlRequest: 5, market: 3 });
    const spent = await counted.spend(REQUEST, ['graphqlRequest', 'stats', 'market']);
    expect(spent).toMatchObject({ isWithin: false, allowance: { retryAfterSeconds: 9 } });
    const again = counted.limiterFor(REQUEST);
    const told = [];
    for (const limit of ['graphqlRequest', 'stats', 'market'] as const) told.push(await again.count(limit, 'ip:x'));
    expect(told.map((one) => one?.retryAfterSeconds)).toEqual([null, 9, null]);
    expect(counts).toEqual(['graphqlRequest ip:10.0.0.1', 'stats ip:10.0.0.1', 'market ip:x']);
  });

  test('is as many uses as are named', async () => {
    const { counted } = scripted({ queryCost: 9 });
    const cost = { limit: 'queryCost', uses: 5 } as const;
    expect(await counted.spend(REQUEST, [cost])).toMatchObject({ isWithin: true, allowance: { remaining: 4 } });
    expect(await counted.spend(REQUEST, [cost])).toMatchObject({ isWithin: false });
  });

  test('is handed out again for its own budget alone: another one in between is counted', async () => {
    const { counts, counted } = scripted({ graphqlRequest: 5, queryCost: 3 });
    await counted.spend(REQUEST, ['graphqlRequest', 'stats']);
    const again = counted.limiterFor(REQUEST);
    const told = [];
    for (const limit of ['graphqlRequest', 'queryCost', 'stats'] as const) told.push(await again.count(limit, 'ip:x'));
    expect(told.map((one) => one?.retryAfterSeconds)).toEqual([null, null, 9]);
    expect(counts).toEqual(['graphqlRequest ip:10.0.0.1', 'stats ip:10.0.0.1', 'queryCost ip:x']);
  });

  test('is nothing where limits are off', async () => {
    const limiter: Limiter = { countsNothing: true, count: () => Promise.reject(new Error('It must not be called')) };
    const counted = openCounted({ limiter, ipOf: () => '10.0.0.1' });
    expect(await counted.spend(REQUEST, ['stats'])).toEqual({ isWithin: true, allowance: null });
  });
});
