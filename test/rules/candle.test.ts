import { expect, test } from '@jest/globals';
import { moveTo, rangeOf, returnOf, returnPct } from '../../src/rules/candle.ts';
import { fraction } from '../../src/rules/fraction.ts';

const candle = { open: '200', high: '203.5', low: '199', close: '201' };

test('the return is close / open - 1', () => {
  expect(returnOf(candle)).toEqual(fraction(1, 200));
});

test('the range is (high - low) / open', () => {
  expect(rangeOf(candle)).toEqual(fraction(9, 400));
});

test('a move is measured from the open', () => {
  expect(moveTo('high', candle)).toEqual(fraction(7, 400));
  expect(moveTo('low', candle)).toEqual(fraction(-1, 200));
  expect(moveTo('open', candle)).toEqual(fraction(0));
});

test.each([
  ['28477.73', '28520.11', '0.1488'],
  ['100', '99.99995', '-0.0001'],
  ['100', '100.00005', '0.0001'],
  ['100', '99.999951', '0.0000'],
  ['0.0074', '0.0875', '1082.4324'],
])('the change from %s to %s is shown as %s %%', (open, close, shown) => {
  expect(returnPct({ open, high: open, low: open, close })).toBe(shown);
});
