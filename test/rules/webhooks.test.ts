import { describe, expect, test } from '@jest/globals';
import { assert, double, integer, nat, option, property } from 'fast-check';

import { afterFailure, dotted } from '../../src/rules/webhooks.ts';

const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400];
const THREE_DAYS = 72 * 3_600_000;

function failed(change: Partial<Parameters<typeof afterFailure>[0]>) {
  return afterFailure({ before: 0, failingMs: 0, status: 500, askedMs: null, random: 0.5, ...change });
}

describe('retries', () => {
  test.each(SECONDS.map((seconds, before) => [before + 1, before, seconds]))(
    'failure %i of a message has the pause of Standard Webhooks',
    (_number, before, seconds) => {
      expect(failed({ before })).toEqual({ state: 'active', waitMs: seconds * 1000 });
    },
  );

  test('the pause varies by a fifth, but is at least Retry-After, up to a day', () => {
    const random = double({ min: 0, max: 1, noNaN: true });
    const requestedMs = option(integer({ min: 0, max: 10 ** 10 }));
    assert(
      property(nat(20), random, requestedMs, (before, chance, askedMs) => {
        const { waitMs } = failed({ before, random: chance, askedMs });
        const usual = (SECONDS[Math.min(before, SECONDS.length - 1)] ?? 0) * 1000;
        const least = Math.min(askedMs ?? 0, 86_400_000);
        expect(waitMs).toBeGreaterThanOrEqual(Math.max(least, usual * 0.8 - 1));
        expect(waitMs).toBeLessThanOrEqual(Math.max(least, usual * 1.2 + 1));
      }),
    );
  });

  test('a 410 ends the webhook at once, and three days of failures disable it', () => {
    expect(failed({ status: 410 }).state).toBe('gone');
    expect(failed({ failingMs: THREE_DAYS - 1 }).state).toBe('active');
    expect(failed({ failingMs: THREE_DAYS, status: null }).state).toBe('disabled');
  });
});

test('kinds have dots and small letters', () => {
  expect(dotted('ROUND_OPENED')).toBe('round.opened');
});
