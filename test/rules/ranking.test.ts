import { describe, expect, test } from '@jest/globals';

import { arenaPointsFor, byPlace, byStanding, ranked, type RankedEntry, winRatePct } from '../../src/rules/ranking.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const later = new Date('2026-11-21T12:00:00.001Z');
const entry = (parts: Partial<RankedEntry>): RankedEntry => ({
  id: 1,
  score: 110,
  confidence: 90,
  correct: true,
  submittedAt: noon,
  ...parts,
});

describe('places of a round', () => {
  test.each<[string, Partial<RankedEntry>, Partial<RankedEntry>]>([
    ['the higher score', { score: 110, id: 2, confidence: 80 }, { score: 70, confidence: 100 }],
    ['the higher confidence if correct', { confidence: 91, id: 2, submittedAt: later }, { confidence: 90 }],
    [
      'the lower confidence if wrong',
      { correct: false, score: -40, confidence: 80, id: 2, submittedAt: later },
      { correct: false, score: -40, confidence: 81 },
    ],
    ['the earlier submission', { id: 2 }, { submittedAt: later }],
    ['the lower id', {}, { id: 2 }],
  ])('the better place has %s', (_, first, second) => {
    expect(byPlace(entry(first), entry(second))).toBeLessThan(0);
    expect(byPlace(entry(second), entry(first))).toBeGreaterThan(0);
  });

  test.each([
    [1, 700],
    [2, 200],
    [10, 200],
    [11, 0],
    [1000, 0],
  ])('place %i earns %i arena points', (place, points) => {
    expect(arenaPointsFor(place)).toBe(points);
  });
});

describe('board', () => {
  test.each([
    ['more points', { id: 2, points: 2, wins: 0 }, { id: 1, points: 1, wins: 9 }],
    ['more wins', { id: 2, points: 1, wins: 2 }, { id: 1, points: 1, wins: 1 }],
    ['the lower id', { id: 1, points: 1, wins: 1 }, { id: 2, points: 1, wins: 1 }],
  ])('the higher rank has %s', (_, first, second) => {
    expect(byStanding(first, second)).toBeLessThan(0);
    expect(byStanding(second, first)).toBeGreaterThan(0);
  });

  test('equal points share a rank as in 1, 1, 3, sorted by more wins, then lower id', () => {
    const rows = [
      { id: 4, points: 90, wins: 9 },
      { id: 3, points: 100, wins: 1 },
      { id: 2, points: 100, wins: 2 },
      { id: 1, points: -5, wins: 0 },
      { id: 5, points: 90, wins: 9 },
    ];
    expect(ranked(rows).map(({ id, rank }) => [rank, id])).toEqual([
      [1, 2],
      [1, 3],
      [3, 4],
      [3, 5],
      [5, 1],
    ]);
  });

  test('ranked rows keep their other fields, and the given list its order', () => {
    const rows = [
      { id: 1, points: 1, wins: 0, name: 'low' },
      { id: 2, points: 2, wins: 0, name: 'high' },
    ];
    expect(ranked(rows).map(({ name }) => name)).toEqual(['high', 'low']);
    expect(rows.map(({ name }) => name)).toEqual(['low', 'high']);
  });
});

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 3, 33.33],
  [2, 3, 66.67],
  [3, 3, 100],
  [1, 800, 0.13],
  [3, 800, 0.38],
])('%i wins in %i competitions are %d %%', (wins, competitions, rate) => {
  expect(winRatePct(wins, competitions)).toBe(rate);
});
