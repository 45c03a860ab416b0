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

/** The one place where the machine's clock is read. */
export function realNow(): Date {
  return new Date();
}

/** The service time that `anchor` gives for the real instant `real`. */
export function serviceTime(anchor: ClockAnchor, real: Date): Date {
  return new Date(anchor.serviceAt.getTime() + (real.getTime() - anchor.realAt.getTime()) * anchor.speed);
}

/** A clock that runs on from `anchor`; `real` tells the real time. */
export function clockFrom(anchor: ClockAnchor, real: () => Date = realNow): Clock {
  let latest = anchor.serviceAt.getTime();
  const now = (): Date => {
    latest = Math.max(latest, Math.floor(serviceTime(anchor, real()).getTime()));
    return new Date(latest);
  };
  return {
    now,
    speed: anchor.speed,
    realMsUntil: (instant) => Math.max(0, Math.ceil((instant.getTime() - now().getTime()) / anchor.speed)),
  };
}
