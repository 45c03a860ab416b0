import { beforeAll, describe, expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { FIGURE, INTEGER, ISO, nullOr, oneOf, SPACED, TEXT } from './formats.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));

async function recent(query = '') {
  return (await service.request('GET', `/api/rounds/recent${query}`)).body.rounds;
}

test('recent rounds are empty before one has ended', async () => {
  const { status, body } = await service.request('GET', '/api/rounds/recent');
  expect([status, body]).toEqual([200, { rounds: [] }]);
});

describe('after 12 hours', () => {
  const current = new Map<number, { assets: Record<string, string> }>();

  beforeAll(async () => {
    await predict(service, await register(service, 'player'));
    for (let hours = 0; hours < 12; hours += 1) {
      const { round } = (await service.request('GET', '/api/rounds/current')).body;
      current.set(round.id, round);
      await service.nextHour();
    }
  });

  test('recent rounds are the newest 10, newest first, complete', async () => {
    const rounds = await recent();
    expect(rounds).toHaveLength(10);
    for (const round of rounds) {
      expect(round).toEqual({
        id: INTEGER,
        question: TEXT,
        question_type: TEXT,
        start_time: SPACED,
        end_time: SPACED,
        status: oneOf('resolving', 'resolved', 'void'),
        total_entries: INTEGER,
        resolution_value: nullOr(INTEGER),
        outcome: nullOr(TEXT),
        void_reason: nullOr(TEXT),
        btc_return_pct: nullOr(FIGURE),
        eth_return_pct: nullOr(FIGURE),
        starts_at: ISO,
        ends_at: ISO,
        rules_version: 2,
      });
    }
    const starts = rounds.map(({ start_time }: { start_time: string }) => start_time);
    expect(starts).toEqual(starts.toSorted().toReversed());
    expect(starts[0]).toBe('2026-01-01 23:00:00');
  });

  test('recent rounds include neither the active nor the upcoming round', async () => {
    const rounds = await recent('?limit=100');
    expect(rounds).toHaveLength(12);
    expect(rounds.at(-1)).toMatchObject({ start_time: '2026-01-01 12:00:00', total_entries: 1 });
  });

  test('BTC and ETH returns are null in rounds about other assets', async () => {
    const seen = new Set<string>();
    for (const round of await recent('?limit=100')) {
      const { assets } = current.get(round.id) ?? { assets: {} };
      for (const symbol of ['BTC', 'ETH']) {
        const about = symbol in assets;
        expect([round.id, symbol, round[`${symbol.toLowerCase()}_return_pct`] !== null]).toEqual([
          round.id,
          symbol,
          about,
        ]);
        seen.add(`${symbol} ${about}`);
      }
    }
    expect(seen.size).toBe(4);
  });

  test.each([1, 3, 11, 100])('recent rounds accept limit=%i', async (limit) => {
    const rounds = await recent(`?limit=${limit}`);
    expect(rounds).toEqual((await recent('?limit=100')).slice(0, limit));
  });
});

test.each(['0', '101', '-1', '2.5', 'ten', '', '1e1', '0x5', 'null', 'NaN', '9'.repeat(400)])(
  'recent rounds refuse limit=%s instead of clamping it',
  async (limit) => {
    expectRefusal(await service.request('GET', `/api/rounds/recent?limit=${limit}`), 400, /limit.*100/);
  },
);
