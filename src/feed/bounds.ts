import type { Limiter } from '../backplane/backplane.ts';
import { LIMITS } from '../limits.ts';
import { addressBudget, addressKey } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import type { Spend } from './executions.ts';

const FIGURES = new Intl.NumberFormat('en-US');

export type Shares = ReturnType<typeof countShares>;

export function countShares(most: number) {
  const taken = new Map<string, number>();
  return {
    /** Returns a function that frees the amount, or null if the maximum would be exceeded. */
    take(from: string, amount = 1): (() => void) | null {
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

export function costBudgets(limiter: Limiter): Spend {
  return async (budget, address, cost) => {
    const retryAfter = (await limiter.count(budget, addressBudget(address), cost))?.retryAfterSeconds ?? null;
    if (retryAfter === null) return;
    const max = FIGURES.format(LIMITS[budget].requests);
    const message = `The subscriptions of this address have used up their cost of ${max} a minute; subscribe again in ${retryAfter} s, with the last seq as after.`;
    throw new DomainError('rate_limited', message, { retryAfter });
  };
}

/** Returns the seconds to wait if there were too many messages, else null. */
export function messageBudget(limiter: Limiter): (address: string) => Promise<number | null> {
  return async (address) => (await limiter.count('graphqlRequest', addressBudget(address)))?.retryAfterSeconds ?? null;
}

export type Intervals = Readonly<typeof INTERVALS>;

export const INTERVALS = {
  heartbeatMs: 15 * SECOND,
  marketMs: 15 * SECOND,
  entriesMs: SECOND,
  pingMs: 12 * SECOND,
  stalledMs: 30 * SECOND,
};
