import { expect, test } from '@jest/globals';

import { DomainError, quoted } from '../../src/rules/errors.ts';

test('an error carries its code, what caused it and when to try again', () => {
  const cause = new Error('inner');
  const error = new DomainError('RATE_LIMITED', 'too many', { cause, retryAfter: 7 });
  expect(error).toMatchObject({ name: 'DomainError', code: 'RATE_LIMITED', message: 'too many', cause, retryAfter: 7 });
});

test('an error without a cause has none, not an undefined one', () => {
  expect('cause' in new DomainError('NOT_FOUND', 'no such round')).toBe(false);
});

test.each([
  ['a "b"', '"a \\"b\\""'],
  [8.5, '8.5'],
  [null, 'null'],
  [undefined, 'nothing'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
  [{ a: [1] }, '{"a":[1]}'],
])('%p is shown as %s', (value, text) => {
  expect(quoted(value)).toBe(text);
});

test('a long value is cut', () => {
  expect(quoted('y'.repeat(58))).toBe(`"${'y'.repeat(58)}"`);
  expect(quoted('y'.repeat(59))).toBe(`"${'y'.repeat(59)}...`);
});
