import { uptime } from 'node:os';

import { MINUTE, SECOND } from './rules/hours.ts';

/**
 * What came of a machine's clock that was found set. `suspected`: service time waits whether it holds; `followed`: forward,
 * and service time went along; `ignored`: it was gone again before service time went along; `back`: service time waits
 * for it at half pace. Each that is suspected is followed or ignored later.
 */
type StepResult = 'suspected' | 'followed' | 'ignored' | 'back';

export interface ClockStep {
  /** By how much the machine's clock was set, in real milliseconds, negative when back. */
  readonly ms: number;
  readonly result: StepResult;
}

/** The service's time. Everything but rate limits and HTTP timeouts follows it. */
export interface Clock {
  /** The present instant; it never goes back. */
  now(): Date;
  /** How many service milliseconds pass in one real millisecond. */
  readonly speed: number;
  /** Real milliseconds until the service's time is `instant`; 0 when it is past. */
  realMsUntil(instant: Date): number;
  /** How often the machine's clock was found set, by what came of it; absent of a clock that nobody can set. */
  readonly steps?: () => Readonly<Record<StepResult, number>>;
}

/** Whole real seconds until the service's time is `instant`, as `Retry-After` has them; 1 when it is past. */
export function secondsUntil(clock: Pick<Clock, 'realMsUntil'>, instant: Date): number {
  return Math.max(1, Math.ceil(clock.realMsUntil(instant) / SECOND));
}

/** Where service time and real time met, and how they run on from there. */
export interface ClockAnchor {
  readonly realAt: Date;
  readonly serviceAt: Date;
  readonly speed: number;
  /** Service time that is known to have been: a clock never starts before it. Unset: `serviceAt`. */
  readonly reachedAt?: Date | undefined;
}

/** The machine's clocks, and who is notified when they differ. */
export interface MachineClock {
  /** The time of day, which may be set forward and back while the service runs. */
  readonly real: () => Date;
  /** Real milliseconds since some moment; nobody can set them, but they may stand while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Real milliseconds that the machine has slept, counted from some moment. */
  readonly sleptMs: () => number;
  /** Called when the time of day was found set. */
  readonly onStep?: ((step: ClockStep) => void) | undefined;
}

/** How fast service time goes on, of its usual speed, while it is ahead of the machine's clock that was set back. */
const WAITING_PACE = 0.5;

/** The one place where the machine's clock is read. */
export function realNow(): Date {
  return new Date();
}

/** Real milliseconds since the process began, whatever the machine's clock is set to. */
export function steadyMs(): number {
  return performance.now();
}

/** What the steady clock lacks of the machine's uptime: it stands while the machine sleeps, and the uptime does not. */
function sleptMs(): number {
  return uptime() * SECOND - steadyMs();
}

/** The service time that `anchor` gives for the real instant `real`. */
export function serviceTime(anchor: ClockAnchor, real: Date): Date {
  return new Date(anchor.serviceAt.getTime() + (real.getTime() - anchor.realAt.getTime()) * anchor.speed);
}

/**
 * A clock that runs on from `anchor`. It follows the time of day forward, also after a machine's sleep: hours that were
 * jumped over are as if the service had been down. A step of more than 5 min is followed only after it has held for a
 * minute, since what it ends does not come back: until then the steady clock goes on. When the time of day is set back,
 * service time neither goes back nor stands still: it runs at half its pace until the machine's clock has caught up.
 */
export function clockFrom(anchor: ClockAnchor, machine: Partial<MachineClock> = {}): Clock {
  const { real, steadyMs: steady, sleptMs: slept, onStep } = { real: realNow, steadyMs, sleptMs, ...machine };
  const { speed } = anchor;
  const look = () => ({ realMs: real().getTime(), steadyMs: steady() });
  const steps: Record<StepResult, number> = { suspected: 0, followed: 0, ignored: 0, back: 0 };
  let seen = look();
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
    const present = look();
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

function serviceMs(anchor: ClockAnchor, realMs: number): number {
  return serviceTime(anchor, new Date(realMs)).getTime();
}

/** The machine's two clocks at one moment, in milliseconds. */
interface Moment {
  readonly realMs: number;
  readonly steadyMs: number;
}

interface StepDeps {
  readonly began: Moment;
  /** Real milliseconds that the machine has slept, counted from some moment. */
  readonly sleptMs: () => number;
  readonly onStep: (step: ClockStep) => void;
}

/** Decides what service time makes of a time of day that somebody sets. */
interface StepJudge {
  /** The time of day by the steady clock alone, counted on from the last one that was believed. */
  expectedMs(atSteadyMs: number): number;
  /** Whether service time may follow the time of day, which would take it ahead by `aheadMs` real milliseconds. */
  believes(moment: Moment, aheadMs: number): boolean;
}

/** What passes for the usual correction of a machine's clock over the network, in real milliseconds. */
const UNREMARKABLE_MS = 2 * SECOND;
/** A longer step forward is suspect: it would end rounds that run, and cannot be taken back. */
const SUSPECT_MS = 5 * MINUTE;
/** So long a suspect step must hold. */
const HOLDS_MS = MINUTE;

/**
 * Believes a step forward of more than 5 min only after it has held for a minute, or at once where the machine slept
 * for as long. All else is believed at once.
 */
function stepJudge({ began, sleptMs: slept, onStep }: StepDeps): StepJudge {
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
    expectedMs: (atSteadyMs) => offsetMs + atSteadyMs,
    believes(moment, aheadMs) {
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
  suspected: 'The machine’s clock was set forward; service time follows once that has held for a minute',
  followed: 'The machine’s clock was set forward, and service time follows',
  ignored: 'The machine’s clock was set right again before service time has followed',
  back: 'The machine’s clock was set back; service time runs at half its pace until that has caught up',
};

/** A step as an operator reads it. */
export function stepSentence({ result }: ClockStep): string {
  return SENTENCES[result];
}
