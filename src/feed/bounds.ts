import type { Limiter } from '../backplane/backplane.ts';
import { FEED_LIMITS, LIMITS } from '../limits.ts';
import { addressBudget, addressKey } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import type { Spend } from './executions.ts';

const FIGURES = new Intl.NumberFormat('en-US');

/** Counts what each address has at a time: connections, or bytes. */
export interface Shares {
  /** Takes some for `address`; returns how to give it back, or null when more than the most would be taken. */
  take(address: string, amount?: number): (() => void) | null;
}

/** Open connections by address. */
export type Connections = Pick<Shares, 'take'>;

export function countConnections(most: number = FEED_LIMITS.connectionsPerAddress): Connections {
  return countShares(most);
}

export function countShares(most: number): Shares {
  const taken = new Map<string, number>();
  return {
    take(from, amount = 1) {
      const address = addressKey(from);
      const sum = (taken.get(address) ?? 0) + amount;
      if (sum > most) return null;
      taken.set(address, sum);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        const left = (taken.get(address) ?? 0) - amount;
        if (left <= 0) taken.delete(address);
        else taken.set(address, left);
      };
    },
  };
}

/** Lets subscriptions spend cost by address. */
export function costBudgets(limiter: Limiter): Spend {
  return async (budget, address, cost) => {
    const retryAfter = (await limiter.count(budget, addressBudget(address), cost))?.retryAfterSeconds ?? null;
    if (retryAfter === null) return;
    const max = FIGURES.format(LIMITS[budget].requests);
    const message = `Subscriptions of one address may cost ${max} a minute, which are used up; subscribe again in ${retryAfter} s, with the last seq as after.`;
    throw new DomainError('rate_limited', message, { retryAfter });
  };
}

/** Counts a message on a socket of an address: returns in how many seconds to come back when there were too many. */
export function messageBudget(limiter: Limiter): (address: string) => Promise<number | null> {
  return async (address) => (await limiter.count('graphqlRequest', addressBudget(address)))?.retryAfterSeconds ?? null;
}

/** How often, in real time, the feed does what no event causes. */
export interface Intervals {
  /** Sends a heartbeat to those who follow the log. */
  readonly heartbeatMs: number;
  /** Sends the present prices. */
  readonly marketMs: number;
  /** Checks whether the active round has more predictions. */
  readonly entriesMs: number;
  /** Pings each socket. */
  readonly pingMs: number;
  /** How long a reader of server-sent events may read nothing before its connection is closed. */
  readonly stalledMs: number;
}

export const INTERVALS: Intervals = {
  heartbeatMs: 15 * SECOND,
  marketMs: 15 * SECOND,
  entriesMs: SECOND,
  pingMs: 12 * SECOND,
  stalledMs: 30 * SECOND,
};
