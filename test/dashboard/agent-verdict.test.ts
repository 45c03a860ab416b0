import { expect, test } from '@jest/globals';

import { lateness, verdict } from '../../dashboard/agent-verdict.ts';

const edge = (low: number | null, mean: number, high: number | null) => ({ low, mean, high, n: 19 });

test.each([
  [null, 'Not compared with the price yet'],
  [edge(null, 0.2, null), 'Too few rounds to tell: 19 of 20'],
  [edge(0.001, 0.2, 0.4), 'Better than the price alone, surely'],
  [edge(0, 0.2, 0.4), 'Better than the price alone, but perhaps by chance'],
  [edge(-0.4, -0.2, 0), 'Worse than the price alone, but perhaps by chance'],
  [edge(-0.4, -0.2, -0.001), 'Worse than the price alone, surely'],
])('the verdict depends on the interval of edge alone: %j', (figure, sentence) => {
  expect(verdict(figure)).toBe(sentence);
});

test('the median minute is that of boards, and absent without own answers', () => {
  expect(lateness(4)).toBe('Median minute of its last 30 answers: :04. Points reward late answers; edge does not.');
  expect(lateness(null)).toBe('Points reward late answers; edge does not.');
});
