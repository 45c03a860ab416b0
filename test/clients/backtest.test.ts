import { beforeAll, describe, expect, test } from '@jest/globals';

import { type AsOfMarket, asOf, backtest, candleFolder, type Past, rankAmong } from '../../clients/js/src/backtest.ts';
import { ownFolder } from '../support/own-folder.ts';
import { FIRST_PLAYED, PLAYED_HOURS, writeCandles } from './written-candles.ts';

const folder = ownFolder();
let past: Past;
const to = new Date(FIRST_PLAYED.getTime() + PLAYED_HOURS * 3_600_000);

beforeAll(async () => {
  writeCandles(folder);
  past = await candleFolder(folder, { from: FIRST_PLAYED, to });
});

/** The round of the first hour that is played. */
async function firstRound() {
  for await (const round of past.rounds()) return round;
  throw new Error('there must be a round');
}

/** What the price says first, as surely as it does. */
function likeliest({ round, reference }: AsOfMarket) {
  const probabilities = reference() ?? [];
  const most = Math.max(...probabilities);
  return { prediction: round.choices[probabilities.indexOf(most)] ?? '', confidence: Math.floor(100 * most) };
}

/** The first answer. */
const first = ({ round }: AsOfMarket) => ({ prediction: round.choices[0] ?? '', confidence: 60 });

describe('market at a minute', () => {
  test('the market has present and past prices, and refuses later ones', async () => {
    const market = asOf(await firstRound(), 20);
    expect(market.price('BTC')).toEqual(market.price('BTC', 20));
    expect(market.price('BTC', 0)).toMatchObject({ price_usd: expect.any(Number), change_24h: expect.any(Number) });
    // A day before there are hours alone, whose price within is not known.
    expect(market.price('BTC', 20)).toMatchObject({ change_24h: null });
    for (const minute of [20.5, 21, 59, -1, Number.NaN]) {
      expect(() => market.price('BTC', minute)).toThrow(
        'minute must be from 0 to 20, since later ones are still to come',
      );
      expect(() => market.reference(minute)).toThrow(RangeError);
    }
  });

  test('the market does not change with later prices', async () => {
    const round = await firstRound();
    const seen = asOf(round, 20);
    const before = [seen.price('ETH'), seen.reference(), seen.candles('ETH').length];
    const later = asOf(round, 59);
    expect(later.price('ETH')).not.toEqual(before[0]);
    expect([later.price('ETH', 20), later.reference(20), later.candles('ETH').length]).toEqual(before);
  });

  test('the market has the complete hours of a week, oldest first', async () => {
    const market = asOf(await firstRound(), 0);
    expect(market.candles('DOT')).toHaveLength(168);
    const [last] = market.candles('DOT', 1);
    expect(last?.hourStart).toEqual(new Date(FIRST_PLAYED.getTime() - 3_600_000));
  });
});

describe('backtest', () => {
  test('a backtest counts decided, void and unanswered rounds', async () => {
    let rounds = 0;
    const agent = () => ((rounds += 1) % 5 === 0 ? null : { prediction: 'YES', confidence: 60 });
    const failed: unknown[] = [];
    const { result, answers } = await backtest({ past, agent, onFailure: (_round, error) => failed.push(error) });
    expect(result).toMatchObject({ rounds: PLAYED_HOURS - result.void, sat_out: 5 });
    expect(result.void).toBeGreaterThan(0);
    expect(result.answers + result.sat_out + result.failed).toBe(result.rounds);
    // YES is no answer to which of several.
    expect(failed).toHaveLength(result.failed);
    expect(String(failed[0])).toMatch(/^RangeError: prediction must be one of \w+, .* \(got YES\)/);
    expect(answers).toHaveLength(result.answers);
  });

  test('a backtest of the price’s answers has an edge near 0, with an interval', async () => {
    const { result, answers } = await backtest({ past, agent: likeliest, at: 30 });
    expect(answers.every(({ edge }) => edge !== null && Math.abs(edge) < 0.2)).toBe(true);
    expect(result.edge?.low).toBeLessThan(result.edge?.mean ?? Number.NaN);
    expect(result.edge?.n).toBe(answers.length);
    expect(result.points).toBe(answers.reduce((sum, { score, streak_bonus: bonus }) => sum + score + bonus, 0));
  });

  test('a backtest without known prices has no edge', async () => {
    const priceless: Past = {
      ...past,
      async *rounds() {
        for await (const round of past.rounds()) yield { ...round, quoteAt: () => null };
      },
    };
    const { result, answers } = await backtest({ past: priceless, agent: first });
    expect(new Set(answers.map(({ edge }) => edge))).toEqual(new Set([null]));
    expect(result.edge).toBeNull();
  });

  test('a backtest without a failure handler throws the first failure', async () => {
    await expect(backtest({ past, agent: () => ({ prediction: 'NOBODY', confidence: 1 }) })).rejects.toThrow(
      '(got NOBODY)',
    );
    const sure = { past, agent: ({ round }: AsOfMarket) => ({ prediction: round.choices[0] ?? '', confidence: 60.5 }) };
    await expect(backtest(sure)).rejects.toThrow('confidence must be a whole number from 0 to 100 (got 60.5)');
  });

  test('rankAmong gives equal figures the same place, and few edges none', async () => {
    const row = { score: 10, streak_bonus: 5, pnl_usd: 1.11, edge: 0.1 };
    const others = [7, 7, 8].map((agent_id) => ({ agent_id, ...row }));
    const edge = { mean: 0.1, low: 0, high: 0.2, n: 20 };
    expect(await rankAmong({ points: 15, pnl_usd: 2.22, edge }, others)).toEqual({
      points: { place: 2, of: 3 },
      pnl: { place: 1, of: 3 },
      edge: { place: 1, of: 1 },
    });
    expect(await rankAmong({ points: 0, pnl_usd: 0, edge: null }, [])).toEqual({
      points: { place: 1, of: 1 },
      pnl: { place: 1, of: 1 },
      edge: null,
    });
  });
});
