import { expect, test } from '@jest/globals';

import { fileOf, isOfSite, relativeLink } from '../../src/site/addresses.ts';

test.each([
  ['/', 'index.html'],
  ['/404', '404.html'],
  ['/rounds', 'rounds.html'],
  ['/rounds/7', 'rounds/7.html'],
  ['/leaderboard/2026-W47', 'leaderboard/2026-!w47.html'],
  ['/leaderboard?period=daily&order_by=edge', 'leaderboard~period,daily~order_by,edge.html'],
  ['/leaderboard.csv?period=daily', 'leaderboard~period,daily.csv'],
  ['/agents?after=Ab%3D', 'agents~after,!ab!373!d.html'],
  ['/api/rounds/recent', 'api/rounds/recent.json'],
  ['/api/export/rounds.csv', 'api/export/rounds.csv'],
  ['/docs/agents.md', 'docs/agents.md'],
])('%s is the file %s', (address, file) => {
  expect(isOfSite(address)).toBe(true);
  expect(fileOf(address)).toBe(file);
});

test('addresses that differ only in case or signs have different files where a file system ignores case', () => {
  const ends = ['Ab', 'aB', 'ab', 'AB', '!ab', '~ab', ',ab', '%61b', 'a_b', 'a-b', 'a.b', '..', 'ä'];
  const files = ends.map((end) => fileOf(`/agents?after=${end}`));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ends.length);
  for (const file of files) expect(file).toMatch(/^[a-z0-9.,~!_-]+$/);
});

test.each([
  '/join',
  '/me',
  '/admin',
  '/graphql',
  '/api/events',
  '/api/export/predictions.csv',
  '/rounds/current',
  '/rounds?status=active',
  '/agents?name=a',
  '/agents/1?against=2',
  '/agents/../../etc',
  '/feeds/agents/a%2Fb.atom',
  '//elsewhere.example/',
])('%s is no file of the site', (address) => {
  expect(isOfSite(address)).toBe(false);
});

test.each([
  ['index.html', 'rounds/7.html', 'rounds/7.html'],
  ['rounds/7.html', 'index.html', '../index.html'],
  ['rounds/7.html', 'rounds/8.html', '8.html'],
  ['api/forecast/record.json', 'docs.html', '../../docs.html'],
])('the link from %s to %s is %s', (from, to, link) => {
  expect(relativeLink(from, to)).toBe(link);
});
