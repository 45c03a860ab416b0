import { uptime } from 'node:os';

import { MINUTE, SECOND } from './rules/hours.ts';

/** `suspected` leads to `followed` or `ignored`. `back`: service time runs at half pace until the clock has caught up. */
type StepResult = 'suspected' | 'followed' | 'ignored' | 'back';

interface ClockStep {
  /** In real milliseconds, negative when set back. */
  readonly ms: number;
  readonly result: StepResult;
}

/** Everything but rate limits and HTTP timeouts follows it. */
export interface Clock {
  now(): Date;
  readonly speed: number;
  realMsUntil(instant: Date): number;
  /** Jumps of the machine's clock, by reaction; absent for a clock that nobody can set. */
  readonly steps?: () => Readonly<Record<StepResult, number>>;
}

/** Whole real seconds, as in `Retry-After`; 1 when `instant` is past. */
export function secondsUntil(clock: Pick<Clock, 'realMsUntil'>, instant: Date): number {
  return Math.max(1, Math.ceil(clock.realMsUntil(instant) / SECOND));
}

export interface ClockAnchor {
  readonly realAt: Date;
  readonly serviceAt: Date;
  readonly speed: number;
  /** The latest known service time: a clock never starts before it. Default: `serviceAt`. */
  readonly reachedAt?: Date | undefined;
}

interface MachineClock {
  readonly real: () => Date;
  /** Monotonic real milliseconds; they may stand while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Real milliseconds that the machine has slept, from some origin. */
  readonly sleptMs: () => number;
  readonly onStep?: ((step: ClockStep) => void) | undefined;
}

const WAITING_PACE = 0.5;

/** The only place that reads the machine's clock. */
export function realNow(): Date {
  return new Date();
}

/** Real milliseconds since the process began, independent of the machine's clock. */
export function steadyMs(): number {
  return performance.now();
}

/** The steady clock stops while the machine sleeps; the uptime does not. */
function sleptMs(): number {
  return uptime() * SECOND - steadyMs();
}

export function serviceTime(anchor: ClockAnchor, real: Date): Date {
  return new Date(serviceMs(anchor, real.getTime()));
}

/**
 * Hours skipped by a jump forward are as if the service had been down. A jump over 5 min is followed only after a minute, since
 * it ends rounds for good. After a jump back, service time runs at half pace until the clock has caught up.
 */
export function clockFrom(anchor: ClockAnchor, machine: Partial<MachineClock> = {}): Clock {
  const { real, steadyMs: steady, sleptMs: slept, onStep } = { real: realNow, steadyMs, sleptMs, ...machine };
  const { speed } = anchor;
  const readClocks = () => ({ realMs: real().getTime(), steadyMs: steady() });
  const steps: Record<StepResult, number> = { suspected: 0, followed: 0, ignored: 0, back: 0 };
  let seen = readClocks();
  const judge = stepJudge({
    began: seen,
    sleptMs: slept,
    onStep: (step) => {
      steps[step.result] += 1;
      onStep?.(step);
    },
  });
  let latest = Math.max(anchor.serviceAt.getTime(), anchor.reachedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  const now = (): Date => {
    const present = readClocks();
    const waited = latest + (present.steadyMs - seen.steadyMs) * speed * WAITING_PACE;
    const expected = Math.max(waited, serviceMs(anchor, judge.expectedMs(present.steadyMs)));
    const mapped = serviceMs(anchor, present.realMs);
    seen = present;
    latest = judge.believes(present, (mapped - expected) / speed) ? Math.max(waited, mapped) : expected;
    return new Date(Math.floor(latest));
  };
  return {
    now,
    speed,
    realMsUntil: (instant) => Math.max(0, Math.ceil((instant.getTime() - now().getTime()) / speed)),
    steps: () => ({ ...steps }),
  };
}

function serviceMs({ serviceAt, realAt, speed }: ClockAnchor, realMs: number): number {
  return serviceAt.getTime() + (realMs - realAt.getTime()) * speed;
}

interface Moment {
  readonly realMs: number;
  readonly steadyMs: number;
}

interface StepDeps {
  readonly began: Moment;
  readonly sleptMs: () => number;
  readonly onStep: (step: ClockStep) => void;
}

/** Usual corrections by the network, in real milliseconds. */
const UNREMARKABLE_MS = 2 * SECOND;
/** A longer jump forward would end running rounds, and cannot be undone. */
const SUSPECT_MS = 5 * MINUTE;
const HOLDS_MS = MINUTE;

/** Accepts a jump over 5 min after a minute, or at once if the machine slept as long. All others are accepted at once. */
function stepJudge({ began, sleptMs: slept, onStep }: StepDeps) {
  let offsetMs = began.realMs - began.steadyMs;
  let sleptBefore = slept();
  let suspect: { readonly offsetMs: number; readonly since: number } | null = null;
  const dropSuspectUnlessAt = (offset: number): void => {
    if (suspect === null || Math.abs(offset - suspect.offsetMs) <= UNREMARKABLE_MS) return;
    onStep({ ms: Math.round(suspect.offsetMs - offsetMs), result: 'ignored' });
    suspect = null;
  };
  const believe = (offset: number): true => {
    const ms = Math.round(offset - offsetMs);
    if (Math.abs(ms) > UNREMARKABLE_MS) {
      onStep({ ms, result: ms > 0 ? 'followed' : 'back' });
      sleptBefore = slept();
    }
    offsetMs = offset;
    suspect = null;
    return true;
  };
  return {
    expectedMs: (atSteadyMs: number): number => offsetMs + atSteadyMs,
    /** True: service time may follow the clock, `aheadMs` real milliseconds ahead. */
    believes(moment: Moment, aheadMs: number): boolean {
      const offset = moment.realMs - moment.steadyMs;
      dropSuspectUnlessAt(offset);
      if (aheadMs <= SUSPECT_MS || aheadMs - (slept() - sleptBefore) <= SUSPECT_MS) return believe(offset);
      if (suspect === null) {
        suspect = { offsetMs: offset, since: moment.steadyMs };
        onStep({ ms: Math.round(offset - offsetMs), result: 'suspected' });
      }
      return moment.steadyMs - suspect.since >= HOLDS_MS && believe(offset);
    },
  };
}

const SENTENCES: Readonly<Record<StepResult, string>> = {
  suspected: 'The machine’s clock was set forward; service time follows if the new time holds for a minute',
  followed: 'The machine’s clock was set forward, and service time follows',
  ignored: 'The machine’s clock was set right again before service time followed the change',
  back: 'The machine’s clock was set back; service time runs at half its speed until the machine’s clock has caught up',
};

export function stepSentence({ result }: ClockStep): string {
  return SENTENCES[result];
}
