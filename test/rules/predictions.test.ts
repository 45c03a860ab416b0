import { expect, test } from '@jest/globals';

import {
  checkConfidence,
  checkPrediction,
  checkIdempotencyKey,
  IDEMPOTENCY_WINDOW,
} from '../../src/rules/predictions.ts';
import { expectBadRequest } from './refusals.ts';

test.each([0, 1, 49, 50, 79, 80, 85, 100])('%i is a confidence', (confidence) => {
  expect(() => checkConfidence(confidence)).not.toThrow();
});

test.each([-1, -0.5, 101, 84.5, 1e300, NaN, Infinity])('%p is no confidence', (confidence) => {
  expectBadRequest(() => checkConfidence(confidence), String(confidence), 'a whole number from 0 to 100');
});

test('a prediction is one of the choices, letter for letter', () => {
  expect(() => checkPrediction(['YES', 'NO'], 'NO')).not.toThrow();
  expectBadRequest(() => checkPrediction(['YES', 'NO'], 'yes'), '"yes"', '"YES", "NO"');
  expectBadRequest(() => checkPrediction(['BTC', 'ETH'], 'YES'), '"YES"', '"BTC", "ETH"');
  expectBadRequest(() => checkPrediction(['BTC', 'ETH'], ''), '""');
});

test.each(['x', ' ', '~'.repeat(128), '6f1c-"\\'])('%j is an idempotency key', (key) => {
  expect(() => checkIdempotencyKey(key)).not.toThrow();
});

test.each(['', 'x'.repeat(129), 'tab\t', 'line\n', 'ü', '\u007f'])('%j is no idempotency key', (key) => {
  expectBadRequest(() => checkIdempotencyKey(key), '1 to 128 printable ASCII');
});

test('a key is remembered for 24 hours', () => {
  expect(IDEMPOTENCY_WINDOW).toBe(86_400_000);
});
