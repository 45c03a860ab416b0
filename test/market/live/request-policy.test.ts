import { expect, test } from '@jest/globals';

import { breaker, withRetry } from '../../../src/market/live/request-policy.ts';
import { SourceFailure } from '../../../src/market/live/source-failure.ts';

function at(seconds: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
}

function failing(times: number) {
  const guard = breaker();
  for (let failure = 0; failure < times; failure++) guard.failed(at(0));
  return guard;
}

test('four failures in a row leave the breaker closed, and a success resets the count', () => {
  const guard = failing(4);
  expect(guard.admits(at(0))).toBe(true);
  guard.succeeded();
  for (let failure = 0; failure < 4; failure++) guard.failed(at(0));
  expect(guard.admits(at(0))).toBe(true);
  expect(guard.isOpen(at(0))).toBe(false);
});

test('the fifth failure opens the breaker for 30 s', () => {
  const guard = failing(5);
  expect([guard.admits(at(0)), guard.admits(at(29.9)), guard.isOpen(at(29.9))]).toEqual([false, false, true]);
  expect(guard.isOpen(at(30))).toBe(false);
});

test('an open breaker admits one request at a time until one succeeds', () => {
  const guard = failing(5);
  expect([guard.admits(at(30)), guard.admits(at(30)), guard.admits(at(99))]).toEqual([true, false, false]);
  guard.failed(at(31));
  expect([guard.admits(at(60)), guard.admits(at(61)), guard.admits(at(61))]).toEqual([false, true, false]);
  guard.succeeded();
  expect([guard.admits(at(61)), guard.admits(at(61))]).toEqual([true, true]);
});

test('a breaker that closed opens and closes again', () => {
  const guard = failing(5);
  guard.admits(at(30));
  guard.succeeded();
  for (let failure = 0; failure < 5; failure++) guard.failed(at(40));
  expect([guard.admits(at(69)), guard.admits(at(70))]).toEqual([false, true]);
  guard.succeeded();
  expect([guard.admits(at(70)), guard.admits(at(70))]).toEqual([true, true]);
});

test('failures of requests in flight do not shorten a pause', () => {
  const guard = breaker();
  guard.pause(at(0), 120_000);
  for (let failure = 0; failure < 5; failure++) guard.failed(at(1));
  expect([guard.isOpen(at(119)), guard.isOpen(at(120))]).toEqual([true, false]);
});

test('a stop ends retries', async () => {
  const stopping = new AbortController();
  let attempts = 0;
  const failure = new SourceFailure('silent', 'It could not be reached.');
  const attempt = (): never => {
    attempts++;
    stopping.abort();
    throw failure;
  };
  const waits: number[] = [];
  const settings = { random: () => 0, stopping: stopping.signal, wait: async (ms: number) => void waits.push(ms) };
  await expect(withRetry(settings, async () => attempt())).rejects.toBe(failure);
  expect({ attempts, waits }).toEqual({ attempts: 1, waits: [] });
});

test('a pause keeps its duration, whatever the result of an earlier request', () => {
  const guard = breaker();
  guard.pause(at(0), 120_000);
  guard.succeeded();
  guard.pause(at(1), 5_000);
  expect([guard.admits(at(119)), guard.isOpen(at(119)), guard.admits(at(120))]).toEqual([false, true, true]);
});

test('a source is down after five failures until a success, and in pauses over a minute', () => {
  const guard = failing(4);
  expect(guard.isDown(at(0))).toBe(false);
  guard.failed(at(0));
  expect([guard.isDown(at(0)), guard.isDown(at(31))]).toEqual([true, true]);
  guard.succeeded();
  expect(guard.isDown(at(31))).toBe(false);
  guard.pause(at(40), 61_000);
  expect([guard.isDown(at(40)), guard.isDown(at(41)), guard.isDown(at(101))]).toEqual([true, false, false]);
});

test('concurrent refusals are one failure, and five pauses in a row mean down', () => {
  const guard = breaker();
  for (let second = 0; second < 8; second += 2) {
    for (let request = 0; request < 6; request++) guard.pause(at(second), 1_000);
    expect([guard.isDown(at(second + 1)), guard.admits(at(second + 1))]).toEqual([false, true]);
  }
  guard.pause(at(8), 1_000);
  expect([guard.isDown(at(9)), guard.admits(at(9)), guard.admits(at(38))]).toEqual([true, false, true]);
});
