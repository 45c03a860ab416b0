import type { Client } from '../client.ts';

/** The service's time, which may run faster than the machine's. */
export interface ServiceClock {
  readonly speed: number;
  /** In milliseconds since 1970. */
  now(): number;
}

export async function serviceClock(client: Client, signal: AbortSignal): Promise<ServiceClock> {
  const asked = performance.now();
  const { clock } = await client.health({ signal });
  const answered = performance.now();
  const began = Date.parse(clock.now);
  const middle = (asked + answered) / 2;
  return { speed: clock.speed, now: () => began + (performance.now() - middle) * clock.speed };
}
