import { expect, test } from '@jest/globals';

import {
  checkConfidence,
  checkPrediction,
  checkIdempotencyKey,
  IDEMPOTENCY_WINDOW,
} from '../../src/rules/predictions.ts';
import { expectBadRequest } from './refusals.ts';

test.each([0, 1, 49, 50, 79, 80, 85, 100])('%i is a valid confidence', (confidence) => {
  expect(() => checkConfidence(confidence)).not.toThrow();
});

test.each([-1, -0.5, 101, 84.5, 1e300, NaN, Infinity])('%p is an invalid confidence', (confidence) => {
  expectBadRequest(() => checkConfidence(confidence), String(confidence), 'a whole number from 0 to 100');
});

test('a prediction is one of the choices, case-sensitively', () => {
  expect(() => checkPrediction(['YES', 'NO'], 'NO')).not.toThrow();
  expectBadRequest(() => checkPrediction(['YES', 'NO'], 'yes'), '"yes"', '"YES", "NO"');
  expectBadRequest(() => checkPrediction(['BTC', 'ETH'], 'YES'), '"YES"', '"BTC", "ETH"');
  expectBadRequest(() => checkPrediction(['BTC', 'ETH'], ''), '""');
});

test.each(['x', ' ', '~'.repeat(128), '6f1c-"\\'])('%j is a valid idempotency key', (key) => {
  expect(() => checkIdempotencyKey(key)).not.toThrow();
});

test.each(['', 'x'.repeat(129), 'tab\t', 'line\n', 'ü', '\u007f'])('%j is an invalid idempotency key', (key) => {
  expectBadRequest(() => checkIdempotencyKey(key), '1 to 128 printable ASCII');
});

test('an idempotency key expires after 24 hours', () => {
  expect(IDEMPOTENCY_WINDOW).toBe(86_400_000);
});
