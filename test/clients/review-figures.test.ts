import { spawnSync } from 'node:child_process';

import { expect, test } from '@jest/globals';

import { inShort, percent, signed } from '../../clients/js/src/cli/figures.ts';
import { type Review, reviewOf, type WorstAnswer } from '../../clients/js/src/cli/review-figures.ts';
import type { PredictionsExportRow, RoundsExportRow } from '../../clients/js/src/reference.ts';
import examples from '../../src/openapi/examples.json' with { type: 'json' };
import { whereInstalled } from '../support/installed.ts';
import { seeded } from '../support/seeded.ts';
import { PYTHON_SOURCES } from './languages.ts';

const copyOf = (value: object) => JSON.parse(JSON.stringify(value));
const PREDICTION: PredictionsExportRow = copyOf(examples['GET /api/export/predictions.ndjson'].answer);
const ROUND: RoundsExportRow = copyOf(examples['GET /api/export/rounds.ndjson'].answer);

const scored = (fields: Partial<PredictionsExportRow>): PredictionsExportRow => ({ ...PREDICTION, ...fields });
const round = (id: number, fields: Partial<RoundsExportRow> = {}): RoundsExportRow => ({ ...ROUND, id, ...fields });

/** An answer as the review lists it. */
function worstOf(fields: Pick<WorstAnswer, 'round_id' | 'confidence' | 'edge'>): WorstAnswer {
  return {
    ...fields,
    question: ROUND.question,
    question_type: 'touch',
    prediction: PREDICTION.prediction,
    pnl_usd: 1.11,
  };
}

test('a review of three answers has hand-computed figures', () => {
  const answers = [
    scored({
      round_id: 1,
      edge: 0.2,
      confidence: 60,
      is_correct: 1,
      brier: 0.16,
      lead_seconds: 3600,
      question_type: 'touch',
    }),
    scored({
      round_id: 2,
      edge: -0.1,
      confidence: 69,
      is_correct: 0,
      brier: 0.4761,
      lead_seconds: 300,
      question_type: 'touch',
    }),
    scored({
      round_id: 4,
      edge: null,
      confidence: 100,
      is_correct: 1,
      brier: 0,
      lead_seconds: 301,
      question_type: 'range',
    }),
  ].map((row) => ({ ...row, score: 10, streak_bonus: 5, pnl_usd: 1.11 }));
  const rounds = [round(1, { subject: 'SOL' }), round(2, { subject: null }), round(3), round(4, { subject: 'SOL' })];
  const edge = { answers: 2, edge: 0.05, margin: null };
  const [best, worst] = [
    { answers: 1, edge: 0.2, margin: null },
    { answers: 1, edge: -0.1, margin: null },
  ];
  expect(reviewOf('bot', answers, rounds)).toEqual({
    agent: 'bot',
    answers: 3,
    points: 45,
    pnl_usd: 3.33,
    right_share: 0.666667,
    brier: 0.212033,
    edge,
    by_type: [{ name: 'touch', ...edge }],
    by_asset: [
      { name: 'SOL', ...best },
      { name: 'several', ...worst },
    ],
    by_lead: [
      { name: '0-5 min', ...worst },
      { name: '45-60 min', ...best },
    ],
    calibration: [
      { name: '60-69 %', answers: 2, said: 0.645, right: 0.5 },
      { name: '90-100 %', answers: 1, said: 1, right: 1 },
    ],
    worst: [worstOf({ round_id: 2, confidence: 69, edge: -0.1 })],
    missed: { count: 1, of: 4, last: [3] },
  } satisfies Review);
});

const WIDER = 'Which is wider: BTC or ADA? (Range is (high - low) / open; a tie voids the round.)';

test('a short question has no parentheses', () => {
  expect(inShort(WIDER)).toBe('Which is wider: BTC or ADA?');
  expect(inShort('Does SOL touch it (high >= 1)? (It is a YES.)')).toBe('Does SOL touch it?');
});

test('figures round halves up, and zero has no sign', () => {
  expect([0.125, 0.375, 0].map(percent)).toEqual(['13 %', '38 %', '0 %']);
  expect(HALVES.map((value) => signed(value, 4))).toEqual(['+0.0313', '-0.0313', '0.0000', '0.0000', '0.0000']);
});

const HALVES = [1 / 32, -1 / 32, 0.00001, -0.00001, 0];

test('an edge has an interval from ten answers on, and the worst answers are wrong ones', () => {
  const ten = Array.from({ length: 10 }, (_none, at) =>
    scored({
      round_id: at + 1,
      question_type: 'touch',
      edge: at % 2 === 0 ? -0.2 : -0.1,
      is_correct: at === 0 ? 1 : 0,
    }),
  );
  const review = reviewOf('bot', ten, []);
  // Half of 1.96 standard errors to each side: 1.96 x sqrt((10 x 0.05^2 / 9) / 10), worked out by hand.
  expect(review.edge).toEqual({ answers: 10, edge: -0.15, margin: 0.032667 });
  expect(reviewOf('bot', ten.slice(1), []).edge?.margin).toBeNull();
  expect(review.worst.map(({ round_id: id }) => id)).toEqual([3, 5, 7, 9, 2, 4, 6, 8, 10]);
});

test('a review without answers has only missed rounds', () => {
  expect(reviewOf('bot', [], [round(7)]).missed).toEqual({ count: 1, of: 1, last: [7] });
  expect(reviewOf('bot', [], [])).toMatchObject({ answers: 0, edge: null, pnl_usd: null, worst: [], calibration: [] });
});

const IN_PYTHON = `
import json, sys
from hourcast.cli.review_figures import review_of
print(json.dumps(review_of(*json.load(sys.stdin))))
`;

whereInstalled(['python3'], 'the review in Python', () => {
  test('a short question is the same in Python', () => {
    const program = 'import sys; from hourcast.cli.figures import in_short; print(in_short(sys.argv[1]), end="")';
    const env = { ...process.env, PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = spawnSync('python3', ['-c', program, WIDER], { env, encoding: 'utf8' });
    expect(stdout).toBe(inShort(WIDER));
  });

  test('figures are the same in Python', () => {
    const program = `
import json, sys
from hourcast.cli.figures import percent, signed
print(json.dumps([[percent(one), signed(one, 4)] for one in json.load(sys.stdin)]))
`;
    const env = { ...process.env, PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
    const figures = [...HALVES, 0.125, 0.375];
    const { stdout } = spawnSync('python3', ['-c', program], { env, input: JSON.stringify(figures), encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(figures.map((one) => [percent(one), signed(one, 4)]));
  });

  test('the reviews of both languages are the same', () => {
    const random = seeded(1);
    const answers = Array.from({ length: 128 }, (_none, at) =>
      scored({
        round_id: at + 1,
        question_type: random.pick(['touch', 'range', 'podium']),
        edge: random.chance(0.9) ? random.between(-2_000_000, 2_000_000) / 1e6 : null,
        confidence: random.between(0, 100),
        is_correct: random.chance(0.5) ? 1 : 0,
        pnl_usd: random.between(-10_000, 10_000) / 100,
        lead_seconds: random.between(0, 3_600_000) / 1000,
      }),
    );
    const rounds = Array.from({ length: 140 }, (_none, at) => round(at + 1, { subject: random.pick(['BTC', null]) }));
    const input = JSON.stringify(['bot', answers, rounds]);
    const modules = { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
    const env = { ...process.env, ...modules };
    const { stdout, stderr } = spawnSync('python3', ['-c', IN_PYTHON], { input, env, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(reviewOf('bot', answers, rounds));
  });
});
