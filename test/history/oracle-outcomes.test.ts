import { describe, expect, test } from '@jest/globals';
import { SYMBOLS, type Candles } from './candle-files.ts';
import { candle, HAND_MADE_HOUR, round, type Prices } from './hand-made.ts';
import { verdictOf } from './oracle-questions.ts';
import type { RoundFacts } from './round-facts.ts';

/** Neither on real candles nor on the service: the oracle against cases that are worked out by hand. */

const STILL: Prices = [1000n, 1000n, 1000n, 1000n];

function decided(
  fields: Partial<RoundFacts>,
  prices: Record<string, Prices>,
  before: Record<string, Prices> = {},
): string {
  const verdict = verdictOf(round(fields), (symbol, hour) => {
    const own = hour === HAND_MADE_HOUR ? (prices[symbol] ?? STILL) : before[symbol];
    return own && candle(own);
  });
  return verdict.status === 'void' ? verdict.reason : `${verdict.outcome} ${verdict.resolutionValue}`;
}

const risingWithoutDot: Candles = (symbol) => (symbol === 'DOT' ? undefined : candle([1000n, 1020n, 990n, 1010n]));

describe('outcomes', () => {
  const up: Prices = [1000n, 1020n, 990n, 1010n];
  const upHalfAsDear: Prices = [500n, 510n, 495n, 505n];
  const down: Prices = [1000n, 1010n, 980n, 990n];
  const all = [...SYMBOLS];
  const pair = ['BTC', 'ETH'];
  const BTC = { subject: 'BTC' };

  test.each<[string, Partial<RoundFacts>, Record<string, Prices>, string]>([
    ['the first of two wins', { type: 'relative', choices: pair }, { BTC: up }, 'BTC 1'],
    ['the second of two wins', { type: 'relative', choices: pair }, { BTC: down }, 'ETH 0'],
    [
      'equal returns at different prices tie',
      { type: 'relative', choices: pair },
      { BTC: up, ETH: upHalfAsDear },
      'tie',
    ],
    ['the best of eight', { type: 'best_performer', choices: all }, { SOL: up, ADA: down }, 'SOL 2'],
    ['two best of eight tie', { type: 'best_performer', choices: all }, { SOL: up, ADA: upHalfAsDear }, 'tie'],
    ['the worst of eight', { type: 'worst_performer', choices: all }, { SOL: up, ADA: down }, 'ADA 5'],
    [
      'two losers do not tie the best',
      { type: 'podium', choices: ['DOT', 'ADA', 'SOL', 'BTC'] },
      { SOL: up, ADA: down },
      'SOL 2',
    ],
    [
      'those outside of the podium do not count',
      { type: 'podium', choices: ['DOT', 'ADA', 'BTC', 'ETH'] },
      { SOL: up, ETH: [9n, 9n, 9n, 10n] },
      'ETH 3',
    ],
    ['the wider of two', { type: 'volatility', choices: pair }, { BTC: up, ETH: [1000n, 1030n, 999n, 1000n] }, 'ETH 0'],
    ['equal widths tie', { type: 'volatility', choices: pair }, { BTC: up, ETH: upHalfAsDear }, 'tie'],
    ['a higher close is up', { ...BTC, type: 'direction' }, { BTC: up }, 'YES 1'],
    ['an equal close is not up', { ...BTC, type: 'direction' }, {}, 'NO 0'],
    ['a threshold just reached', { ...BTC, type: 'threshold', thresholdPct: 1 }, { BTC: up }, 'YES 1'],
    ['a threshold missed by a hair', { ...BTC, type: 'threshold', thresholdPct: 1.0001 }, { BTC: up }, 'NO 0'],
    ['a lower threshold just reached', { ...BTC, type: 'threshold', thresholdPct: -1 }, { BTC: down }, 'YES 1'],
    ['a lower threshold on a rise', { ...BTC, type: 'threshold', thresholdPct: -1 }, { BTC: up }, 'NO 0'],
    ['a high that touches', { ...BTC, type: 'touch', thresholdPct: 2 }, { BTC: up }, 'YES 1'],
    ['a high that does not touch', { ...BTC, type: 'touch', thresholdPct: 2.1 }, { BTC: up }, 'NO 0'],
    ['a low that touches', { ...BTC, type: 'touch', thresholdPct: -1 }, { BTC: up }, 'YES 1'],
    ['a low that does not touch', { ...BTC, type: 'touch', thresholdPct: -1.1 }, { BTC: up }, 'NO 0'],
    ['a fall has magnitude', { ...BTC, type: 'magnitude', thresholdPct: 1 }, { BTC: down }, 'YES 1'],
    ['too small a magnitude', { ...BTC, type: 'magnitude', thresholdPct: 1.1 }, { BTC: down }, 'NO 0'],
    ['the edges lie in the range', { ...BTC, type: 'range', thresholdPct: 2 }, { BTC: up }, 'YES 1'],
    ['a high outside of the range', { ...BTC, type: 'range', thresholdPct: 1.9 }, { BTC: up }, 'NO 0'],
    ['a low outside of the range', { ...BTC, type: 'range', thresholdPct: 1.5 }, { BTC: down }, 'NO 0'],
    ['the only riser beats the market', { ...BTC, type: 'beat_market' }, { BTC: up }, 'YES 1'],
    ['the mean of all does not beat itself', { ...BTC, type: 'beat_market' }, {}, 'NO 0'],
    ['below the mean', { ...BTC, type: 'beat_market' }, { ETH: up }, 'NO 0'],
    ['as many risers as asked', { type: 'breadth', n: 2 }, { ETH: up, DOT: upHalfAsDear, ADA: down }, 'YES 1'],
    ['too few risers', { type: 'breadth', n: 3 }, { ETH: up, DOT: upHalfAsDear, ADA: down }, 'NO 0'],
  ])('%s', (_, fields, prices, expected) => {
    expect(decided(fields, prices)).toBe(expected);
  });

  test.each<[string, Record<string, Prices>, Record<string, Prices>, string]>([
    ['two rises have one sign', { BTC: up }, { BTC: upHalfAsDear }, 'YES 1'],
    ['a fall after a rise has another', { BTC: down }, { BTC: up }, 'NO 0'],
    ['zero equals zero', {}, { BTC: STILL }, 'YES 1'],
    ['zero equals no rise', {}, { BTC: up }, 'NO 0'],
    ['without the hour before there is no outcome', { BTC: up }, { ETH: up }, 'no_prices'],
  ])('momentum: %s', (_, prices, before, expected) => {
    expect(decided({ type: 'momentum', subject: 'BTC' }, prices, before)).toBe(expected);
  });

  test('one missing candle of those that decide leaves the round without an outcome', () => {
    expect(verdictOf(round({ type: 'breadth', n: 1 }), risingWithoutDot)).toEqual({
      status: 'void',
      reason: 'no_prices',
    });
    expect(verdictOf(round({ subject: 'BTC' }), risingWithoutDot).status).toBe('resolved');
  });
});
