import { describe, expect, test } from '@jest/globals';
import { compareDecimals, largerDecimal, smallerDecimal, sumDecimals } from '../../src/market/decimals.ts';

describe('decimals', () => {
  test.each([
    ['1', '2', -1],
    ['10', '9', 1],
    ['1.50', '1.5', 0],
    ['0.1', '0.10000000000000000001', -1],
    ['9007199254740993', '9007199254740992', 1],
    ['28477.73', '28477.73', 0],
  ])('%s compared with %s is %i', (a, b, sign) => {
    expect(Math.sign(compareDecimals(a, b))).toBe(sign);
    expect(Math.sign(compareDecimals(b, a)) + sign).toBe(0);
  });

  test('the larger and the smaller of equal decimals is the first', () => {
    expect(largerDecimal('1.50', '1.5')).toBe('1.50');
    expect(smallerDecimal('1.5', '1.50')).toBe('1.5');
    expect(largerDecimal('2', '10')).toBe('10');
    expect(smallerDecimal('2', '10')).toBe('2');
  });

  test.each([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['6.25434', '5.70097'], '11.95531'],
    [['0.005', '0.005'], '0.010'],
    [['1537771404', '0.00000001'], '1537771404.00000001'],
    [['12', '30'], '42'],
  ])('the sum of %j is %s', (terms, sum) => {
    expect(sumDecimals(terms)).toBe(sum);
  });
});
