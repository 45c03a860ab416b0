import { expect, test } from '@jest/globals';

import { checkAll, DomainError, quoted, REASONS, refused } from '../../src/rules/errors.ts';

test('an error has its code, its cause and when to retry', () => {
  const cause = new Error('inner');
  const error = new DomainError('rate_limited', 'too many', { cause, retryAfter: 7 });
  expect(error).toMatchObject({ name: 'DomainError', code: 'RATE_LIMITED', message: 'too many', cause, retryAfter: 7 });
});

test('an error without a cause has no cause property', () => {
  expect('cause' in new DomainError('not_found', 'no such round')).toBe(false);
});

test.each([
  ['a "b"', '"a \\"b\\""'],
  [8.5, '8.5'],
  [null, 'null'],
  [undefined, 'nothing'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
  [{ a: [1] }, '{"a":[1]}'],
])('the value %p is shown as %s', (value, text) => {
  expect(quoted(value)).toBe(text);
});

test('a long value is shortened', () => {
  expect(quoted('y'.repeat(58))).toBe(`"${'y'.repeat(58)}"`);
  expect(quoted('y'.repeat(59))).toBe(`"${'y'.repeat(59)}...`);
  expect(quoted('🎲'.repeat(30))).toBe(`"${'🎲'.repeat(29)}...`);
});

test('each reason belongs to one code, general reasons too', () => {
  expect(new DomainError('conflict', 'no')).toMatchObject({ code: 'CONFLICT', reason: 'conflict' });
  expect(new DomainError('name_taken', 'no')).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
  for (const reason of REASONS) expect(new DomainError(reason, 'no').reason).toBe(reason);
});

test('one refusal is thrown unchanged, several as one error that lists all in order', () => {
  expect(() => checkAll([() => {}, () => 1])).not.toThrow();
  const several = thrownBy(() => checkAll([refuse('roundId'), () => {}, () => checkAll([refuse('a'), refuse('b')])]));
  expect(several.message).toBe('roundId must be x (got "y").');
  expect(several.refusals.map(({ argument }) => argument)).toEqual(['roundId', 'a', 'b']);
  expect(thrownBy(() => checkAll([refuse('one')])).refusals).toHaveLength(1);
});

test('an error without an argument is thrown at once', () => {
  expect(thrownBy(() => checkAll([forbid, refuse('later')])).code).toBe('FORBIDDEN');
});

test('arguments have the names of the caller’s interface, also in a list', () => {
  const error = thrownBy(() =>
    checkAll(
      ['roundId', 'walletAddress'].map((name) => () => {
        throw refused(name, 'x', 1);
      }),
    ),
  ).translated((name) => name.toUpperCase());
  expect([error.message, error.argument]).toEqual(['ROUNDID must be x (got 1).', 'ROUNDID']);
  expect(error.refusals.map(({ message }) => message)).toEqual([error.message, 'WALLETADDRESS must be x (got 1).']);
});

function refuse(name: string): () => never {
  return () => {
    throw refused(name, 'x', 'y');
  };
}

function forbid(): never {
  throw new DomainError('forbidden', 'no');
}

function thrownBy(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}
