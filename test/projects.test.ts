import { expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { LONG, PROCESS, UNIT } from './projects.ts';

const ROOT = join(import.meta.dirname, '..');

const suitesOf = (patterns: readonly string[]): string[] => globSync([...patterns], { cwd: ROOT }).toSorted();

/** What makes a suite slower than `unit` may be: the run's PostgreSQL, one of its own, a Redis, and other processes. */
const NEEDS_A_SERVER = /^(test\/support\/(database|redis)\.ts|src\/database\/embedded-postgres\.ts)$/;

/** What a file imports in order to run, by packages' names and paths from the project's folder. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/^(?:import|export)(?! type)\b[^;'=]*?'([^']+)'/gm)].flatMap(([, from = '']) => {
    const target = from.startsWith('.') ? normalize(join(dirname(path), from)) : from;
    return target.startsWith('node:') || existsSync(join(ROOT, target)) ? [target] : [];
  });
}

/** The test files and scripts that a suite is made of: itself, and what it imports of them, over any number of steps. */
function partsOf(suite: string): string[] {
  const parts = new Set([suite]);
  for (const part of parts) {
    for (const target of importsOf(part)) if (/^(test|scripts)\/.*\.ts$/.test(target)) parts.add(target);
  }
  return [...parts];
}

/** Suites of which a part imports such a thing. */
function reaching(suites: readonly string[], isReached: (target: string, part: string) => boolean): string[] {
  return suites.filter((suite) =>
    partsOf(suite).some((part) => importsOf(part).some((target) => isReached(target, part))),
  );
}

/** To look for a program, or to run a Redis, is no process of a suite's own. */
const isProcess = (target: string, part: string): boolean =>
  target === 'node:child_process' && !/^test\/support\/(installed|redis)\b/.test(part);

test('every pattern fits some suite', () => {
  const patterns = [...UNIT, ...PROCESS, ...LONG];
  expect(patterns.filter((pattern) => suitesOf([pattern]).length === 0)).toEqual([]);
});

test('the suites of the project unit need no server and start no process', () => {
  const unit = suitesOf(UNIT);
  expect(reaching(unit, (target, part) => NEEDS_A_SERVER.test(target) || isProcess(target, part))).toEqual([]);
});

test('the suites that start processes are of the project process, or of test/long', () => {
  const all = suitesOf(['test/**/*.test.ts']);
  const listed = suitesOf([...PROCESS, ...LONG]);
  expect(reaching(all, isProcess).filter((suite) => !listed.includes(suite))).toEqual([]);
});
