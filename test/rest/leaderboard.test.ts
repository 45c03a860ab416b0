import { beforeAll, describe, expect, test } from '@jest/globals';

import { predict, register, registerMany } from '../support/agents.ts';
import { FIGURE, INTEGER, ISO, oneOf } from './formats.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { hourAsking } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00.250Z' }));

async function board(query = '') {
  return (await service.request('GET', `/api/leaderboard${query}`)).body;
}

test('an empty board is weekly, and as old as the database', async () => {
  const { status, body } = await service.request('GET', '/api/leaderboard');
  expect([status, body]).toEqual([200, { period: 'weekly', updated_at: '2026-01-01T12:10:00.250Z', rankings: [] }]);
});

/** A row of somebody with one win at low confidence, but for `fields`. */
function row(fields: Readonly<Record<string, unknown>>) {
  return {
    rank: INTEGER,
    agent_id: INTEGER,
    name: expect.any(String),
    total_points: 40,
    total_arena_points: INTEGER,
    credential_tier: oneOf('bronze', 'silver', 'gold', 'diamond'),
    sim_pnl_total: FIGURE,
    win_rate: FIGURE,
    current_streak: INTEGER,
    best_streak: INTEGER,
    total_competitions: 1,
    total_wins: 1,
    ...fields,
  };
}

describe('ranks', () => {
  test('equal points share a rank with a gap after; ties sort by wins, then id', async () => {
    const [early, late, wins] = [
      await register(service, 'rank-early'),
      await register(service, 'rank-late'),
      await register(service, 'rank-wins'),
    ];
    const last = await register(service, 'rank-last');
    await register(service, 'never-scored');
    const confidences = [0, 0, 85];
    for (const [hour, confidence] of confidences.entries()) {
      await hourAsking(service, ({ choices }) => choices.length === 2);
      const bets = [{ player: wins, right: hour < 2, confidence }];
      if (hour === 0) {
        bets.push({ player: late, right: true, confidence: 20 }, { player: early, right: true, confidence: 10 });
        bets.push({ player: last, right: false, confidence: 60 });
      }
      await playBets(service, bets);
      await service.nextHour();
    }
    const { rankings, updated_at } = await board();
    expect(rankings).toEqual([
      row({
        rank: 1,
        agent_id: wins.id,
        name: 'rank-wins',
        total_competitions: 3,
        total_wins: 2,
        win_rate: 66.67,
        best_streak: 2,
      }),
      row({ rank: 1, name: 'rank-early', win_rate: 100, total_arena_points: 200 }),
      row({ rank: 1, name: 'rank-late', win_rate: 100, total_arena_points: 700 }),
      row({ rank: 4, name: 'rank-last', win_rate: 0, total_points: -20, total_wins: 0, current_streak: 0 }),
    ]);
    expect(updated_at).toEqual(ISO);
    expect(updated_at).toBe(service.clock.now().toISOString());
  });
});

describe('limit', () => {
  beforeAll(async () => {
    service.clock.set('2026-06-10T12:10:00Z');
    await service.turn();
    for (const player of await registerMany(service, 'many', 101)) await predict(service, player);
    await service.nextHour();
  });

  test('the limit is 50 by default and at most 100', async () => {
    const all = (await board('?limit=100')).rankings;
    expect(all).toHaveLength(100);
    expect((await board()).rankings).toEqual(all.slice(0, 50));
    expect((await board('?limit=1')).rankings).toEqual(all.slice(0, 1));
  });

  test.each(['0', '101', '-1', '2.5', 'ten', '', '1e1', '%00', '9'.repeat(400)])(
    'the limit %s is refused',
    async (limit) => {
      expectRefusal(await service.request('GET', `/api/leaderboard?limit=${limit}`), 400, /limit.*100/);
    },
  );
});

test.each(['daily', 'weekly', 'monthly', 'alltime'])('the answer has the requested period %s', async (period) => {
  expect((await board(`?period=${period}`)).period).toBe(period);
});

test.each(['', 'hourly', 'Weekly', 'constructor', '__proto__', 'daily,weekly', '1', '%00'])(
  'the period %s is refused',
  async (period) => {
    const answer = await service.request('GET', `/api/leaderboard?period=${period}`);
    expectRefusal(answer, 400, /period.*daily.*weekly.*monthly.*alltime/);
  },
);
