import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { NotDecidableYet, resolveRound } from '../../src/jobs/resolution.ts';
import { addHours } from '../../src/rules/hours.ts';
import { addAgents, type Arena, only, openArena } from './arena.ts';
import { assetOf, hourAsking, type PlayedRound, playRound } from './played-round.ts';
import { brokenMarket } from './rounds-now.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 2);
});

beforeEach(() => arena.reset());

afterAll(() => arena.close());

const NOON = new Date('2026-01-01T12:00:00Z');

/** A round about one asset, whose hour has no price until `prices` are scripted. */
async function playWithoutPrices(from = NOON) {
  const start = hourAsking('direction', from);
  const round = await playRound(arena, start, [
    [1, 0, 90],
    [2, 1, 90],
  ]);
  const asset = assetOf(round);
  arena.market.script(asset, start, null);
  return { ...round, prices: () => arena.market.script(asset, start, ['100', '103', '99', '101']) };
}

/** The error of trying `afterMs` after the end, as the service time to wait. */
async function delayOf(round: PlayedRound, attempt: number, afterMs = 0, needs: typeof arena = arena): Promise<number> {
  const now = new Date(round.end.getTime() + afterMs);
  const error = await resolveRound(needs, round.id, { now, attempt }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NotDecidableYet)) throw new Error('The round was decided', { cause: error });
  return error.delayMs;
}

function statusOf(round: PlayedRound) {
  return only(arena, 'select status, outcome, void_reason, decided_at from rounds where id = $1', [round.id]);
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('a round without usable candles', () => {
  test('waits, longer after each attempt, up to ten minutes, and writes nothing', async () => {
    const round = await playWithoutPrices();
    const before = await arena.contents();
    const delays = [];
    for (const attempt of [1, 2, 3, 4, 5, 6, 7, 8, 50, 5_000]) delays.push(await delayOf(round, attempt));
    expect(delays).toEqual([
      15_000,
      30_000,
      60_000,
      120_000,
      240_000,
      480_000,
      ...Array.from({ length: 4 }, () => 600_000),
    ]);
    expect(await arena.contents()).toBe(before);
  });

  test('is decided as soon as they are there', async () => {
    const round = await playWithoutPrices();
    await delayOf(round, 1);
    round.prices();
    const now = new Date(round.end.getTime() + 15_000);
    await resolveRound(arena, round.id, { now, attempt: 2 });
    expect(await statusOf(round)).toEqual({ status: 'resolved', outcome: 'YES', void_reason: null, decided_at: now });
  });

  test('tries for the last time exactly 24 hours after its end, and is void then', async () => {
    const round = await playWithoutPrices();
    expect(await delayOf(round, 99, DAY - 10 * MINUTE)).toBe(10 * MINUTE);
    expect(await delayOf(round, 99, DAY - 5 * MINUTE)).toBe(5 * MINUTE);
    expect(await delayOf(round, 99, DAY - 1)).toBe(1);
    const now = new Date(round.end.getTime() + DAY);
    await resolveRound(arena, round.id, { now, attempt: 100 });
    expect(await statusOf(round)).toEqual({ status: 'void', outcome: null, void_reason: 'no_prices', decided_at: now });
  });

  test('is decided by candles that are there at the last try, or long after it', async () => {
    const [first, second] = [await playWithoutPrices(), await playWithoutPrices(addHours(NOON, 24))];
    first.prices();
    second.prices();
    await resolveRound(arena, first.id, { now: addHours(first.end, 24), attempt: 100 });
    await resolveRound(arena, second.id, { now: addHours(second.end, 240), attempt: 1 });
    for (const round of [first, second])
      expect(await statusOf(round)).toMatchObject({ status: 'resolved', outcome: 'YES' });
  });

  test('waits as long while the market cannot be asked at all', async () => {
    const round = await playRound(arena, hourAsking('best_performer', NOON));
    const broken = { ...arena, market: { ...arena.market, ...brokenMarket(arena.market) } };
    expect(await delayOf(round, 3, 0, broken)).toBe(60_000);
    await resolveRound(broken, round.id, { now: addHours(round.end, 24), attempt: 9 });
    expect(await statusOf(round)).toMatchObject({ status: 'void', void_reason: 'no_prices' });
  });

  test('waits for the last of its assets', async () => {
    const round = await playRound(arena, hourAsking('best_performer', NOON));
    arena.market.script('DOT', round.start, null);
    expect(await delayOf(round, 1)).toBe(15_000);
  });

  test('does not hold later rounds back', async () => {
    const waiting = await playWithoutPrices();
    const later = await playRound(arena, addHours(waiting.start, 1), [[1, 0, 50]]);
    await delayOf(waiting, 1);
    await resolveRound(arena, later.id, { now: later.end, attempt: 1 });
    expect(await statusOf(later)).toMatchObject({ status: 'resolved' });
    expect(await statusOf(waiting)).toMatchObject({ status: 'resolving' });
  });

  test('passes a defect of the market on as it is', async () => {
    const round = await playWithoutPrices();
    const market = { ...arena.market, hourCandles: () => Promise.reject(new TypeError('a defect')) };
    const attempt = resolveRound({ ...arena, market }, round.id, { now: addHours(round.end, 48), attempt: 1 });
    await expect(attempt).rejects.toThrow('a defect');
    expect(await statusOf(round)).toMatchObject({ status: 'resolving' });
  });
});

async function playMomentum() {
  const start = hourAsking('momentum', NOON);
  const round = await playRound(arena, start, [[1, 0, 90]]);
  return { ...round, asset: assetOf(round), before: addHours(start, -1) };
}

describe('momentum', () => {
  test('keeps the candles of both hours as evidence and the prices of its own hour', async () => {
    const round = await playMomentum();
    arena.market.script(round.asset, round.before, ['100', '100', '90', '90']);
    arena.market.script(round.asset, round.start, ['90', '90', '80', '80']);
    await resolveRound(arena, round.id, { now: round.end, attempt: 1 });
    expect(await statusOf(round)).toMatchObject({ status: 'resolved', outcome: 'YES' });
    expect(await arena.query('select hour_start, close from candles order by 1')).toEqual([
      { hour_start: round.before, close: '90' },
      { hour_start: round.start, close: '80' },
    ]);
    expect(await arena.query('select open, close from round_assets where round_id = $1', [round.id])).toEqual([
      { open: '90', close: '80' },
    ]);
  });

  test('without a candle for the hour before waits, and is void after 24 hours', async () => {
    const round = await playMomentum();
    arena.market.script(round.asset, round.before, null);
    expect(await delayOf(round, 1)).toBe(15_000);
    await resolveRound(arena, round.id, { now: addHours(round.end, 24), attempt: 2 });
    expect(await statusOf(round)).toMatchObject({ status: 'void', void_reason: 'no_prices' });
  });
});
