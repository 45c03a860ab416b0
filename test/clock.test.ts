import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { clockFrom, realNow, serviceTime } from '../src/clock.ts';

const REAL = Date.parse('2026-11-21T09:00:00Z');
const SERVICE = Date.parse('2023-03-04T05:00:00Z');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A clock that runs on from its anchor, on a machine whose time passes, and is set, as the test says. */
function clockAt(speed: number) {
  const machine = { realMs: REAL, steadyMs: 0, sleptMs: 0 };
  const found: (readonly [result: string, ms: number])[] = [];
  const anchor = { realAt: new Date(REAL), serviceAt: new Date(SERVICE), speed };
  const clock = clockFrom(anchor, {
    real: () => new Date(machine.realMs),
    steadyMs: () => machine.steadyMs,
    sleptMs: () => machine.sleptMs,
    onStep: ({ ms, result }) => found.push([result, ms]),
  });
  const pass = (ms: number): void => {
    machine.realMs += ms;
    machine.steadyMs += ms;
  };
  const set = (ms: number): void => {
    machine.realMs += ms;
  };
  /** The steady clock stands while a machine sleeps. */
  const sleep = (ms: number): void => {
    machine.realMs += ms;
    machine.sleptMs += ms;
  };
  return { clock, pass, set, sleep, found, ahead: () => clock.now().getTime() - SERVICE };
}

