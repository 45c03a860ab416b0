import { expect, test } from '@jest/globals';
import { checkIdempotencyKey, IDEMPOTENCY_WINDOW } from '../../src/rules/idempotency-key.ts';
import { expectBadRequest } from './refusals.ts';

test.each(['x', ' ', '~'.repeat(128), '6f1c-"\\'])('%j is an idempotency key', (key) => {
  expect(() => checkIdempotencyKey(key)).not.toThrow();
});

test.each(['', 'x'.repeat(129), 'tab\t', 'line\n', 'ü', '\u007f'])('%j is no idempotency key', (key) => {
  expectBadRequest(() => checkIdempotencyKey(key), '1 to 128 printable ASCII');
});

test('a key is remembered for 24 hours', () => {
  expect(IDEMPOTENCY_WINDOW).toBe(86_400_000);
});
