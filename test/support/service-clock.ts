import type { Ask } from './snapshot.ts';

const HOUR_MS = 3_600_000;

/** The service's time, by the anchor in its database. Instants are milliseconds since 1970. */
export interface ServiceClock {
  readonly speed: number;
  toService(real: number): number;
  toReal(service: number): number;
}

/** Undefined before the first start has written the anchor. */
export async function serviceClock(ask: Ask): Promise<ServiceClock | undefined> {
  const [anchor] = await ask<{ realAt: Date; serviceAt: Date; speed: number }>(
    'select clock_real_at as "realAt", clock_service_at as "serviceAt", clock_speed as speed from platform',
  );
  if (anchor === undefined) return undefined;
  const { realAt, serviceAt, speed } = anchor;
  return {
    speed,
    toService: (real) => serviceAt.getTime() + (real - realAt.getTime()) * speed,
    toReal: (service) => realAt.getTime() + (service - serviceAt.getTime()) / speed,
  };
}

/** Real milliseconds until the service's next hour. */
export function msToEdge(clock: ServiceClock): number {
  const now = Date.now();
  return clock.toReal((Math.floor(clock.toService(now) / HOUR_MS) + 1) * HOUR_MS) - now;
}
