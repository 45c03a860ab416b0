import { expect, test } from '@jest/globals';
import { DomainError } from '../../src/rules/errors.ts';

test('an error carries its code, what caused it and when to try again', () => {
  const cause = new Error('inner');
  const error = new DomainError('RATE_LIMITED', 'too many', { cause, retryAfter: 7 });
  expect(error).toMatchObject({ name: 'DomainError', code: 'RATE_LIMITED', message: 'too many', cause, retryAfter: 7 });
});

test('an error without a cause has none, not an undefined one', () => {
  expect('cause' in new DomainError('NOT_FOUND', 'no such round')).toBe(false);
});
