import { expect, test } from '@jest/globals';

import { type Leader, periodSummary } from '../../src/rules/period-summary.ts';

const leader = (name: string, rank: number, points: number, edge: number | null = null): Leader => ({
  name,
  rank,
  points,
  edge,
});
const first = leader('fox', 1, 1_204);
const second = leader('owl', 2, 163);

test.each<readonly [string, readonly Leader[], number, string]>([
  ['nobody answered', [], 0, 'No agent answered in this day.'],
  ['one agent was alone', [first], 1, 'fox was the only agent with +1,204 points.'],
  ['one was ahead', [first, second], 1_050, 'fox came first of 1,050 agents with +1,204 points, 1,041 ahead of owl.'],
  [
    'the first lost',
    [leader('fox', 1, -20), leader('owl', 2, -35)],
    2,
    'fox came first of 2 agents with −20 points, 15 ahead of owl.',
  ],
  [
    'two were equal',
    [leader('fox', 1, 0), leader('owl', 1, 0), leader('bee', 3, -5)],
    3,
    'fox and owl shared the first place with 0 points.',
  ],
  [
    'three were equal',
    [leader('fox', 1, 5), leader('owl', 1, 5), leader('bee', 1, 5)],
    4,
    'fox, owl and others shared the first place with +5 points.',
  ],
])('if %s, the sentence has the figures', (_, leaders, agents, sentence) => {
  expect(periodSummary({ kind: 'day', agents, leaders })).toBe(sentence);
});

test.each([
  [0.0304, '; its edge over the price was +0.030.'],
  [-0.12, '; its edge over the price was −0.120.'],
  [-0.0004, '; its edge over the price was 0.000.'],
])('the first one’s edge of %d is compared with the price', (edge, end) => {
  const sentence = periodSummary({ kind: 'week', agents: 2, leaders: [{ ...first, edge }, second] });
  expect(sentence).toBe(`fox came first of 2 agents with +1,204 points, 1,041 ahead of owl${end}`);
});

test('no sentence has more than 20 words', () => {
  const sentence = periodSummary({ kind: 'month', agents: 9_999, leaders: [{ ...first, edge: -0.2 }, second] });
  expect(sentence.split(' ').length).toBeLessThanOrEqual(20);
});
