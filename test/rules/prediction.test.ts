import { expect, test } from '@jest/globals';
import { checkConfidence, checkPrediction } from '../../src/rules/prediction.ts';
import { expectBadRequest } from './refusals.ts';

test.each([0, 1, 85, 100])('%i is a confidence', (confidence) => {
  expect(() => checkConfidence(confidence)).not.toThrow();
});

test.each([-1, 101, 84.5, NaN, Infinity])('%d is no confidence', (confidence) => {
  expectBadRequest(() => checkConfidence(confidence), String(confidence), 'an integer from 0 to 100');
});

test('a prediction is one of the choices, letter for letter', () => {
  expect(() => checkPrediction(['YES', 'NO'], 'NO')).not.toThrow();
  expectBadRequest(() => checkPrediction(['YES', 'NO'], 'yes'), '"yes"', '"YES", "NO"');
  expectBadRequest(() => checkPrediction(['BTC', 'ETH'], 'YES'), '"YES"', '"BTC", "ETH"');
  expectBadRequest(() => checkPrediction(['BTC', 'ETH'], ''), '""');
});
