import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Allowance, Change, Limiter } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { Read } from '../database/reads.ts';
import { admit, authenticate, type Prepaid, prepay, unauthenticated, type Use } from './admission.ts';
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
import type { KeptReferences } from '../references/kept-references.ts';
import type { ForecastOfRunning } from '../forecasts/running.ts';
import type { OpenCrowds } from '../reads/open-crowds.ts';
import type { PredictionWriter } from './prediction-writer.ts';
import type { Reconcile } from './current-round.ts';
import { countRefusal, type RefusalCounts } from './refusals.ts';
import type { SubmissionLookups } from './submission-lookups.ts';

/** What the domain logic works with; made once, in app/assemble.ts. */
export interface Services {
  readonly newEm: () => SqlEntityManager;
  /** For what is only read: on the replica, where there is one that holds all that this process has seen. */
  readonly read: Read;
  /** By the same way: values with all that hangs on them, in one statement. */
  readonly readJson: ReadJson;
  /** For what a submission says once it is durable: connections that no reader can take. */
  readonly newSubmissionEm: () => SqlEntityManager;
  /** For what agents do about themselves, the same. */
  readonly newRegistrationEm: () => SqlEntityManager;
  readonly submissionLookups: SubmissionLookups;
  readonly keys: KeyLookup;
  readonly knownKeys: KnownKeys;
  readonly requests: LastRequests;
  readonly clock: Clock;
  readonly market: Market;
  readonly limiter: Limiter;
  readonly writer: PredictionWriter;
  readonly refusals: RefusalCounts;
  readonly openCrowds: OpenCrowds;
  readonly references: KeptReferences;
  readonly forecasts: ForecastOfRunning;
  /** Makes the boards of a kind in a window before they are read, where they are not of the newest state. */
  readonly kindBoards: (asked: KindWindow) => Promise<void>;
  /** Tells whoever keeps answers that something has changed of which no event is written. */
  readonly tell: (change: Change) => void;
  readonly reconcile: Reconcile;
  readonly randomBytes: (count: number) => Buffer;
  readonly keyPepper: string | undefined;
  /** How long before its end a round stops taking predictions, in milliseconds. */
  readonly lockMs: number;
  /** Whose addresses agents may have called. */
  readonly webhooks: WebhookReach;
  /** Whether others see answers while the round runs. */
  readonly picks: Picks;
  readonly version: string;
}

interface Caller {
  readonly ip: string;
  readonly alreadyCounted: boolean;
  readonly authorization: string | undefined;
  /** Whether no proxy says that it stands between; unset: that is not known. */
  readonly isDirect?: () => boolean;
  /** Whether the key came with `connection_init`; unset: in a header. */
  readonly overSocket?: boolean;
  /** The origin of the page that asks, where its browser may not create or change anything for it. */
  readonly foreignOrigin: string | undefined;
}

/** Makes a context for one request of `caller`, and in it nothing before somebody asks for it: many requests need no more. */
export function contexts(services: Services): (caller: Caller) => Context {
  return (caller) => new Context(services, caller);
}

/** What a request has made so far. */
interface Made {
  em?: SqlEntityManager;
  loaders?: Loaders;
  keyHash?: string | null;
  viewer?: Promise<KeyHolder | null>;
  prepaid?: Prepaid[];
  allowance: Allowance | null;
}

/** One caller's request, or one operation on its socket. */
export class Context {
  readonly services: Services;
  readonly ip: string;
  /** What the request carries as its key, as it came; never shown. */
  readonly authorization: string | undefined;
  /** True where the transport has already admitted the request, so that root fields do not count it again. */
  readonly alreadyCounted: boolean;
  readonly overSocket: boolean;
  private readonly caller: Caller;
  /** An object by itself, which the copies that Apollo makes of a context share. */
  private readonly made: Made = { allowance: null };

  constructor(services: Services, caller: Caller) {
    this.services = services;
    this.caller = caller;
    this.ip = caller.ip;
    this.authorization = caller.authorization;
    this.alreadyCounted = caller.alreadyCounted;
    this.overSocket = caller.overSocket ?? false;
  }

  get foreignOrigin(): string | undefined {
    return this.caller.foreignOrigin;
  }

  get isDirect(): boolean {
    return this.caller.isDirect?.() ?? false;
  }

  get em(): SqlEntityManager {
    return (this.made.em ??= this.services.newEm());
  }

  get loaders(): Loaders {
    return (this.made.loaders ??= makeLoaders(this.services.read, this.services.openCrowds));
  }

  /** What the database holds of the key that the request carries; null where there is none of the right form. */
  get keyHash(): string | null {
    const { made } = this;
    return made.keyHash === undefined ? (made.keyHash = hashOf(this.caller, this.services)) : made.keyHash;
  }

  /** Of the budgets that `admit` counted the one with the least left, for the answer's headers. */
  get allowance(): Allowance | null {
    return this.made.allowance;
  }

  set allowance(allowance: Allowance | null) {
    this.made.allowance = allowance;
  }

  /** The agent whose key the request carries, or null. */
  viewer(): Promise<KeyHolder | null> {
    return (this.made.viewer ??= this.lookUp());
  }

  private async lookUp(): Promise<KeyHolder | null> {
    const { keys, clock, knownKeys, limiter, requests } = this.services;
    if (this.keyHash === null) return null;
    const holder = await agentOfKey({ keys, clock, knownKeys, limiter, ip: this.ip }, this.keyHash);
    if (holder !== null) requests.note(holder.id);
    return holder;
  }

  /** Counts what the agent is refused of a submission, for its record of rounds; `roundId` is null where it could not be read. */
  countRefusal(roundId: number | null, error: unknown): void {
    countRefusal(this, roundId, error);
  }

  /**
   * Counts this request for `asked`, as the caller knows it, against `limit`, once or as often as `uses` says; throws `FORBIDDEN`, `UNAUTHENTICATED` or
   * `RATE_LIMITED`. The key of a submission may be left to the statement that writes it.
   */
  admit(limit: LimitName, asked?: string, uses?: number): Promise<void> {
    return admit(this, { limit, asked, uses });
  }

  /** Counts what `admit` will count in this order, until one is refused: whether none is. Those are counted once. */
  prepay(uses: readonly Use[]): Promise<boolean> {
    return prepay(this, uses);
  }

  get prepaid(): Prepaid[] {
    return (this.made.prepaid ??= []);
  }

  /** Throws `UNAUTHENTICATED` where `limit` is an agent's and nobody holds the key: before anything else is refused. */
  authenticate(limit: LimitName, asked?: string): Promise<void> {
    return authenticate(this, { limit, asked });
  }

  /** The same request without its key, all that it asks for being counted: for an answer that is kept for everybody. */
  forEverybody(): Context {
    return new Context(this.services, { ...this.caller, authorization: undefined, alreadyCounted: true });
  }
}

function hashOf({ authorization }: Caller, { keyPepper }: Services): string | null {
  const key = bearerKey(authorization);
  return key === null ? null : keyHash(key, keyPepper);
}

/** The agent of a request that `admit` let through. */
export async function requireViewer(context: Context): Promise<KeyHolder> {
  const agent = await context.viewer();
  if (agent === null) throw unauthenticated(context);
  return agent;
}

/** The same of one that is about to change something: throws `FORBIDDEN` where it is blocked. */
export async function requireActor(context: Context): Promise<KeyHolder> {
  const agent = await requireViewer(context);
  refuseBlocked(agent);
  return agent;
}

/** What `events` hands on. */
export type FeedEvent = LoggedEvent | Heartbeat;
