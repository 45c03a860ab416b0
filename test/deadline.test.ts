import { expect, test } from '@jest/globals';

import { inTime, msLeft, OutOfPatience, patience, sharedTimer, unhurried, within } from '../src/deadline.ts';

const never = new Promise<never>(() => {});

async function deep(): Promise<void> {
  await Promise.resolve();
  await inTime(never);
}

test('what is waited for in time is answered as it is', async () => {
  expect(await within(10_000, () => inTime(Promise.resolve(5)))).toBe(5);
  await expect(within(10_000, () => inTime(Promise.reject(new Error('its own'))))).rejects.toThrow('its own');
});

test('what never comes is waited for no longer than patience lasts, however deep inside', async () => {
  await expect(within(20, deep)).rejects.toThrow(OutOfPatience);
});

test('what comes too late is handed over', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const late = Promise.withResolvers<string>();
  await expect(within(1, () => inTime(promise, late.resolve))).rejects.toThrow(OutOfPatience);
  resolve('a connection');
  expect(await late.promise).toBe('a connection');
});

test('patience is used up by what is done with it, and by nothing else', async () => {
  const mine = patience(60);
  await expect(mine.spend(() => inTime(never))).rejects.toThrow(OutOfPatience);
  // A timer may be a moment early.
  expect(mine.spend(msLeft)).toBeLessThan(5);
  expect(patience(60_000).spend(msLeft)).toBeGreaterThan(50_000);
});

test('outside, and for what is done for all, nothing presses', () => {
  expect(msLeft()).toBeUndefined();
  expect(within(5, () => unhurried(msLeft))).toBeUndefined();
});

test('patience of its own replaces that around it', () => {
  expect(within(5, () => within(60_000, msLeft))).toBeGreaterThan(50_000);
});

test('one timer for many calls each that is late, the earliest first, and none that was stopped', async () => {
  const after = sharedTimer();
  const called: string[] = [];
  await new Promise<void>((resolve) => {
    after(60, () => called.push('later') && resolve());
    after(20, () => called.push('sooner'));
    after(Infinity, () => called.push('never'));
    after(10, () => called.push('stopped'))();
  });
  expect(called).toEqual(['sooner', 'later']);
});
