import { describe, expect, test } from '@jest/globals';
import { ASSETS } from '../../../src/rules/assets.ts';
import { candlesNeeded, type DecidableQuestion } from '../../../src/rules/questions/deciding.ts';
import type { HistoryHour, QuestionParams, QuestionType } from '../../../src/rules/questions/question.ts';
import { candle, closes, market, params, rising } from './hand-made.ts';
import { answerOf, describeOutcomes } from './outcome-cases.ts';

const one = (questionType: QuestionType, given: Partial<QuestionParams>): DecidableQuestion => ({
  questionType,
  choices: ['YES', 'NO'],
  assets: ['BTC'],
  params: params({ subject: 'BTC', ...given }),
});
const beatMarket: DecidableQuestion = { ...one('beat_market', { operator: '>' }), assets: ASSETS };
const breadth: DecidableQuestion = { ...one('breadth', { operator: '>=', n: 3, subject: null }), assets: ASSETS };
const btc = (close: string, high?: string, low?: string): HistoryHour => ({ BTC: candle(close, high, low) });

describeOutcomes('direction: YES is close > open', one('direction', { operator: '>' }), [
  ['a rise', btc('100.00000001'), 'YES'],
  ['a fall', btc('99.99'), 'NO'],
  ['an unchanged price', btc('100.00'), 'NO'],
]);

describeOutcomes('threshold: YES is return >= +x %', one('threshold', { operator: '>=', thresholdPct: '0.35' }), [
  ['above', btc('100.36'), 'YES'],
  ['exactly', btc('100.35'), 'YES'],
  ['below', btc('100.34999999'), 'NO'],
  ['the same way down', btc('99'), 'NO'],
]);

describeOutcomes('threshold: YES is return <= -x %', one('threshold', { operator: '<=', thresholdPct: '-0.35' }), [
  ['below', btc('99.64'), 'YES'],
  ['exactly', btc('99.65'), 'YES'],
  ['above', btc('99.65000001'), 'NO'],
  ['the same way up', btc('101'), 'NO'],
]);

describeOutcomes('touch: YES is high >= +x %', one('touch', { operator: '>=', thresholdPct: '0.35' }), [
  ['it got there and came back', btc('99', '100.4', '98'), 'YES'],
  ['it touched exactly', btc('100', '100.35', '99'), 'YES'],
  ['it came short', btc('100.34', '100.34', '90'), 'NO'],
]);

describeOutcomes('touch: YES is low <= -x %', one('touch', { operator: '<=', thresholdPct: '-0.35' }), [
  ['it got there and came back', btc('101', '102', '99.6'), 'YES'],
  ['it touched exactly', btc('100', '101', '99.65'), 'YES'],
  ['it came short', btc('99.66', '110', '99.66'), 'NO'],
]);

describeOutcomes('magnitude: YES is |return| >= x %', one('magnitude', { operator: '>=', thresholdPct: '0.35' }), [
  ['a rise', btc('100.4'), 'YES'],
  ['a fall', btc('99.6'), 'YES'],
  ['exactly up', btc('100.35'), 'YES'],
  ['exactly down', btc('99.65'), 'YES'],
  ['less', btc('100.34'), 'NO'],
  ['none', btc('100'), 'NO'],
]);

describeOutcomes(
  'range: YES is both high and low within +-x %',
  one('range', { operator: 'within', thresholdPct: '0.35' }),
  [
    ['inside', btc('100', '100.3', '99.7'), 'YES'],
    ['on both edges', btc('100', '100.35', '99.65'), 'YES'],
    ['too high', btc('100', '100.3501', '99.9'), 'NO'],
    ['too low', btc('100', '100.1', '99.6499'), 'NO'],
  ],
);

describeOutcomes('beat_market: YES is return > mean of all eight', beatMarket, [
  ['above the mean', market({ BTC: '101' }), 'YES'],
  ['below the mean', market({ ETH: '101' }), 'NO'],
  ['above the mean though it fell', market({ BTC: '99.9', ETH: '90' }), 'YES'],
  ['equal to the mean', market({}), 'NO'],
  ['exactly equal to a mean that moved', market({ BTC: '100.1', ETH: '100.7' }), 'NO'],
]);

describeOutcomes('breadth: YES is at least n of eight returns > 0', breadth, [
  ['more', rising(4), 'YES'],
  ['exactly n', rising(3), 'YES'],
  ['fewer', rising(2), 'NO'],
  ['all', rising(8), 'YES'],
]);

describe('momentum: YES is the same sign as in the previous hour', () => {
  const momentum = one('momentum', { operator: 'same_sign' });

  test.each([
    ['101', '100.01', 'YES'],
    ['99', '90', 'YES'],
    ['100', '100', 'YES'],
    ['101', '99', 'NO'],
    ['99', '101', 'NO'],
    ['100', '101', 'NO'],
    ['99', '100', 'NO'],
  ])('momentum: a close at %s after one at %s gives %s', (close, closeBefore, answer) => {
    expect(answerOf(momentum, btc(close), btc(closeBefore))).toBe(answer);
  });

  test('momentum needs the previous hour’s candle and its own, and is void without', () => {
    expect(candlesNeeded(momentum)).toEqual({ assets: ['BTC'], hourBefore: true });
    expect(answerOf(momentum, btc('101'), closes({ ETH: '101' }))).toBe('void: no_prices');
    expect(answerOf(momentum, {}, btc('101'))).toBe('void: no_prices');
  });
});
