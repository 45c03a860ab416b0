import { SECOND } from './rules/hours.ts';

/** The service's time. Everything but rate limits and HTTP timeouts follows it. */
export interface Clock {
  /** The present instant; it never goes back. */
  now(): Date;
  /** How many service milliseconds pass in one real millisecond. */
  readonly speed: number;
  /** Real milliseconds until the service's time is `instant`; 0 when it is past. */
  realMsUntil(instant: Date): number;
}

/** Where service time and real time met, and how they run on from there. */
export interface ClockAnchor {
  readonly realAt: Date;
  readonly serviceAt: Date;
  readonly speed: number;
}

/** The machine's two clocks, and who is told when they part. */
export interface MachineClock {
  /** The time of day, which may be set forward and back while the service runs. */
  readonly real: () => Date;
  /** Real milliseconds since some moment; nobody can set them, but they may stand while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Called when the time of day was found set by so many milliseconds, negative when back. */
  readonly onSet?: ((ms: number) => void) | undefined;
}

/** What passes for the usual correction of a machine's clock over the network, in real milliseconds. */
const UNREMARKABLE_MS = 2 * SECOND;
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

/** The service time that `anchor` gives for the real instant `real`. */
export function serviceTime(anchor: ClockAnchor, real: Date): Date {
  return new Date(anchor.serviceAt.getTime() + (real.getTime() - anchor.realAt.getTime()) * anchor.speed);
}

/**
 * A clock that runs on from `anchor`. It follows the time of day forward, also after a machine's sleep: hours that were
 * jumped over are as if the service had been down. When the time of day is set back, service time neither goes back nor
 * stands still: it runs at half its pace until the machine's clock has caught up.
 */
export function clockFrom(anchor: ClockAnchor, machine: Partial<MachineClock> = {}): Clock {
  const { real, steadyMs: steady, onSet } = { real: realNow, steadyMs, ...machine };
  let latest = anchor.serviceAt.getTime();
  let seen = { realMs: real().getTime(), steadyMs: steady() };
  const now = (): Date => {
    const present = { realMs: real().getTime(), steadyMs: steady() };
    const passedMs = present.steadyMs - seen.steadyMs;
    const setByMs = present.realMs - seen.realMs - passedMs;
    seen = present;
    latest = Math.max(
      latest + passedMs * anchor.speed * WAITING_PACE,
      serviceTime(anchor, new Date(present.realMs)).getTime(),
    );
    if (Math.abs(setByMs) > UNREMARKABLE_MS) onSet?.(Math.round(setByMs));
    return new Date(Math.floor(latest));
  };
  return {
    now,
    speed: anchor.speed,
    realMsUntil: (instant) => Math.max(0, Math.ceil((instant.getTime() - now().getTime()) / anchor.speed)),
  };
}
