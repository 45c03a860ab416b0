import { expect, test } from '@jest/globals';

import SomeExecuted from './some-executed.ts';

const COUNTS = { numPassedTests: 0, numFailedTests: 0, numTotalTests: 7 };

/** The reporter's error for a run with these results. */
function endOf(results: Readonly<typeof COUNTS>): unknown {
  const reporter = new SomeExecuted();
  reporter.onRunComplete(new Set(), results);
  return reporter.getLastError();
}

test('a run whose tests were all skipped fails', () => {
  expect(endOf(COUNTS)).toEqual(new Error('No test was executed: all 7 were skipped'));
});

test('a run with one executed test ends with its tests’ result', () => {
  expect(endOf({ ...COUNTS, numPassedTests: 1 })).toBeUndefined();
  expect(endOf({ ...COUNTS, numFailedTests: 1 })).toBeUndefined();
});
