import { expect, test } from '@jest/globals';

import { isOutOfReach, reason, reasonOfFetch, refuseUnusable } from '../../src/database/failures.ts';

const failed = (code: string): Error => Object.assign(new Error('It failed'), { code });

test.each([
  ['08006', 'a lost connection', true],
  ['57P01', 'a server that stops', true],
  ['25P02', 'a transaction that an earlier error has ended', true],
  ['25P03', 'a session that stood still inside a transaction', true],
  ['25P01', 'no transaction where one is needed', false],
  ['23505', 'a row that is there already', false],
])('%s, %s, is transient: %s', (code, _what, isPassing) => {
  const found = [failed(code), new Error('A driver', { cause: failed(code) })].map(isOutOfReach);
  expect(found).toEqual([isPassing, isPassing]);
});

const atEachAddress = new AggregateError([
  new Error('connect ECONNREFUSED ::1:5432'),
  new Error('connect ECONNREFUSED 127.0.0.1:5432'),
]);
const EACH = 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432';

test('the reason has the failure at each address of a name', () => {
  expect(reason(Object.assign(atEachAddress, { code: 'ECONNREFUSED' }))).toBe(EACH);
  expect(reason(new AggregateError([atEachAddress, failed('08006')], 'All failed'))).toBe(`${EACH}; It failed`);
  expect(() => refuseUnusable(atEachAddress)).toThrow(`The database of DATABASE_URL cannot be used: ${EACH}`);
});

test('the reason of a failed fetch is that of its cause', async () => {
  expect(reasonOfFetch(new TypeError('fetch failed', { cause: atEachAddress }))).toBe(EACH);
  expect(reasonOfFetch(new Error('The operation was aborted'))).toBe('The operation was aborted');
  const refused = await fetch('http://127.0.0.1:1').catch((error: unknown) => error);
  expect(reasonOfFetch(refused)).toBe('bad port');
});
