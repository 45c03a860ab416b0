import { createHash, createHmac } from 'node:crypto';

import { Agent } from '../entities/agent.ts';
import { isReleased } from '../reads/agents.ts';
import { addressKey } from '../rules/address-key.ts';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Limiter } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../rules/errors.ts';

const KEY_BYTES = 24;

/** `pk_live_` and 48 hexadecimal characters, from 24 random bytes (spec 5). */
export function newKey(randomBytes: (count: number) => Buffer): string {
  return `pk_live_${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** What the database holds of a key: SHA-256 in hex, as an HMAC where the operator set a pepper. */
export function keyHash(key: string, pepper: string | undefined): string {
  const hash = pepper === undefined ? createHash('sha256') : createHmac('sha256', pepper);
  return hash.update(key).digest('hex');
}

/** The key of an `Authorization: Bearer <key>` header, or null when it has no such form. */
export function bearerKey(authorization: string | undefined): string | null {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return /^pk_live_[0-9a-f]{48}$/.test(token) ? token : null;
}

/** Hashes of keys that were found to hold, the latest of them; whether they still do is asked each time all the same. */
export type KnownKeys = Set<string>;

/** How many of them are kept: some megabytes. */
const MAX_KNOWN_KEYS = 20_000;

/** What looking a key up takes of a caller's context. */
interface KeyLookup {
  readonly newUrgentEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly keyPepper: string | undefined;
  readonly knownKeys: KnownKeys;
  readonly limiter: Limiter;
  readonly ip: string;
}

/**
 * The agent that an `Authorization` header speaks for. Null when there is no key of the right form, when nobody
 * holds it, or when its holder was a spectator whose reservation ran out. A key that is not known to hold spends a
 * budget of its address before it is looked up: throws `RATE_LIMITED`.
 */
export async function agentOfKey(context: KeyLookup, authorization: string | undefined): Promise<Agent | null> {
  const key = bearerKey(authorization);
  if (key === null) return null;
  const { knownKeys } = context;
  const hash = keyHash(key, context.keyPepper);
  // Guesses must not shut out agents that share the address, such as behind a proxy that is not trusted.
  if (!knownKeys.has(hash)) await admitUnknownKey(context);
  const agent = await context.newUrgentEm().findOne(Agent, { keyHash: hash });
  const holder = agent === null || isReleased(agent, context.clock.now()) ? null : agent;
  knownKeys.delete(hash);
  if (holder !== null) remember(knownKeys, hash);
  return holder;
}

async function admitUnknownKey({ limiter, ip }: KeyLookup): Promise<void> {
  const retryAfter = (await limiter.count('unknownKeys', `ip:${addressKey(ip)}`))?.retryAfterSeconds ?? null;
  if (retryAfter === null) return;
  const message = `Too many keys came from this address that nobody holds; try again in ${retryAfter} s.`;
  throw new DomainError('RATE_LIMITED', message, { retryAfter });
}

function remember(known: KnownKeys, hash: string): void {
  known.add(hash);
  if (known.size <= MAX_KNOWN_KEYS) return;
  const [oldest] = known;
  if (oldest !== undefined) known.delete(oldest);
}
