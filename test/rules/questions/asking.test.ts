import { describe, expect, test } from '@jest/globals';

import { historyNeeded, planOf, questionOf } from '../../../src/rules/questions/asking.ts';
import { resolutionValue } from '../../../src/rules/questions/deciding.ts';
import { type Operator, type Plan, QUESTION_TYPES, type QuestionType } from '../../../src/rules/questions/question.ts';
import { candle } from './hand-made.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-11-21T00:00:00Z');
const year = Array.from({ length: 24 * 365 }, (_, i) => new Date(start + i * HOUR));

const hourStartOf = (questionType: QuestionType, direction: Plan['direction'] = null): Date => {
  const found = year.find((time) => {
    const plan = planOf(time);
    return plan.questionType === questionType && (direction === null || plan.direction === direction);
  });
  if (found === undefined) throw new Error(`no hour asks ${questionType} ${direction}`);
  return found;
};
const questionAt = (hourStart: Date) => questionOf(planOf(hourStart), hourStart, []);
const minuteOf = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The table of decisions.md: format, operators, and whether a threshold or an n belongs to the type. */
const TABLE: Readonly<
  Record<QuestionType, [format: string, operators: (Operator | null)[], threshold: boolean, n: boolean]>
> = {
  relative: ['choice', [null], false, false],
  best_performer: ['choice', [null], false, false],
  worst_performer: ['choice', [null], false, false],
  podium: ['choice', [null], false, false],
  volatility: ['choice', [null], false, false],
  direction: ['boolean', ['>'], false, false],
  threshold: ['boolean', ['>=', '<='], true, false],
  touch: ['boolean', ['>=', '<='], true, false],
  magnitude: ['boolean', ['>='], true, false],
  range: ['boolean', ['within'], true, false],
  momentum: ['boolean', ['same_sign'], false, false],
  beat_market: ['boolean', ['>'], false, false],
  breadth: ['boolean', ['>='], false, true],
};

describe.each(QUESTION_TYPES)('%s questions', (questionType) => {
  const [format, operators, hasThreshold, hasN] = TABLE[questionType];
  const hours = year.filter((time) => planOf(time).questionType === questionType);

  test('a question has the documented format, choices and parameters', () => {
    const seen = new Set<Operator | null>();
    for (const hourStart of hours) {
      const plan = planOf(hourStart);
      const question = questionAt(hourStart);
      const { params } = question;
      seen.add(params.operator);
      expect(question).toMatchObject({ questionType, predictionFormat: format, assets: plan.assets });
      expect(question.choices).toEqual(format === 'boolean' ? ['YES', 'NO'] : plan.assets);
      expect(params.subject).toBe(plan.subject);
      expect([params.thresholdPct !== null, params.n !== null]).toEqual([hasThreshold, hasN]);
      expect(params.thresholdPct?.startsWith('-') ?? false).toBe(plan.direction === 'down');
    }
    expect(seen).toEqual(new Set(operators));
  });

  test('the text of a question has its assets, threshold, n and both times', () => {
    for (const hourStart of hours.slice(0, 40)) {
      const { question, params, choices, assets } = questionAt(hourStart);
      for (const asset of params.subject === null ? assets : [params.subject]) expect(question).toContain(asset);
      expect(question).toContain(`from ${minuteOf(hourStart.getTime())} to ${minuteOf(hourStart.getTime() + HOUR)}`);
      if (params.thresholdPct !== null) expect(question).toContain(`${params.thresholdPct.replace('-', '')} %`);
      if (params.n !== null) expect(question).toContain(`at least ${params.n} of the 8 assets`);
      if (choices.length > 2) expect(question).toContain('tie for the win voids the round');
      expect(question).not.toMatch(/undefined|null|NaN/);
      expect(question).toMatch(/^[A-Z][^?]*\?( \([^()]*(\([^()]*\)[^()]*)*\))?$/);
    }
  });

  test('a question needs history only if it has a number', () => {
    const plan = planOf(hourStartOf(questionType));
    expect(historyNeeded(plan)).toEqual(hasThreshold || hasN ? plan.assets : []);
  });

  test('each answer of a question has its own number', () => {
    const question = questionAt(hourStartOf(questionType));
    const numbers = question.choices.map((answer) => resolutionValue(question, answer));
    expect(new Set(numbers).size).toBe(question.choices.length);
    expect(Math.min(...numbers)).toBe(0);
  });
});

describe('texts', () => {
  const at = new Date('2026-12-31T23:00:00Z');
  const when = 'from 2026-12-31 23:00 UTC to 2027-01-01 00:00 UTC';
  const textOf = (plan: Partial<Plan>) =>
    questionOf({ questionType: 'direction', subject: 'BTC', assets: ['BTC'], direction: null, ...plan }, at, [])
      .question;

  test.each<[Partial<Plan>, string]>([
    [
      { questionType: 'relative', subject: null, assets: ['BTC', 'ETH'] },
      `Which has the higher return ${when}: BTC or ETH? (Return is close / open - 1 of the one-hour candle; a tie for the win voids the round.)`,
    ],
    [{}, `Does BTC end the hour ${when} above its start price (close > open)? (An unchanged price is a NO.)`],
    [
      { questionType: 'touch', direction: 'down' },
      `Does the price of BTC touch 0.33 % below its start price at any time ${when} (low / open - 1 <= -0.33 %)? (Touching it exactly is a YES.)`,
    ],
    [
      { questionType: 'touch', direction: 'up' },
      `Does the price of BTC touch 0.33 % above its start price at any time ${when} (high / open - 1 >= +0.33 %)? (Touching it exactly is a YES.)`,
    ],
    [
      { questionType: 'threshold', direction: 'down' },
      `Is the return of BTC ${when} -0.059 % or lower (return <= -0.059 %)? (Return is close / open - 1 of the one-hour candle; exactly -0.059 % is a YES.)`,
    ],
    [
      { questionType: 'range' },
      `Does the price of BTC stay within +/-0.58 % of its start price for the whole hour ${when} (high and low both within, the edges included)?`,
    ],
    [
      { questionType: 'momentum' },
      `Does the return of BTC ${when} have the same sign as its return in the hour before, from 2026-12-31 22:00 UTC to 2026-12-31 23:00 UTC? (Return is close / open - 1 of the one-hour candle; a zero return has the same sign as another zero only.)`,
    ],
  ])('the text of %j has the deciding rule', (plan, text) => {
    expect(textOf(plan)).toBe(text);
  });
});

describe('thresholds from history', () => {
  const at = new Date('2026-11-21T14:00:00Z');
  // BTC moves by 1 % to 50 % in the hours, always down; its high is half as far up, its low twice as far down.
  const history = Array.from({ length: 50 }, (_, i) => ({
    BTC: candle(String(100 - (i + 1) / 10), String(100 + (i + 1) / 20), String(100 - (i + 1) / 5)),
  }));
  const pctOf = (questionType: QuestionType, direction: Plan['direction']) =>
    questionOf({ questionType, subject: 'BTC', assets: ['BTC'], direction }, at, history).params.thresholdPct;

  test.each<[QuestionType, Plan['direction'], string]>([
    ['magnitude', null, '2.6'],
    ['touch', 'up', '1.3'],
    ['touch', 'down', '-5.2'],
    ['range', null, '5.2'],
    ['threshold', 'up', '0.7'],
    ['threshold', 'down', '-0.7'],
  ])('the threshold of %s %s is %s %%', (questionType, direction, pct) => {
    expect(pctOf(questionType, direction)).toBe(pct);
  });
});
