import { describe, expect, test } from '@jest/globals';
import { candlesNeeded, type DecidableQuestion, outcomeOf } from '../../../src/rules/questions/deciding.ts';
import type { HistoryHour } from '../../../src/rules/questions/question.ts';
import { market } from './hand-made.ts';

type Case = [sense: string, candles: HistoryHour, answer: string];

/** The winning answer, or why the round is void. */
export function answerOf(question: DecidableQuestion, candles: HistoryHour, before: HistoryHour = {}): string {
  const outcome = outcomeOf(question, candles, before);
  return outcome.kind === 'answer' ? outcome.answer : `void: ${outcome.reason}`;
}

/** Holds what hand-made hours answer to a question, and what is true of every question that its own hour decides. */
export function describeOutcomes(name: string, question: DecidableQuestion, cases: readonly Case[]): void {
  describe(name, () => {
    test.each([...cases])(`${question.questionType}: %s`, (_, candles, answer) => {
      expect(answerOf(question, candles)).toBe(answer);
    });

    test(`a missing candle voids a question of ${question.questionType}`, () => {
      for (const missing of question.assets) {
        const others = market({ BTC: '101', ETH: '102', SOL: '103', ADA: '104' });
        const { [missing]: _gone, ...candles } = others;
        expect(outcomeOf(question, candles, others)).toEqual({ kind: 'void', reason: 'no_prices' });
      }
    });

    test(`the previous hour does not matter to ${question.questionType}`, () => {
      expect(candlesNeeded(question)).toEqual({ assets: question.assets, hourBefore: false });
    });
  });
}
