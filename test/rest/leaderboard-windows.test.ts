import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { type Player, profileOf, register } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { endQuietly } from '../support/quiet-end.ts';

const HOUR = 3_600_000;
const NEWEST_END = Date.parse('2026-03-01T00:00:00Z');

/** Rounds by how many hours before the newest resolved round's end they end; each agent predicts in one. */
const AGES = [
  [0, ['daily', 'weekly', 'monthly', 'alltime']],
  [23, ['daily', 'weekly', 'monthly', 'alltime']],
  [24, ['weekly', 'monthly', 'alltime']],
  [7 * 24 - 1, ['weekly', 'monthly', 'alltime']],
  [7 * 24, ['monthly', 'alltime']],
  [30 * 24 - 1, ['monthly', 'alltime']],
  [30 * 24, ['alltime']],
  [40 * 24, ['alltime']],
] as const;

let service: TestService;
let regular: Player;

function atHourBeforeEnd(hours: number): Date {
  return new Date(NEWEST_END - hours * HOUR - HOUR / 2);
}

beforeAll(async () => {
  const oldest = AGES.at(-1)?.[0] ?? 0;
  service = await startService({ start: atHourBeforeEnd(oldest).toISOString() });
  regular = await register(service, 'regular');
  for (const [hours] of AGES.toReversed()) {
    service.clock.set(atHourBeforeEnd(hours));
    await service.turn();
    const player = await register(service, `aged-${hours}`);
    await playBets(service, [
      { player, right: true, confidence: 90 },
      { player: regular, right: hours % 2 === 0, confidence: 60 },
    ]);
  }
  service.clock.set(new Date(NEWEST_END));
  await service.turn();
});

afterAll(() => endQuietly(service));

async function rowsOf(period: string) {
  const { rankings } = (await service.request('GET', `/api/leaderboard?period=${period}&limit=100`)).body;
  return new Map<string, Record<string, unknown>>(rankings.map((row: { name: string }) => [row.name, row]));
}

describe.each(['daily', 'weekly', 'monthly', 'alltime'] as const)('the %s board', (period) => {
  const ages = AGES.filter(([, periods]) => periods.some((one) => one === period)).map(([hours]) => hours);

  test('the board has agents with a round in the window, which excludes its start', async () => {
    const names = [...(await rowsOf(period)).keys()];
    expect(names.toSorted()).toEqual(['regular', ...ages.map((hours) => `aged-${hours}`)].toSorted());
  });

  test('the board counts only rounds of the window, but has present streaks', async () => {
    const wins = ages.filter((hours) => hours % 2 === 0).length;
    expect((await rowsOf(period)).get('regular')).toMatchObject({
      total_points: wins * 70 - (ages.length - wins) * 20,
      total_competitions: ages.length,
      total_wins: wins,
      win_rate: Math.round((wins / ages.length) * 10_000) / 100,
      total_arena_points: ages.length * 200,
      current_streak: 1,
      best_streak: 2,
    });
  });
});

test('sim_pnl_7d and sim_pnl_30d cover the weekly and monthly windows', async () => {
  const { agent } = await profileOf(service, regular);
  const [weekly, monthly, alltime] = [await rowsOf('weekly'), await rowsOf('monthly'), await rowsOf('alltime')];
  expect([agent.sim_pnl_7d, agent.sim_pnl_30d, agent.sim_pnl_total]).toEqual(
    [weekly, monthly, alltime].map((rows) => rows.get('regular')?.['sim_pnl_total']),
  );
  expect(new Set([agent.sim_pnl_7d, agent.sim_pnl_30d, agent.sim_pnl_total]).size).toBe(3);
});

test('windows end at the newest resolved round, not now', async () => {
  const before = [...(await rowsOf('daily')).keys()];
  service.clock.set(new Date(NEWEST_END + HOUR / 2));
  expect([...(await rowsOf('daily')).keys()]).toEqual(before);
});
