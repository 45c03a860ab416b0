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

const answer = (minute: number, standing = false) => ({
  submittedAt: new Date(Date.UTC(2026, 0, 1, 12, minute, 59)).toISOString(),
  standing,
  round: { startTime: '2026-01-01T12:00:00.000Z', status: 'resolved' as const },
});

test('the minute of answers is their median, without standing ones', () => {
  const answers = [answer(58), answer(3), answer(57), ...[50, 50, 50].map((minute) => answer(minute, true))];
  expect(lateness(answers)).toBe(
    'Half of its newest 3 answers came at minute 57 or later. Points reward late answers; edge does not.',
  );
  expect(lateness([answer(50, true)])).toBe('Points reward late answers; edge does not.');
});
