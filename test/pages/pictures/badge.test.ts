import { expect, test } from '@jest/globals';

import { badgeSvg } from '../../../src/pages/pictures/badge.ts';

const AGENT = {
  id: 7,
  name: 'alice',
  credentialTier: 'bronze',
  totalPoints: 1234,
  totalCompetitions: 30,
  winRate: 50,
  currentStreak: 2,
  weekly: { rank: 2 },
  alltime: { rank: 3, edge: { mean: -0.0421 } },
  pointsHistory: [],
} as const;

test('a badge has name, rank, points and edge', () => {
  const svg = badgeSvg(AGENT);
  expect(svg).toContain('<title>alice on Hourcast: #3 · 1,234 points · edge −0.042</title>');
  expect(svg).not.toMatch(/style|href|url\((?!#)/);
});

test('a badge of an agent without a record has a note', () => {
  const svg = badgeSvg({ ...AGENT, totalPoints: 0, alltime: { rank: null, edge: null } });
  expect(svg).toContain('<title>alice on Hourcast: no rank yet · 0 points</title>');
});

test('a name cannot end the text of its badge', () => {
  const svg = badgeSvg({ ...AGENT, name: '"><script>&' });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('aria-label="&quot;&gt;&lt;script&gt;&amp; on Hourcast');
});
