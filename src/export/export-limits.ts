import { addressKey } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';
import { MINUTE } from '../rules/hours.ts';

/** Bounds of the exports, beside their row in LIMITS and the pool that they share. */
export const EXPORT_LIMITS = {
  /** Exports in flight, over all callers; between two pages each of them holds nothing but text. */
  atOnce: 20,
  /** Of them, those of one address. */
  perAddress: 1,
  /** The Retry-After of one that is refused for that. */
  retryAfterSeconds: 10,
  /** After this the answer is broken off after a whole line, in real milliseconds; the client goes on by `after`. */
  longestMs: 10 * MINUTE,
  /** Rows that a page looks through: at first, and at the most where few of them match. */
  lookedAt: { first: 1_000, max: 64_000 },
  /** Rows that are in memory at a time. */
  rowsAtOnce: 1_000,
  /** How long a client may read nothing before it is cut off, in real milliseconds. */
  idleMs: MINUTE,
} as const;

/** Places of the exports in flight. */
export interface Places {
  /** Takes a place for a client at `address`; returns the function that gives it back. Throws where all are taken. */
  take(address: string): () => void;
}

export function exportPlaces(): Places {
  const { atOnce, perAddress, retryAfterSeconds: retryAfter } = EXPORT_LIMITS;
  const taken: string[] = [];
  return {
    take(from) {
      const address = addressKey(from);
      if (taken.filter((other) => other === address).length >= perAddress) {
        const message = `An export to this address is already running, and the limit is ${perAddress} at a time; end it or wait for it to end.`;
        throw new DomainError('export_running', message, { retryAfter });
      }
      if (taken.length >= atOnce) {
        const message = `All ${atOnce} exports that may run at once are running; try again soon.`;
        throw new DomainError('unavailable', message, { retryAfter });
      }
      taken.push(address);
      return () => void taken.splice(taken.indexOf(address), 1);
    },
  };
}
