import { expect, test } from '@jest/globals';
import { quoted } from '../../src/rules/quoted.ts';

test.each([
  ['a "b"', '"a \\"b\\""'],
  [8.5, '8.5'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{ a: [1] }, '{"a":[1]}'],
])('%p is shown as %s', (value, text) => {
  expect(quoted(value)).toBe(text);
});

test('a long value is cut', () => {
  expect(quoted('y'.repeat(58))).toBe(`"${'y'.repeat(58)}"`);
  expect(quoted('y'.repeat(59))).toBe(`"${'y'.repeat(59)}...`);
});
