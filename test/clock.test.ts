import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { clockFrom, realNow, serviceTime } from '../src/clock.ts';

const REAL = Date.parse('2026-11-21T09:00:00Z');
const SERVICE = Date.parse('2023-03-04T05:00:00Z');

/** A clock that runs on from noon in real time, with a real time that the test moves. */
function clockAt(speed: number) {
  const real = { ms: REAL };
  const anchor = { realAt: new Date(REAL), serviceAt: new Date(SERVICE), speed };
  return { real, clock: clockFrom(anchor, () => new Date(real.ms)) };
}

describe('service time', () => {
  test.each([
    [1, 1_500, 1_500],
    [3600, 1_000, 3_600_000],
    [0.5, 1_000, 500],
    [0.25, 3, 0],
    [100_000, 1, 100_000],
  ])('runs %d times as fast: %i real ms are %i', (speed, realMs, serviceMs) => {
    const { real, clock } = clockAt(speed);
    real.ms += realMs;
    expect(clock.now().getTime() - SERVICE).toBe(serviceMs);
    expect(clock.speed).toBe(speed);
  });

  test('starts at the anchor and is before it where the real time is', () => {
    const anchor = { realAt: new Date(REAL), serviceAt: new Date(SERVICE), speed: 60 };
    expect(serviceTime(anchor, new Date(REAL))).toEqual(new Date(SERVICE));
    expect(serviceTime(anchor, new Date(REAL - 1_000))).toEqual(new Date(SERVICE - 60_000));
  });

  test('never goes back, whatever the real time does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -10_000, max: 10_000 })),
        fc.constantFrom(0.3, 1, 7, 3600),
        (jumps, speed) => {
          const { real, clock } = clockAt(speed);
          let [latest, furthest] = [SERVICE, REAL];
          for (const jump of jumps) {
            real.ms += jump;
            furthest = Math.max(furthest, real.ms);
            const now = clock.now().getTime();
            expect(now).toBeGreaterThanOrEqual(latest);
            expect(Math.abs(now - SERVICE - (furthest - REAL) * speed)).toBeLessThanOrEqual(1);
            latest = now;
          }
        },
      ),
    );
  });

  test('is handed out in dates of the caller own', () => {
    const { clock } = clockAt(1);
    clock.now().setTime(0);
    expect(clock.now()).toEqual(new Date(SERVICE));
  });

  test('follows the machine clock where nothing else is given', () => {
    const before = Date.now();
    const now = clockFrom({ realAt: new Date(before), serviceAt: new Date(before), speed: 1 })
      .now()
      .getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(realNow().getTime());
  });
});

describe('the real wait for an instant', () => {
  test.each([
    [1, 60_000, 60_000],
    [3600, 3_600_000, 1_000],
    [3600, 1, 1],
    [0.5, 1_000, 2_000],
    [60, 0, 0],
    [60, -5_000, 0],
  ])('at speed %d, %i service ms ahead, is %i ms', (speed, aheadMs, realMs) => {
    expect(clockAt(speed).clock.realMsUntil(new Date(SERVICE + aheadMs))).toBe(realMs);
  });

  test('is long enough: after it the instant is reached', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.double({ min: 0.01, max: 100_000, noNaN: true }), (aheadMs, speed) => {
        const { real, clock } = clockAt(speed);
        const instant = new Date(SERVICE + aheadMs);
        real.ms += clock.realMsUntil(instant);
        expect(clock.now() >= instant).toBe(true);
      }),
    );
  });
});
