import { describe, expect, test } from '@jest/globals';

import type { CurrentRound } from '../../scripts/house-agents/arena.ts';
import { askedNow, roundOver } from '../../scripts/house-agents/story.ts';

const board = [
  { name: 'vera-sniper', rank: 1, total_points: 900 },
  { name: 'ivan-insider', rank: 2, total_points: 750 },
  { name: 'you', rank: 3, total_points: -40 },
  { name: 'penny-coin', rank: 4, total_points: -90 },
];
const round = { id: 6, outcome: 'YES' };
const answer = { round_id: 6, prediction: 'NO', confidence: 70, score: -20, is_correct: 0 };

test('an hour’s question is as short as on the page', () => {
  const running: CurrentRound = {
    id: 7,
    question: 'Does BTC return at least 0.35 % from 2026-01-01 14:00 UTC to 2026-01-01 15:00 UTC?',
    question_type: 'threshold',
    choices: ['YES', 'NO'],
    params: { subject: 'BTC', operator: '>=', threshold_pct: 0.35, n: null },
    assets: { BTC: 'Bitcoin' },
    end_time: '2026-01-01T15:00:00',
  };
  expect(askedNow(running)).toBe('Round 7: Does BTC end the hour up 0.35 % or more?');
});

describe('ended round', () => {
  test('the story has outcome, answer, points, total, place and leaders', () => {
    expect(roundOver({ round, board, you: { name: 'you', answer } })).toBe(
      [
        'Round 6 is over: YES.',
        '  you: NO at 70 %, wrong, -20 points. In all -40 points, place 3 of 4.',
        '  Leading in all: vera-sniper 900 points, ivan-insider 750, you -40.',
      ].join('\n'),
    );
    expect(
      roundOver({ round, board, you: { name: 'you', answer: { ...answer, score: 70, is_correct: 1 } } }),
    ).toContain('NO at 70 %, right, +70 points.');
  });

  test('the story has a line for no answer', () => {
    expect(roundOver({ round, board, you: { name: 'you', answer: null } })).toContain(
      '  you: no answer. In all -40 points, place 3 of 4.',
    );
  });

  test('the story has no place without a scored answer, and no leaders without scores', () => {
    expect(roundOver({ round, board: [], you: { name: 'you', answer: null } })).toBe(
      'Round 6 is over: YES.\n  you: no answer.',
    );
  });

  test('the story of a void round has no scores', () => {
    const unscored = { ...answer, score: null, is_correct: null };
    expect(
      roundOver({
        round: { ...round, outcome: null },
        board: [],
        you: { name: 'you', answer: unscored },
      }),
    ).toBe('Round 6 is void: nobody is scored.\n  you: NO at 70 %.');
  });

  test('the demo’s story has no own line', () => {
    expect(roundOver({ round, board, you: null })).toBe(
      'Round 6 is over: YES.\n  Leading in all: vera-sniper 900 points, ivan-insider 750, you -40.',
    );
  });
});
