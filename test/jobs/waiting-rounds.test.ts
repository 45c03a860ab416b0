import { describe, expect, test } from '@jest/globals';

import { type ResolutionDeps, resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { addHours, DAY } from '../../src/rules/hours.ts';
import { judging } from '../support/scripted-market.ts';
import { only } from '../support/arena.ts';
import { assetOf, hourAsking, type PlayedRound, playRound } from './played-round.ts';
import { brokenMarket } from '../support/rounds-now.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(2);

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

/** Tries `afterMs` after the end, and answers what came of it. */
function tryAfter(round: PlayedRound, afterMs: number, needs: ResolutionDeps = arena) {
  return resolveRound(needs, round.id, { now: new Date(round.end.getTime() + afterMs) });
}

function statusOf(round: PlayedRound) {
  return only(arena, 'select status, outcome, void_reason, decided_at from rounds where id = $1', [round.id]);
}

function waitOf(round: PlayedRound) {
  return only(
    arena,
    'select attempts, trying_since, last_tried_at, last_problem, try_after from rounds where id = $1',
    [round.id],
  );
}

const NO_CANDLE = 'The source does not have all final candles.';

describe('round without usable candles', () => {
  test('a waiting round records each attempt, its reason and the next time, and nothing else', async () => {
    const round = await playWithoutPrices();
    const next = new Date(round.end.getTime() + 3_000);
    expect(await tryAfter(round, 0)).toEqual({ kind: 'waits', why: NO_CANDLE, tryAfter: next });
    expect(await waitOf(round)).toEqual({
      attempts: 1,
      trying_since: round.end,
      last_tried_at: round.end,
      last_problem: NO_CANDLE,
      try_after: next,
    });
    const before = await withoutRounds();
    await tryAfter(round, 3_000);
    expect(await waitOf(round)).toMatchObject({ attempts: 2, trying_since: round.end, last_tried_at: next });
    expect(await withoutRounds()).toBe(before);
  });

  test('a waiting round is logged, at `info` where the reason is new', async () => {
    const round = await playWithoutPrices();
    arena.log.lines.length = 0;
    await tryAfter(round, 0);
    await tryAfter(round, 3_000);
    round.prices();
    await tryAfter(round, 6_000);
    const logged = { roundId: round.id, hour: round.start.toISOString() };
    expect(arena.log.lines).toEqual([
      {
        level: 'info',
        message: 'Round waits',
        fields: { ...logged, why: NO_CANDLE, attempts: 1, tryAfter: new Date(round.end.getTime() + 3_000) },
      },
      { level: 'debug', message: 'Round waits', fields: expect.objectContaining({ attempts: 2 }) },
      {
        level: 'info',
        message: 'Round resolved',
        fields: { ...logged, outcome: 'YES', entries: 2, secondsAfterHour: 6 },
      },
    ]);
  });

  test('a waiting round is decided once candles exist, and keeps its attempts', async () => {
    const round = await playWithoutPrices();
    await tryAfter(round, 0);
    round.prices();
    const now = new Date(round.end.getTime() + 3_000);
    await tryAfter(round, 3_000);
    expect(await statusOf(round)).toEqual({ status: 'resolved', outcome: 'YES', void_reason: null, decided_at: now });
    expect(await waitOf(round)).toMatchObject({ attempts: 1, last_problem: NO_CANDLE, try_after: null });
  });

  test('a round that is void after a day is logged at `warn`', async () => {
    const round = await playWithoutPrices();
    arena.log.lines.length = 0;
    await tryAfter(round, DAY);
    expect(arena.log.lines).toEqual([
      {
        level: 'warn',
        message: 'Round void',
        fields: expect.objectContaining({ roundId: round.id, voidReason: 'no_prices', why: NO_CANDLE, entries: 2 }),
      },
    ]);
  });

  test('a round waits indefinitely while the market is unavailable, and is decided afterwards', async () => {
    const round = await playWithoutPrices();
    const broken = { ...arena, market: brokenMarket(arena.market) };
    const expected = { kind: 'waits', why: 'No source of prices answered.' };
    for (const days of [1, 2, 30]) expect(await tryAfter(round, days * DAY, broken)).toMatchObject(expected);
    round.prices();
    await tryAfter(round, 30 * DAY + 2_000);
    expect(await statusOf(round)).toMatchObject({ status: 'resolved', outcome: 'YES' });
  });

  test('a defect of the market is thrown unchanged', async () => {
    const round = await playWithoutPrices();
    const market = { ...arena.market, hourCandles: () => Promise.reject(new TypeError('a defect')) };
    const attempt = resolveRound({ ...arena, market }, round.id, { now: addHours(round.end, 48) });
    await expect(attempt).rejects.toThrow('a defect');
    expect(await statusOf(round)).toMatchObject({ status: 'resolving' });
  });
});

/** Everything but the rows of rounds. */
async function withoutRounds(): Promise<string> {
  const tables: readonly { table: string }[] = JSON.parse(await arena.contents());
  return JSON.stringify(tables.filter(({ table }) => table !== 'rounds'));
}

test('a round waits for a late source until 45 s after its end', async () => {
  const round = await playWithoutPrices();
  round.prices();
  const market = judging(arena.market, (verdict) => ({ ...verdict, late: ['kraken'] }));
  expect(await tryAfter(round, 44_999, { ...arena, market })).toMatchObject({
    kind: 'waits',
    why: expect.stringContaining('kraken'),
    tryAfter: new Date(round.end.getTime() + 45_000),
  });
});

test('momentum stores the candles of both hours as evidence and the prices of its own', async () => {
  const start = hourAsking('momentum', NOON);
  const round = await playRound(arena, start, [[1, 0, 90]]);
  const [asset, before] = [assetOf(round), addHours(start, -1)];
  arena.market.script(asset, before, ['100', '100', '90', '90']);
  arena.market.script(asset, start, ['90', '90', '80', '80']);
  await resolveRound(arena, round.id, { now: round.end });
  expect(await statusOf(round)).toMatchObject({ status: 'resolved', outcome: 'YES' });
  expect(await arena.query('select hour_start, close from candles order by 1')).toEqual([
    { hour_start: before, close: '90' },
    { hour_start: start, close: '80' },
  ]);
  expect(await arena.query('select open, close from round_assets where round_id = $1', [round.id])).toEqual([
    { open: '90', close: '80' },
  ]);
});
