import { describe, expect, test } from '@jest/globals';
import type { Figures } from '../../../src/market/figures.ts';
import { agree } from '../../../src/market/live/agreement.ts';

/** A candle whose four prices are the same. */
function flat(price: string, volume = '1'): Figures {
  return { open: price, high: price, low: price, close: price, volume };
}

function agreed(prices: readonly string[], least = 2): string {
  const finals = prices.map((price) => flat(price));
  const agreement = agree(finals, least);
  if (agreement.kind !== 'agreed') return agreement.kind;
  const members = agreement.members.map((member) => 'abc'[finals.indexOf(member)]).join('');
  return `${members} ${agreement.figures.close}`;
}

describe('agreement on final candles', () => {
  test.each([
    { prices: ['100', '100.1', '100.2'], is: 'abc 100.1', why: 'three agree: the middle one' },
    { prices: ['100.2', '100', '100.1'], is: 'abc 100.1', why: 'in whatever order' },
    { prices: ['100', '100.1'], is: 'ab 100.05', why: 'two agree: their exact mean' },
    { prices: ['100.10', '100.10', '100.1'], is: 'abc 100.10', why: 'the middle one as it is written' },
    { prices: ['100', '100.1', '103'], is: 'ab 100.05', why: 'one is too high' },
    { prices: ['100', '97', '100.1'], is: 'ac 100.05', why: 'one is too low' },
    { prices: ['100', '103'], is: 'apart', why: 'two do not agree' },
    { prices: ['97', '100', '103'], is: 'apart', why: 'no two agree' },
    { prices: ['100', '103', '103'], is: 'bc 103', why: 'two are wrong together, which nobody can tell' },
    { prices: ['100'], is: 'too_few', why: 'one cannot decide where two must' },
    { prices: [], is: 'too_few', why: 'there is none' },
    { prices: ['99.5', '100', '100.5'], is: 'abc 100', why: 'exactly 0.5 % from the median is within' },
    { prices: ['99.4999999999999999999', '100', '100.5'], is: 'bc 100.25', why: 'a hair more is not' },
    { prices: ['100', '100.1', '100.8'], is: 'ab 100.05', why: 'the closer of two pairs, for all three do not agree' },
    { prices: ['99.3', '100', '100.1'], is: 'bc 100.05', why: 'the closer of two pairs' },
    { prices: ['100', '100.8', '101.6064'], is: 'ambiguous', why: 'two pairs that are equally close' },
    {
      prices: ['0.10000000000000000001', '0.10000000000000000002'],
      is: 'ab 0.100000000000000000015',
      why: 'every digit',
    },
  ])('candles with $prices give $is: $why', ({ prices, is }) => {
    expect(agreed(prices)).toBe(is);
  });

  test('the candle of a single configured source counts alone', () => {
    expect(agreed(['100'], 1)).toBe('a 100');
    expect(agreed([], 1)).toBe('too_few');
  });

  test.each(['open', 'high', 'low', 'close'] as const)('candles disagree when only their %s differs', (name) => {
    const odd = { ...flat('100'), [name]: '103' };
    expect(agree([flat('100'), odd], 2)).toEqual({ kind: 'apart' });
    expect(agree([flat('100'), odd, flat('100.2')], 2)).toMatchObject({ members: [flat('100'), flat('100.2')] });
  });

  test('volumes are not compared, and the median counts', () => {
    expect(agree([flat('100', '1'), flat('100', '900'), flat('100', '30.50')], 2)).toMatchObject({
      figures: { volume: '30.50' },
    });
  });

  test('each price is agreed by itself, so that high and low still enclose the others', () => {
    const one = { open: '100', high: '100.5', low: '99.9', close: '100.4', volume: '1' };
    const other = { open: '100.3', high: '100.3', low: '99.8', close: '99.9', volume: '1' };
    const third = { open: '100.1', high: '100.6', low: '100.1', close: '100.2', volume: '1' };
    expect(agree([one, other, third], 2)).toMatchObject({
      figures: { open: '100.1', high: '100.5', low: '99.9', close: '100.2' },
    });
  });
});
