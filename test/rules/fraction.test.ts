import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  absolute,
  add,
  compare,
  divide,
  fraction,
  multiply,
  parseDecimal,
  roundHalfAway,
  sign,
  square,
  subtract,
  sum,
  toDecimal,
} from '../../src/rules/fraction.ts';

const integers = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
const positives = fc.bigInt({ min: 1n, max: 10n ** 20n });

describe('fractions', () => {
  test.each([
    [fraction(6, 4), { num: 3n, den: 2n }],
    [fraction(6, -4), { num: -3n, den: 2n }],
    [fraction(0, 7), { num: 0n, den: 1n }],
    [add(fraction(1, 3), fraction(1, 6)), { num: 1n, den: 2n }],
    [subtract(fraction(1, 3), fraction(1, 2)), { num: -1n, den: 6n }],
    [multiply(fraction(2, 3), fraction(-3, 4)), { num: -1n, den: 2n }],
    [divide(fraction(1, 2), fraction(-1, 3)), { num: -3n, den: 2n }],
    [square(fraction(-2, 3)), { num: 4n, den: 9n }],
    [absolute(fraction(-2, 3)), { num: 2n, den: 3n }],
    [sum([fraction(1, 10), fraction(2, 10), fraction(-3, 10)]), { num: 0n, den: 1n }],
  ])('fractions are in lowest terms with a positive denominator (%#)', (made, expected) => {
    expect(made).toEqual(expected);
  });

  test('a zero denominator is refused', () => {
    expect(() => fraction(1, 0)).toThrow('must not be zero');
    expect(() => divide(fraction(1), fraction(0))).toThrow(RangeError);
  });

  test('fractions are compared by cross products', () => {
    fc.assert(
      fc.property(integers, positives, integers, positives, (a, b, c, d) => {
        const expected = a * d < c * b ? -1 : a * d > c * b ? 1 : 0;
        expect(compare(fraction(a, b), fraction(c, d))).toBe(expected);
        expect(sign(fraction(a, b))).toBe(a < 0n ? -1 : a > 0n ? 1 : 0);
      }),
    );
  });

  test('a difference too small for a float is detected', () => {
    expect(compare(parseDecimal('1.00000000000000000001'), parseDecimal('1'))).toBe(1);
  });
});

describe('decimals', () => {
  test.each([
    ['28477.73', 2_847_773n, 100n],
    ['-0.35', -7n, 20n],
    ['+1.50', 3n, 2n],
    ['0', 0n, 1n],
    ['-0.00', 0n, 1n],
    ['007', 7n, 1n],
  ])('the decimal %s is parsed exactly', (text, num, den) => {
    expect(parseDecimal(text)).toEqual({ num, den });
  });

  test.each(['', '-', '.5', '5.', '1e3', '0x10', ' 1', '1\n', '1,5', 'NaN', '--1', '1.2.3'])(
    '%j is refused as a decimal',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(RangeError);
    },
  );

  test.each([
    [fraction(1, 8), '0.125'],
    [fraction(-49, 64), '-0.765625'],
    [fraction(300), '300'],
    [fraction(0), '0'],
  ])('a finite decimal is written completely (%#)', (value, text) => {
    expect(toDecimal(value)).toBe(text);
  });

  test('a value without a finite decimal is refused', () => {
    expect(() => toDecimal(fraction(1, 3))).toThrow('1/3 is no finite decimal');
  });

  test('parseDecimal reads every text of toDecimal', () => {
    fc.assert(
      fc.property(integers, fc.nat(30), (num, digits) => {
        const value = fraction(num, 10n ** BigInt(digits));
        expect(parseDecimal(toDecimal(value))).toEqual(value);
      }),
    );
  });
});

describe('rounding', () => {
  test.each([
    ['0.005', 2, '0.01'],
    ['-0.005', 2, '-0.01'],
    ['0.0049999', 2, '0.00'],
    ['-0.0049999', 2, '0.00'],
    ['1.005', 2, '1.01'],
    ['-2.5', 0, '-3'],
    ['2.5', 0, '3'],
    ['99.995', 2, '100.00'],
    ['7', 4, '7.0000'],
  ])('%s rounded to %i decimals is %s', (value, digits, text) => {
    expect(roundHalfAway(parseDecimal(value), digits)).toBe(text);
  });

  test('the rounded value is the nearest one, and ties are rounded away from zero', () => {
    fc.assert(
      fc.property(integers, positives, fc.nat(6), (num, den, digits) => {
        const text = roundHalfAway(fraction(num, den), digits);
        expect(text).toMatch(digits === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${digits}}$`));
        expect(text).not.toMatch(/^-[0.]*$/);
        const units = BigInt(text.replace('.', ''));
        const [twiceUnits, twiceValue] = [2n * units * den, 2n * num * 10n ** BigInt(digits)];
        const error = twiceValue - twiceUnits;
        expect(-den <= error && error <= den).toBe(true);
        if (error === den) expect(num < 0n).toBe(true);
        if (error === -den) expect(num > 0n).toBe(true);
      }),
      {
        examples: [
          [1n, 2n, 0],
          [-1n, 2n, 0],
          [-1n, 200n, 2],
        ],
      },
    );
  });
});
