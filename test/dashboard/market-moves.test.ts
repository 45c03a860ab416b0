import { describe, expect, test } from '@jest/globals';

import { difficultyWords } from '../../dashboard/difficulty.ts';
import { forecastLine } from '../../dashboard/hour-lines.ts';
import { movesOf } from '../../dashboard/market-moves.ts';
import type { QuestionType } from '../../src/rules/questions/question.ts';

const asset = (symbol: string, [high, low, close]: readonly [number, number, number]) => ({
  symbol,
  startPriceUsd: 100,
  highUsd: 100 + high,
  lowUsd: 100 - low,
  returnPct: close,
});

const candle = (hour: string, close: string) => ({
  symbol: 'BTC',
  hourStart: `2026-01-01T${hour}:00:00.000Z`,
  openUsd: '100',
  highUsd: '104',
  lowUsd: '99',
  closeUsd: close,
});

const decided = (questionType: QuestionType, thresholdPct: number | null = null, subject: string | null = 'BTC') => ({
  questionType,
  choices: ['YES', 'NO'],
  params: { subject, operator: null, thresholdPct, n: null },
  assets: [asset('BTC', [1, 2, 0.5])],
  agreedCandles: [candle('12', '103'), candle('11', '98')],
});

const THREE = [asset('ETH', [2, 2, -1]), asset('BTC', [1, 2, 0.5]), asset('SOL', [4, 0, 3.5])];

describe('market moves', () => {
  test('moves of momentum have both hours, the earlier first', () => {
    expect(movesOf(decided('momentum')).rows).toMatchObject([
      { name: '11:00', pct: expect.closeTo(-2), isAsked: false },
      { name: '12:00', pct: expect.closeTo(3), reach: [expect.closeTo(-1), expect.closeTo(4)], isAsked: true },
    ]);
  });

  test('moves of range and touch have their levels beside low and high', () => {
    expect(movesOf(decided('range', 0.8))).toMatchObject({
      turns: [-0.8, 0.8],
      rows: [{ reach: [expect.closeTo(-2), expect.closeTo(1)] }],
    });
    expect(movesOf(decided('touch', -1.5))).toMatchObject({ turns: [-1.5], rows: [{ pct: 0.5 }] });
  });

  test('moves of beat_market have all assets, the subject marked, and the mean', () => {
    const { rows, turns } = movesOf({ ...decided('beat_market'), assets: THREE });
    expect(rows.map(({ name, isAsked }) => [name, isAsked])).toEqual([
      ['SOL', false],
      ['BTC', true],
      ['ETH', false],
    ]);
    expect(turns).toEqual([expect.closeTo(1)]);
  });

  test('moves of volatility have the width of the hour', () => {
    const { rows } = movesOf({ ...decided('volatility', null, null), assets: THREE.slice(0, 2) });
    expect(rows).toMatchObject([
      { name: 'ETH', pct: expect.closeTo(4), reach: null, isAsked: true },
      { name: 'BTC', pct: expect.closeTo(3), reach: null, isAsked: true },
    ]);
  });

  test('moves are empty before they are known', () => {
    const open = { ...asset('BTC', [0, 0, 0]), returnPct: null };
    expect(movesOf({ ...decided('direction'), assets: [open] }).rows).toEqual([]);
  });
});

test.each([
  [0.31, 'hard, 0.31'],
  [0.25, 'like a coin, 0.25'],
  [0.1, 'easy, 0.10'],
])('difficulty %d is a word with its scale, without a claim about correct answers', (difficulty, words) => {
  const shown = difficultyWords(difficulty);
  expect(shown).toContain(`Difficulty: ${words}. From 0`);
  expect(shown).not.toMatch(/most|surprise|knew/);
});

const at = (minute: string, yes: number, entries = 1) => ({
  at: `2026-01-01T12:${minute}:00.000Z`,
  entries,
  probabilities: [
    { answer: 'YES', probability: yes },
    { answer: 'NO', probability: 1 - yes },
  ],
});

test('forecasts are drawn at their own instants', () => {
  expect(forecastLine([at('05', 0.25), at('15', 0.5)], { start: '2026-01-01T12:00:00.000Z', answer: 'NO' })).toEqual([
    { minute: 5, value: 0.75 },
    { minute: 15, value: 0.5 },
  ]);
});

test('a forecast without predictions is not drawn as the agents’', () => {
  const hour = { start: '2026-01-01T12:00:00.000Z', answer: 'NO' };
  expect(forecastLine([at('05', 0.25, 0), at('15', 0.5)], hour)).toEqual([{ minute: 15, value: 0.5 }]);
});
