import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { olderThan, olderThanRelease } from '../../bench/measured-commits.ts';
import { ownRepository } from './own-repository.ts';

const ROOT = join(import.meta.dirname, '../..');
const FUTURE = '2100-01-01 00:00';

const { folder, git } = ownRepository();

/** Returns the hash. */
function commit(file: string, text: string): string {
  writeFileSync(join(folder, file), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', text);
  return git('rev-parse', '--short', 'HEAD').trim();
}

const olderOf = (...lines: string[]) => olderThanRelease(folder, lines.join('\n'), '1.0.0');
const measured = (hash: string, at = '2026-01-01 00:00'): string => `${at} UTC, 2 x one, Node 24, commit ${hash}`;

test('bench/results.md, which docs/performance.md quotes, names commits since the newest tag, else since the package’s version', () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const results = readFileSync(join(ROOT, 'bench/results.md'), 'utf8');
  expect(olderThanRelease(ROOT, results, version)).toEqual([]);
});

test('a measurement is older than a release unless its commit follows it or has the same sources', () => {
  expect(olderOf(measured('abcdef0'))).toEqual([]);
  git('init', '--quiet');
  const before = commit('src', 'before');
  const version = commit('package.json', '"version": "1.0.0"');
  expect(olderOf(measured(before), measured(version))).toEqual([]);
  const changed = commit('src', 'changed');
  expect(olderOf(measured(changed))).toEqual([]);
  expect(olderThan(folder, [measured(version), measured(changed)].join('\n'), 'HEAD')).toEqual([measured(version)]);
  commit('results.md', 'results');
  git('tag', 'v1.0.1');
  const later = commit('src', 'later');
  expect(olderOf(measured(version), measured(changed), measured(later))).toEqual([measured(version)]);
  expect(olderOf(measured('abcdef0'), measured('abcdef0', FUTURE))).toEqual([measured('abcdef0')]);
});
