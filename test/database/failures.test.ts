import { expect, test } from '@jest/globals';

import { isOutOfReach } from '../../src/database/failures.ts';

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
