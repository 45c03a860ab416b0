import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Allowance, Limiter } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { Agent } from '../entities/agent.ts';
import type { Round } from '../entities/round.ts';
import type { LoggedEvent } from '../feed/event-log.ts';
import type { Heartbeat } from '../feed/log-subscription.ts';
import { LIMITS, type LimitName, OWN_ORIGIN_ONLY } from '../limits.ts';
import type { Market } from '../market/market.ts';
import { addressKey } from '../rules/address-key.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import { HOUR, MINUTE } from '../rules/hours.ts';
import { agentOfKey, type KnownKeys } from './keys.ts';
import { makeLoaders, type Loaders } from './loaders.ts';
import type { ReadJson } from '../reads/json-reader.ts';
import type { OpenCrowds } from '../reads/crowd.ts';
import type { PredictionWriter } from './prediction-writer.ts';

/** What the domain logic works with; made once, in app/assemble.ts. */
export interface Services {
  readonly newEm: () => SqlEntityManager;
  /** On the connections of `newEm`: values with all that hangs on them, in one statement. */
  readonly readJson: ReadJson;
  /** For submissions and looking keys up: connections that no reader can take. */
  readonly newUrgentEm: () => SqlEntityManager;
  readonly knownKeys: KnownKeys;
  readonly clock: Clock;
  readonly market: Market;
  readonly limiter: Limiter;
  readonly writer: PredictionWriter;
  readonly openCrowds: OpenCrowds;
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
  readonly overSocket: boolean;
  readonly loaders: Loaders;
  /** The agent whose key the request carries, or null. */
  viewer(): Promise<Agent | null>;
  /**
   * Counts this request for `asked`, as the caller knows it, against `limit`; throws `FORBIDDEN`, `UNAUTHENTICATED` or
   * `RATE_LIMITED`.
   */
  admit(limit: LimitName, asked?: string): Promise<void>;
  /** True where the transport has already admitted the request, so that root fields do not count it again. */
  readonly alreadyCounted: boolean;
  /** Of the budgets that `admit` counted the one with the least left, for the answer's headers. */
  allowance: Allowance | null;
}

interface Caller {
  readonly ip: string;
  readonly alreadyCounted: boolean;
  readonly authorization: string | undefined;
  /** Whether the key came with `connection_init`; unset: in a header. */
  readonly overSocket?: boolean;
  /** The origin of the page that asks, where its browser may not create or change anything for it. */
  readonly foreignOrigin: string | undefined;
}

/** A context for one request of `caller`. */
export function makeContext(services: Services, caller: Caller): Context {
  const em = services.newEm();
  let viewer: Promise<Agent | null> | undefined;
  const context: Context = {
    ...services,
    em,
    ip: caller.ip,
    alreadyCounted: caller.alreadyCounted,
    overSocket: caller.overSocket ?? false,
    loaders: makeLoaders(em, services.openCrowds),
    allowance: null,
    viewer: () => (viewer ??= agentOfKey(context, caller.authorization)),
    admit: async (limit, asked) => {
      refuseForeign(caller, limit);
      await admit(context, limit, asked);
    },
  };
  return context;
}

/** Before anything is counted: a page must not spend its visitors' budgets. A submission needs a key, which suffices. */
function refuseForeign({ foreignOrigin }: Caller, limit: LimitName): void {
  if (foreignOrigin === undefined || !OWN_ORIGIN_ONLY.has(limit)) return;
  throw new DomainError(
    'FORBIDDEN',
    `Pages of the origin ${quoted(foreignOrigin)} may only read and predict here; its operator can list the origin in CORS_ORIGINS.`,
  );
}

/** A failed authentication counts against the same endpoint's limit, by address (decisions: keys, limits). */
async function admit(context: Context, name: LimitName, asked: string | undefined): Promise<void> {
  const agent = LIMITS[name].scope === 'agent' ? await context.viewer() : null;
  const key = agent === null ? `ip:${addressKey(context.ip)}` : `agent:${agent.id}`;
  const counted = await context.limiter.count(name, key);
  context.allowance = tighter(context.allowance, counted);
  if (counted !== null && counted.retryAfterSeconds !== null) throw overBudget(name, asked, counted.retryAfterSeconds);
  if (LIMITS[name].scope === 'agent' && agent === null) throw unauthenticated(context);
}

/** A spent budget before others, then the one with the least left. */
function tighter(one: Allowance | null, other: Allowance | null): Allowance | null {
  if (one === null || other === null) return one ?? other;
  const wait = (one.retryAfterSeconds ?? 0) - (other.retryAfterSeconds ?? 0);
  return wait > 0 || (wait === 0 && one.remaining < other.remaining) ? one : other;
}

function overBudget(name: LimitName, asked: string | undefined, retryAfter: number): DomainError {
  const { requests, windowMs } = LIMITS[name];
  const of = asked === undefined ? '' : ` for ${asked}`;
  const window = windowMs === MINUTE ? 'minute' : windowMs === HOUR ? 'hour' : `${windowMs / MINUTE} minutes`;
  const message = `Rate limit${of} reached: ${requests} per ${window}. Retry in ${retryAfter} s.`;
  return new DomainError('RATE_LIMITED', message, { retryAfter });
}

function unauthenticated({ overSocket }: Context): DomainError {
  const place = overSocket
    ? 'connect again with the payload {"authorization": "Bearer pk_live_..."} in connection_init,'
    : 'send the header "Authorization: Bearer pk_live_..."';
  return new DomainError(
    'UNAUTHENTICATED',
    `This needs a valid API key: ${place} with the key that registration gave.`,
  );
}

/** The agent of a request that `admit` let through. */
export async function requireViewer(context: Context): Promise<Agent> {
  const agent = await context.viewer();
  if (agent === null) throw unauthenticated(context);
  return agent;
}

/** What an activation brought about. */
export interface ActivationResult {
  readonly mode: 'compete';
  readonly message: string;
  readonly nextRound: Round;
}

/** What `events` hands on. */
export type FeedEvent = LoggedEvent | Heartbeat;
