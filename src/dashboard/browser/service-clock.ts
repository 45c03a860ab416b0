/** The service's time, as far as this browser knows it. */
export interface ServiceClock {
  /** Milliseconds since 1970 by the service's clock. */
  now(): number;
  /** Service seconds in a real second. */
  readonly speed: () => number;
  /** Takes over what the service said at the real moment `atMs` of `steadyMs`. */
  set(said: { readonly now: string; readonly speed: number }, atMs: number): void;
}

/** A clock that runs on from what the service said last, by the steady clock that it is given. */
export function serviceClock(steadyMs: () => number): ServiceClock {
  let anchor = { serviceMs: 0, steadyMs: 0 };
  let speed = 1;
  return {
    now: () => anchor.serviceMs + (steadyMs() - anchor.steadyMs) * speed,
    speed: () => speed,
    set({ now, speed: said }, atMs) {
      anchor = { serviceMs: Date.parse(now), steadyMs: atMs };
      speed = said;
    },
  };
}
