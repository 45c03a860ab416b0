import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Allowance, Change, Limiter } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { Read } from '../database/reads.ts';
import {
  admit,
  authenticate,
  type Caller,
  type CountedUse,
  isFree,
  type PrepaidUse,
  prepay,
  unauthenticated,
} from './admission.ts';
import type { AgentsById } from './agents-by-id.ts';
import type { LoggedEvent } from '../feed/event-log.ts';
import type { Heartbeat } from '../feed/log-subscription.ts';
import type { LimitName } from '../limits.ts';
import type { Market } from '../market/market.ts';
import type { KindWindow } from '../rules/kinds.ts';
import type { Picks } from '../rules/predictions.ts';
import type { WebhookReach } from '../rules/webhooks.ts';
import {
  agentOfKey,
  bearerKey,
  keyHash,
  type KeyHolder,
  type KeyLookup,
  type KnownKeys,
  refuseBlocked,
} from './keys.ts';
import type { LastRequests } from './last-requests.ts';
import { makeLoaders, type Loaders } from './loaders.ts';
import type { ReadJson } from '../reads/plan/read-column.ts';
import type { ReferenceCache } from '../references/reference-cache.ts';
import type { ComputeForecast } from '../forecasts/running.ts';
import type { OpenCrowds } from '../reads/open-crowds.ts';
import type { PredictionWriter } from './prediction-writer.ts';
import type { Reconcile } from './current-round.ts';
import { countRefusal, type RefusalCounts } from './refusals.ts';
import type { SubmissionLookups } from './submission-lookups.ts';

export interface Services {
  readonly newEm: () => SqlEntityManager;
  /** Reads, on the standby if it has everything this process has seen. */
  readonly read: Read;
  /** Reads values with all nested rows in one statement, like `read`. */
  readonly readJson: ReadJson;
  /** For documents of the service, whose cost is known. */
  readonly agentsById: AgentsById;
  /** Connections for reads after a submission; other readers cannot take them. */
  readonly newSubmissionEm: () => SqlEntityManager;
  readonly newRegistrationEm: () => SqlEntityManager;
  readonly submissionLookups: SubmissionLookups;
  readonly keys: KeyLookup;
  readonly knownKeys: KnownKeys;
  readonly requests: LastRequests;
  readonly clock: Clock;
  readonly market: Market;
  readonly limiter: Limiter;
  /** The requests that spend each limit an agent meets. */
  readonly covers: ReadonlyMap<LimitName, readonly string[]>;
  readonly writer: PredictionWriter;
  readonly refusals: RefusalCounts;
  readonly openCrowds: OpenCrowds;
  readonly references: ReferenceCache;
  readonly forecasts: ComputeForecast;
  /** Rebuilds the boards of a kind and window before a read if they are outdated. */
  readonly kindBoards: (kindWindow: KindWindow) => Promise<void>;
  /** Invalidates cached answers after a change without event. */
  readonly publish: (change: Change) => void;
  readonly reconcile: Reconcile;
  readonly randomBytes: (count: number) => Buffer;
  readonly keyPepper: string | undefined;
  /** Milliseconds before its end at which a round locks. */
  readonly lockMs: number;
  readonly webhooks: WebhookReach;
  readonly picks: Picks;
  readonly version: string;
}

interface CountedCaller extends Caller {
  /** The transport has admitted the request, so root fields do not count it again. */
  readonly alreadyCounted: boolean;
}

export function contexts(services: Services): (caller: CountedCaller) => Context {
  return (caller) => new Context(services, caller);
}

interface ContextState {
  em?: SqlEntityManager;
  loaders?: Loaders;
  keyHash?: string | null;
  viewer?: Promise<KeyHolder | null>;
  prepaid?: PrepaidUse[];
  hasMutated?: boolean;
  allowance: Allowance | null;
}

export class Context {
  readonly services: Services;
  readonly caller: CountedCaller;
  /** A separate object, shared by the copies that Apollo makes of a context. */
  private readonly state: ContextState = { allowance: null };

  constructor(services: Services, caller: CountedCaller) {
    this.services = services;
    this.caller = caller;
  }

  get em(): SqlEntityManager {
    return (this.state.em ??= this.services.newEm());
  }

  get loaders(): Loaders {
    return (this.state.loaders ??= makeLoaders(this.services.read, this.services.openCrowds));
  }

  get keyHash(): string | null {
    const { state } = this;
    if (state.keyHash !== undefined) return state.keyHash;
    const key = bearerKey(this.caller.authorization);
    return (state.keyHash = key === null ? null : keyHash(key, this.services.keyPepper));
  }

  get allowance(): Allowance | null {
    return this.state.allowance;
  }

  set allowance(allowance: Allowance | null) {
    this.state.allowance = allowance;
  }

  /** An earlier mutation of the document may have changed the caller and rows: a later one reads them anew. */
  beginMutation(): void {
    const { state } = this;
    if (state.hasMutated) for (const name of ['em', 'loaders', 'viewer'] as const) delete state[name];
    state.hasMutated = true;
  }

  viewer(): Promise<KeyHolder | null> {
    return (this.state.viewer ??= this.lookUp());
  }

  private async lookUp(): Promise<KeyHolder | null> {
    if (this.keyHash === null) return null;
    const holder = await agentOfKey(this, this.keyHash);
    if (holder !== null) this.services.requests.note(holder.id);
    return holder;
  }

  countRefusal(roundId: number | null, error: unknown): void {
    countRefusal(this, roundId, error);
  }

  isFree(limit: LimitName): boolean {
    return isFree(this, limit);
  }

  admit(limit: LimitName, endpoint?: string, uses?: number): Promise<void> {
    return admit(this, { limit, endpoint, uses });
  }

  prepay(uses: readonly CountedUse[]): Promise<boolean> {
    return prepay(this, uses);
  }

  get prepaid(): PrepaidUse[] {
    return (this.state.prepaid ??= []);
  }

  authenticate(limit: LimitName, endpoint?: string): Promise<void> {
    return authenticate(this, { limit, endpoint });
  }

  /** The same request without key and already counted, for a shared cached answer. */
  forEverybody(): Context {
    return new Context(this.services, { ...this.caller, authorization: undefined, alreadyCounted: true });
  }
}

export async function requireViewer(context: Context): Promise<KeyHolder> {
  const agent = await context.viewer();
  if (agent === null) throw unauthenticated(context.caller);
  return agent;
}

/** For changes: throws `FORBIDDEN` for a blocked agent. */
export async function requireActor(context: Context): Promise<KeyHolder> {
  const agent = await requireViewer(context);
  refuseBlocked(agent);
  return agent;
}

export type FeedEvent = LoggedEvent | Heartbeat;
