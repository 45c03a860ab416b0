import { expect, test } from '@jest/globals';

import { MOVING_CLOCKS } from './moving-clocks.ts';
import { LONG, PROCESS, UNIT } from './projects.ts';
import { reaching, suitesOf } from './support/suite-parts.ts';

/** What makes a suite slower than `unit` may be: the run's PostgreSQL, one of its own, a Redis, and other processes. */
const NEEDS_A_SERVER = /^(test\/support\/(database|redis)\.ts|src\/database\/embedded-postgres\.ts)$/;

/** To look for a program, or to run a Redis, is no process of a suite's own. */
const isProcess = (target: string, part: string): boolean =>
  target === 'node:child_process' && !/^test\/support\/(installed|redis)\b/.test(part);

/** What a pattern names: `{one,other}` are two. */
function namedBy(pattern: string): readonly string[] {
  const [group, names = ''] = /\{([^}]+)\}/.exec(pattern) ?? [];
  return group === undefined ? [pattern] : names.split(',').flatMap((name) => namedBy(pattern.replace(group, name)));
}

test('every name in a pattern is a suite', () => {
  const named = [...UNIT, ...PROCESS, ...LONG, ...MOVING_CLOCKS.flatMap(({ suites }) => suites)].flatMap(namedBy);
  expect(named.filter((name) => suitesOf([name]).length === 0)).toEqual([]);
});

test('suites of the project unit need no server and start no process', () => {
  const unit = suitesOf(UNIT);
  expect(reaching(unit, (target, part) => NEEDS_A_SERVER.test(target) || isProcess(target, part))).toEqual([]);
});

test('suites that start processes are in the project process or in test/long', () => {
  const all = suitesOf(['test/**/*.test.ts']);
  const listed = suitesOf([...PROCESS, ...LONG]);
  expect(reaching(all, isProcess).filter((suite) => !listed.includes(suite))).toEqual([]);
});

test('suites in a browser are in test/long', () => {
  const inBrowser = reaching(suitesOf(['test/**/*.test.ts']), (target) => target === 'playwright-core');
  expect(inBrowser.filter((suite) => !suitesOf(LONG).includes(suite))).toEqual([]);
});

/** What makes a clock that moves by itself: the clock, an app with one, a process with another. */
const MOVES = /^src\/(clock|app\/app)\.ts$|^test\/support\/process\.ts$/;

test('suites on a moving clock are those with a reason, each once', () => {
  const moving = reaching(suitesOf(['test/**/*.test.ts']), (target) => MOVES.test(target));
  expect(MOVING_CLOCKS.flatMap(({ suites }) => suitesOf(suites)).toSorted()).toEqual(moving);
});
