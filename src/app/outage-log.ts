import { steadyMs } from '../clock.ts';
import { isOutOfReach } from '../database/failures.ts';
import type { Logger } from '../logger.ts';
import { SECOND } from '../rules/hours.ts';

/** What the service's own work makes of the database's absence: many failures, of which one line is worth reading. */
export interface OutageLog {
  /** Logs an error: of an outage the first failure alone, any other error each time. */
  readonly report: (error: unknown) => void;
  /** Notes that the database responded. Once it has done so for a while without a failure, the recovery is logged. */
  readonly reached: () => void;
}

/** Where connections run out, some work goes on while other work fails. */
const CALM_MS = 3 * SECOND;

export function outageLog(log: Pick<Logger, 'error' | 'warn'>, now: () => number = steadyMs): OutageLog {
  let outage: { readonly since: number; lastFailure: number } | null = null;
  return {
    report(error) {
      if (!isOutOfReach(error)) {
        log.error({ err: error }, 'Something failed');
        return;
      }
      if (outage === null) {
        outage = { since: now(), lastFailure: now() };
        log.error({ err: error }, 'The database is out of reach; requests that need it are answered 503');
      }
      outage.lastFailure = now();
    },
    reached() {
      if (outage === null || now() - outage.lastFailure < CALM_MS) return;
      const seconds = Math.round((outage.lastFailure - outage.since) / SECOND);
      outage = null;
      log.warn({ seconds }, 'The database is back');
    },
  };
}
