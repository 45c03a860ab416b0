import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { clockFrom, realNow, serviceTime } from '../src/clock.ts';

const REAL = Date.parse('2026-11-21T09:00:00Z');
const SERVICE = Date.parse('2023-03-04T05:00:00Z');

/** A clock that runs on from its anchor, on a machine whose time passes, and is set, as the test says. */
function clockAt(speed: number) {
  const machine = { realMs: REAL, steadyMs: 0 };
  const found: number[] = [];
  const anchor = { realAt: new Date(REAL), serviceAt: new Date(SERVICE), speed };
  const clock = clockFrom(anchor, {
    real: () => new Date(machine.realMs),
    steadyMs: () => machine.steadyMs,
    onSet: (ms) => found.push(ms),
  });
  const pass = (ms: number): void => {
    machine.realMs += ms;
    machine.steadyMs += ms;
  };
  const set = (ms: number): void => {
    machine.realMs += ms;
  };
  return { clock, pass, set, found, ahead: () => clock.now().getTime() - SERVICE };
}

describe('service time', () => {
  test.each([
    [1, 1_500, 1_500],
    [3600, 1_000, 3_600_000],
    [0.5, 1_000, 500],
    [0.25, 3, 0],
    [100_000, 1, 100_000],
  ])('runs %d times as fast: %i real ms are %i', (speed, realMs, serviceMs) => {
    const { clock, pass, ahead, found } = clockAt(speed);
    pass(realMs);
    expect([ahead(), clock.speed, found]).toEqual([serviceMs, speed, []]);
  });

  test('starts at the anchor and is before it where the real time is', () => {
    const anchor = { realAt: new Date(REAL), serviceAt: new Date(SERVICE), speed: 60 };
    expect(serviceTime(anchor, new Date(REAL))).toEqual(new Date(SERVICE));
    expect(serviceTime(anchor, new Date(REAL - 1_000))).toEqual(new Date(SERVICE - 60_000));
  });

  test('never goes back nor stands still, nor runs ahead, whatever the machine’s clock is set to', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: -100_000, max: 100_000 }))),
        fc.constantFrom(0.3, 1, 7, 3600),
        (steps, speed) => {
          const { pass, set, ahead } = clockAt(speed);
          let [latest, highest, passed, setBy] = [0, 0, 0, 0];
          for (const [passing, setting] of steps) {
            pass(passing);
            set(setting);
            passed += passing;
            setBy += setting;
            highest = Math.max(highest, setBy);
            const now = ahead();
            expect(now).toBeGreaterThanOrEqual(Math.floor(latest + (passing * speed) / 2) - 1);
            expect(now).toBeGreaterThanOrEqual(Math.floor((passed + setBy) * speed) - 1);
            expect(now).toBeLessThanOrEqual((passed + highest) * speed + 1);
            latest = now;
          }
        },
      ),
    );
  });

  test('follows the machine’s clock when it is set forward, as after a sleep, and says so', () => {
    const { pass, set, ahead, found } = clockAt(1);
    pass(60_000);
    set(7_200_000);
    expect([ahead(), found]).toEqual([7_260_000, [7_200_000]]);
    pass(1_000);
    expect([ahead(), found]).toEqual([7_261_000, [7_200_000]]);
  });

  test('runs at half its pace after the machine’s clock was set back, until that has caught up, and says so', () => {
    const { pass, set, ahead, found } = clockAt(1);
    pass(60_000);
    expect(ahead()).toBe(60_000);
    set(-10_000);
    const seen = [5_000, 5_000, 10_000, 5_000].map((ms) => {
      pass(ms);
      return ahead();
    });
    expect(seen).toEqual([62_500, 65_000, 70_000, 75_000]);
    expect(found).toEqual([-10_000]);
  });

  test('says nothing of small corrections', () => {
    const { set, ahead, found } = clockAt(1);
    for (const ms of [900, -900, 1_999, -1_999]) {
      set(ms);
      ahead();
    }
    expect(found).toEqual([]);
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
        const { pass, clock } = clockAt(speed);
        const instant = new Date(SERVICE + aheadMs);
        pass(clock.realMsUntil(instant));
        expect(clock.now() >= instant).toBe(true);
      }),
    );
  });
});
