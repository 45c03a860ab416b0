import { describe, expect, test } from '@jest/globals';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { briefing } from '../../src/rest/briefing.ts';
import { planOf, questionOf } from '../../src/rules/questions/asking.ts';
import { addHours } from '../../src/rules/hours.ts';
import { predict, type Player, registerMany } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { shared, sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ prices: simulatedMarket(), start: '2026-01-01T12:05:00Z' }));
const players = shared(async () => {
  const [first, second] = await registerMany(service, 'player', 2);
  if (first === undefined || second === undefined) throw new Error('Two must be there');
  return { first, second };
});

const get = async (player?: Player) => service.request('GET', '/api/briefing', player && { key: player.key });

describe('briefing', () => {
  test('the briefing has the question, the price’s probabilities, the current hour and the hours before', async () => {
    const { status, body } = await get();
    const round = await currentRound(service);
    const { id, question, question_type, choices } = round;
    expect({ status, round: body.round }).toMatchObject({
      status: 200,
      round: { id, question, question_type, choices, time_remaining_seconds: 3300, total_entries: 0 },
    });
    const price = (await service.request('GET', '/api/forecast')).body;
    expect(body.price).toMatchObject({ at: price.at, known: true });
    for (const choice of choices) expect(body.price.probabilities[choice]).toBeCloseTo(price.price[choice], 4);
    const assets = Object.keys(round.assets);
    expect(Object.keys(body.hour)).toEqual(assets);
    const reference = (await service.request('GET', `/api/rounds/${id}/reference?points=240`)).body.reference;
    const open = reference[0].prices;
    const newest = reference.at(-1).prices;
    for (const [place, asset] of assets.entries()) {
      const { price_usd, high_usd, low_usd } = newest[place];
      const shown = { price: price_usd, high: high_usd, low: low_usd, open: open[place].price_usd };
      const rounded: Record<string, number> = Object.fromEntries(
        Object.entries(shown).map(([name, usd]) => [name, Number(Number(usd).toPrecision(6))]),
      );
      const { low = 0, high = 0, price: last = 0 } = rounded;
      expect(body.hour[asset]).toEqual({ ...rounded, price: Math.min(high, Math.max(low, last)) });
    }
    const [asset = ''] = assets;
    const { candles } = (await service.request('GET', `/api/data/candles?asset=${asset}&hours=1`)).body;
    const [high, low, close] = body.candles[asset].at(-1);
    expect(high).toBeCloseTo(100 * (candles[0].high / candles[0].open - 1), 2);
    expect(low).toBeCloseTo(100 * (candles[0].low / candles[0].open - 1), 2);
    expect(close).toBeCloseTo(100 * (candles[0].close / candles[0].open - 1), 2);
  });

  test('the briefing has the last mistakes of the key’s agent only', async () => {
    const { first, second } = players;
    const answers = new Map<number, string>();
    for (let hour = 0; hour < 6; hour += 1) {
      const { id, choices } = await currentRound(service);
      const [one = '', other = ''] = choices;
      await predict(service, first, { prediction: one, confidence: 90 });
      await predict(service, second, { prediction: other, confidence: 90 });
      answers.set(id, one);
      await service.nextHour();
    }
    const { predictions } = (await service.request('GET', '/api/me/predictions', { key: first.key })).body;
    const wrong: readonly Record<string, unknown>[] = predictions;
    const { mistakes, crowd } = (await get(first)).body;
    const expected = wrong.filter(({ is_correct }) => is_correct === 0).slice(0, 3);
    expect(mistakes).toMatchObject(
      expected.map(({ round_id, question_type, prediction }) => ({
        round_id,
        question_type,
        prediction,
        confidence: 90,
      })),
    );
    expect(mistakes.length).toBeGreaterThan(0);
    for (const { outcome, prediction, edge } of mistakes) {
      expect(outcome).not.toBe(prediction);
      expect(edge).toBeLessThan(1);
    }
    expect(crowd).not.toBeNull();
    expect((await get()).body.mistakes).toBeNull();
  });

  test('an unknown key gets the briefing without mistakes', async () => {
    const { status, body } = await service.request('GET', '/api/briefing', { key: `pk_live_${'0'.repeat(48)}` });
    expect({ status, mistakes: body.mistakes }).toEqual({ status: 200, mistakes: null });
  });
});

/** Of each kind of question the longest of a year. */
const LONGEST = Map.groupBy(
  Array.from({ length: 24 * 365 }, (_, hour) => {
    const start = addHours(new Date('2026-01-01T00:00:00Z'), hour);
    return questionOf(planOf(start), start, []);
  }),
  ({ questionType }) => questionType,
);

describe.each([...LONGEST])('a briefing of %s', (_type, questions) => {
  test('a briefing has at most 2 kB with the longest values', () => {
    const sizes = questions.map((question) => Buffer.byteLength(JSON.stringify(briefing.apply(longest(question), {}))));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
  });
});

function longest({ question, questionType, choices, assets }: ReturnType<typeof questionOf>) {
  const USD = 123456.789012345;
  const edge = -1.23456789;
  const mistake = {
    round_id: 2 ** 31 - 1,
    question_type: 'worst_performer',
    prediction: 'AVAX',
    confidence: 100,
    edge,
  };
  return {
    round: {
      id: 2 ** 31 - 1,
      // Thresholds have two decimals at the most, of which the fixed table's have fewer.
      question: `${question}    `,
      question_type: questionType,
      choices,
      ends_at: '2026-01-01T13:00:00.000Z',
      time_remaining_seconds: 3600,
      total_entries: 2 ** 31 - 1,
      crowd: { answers: choices.map((answer) => ({ answer, share: 0.123456789 })) },
      price: {
        at: '2026-01-01T12:00:00.000Z',
        known: false,
        probabilities: choices.map((answer) => ({ answer, probability: 0.123456789 })),
        prices: assets.map((asset) => ({ asset, open: USD, high: USD, low: USD, price: USD })),
      },
      assets: assets.map((symbol) => ({
        symbol,
        candles: Array.from({ length: 12 }, () => ({ open: 100, high: 112.345, low: 87.654, close: 87.654 })),
      })),
    },
    mistakes: { predictions: { nodes: [1, 2, 3].map(() => ({ ...mistake, outcome: 'DOGE' })) } },
  };
}
