import { describe, expect, test } from '@jest/globals';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { BENCHMARKS } from '../../src/rules/benchmarks.ts';
import { hourOf, MINUTE } from '../../src/rules/hours.ts';
import { PERIODS } from '../../src/rules/windows.ts';
import { predict, register, registerMany } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { currentRound } from '../support/rounds.ts';
import { shared, sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ prices: simulatedMarket(), start: '2026-01-01T12:00:00Z' }));

const HOURS = 3;

/** What each benchmark's Brier scores at minute 30 come to by the rounds' own answers, beside the price's. */
const played = shared(async () => {
  const players = await registerMany(service, 'player', 3);
  const briers = { price: [], arena: [], crowd: [], coin: [] } as Record<string, number[]>;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const { id, choices } = await currentRound(service);
    for (const [place, player] of players.entries()) await predict(service, player, { confidence: 60 + 10 * place });
    service.clock.set(new Date(hourOf(service.clock.now()).getTime() + 30 * MINUTE));
    await service.turn();
    await service.nextHour();
    const { body } = await service.request('GET', `/api/rounds/${id}/forecast`);
    const [recorded] = body.checkpoints;
    briers['price']?.push(recorded.price_brier);
    briers['arena']?.push(recorded.brier);
    briers['crowd']?.push(recorded.candidates[0].brier);
    briers['coin']?.push(1 - 1 / choices.length);
  }
  return { briers };
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** By name: mean Brier score and mean edge over the price. */
function byHand() {
  const { briers } = played;
  return BENCHMARKS.map((name) => {
    const own = briers[name] ?? [];
    return { name, brier: mean(own), edge: mean(own.map((one, at) => (briers['price']?.[at] ?? 0) - one)) };
  });
}

async function board(query: string) {
  return (await service.request('GET', `/api/leaderboard${query}`)).body;
}

function judgedAt(minute: number): string {
  return `{ leaderboard(period: alltime) { benchmarks(minute: ${minute}) { name minute rounds } } }`;
}

describe('benchmarks', () => {
  test('price, arena, crowd and coin accompany a board without ranks, judged at minute 30', async () => {
    const { benchmarks } = await board('?period=daily&order_by=edge');
    for (const [at, { name, brier, edge }] of byHand().entries()) {
      const { edge: shown, ...row } = benchmarks[at];
      expect(row).toEqual({ name, minute: 30, rounds: HOURS, brier: expect.closeTo(brier, 12) });
      expect(shown).toEqual({ mean: expect.closeTo(edge, 12), low: null, high: null, n: HOURS });
    }
    expect(benchmarks).toHaveLength(BENCHMARKS.length);
  });

  test('the default board has no benchmarks', async () => {
    expect(Object.keys(await board('?period=daily'))).toEqual(['period', 'updated_at', 'rankings']);
  });

  test('each benchmark has a record in each window at each checkpoint', async () => {
    const { body } = await service.request('GET', '/api/benchmarks?name=crowd');
    const shown = body.benchmarks.map(({ period, minute, rounds }: Record<string, unknown>) => [
      period,
      minute,
      rounds,
    ]);
    const minutes = [5, 15, 30, 45, 55];
    expect(shown).toEqual(
      PERIODS.flatMap((period) => minutes.map((minute) => [period, minute, minute === 30 ? HOURS : 0])),
    );
    const { brier } = byHand().find(({ name }) => name === 'crowd') ?? {};
    expect(body.benchmarks[2]).toMatchObject({ name: 'crowd', brier: expect.closeTo(brier ?? 0, 12) });
    expect(body.benchmarks[0]).toMatchObject({ brier: null, edge: null });
  });

  test('benchmarks accept the minute of another checkpoint and refuse other minutes', async () => {
    const { leaderboard } = await dataOf(service, judgedAt(55));
    expect(leaderboard.benchmarks[1]).toEqual({ name: 'arena', minute: 55, rounds: 0 });
    const { errors } = await ask(service, judgedAt(7));
    expect(errors[0]?.message).toBe('minute must be one of 5, 15, 30, 45, 55 (got 7).');
  });

  test('an unknown benchmark name is refused with the accepted names', async () => {
    const { status, body } = await service.request('GET', '/api/benchmarks?name=nobody');
    expect([status, body.error]).toEqual([400, 'name must be one of price, arena, crowd, coin (got "nobody").']);
  });

  test.each(['price', 'Arena', 'CROWD', 'coin'])('registration refuses the benchmark name %s', async (name) => {
    const { status, body } = await service.request('POST', '/api/agents/register', { body: { name } });
    expect([status, body.error]).toEqual([
      400,
      `name must be none of price, arena, crowd, coin, which boards list beside agents (got "${name}").`,
    ]);
    expect((await register(service, `${name}-1`)).id).toBeGreaterThan(0);
  });
});
