import { LIMIT_NAMES, LIMITS, type LimitName } from '../limits.ts';
import { addressBudget } from '../rules/address-key.ts';
import { SECOND } from '../rules/hours.ts';
import { requireViewer } from './context.ts';
import type { Resolvers } from './schema-types.ts';

/** The requests that spend each limit, without the operators' own. */
export function coverage(
  endpoints: readonly { readonly method: string; readonly path: string; readonly limit: LimitName }[],
): ReadonlyMap<LimitName, readonly string[]> {
  const covers = new Map<LimitName, readonly string[]>();
  for (const { method, path, limit } of endpoints)
    covers.set(limit, [...(covers.get(limit) ?? []), `${method} ${path}`]);
  for (const name of LIMIT_NAMES) {
    const limit = LIMITS[name];
    if ('covers' in limit) covers.set(name, [limit.covers]);
  }
  return covers;
}

export const ownLimitResolvers = {
  Query: {
    async ownLimits(_root, _args, context) {
      const { id } = await requireViewer(context);
      const { covers, limiter } = context.services;
      if (limiter.countsNothing === true) return { unlimited: true, budgets: [] };
      const budgets = [...covers].map(async ([name, requests]) => {
        const { requests: limit, windowMs, scope } = LIMITS[name];
        const left = await limiter.peek(name, scope === 'ip' ? addressBudget(context.caller.ip) : `agent:${id}`);
        return {
          name,
          scope: scope === 'ip' ? 'address' : 'agent',
          covers: requests,
          limit,
          remaining: left?.remaining ?? limit,
          windowSeconds: windowMs / SECOND,
          resetsInSeconds: left?.resetSeconds ?? 0,
        };
      });
      return { unlimited: false, budgets: await Promise.all(budgets) };
    },
  },
} satisfies Resolvers;
