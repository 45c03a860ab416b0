import type { Request } from 'express';

import { addressKey } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';
import { MINUTE } from '../rules/hours.ts';

/** Bounds of exports, beside their row in LIMITS and their pool. */
export const EXPORT_LIMITS = {
  /** Concurrent exports of all callers; between two pages each holds only text. */
  atOnce: 20,
  /** Concurrent exports of one address. */
  perAddress: 1,
  /** Concurrent lists of a round's leaves of one address, which are short. */
  leavesPerAddress: 4,
  /** Retry-After beyond these. */
  retryAfterSeconds: 10,
  /** The timeout in real milliseconds. The answer ends after a whole line, and the client resumes by `after`. */
  longestMs: 10 * MINUTE,
  /** Scanned rows per page: at first, and at most if few match. */
  scannedRows: { first: 1_000, max: 64_000 },
  /** The maximum of rows in memory. */
  rowsAtOnce: 1_000,
  /** The timeout of a client that does not read, in real milliseconds. */
  idleMs: MINUTE,
} as const;

/** Slots of concurrent exports: runs work in a slot for the address of a request. Throws if none is free. */
export function exportSlots(perAddress: number = EXPORT_LIMITS.perAddress) {
  const { atOnce, retryAfterSeconds: retryAfter } = EXPORT_LIMITS;
  const taken: string[] = [];
  return async ({ ip = '' }: Pick<Request, 'ip'>, work: () => Promise<void>): Promise<void> => {
    const address = addressKey(ip);
    if (taken.filter((other) => other === address).length >= perAddress) {
      const message = `An export to this address is already running, and the limit is ${perAddress} at a time; end it or wait for it to end.`;
      throw new DomainError('export_running', message, { retryAfter });
    }
    if (taken.length >= atOnce) {
      const message = `All ${atOnce} exports that may run at once are running; try again soon.`;
      throw new DomainError('unavailable', message, { retryAfter });
    }
    taken.push(address);
    try {
      await work();
    } finally {
      taken.splice(taken.indexOf(address), 1);
    }
  };
}