describe('service time', () => {
  test.each([
    [1, 1_500, 1_500],
    [3600, 1_000, 3_600_000],
    [0.5, 1_000, 500],
    [0.25, 3, 0],
    [100_000, 1, 100_000],
  ])('service time runs %d times as fast: %i real ms are %i', (speed, realMs, serviceMs) => {
    const { clock, pass, ahead, found } = clockAt(speed);
    pass(realMs);
    expect([ahead(), clock.speed, found]).toEqual([serviceMs, speed, []]);
  });

  test('service time starts at the anchor, and is before it at an earlier real time', () => {
    const anchor = { realAt: new Date(REAL), serviceAt: new Date(SERVICE), speed: 60 };
    expect(serviceTime(anchor, new Date(REAL))).toEqual(new Date(SERVICE));
    expect(serviceTime(anchor, new Date(REAL - 1_000))).toEqual(new Date(SERVICE - 60_000));
  });

  test('service time never goes back, stops or runs ahead, for any setting of the machine’s clock', () => {
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

  test('service time follows a machine’s clock set forward by minutes, with a report', () => {
    const { pass, set, ahead, found } = clockAt(1);
    pass(MINUTE);
    set(5 * MINUTE);
    expect([ahead(), found]).toEqual([6 * MINUTE, [['followed', 5 * MINUTE]]]);
    pass(1_000);
    expect([ahead(), found.length]).toEqual([6 * MINUTE + 1_000, 1]);
  });

  test('service time runs at half speed after the clock was set back, with a report', () => {
    const { pass, set, ahead, found } = clockAt(1);
    pass(60_000);
    expect(ahead()).toBe(60_000);
    set(-10_000);
    const seen = [5_000, 5_000, 10_000, 5_000].map((ms) => {
      pass(ms);
      return ahead();
    });
    expect(seen).toEqual([62_500, 65_000, 70_000, 75_000]);
    expect(found).toEqual([['back', -10_000]]);
  });

  test('small corrections are not reported', () => {
    const { set, ahead, found } = clockAt(1);
    for (const ms of [900, -900, 1_999, -1_999]) {
      set(ms);
      ahead();
    }
    expect(found).toEqual([]);
  });

  test('each call returns a Date of its own', () => {
    const { clock } = clockAt(1);
    clock.now().setTime(0);
    expect(clock.now()).toEqual(new Date(SERVICE));
  });

  test('service time follows the machine’s clock by default', () => {
    const before = Date.now();
    const now = clockFrom({ realAt: new Date(before), serviceAt: new Date(before), speed: 1 })
      .now()
      .getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(realNow().getTime());
  });
});

describe('step by more than five minutes', () => {
  test.each([
    ['50 min', 50 * MINUTE],
    ['3 h', 3 * HOUR],
    ['25 h', 25 * HOUR],
    ['31 days', 31 * DAY],
  ])('a step forward by %s for seconds changes nothing', (_name, ms) => {
    const { clock, pass, set, ahead, found } = clockAt(1);
    pass(MINUTE);
    set(ms);
    for (let second = 1; second <= 50; second += 1) {
      pass(1_000);
      expect(ahead()).toBe(MINUTE + second * 1_000);
    }
    set(-ms);
    pass(1_000);
    expect([ahead(), found]).toEqual([
      MINUTE + 51_000,
      [
        ['suspected', ms],
        ['ignored', ms],
      ],
    ]);
    expect(clock.steps?.()).toEqual({ suspected: 1, followed: 0, ignored: 1, back: 0 });
  });

  test.each([1, 3600])('a step forward is followed after a minute, at speed %d', (speed) => {
    const { pass, set, ahead, found } = clockAt(speed);
    set(25 * HOUR);
    expect(ahead()).toBe(0);
    pass(59_999);
    expect(ahead()).toBe(59_999 * speed);
    pass(1);
    expect([ahead(), found]).toEqual([
      (25 * HOUR + MINUTE) * speed,
      [
        ['suspected', 25 * HOUR],
        ['followed', 25 * HOUR],
      ],
    ]);
  });

  test('a step forward must last a minute at the same offset', () => {
    const { pass, set, ahead, found } = clockAt(1);
    set(3 * HOUR);
    expect(ahead()).toBe(0);
    pass(50_000);
    set(22 * HOUR);
    pass(50_000);
    expect(ahead()).toBe(100_000);
    set(-25 * HOUR);
    pass(MINUTE);
    expect(ahead()).toBe(160_000);
    expect(found.map(([result]) => result)).toEqual(['suspected', 'ignored', 'suspected', 'ignored']);
  });

  test('a step back and its correction leave service time unchanged', () => {
    const { pass, set, ahead, found } = clockAt(1);
    pass(MINUTE);
    expect(ahead()).toBe(MINUTE);
    set(-30 * HOUR);
    pass(10_000);
    expect(ahead()).toBe(MINUTE + 5_000);
    set(30 * HOUR);
    expect(ahead()).toBe(MINUTE + 10_000);
    expect(found).toEqual([
      ['back', -30 * HOUR],
      ['followed', 30 * HOUR],
    ]);
  });

  test('a step forward is followed at once after a sleep of that length, once per sleep', () => {
    const { sleep, pass, set, ahead, found } = clockAt(1);
    sleep(8 * HOUR);
    expect([ahead(), found]).toEqual([8 * HOUR, [['followed', 8 * HOUR]]]);
    pass(1_000);
    set(8 * HOUR);
    expect([ahead(), found.at(-1)]).toEqual([8 * HOUR + 1_000, ['suspected', 8 * HOUR]]);
  });
});

test('a clock starts at the last service time, and runs at half speed until due', () => {
  const machine = { ms: REAL };
  const instant = new Date(REAL);
  const anchor = { realAt: instant, serviceAt: instant, speed: 1, reachedAt: new Date(REAL + 4 * MINUTE) };
  const clock = clockFrom(anchor, { real: () => new Date(machine.ms), steadyMs: () => machine.ms, sleptMs: () => 0 });
  const seen = [0, MINUTE, 7 * MINUTE, MINUTE].map((ms) => {
    machine.ms += ms;
    return (clock.now().getTime() - REAL) / MINUTE;
  });
  expect(seen).toEqual([4, 4.5, 8, 9]);
});

describe('real wait for an instant', () => {
  test.each([
    [1, 60_000, 60_000],
    [3600, 3_600_000, 1_000],
    [3600, 1, 1],
    [0.5, 1_000, 2_000],
    [60, 0, 0],
    [60, -5_000, 0],
  ])('the wait at speed %d for %i service ms is %i ms', (speed, aheadMs, realMs) => {
    expect(clockAt(speed).clock.realMsUntil(new Date(SERVICE + aheadMs))).toBe(realMs);
  });

  test('an instant is reached after its wait', () => {
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
