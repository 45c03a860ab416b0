import { expect, test } from '@jest/globals';
import { stat } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import {
  beforeDeadline,
  msLeft,
  callAfter,
  DeadlineExceeded,
  timeBudget,
  withoutDeadline,
  withDeadline,
} from '../src/deadline.ts';
import { inScope, requestScope } from '../src/request-scope.ts';

const never = new Promise<never>(() => {});

async function deep(): Promise<void> {
  await Promise.resolve();
  await beforeDeadline(never);
}

test('a result or an error before the deadline is returned', async () => {
  expect(await withDeadline(10_000, () => beforeDeadline(Promise.resolve(5)))).toBe(5);
  await expect(withDeadline(10_000, () => beforeDeadline(Promise.reject(new Error('its own'))))).rejects.toThrow(
    'its own',
  );
});

test('work that never ends is abandoned at the deadline, however deep inside', async () => {
  await expect(withDeadline(20, deep)).rejects.toThrow(DeadlineExceeded);
});

test('a time budget is reduced only by its runs', async () => {
  const budget = timeBudget(60);
  await expect(budget.run(() => beforeDeadline(never))).rejects.toThrow(DeadlineExceeded);
  // A timer may be a moment early.
  expect(budget.run(msLeft)).toBeLessThan(5);
  expect(timeBudget(60_000).run(msLeft)).toBeGreaterThan(50_000);
});

test('outside callers and shared work have no deadline', () => {
  expect(msLeft()).toBeUndefined();
  expect(withDeadline(5, () => withoutDeadline(msLeft))).toBeUndefined();
});

test('another deadline leaves the id of the request, and another id the deadline', () => {
  const scope = timeBudget(60_000, 'mine').run(() => withDeadline(5, () => withoutDeadline(requestScope)));
  expect(scope).toEqual({ requestId: 'mine', deadline: undefined });
  expect(withDeadline(-5, () => inScope({ requestId: 'mine' }, msLeft))).toBe(0);
});

test('no time is left after the deadline', () => {
  expect(withDeadline(-5, msLeft)).toBe(0);
});

test('a deadline replaces the one around it', () => {
  expect(withDeadline(5, () => withDeadline(60_000, msLeft))).toBeGreaterThan(50_000);
});

test('callbacks run when due, earliest first, except stopped ones', async () => {
  const called: string[] = [];
  await new Promise<void>((resolve) => {
    callAfter(60, () => called.push('later') && resolve());
    callAfter(20, () => called.push('sooner'));
    callAfter(Infinity, () => called.push('never'));
    callAfter(10, () => called.push('stopped'))();
  });
  expect(called).toEqual(['sooner', 'later']);
});

test('an event that came while the process was blocked is not late', async () => {
  // From here the event loop comes to timers first.
  await setImmediate();
  const seen: string[] = [];
  const stop = callAfter(20, () => seen.push('late'));
  const answer = new Promise<void>((resolve) => {
    stat(import.meta.filename, () => {
      stop();
      seen.push('in time');
      resolve();
    });
  });
  const until = performance.now() + 300;
  while (performance.now() < until);
  await answer;
  await setImmediate();
  expect(seen).toEqual(['in time']);
});
