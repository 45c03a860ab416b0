import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Allowance, Limiter } from '../backplane/limiter.ts';
import type { Clock } from '../clock.ts';
import type { Agent } from '../entities/agent.ts';
import { LIMITS, type LimitName } from '../limits.ts';
import type { Market } from '../market/market.ts';
import { DomainError } from '../rules/errors.ts';
import { agentOfKey } from './agent-of-key.ts';
import { makeLoaders, type Loaders } from './loaders.ts';
import type { PredictionWriter } from './prediction-writer.ts';

/** What the domain logic works with; made once, in app.ts. */
export interface Services {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly market: Market;
  readonly limiter: Limiter;
  readonly writer: PredictionWriter;
  /** Brings the rounds to the present hour. */
  readonly reconcile: () => Promise<void>;
  readonly randomBytes: (count: number) => Buffer;
  readonly keyPepper: string | undefined;
  /** How long before its end a round stops taking predictions, in milliseconds. */
  readonly lockMs: number;
  readonly version: string;
}

/** One caller's request, or one operation on its socket. */
export interface Context extends Services {
  readonly em: SqlEntityManager;
  readonly ip: string;
  readonly loaders: Loaders;
  /** The agent whose key the request carries, or null. */
  viewer(): Promise<Agent | null>;
  /** Counts this request against `limit`; throws `UNAUTHENTICATED` or `RATE_LIMITED`. */
  admit(limit: LimitName): Promise<void>;
  /** True where the transport has already admitted the request, so that root fields do not count it again. */
  readonly prepaid: boolean;
  /** What `admit` last counted, for the answer's headers. */
  allowance: Allowance | null;
}

interface Caller {
  readonly ip: string;
  readonly prepaid: boolean;
  readonly authorization: string | undefined;
}

/** A context for one request of `caller`. */
export function makeContext(services: Services, caller: Caller): Context {
  const em = services.newEm();
  let viewer: Promise<Agent | null> | undefined;
  const context: Context = {
    ...services,
    em,
    ip: caller.ip,
    prepaid: caller.prepaid,
    loaders: makeLoaders(em),
    allowance: null,
    viewer: () => (viewer ??= agentOfKey(context, caller.authorization)),
    admit: (limit) => admit(context, limit),
  };
  return context;
}

/** A failed authentication counts against the same endpoint's limit, by address (decisions: keys, limits). */
async function admit(context: Context, name: LimitName): Promise<void> {
  const agent = LIMITS[name].scope === 'agent' ? await context.viewer() : null;
  const key = agent === null ? `ip:${context.ip}` : `agent:${agent.id}`;
  context.allowance = await context.limiter.count(name, key);
  const retryAfter = context.allowance?.retryAfterSeconds ?? null;
  if (retryAfter !== null) {
    const { requests, windowMs } = LIMITS[name];
    const message = `The limit of ${requests} requests in ${windowMs / 60_000} minutes is used up; try again in ${retryAfter} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfter });
  }
  if (LIMITS[name].scope === 'agent' && agent === null) throw unauthenticated();
}

function unauthenticated(): DomainError {
  return new DomainError(
    'UNAUTHENTICATED',
    'This needs a valid API key: send the header "Authorization: Bearer pk_live_..." with the key that registration gave.',
  );
}

/** The agent of a request that `admit` let through. */
export async function requireViewer(context: Context): Promise<Agent> {
  const agent = await context.viewer();
  if (agent === null) throw unauthenticated();
  return agent;
}
