import { createHmac, hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import { statement, type Statements } from '../database/statements.ts';
import { withoutDeadline } from '../deadline.ts';
import { type Batcher, batcher } from '../batching.ts';
import type { Values } from '../entities/tables.ts';
import { type AgentIdentity, isReleased } from '../reads/agents.ts';
import { LIMITS } from '../limits.ts';
import { addressBudget } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import type { Limiter } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';

const KEY_BYTES = 24;

/** `pk_live_` and 48 hexadecimal characters, from 24 random bytes (spec 5). */
export function newKey(randomBytes: (count: number) => Buffer): string {
  return `pk_live_${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** What the database holds of a key: SHA-256 in hex, as an HMAC where the operator set a pepper. */
export function keyHash(key: string, pepper: string | undefined): string {
  return pepper === undefined ? hash('sha256', key) : createHmac('sha256', pepper).update(key).digest('hex');
}

/** By which a database knows the pepper of its keys again: no more than a key's hash is to the holder of that key. */
export function pepperMark(pepper: string | undefined): string {
  return keyHash('which pepper', pepper);
}

/** The key of an `Authorization: Bearer <key>` header, or null when it has no such form. */
export function bearerKey(authorization: string | undefined): string | null {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return /^pk_live_[0-9a-f]{48}$/.test(token) ? token : null;
}

/** What is wrong with the key of a request that nobody could be found for. */
export type KeyProblem = 'missing_key' | 'key_without_bearer' | 'malformed_key' | 'invalid_key';

export function keyProblemOf(authorization: string | undefined): KeyProblem {
  if (authorization === undefined || authorization.trim() === '') return 'missing_key';
  if (bearerKey(authorization) !== null) return 'invalid_key';
  return /^\s*pk_live_/.test(authorization) ? 'key_without_bearer' : 'malformed_key';
}

/**
 * Of whom each key was last found to be, by the key's hash. It says whose budget a request spends and which statement is
 * asked first, and never who somebody is: that is asked of the database each time.
 */
export interface KnownKeys {
  /** The agent that held it; undefined where that is not known. */
  agentOf(hashed: string): number | undefined;
  /** Whether nobody was found to hold it. */
  wasNobodys(hashed: string): boolean;
  /** Notes whose it is; null: nobody's. */
  note(hashed: string, agentId: number | null): void;
}

/** How many are kept, those that came last: some megabytes. Those of nobody are apart, so that guesses push no others out. */
const MAX_KNOWN_KEYS = 50_000;
const MAX_NOBODYS_KEYS = 5_000;

export function openKnownKeys(): KnownKeys {
  const agents = new LRUCache<string, number>({ max: MAX_KNOWN_KEYS });
  const nobodys = new LRUCache<string, true>({ max: MAX_NOBODYS_KEYS });
  return {
    agentOf: (hashed) => agents.get(hashed),
    wasNobodys: (hashed) => nobodys.has(hashed),
    note(hashed, agentId) {
      agents.delete(hashed);
      nobodys.delete(hashed);
      if (agentId === null) nobodys.set(hashed, true);
      else agents.set(hashed, agentId);
    },
  };
}

export interface KeyHolder extends AgentIdentity {
  readonly nameKey: string | null;
  readonly reservedUntil: Date | null;
  /** Why an operator has blocked it; null: it is not. */
  readonly blockReason: string | null;
}

/** Finds keys' holders; all that are asked for while the database is busy with others are looked up together. */
export type KeyLookup = Batcher<string, KeyHolder | null>;

const HELD = ['key_hash', 'id', 'name', 'name_key', 'mode', 'registered_at', 'reserved_until', 'block_reason'] as const;

type Held = Values<'agents', typeof HELD>;

const HOLDERS = statement<Held>({
  name: 'key-holders',
  text: `select ${HELD.join(', ')} from agents where key_hash = any($1::text[])`,
});

/** Each lookup begins after it was asked for, so that it sees every rotation that was answered before. */
export function keyLookup(statements: Statements): KeyLookup {
  return batcher({
    inFlight: 1,
    delayToNextTick: true,
    max: 500,
    run: async (hashes: readonly string[]) => {
      const rows = await withoutDeadline(() => statements.rows(HOLDERS, [hashes]));
      const holders = new Map(rows.map((row) => [row[0], holderOf(row)]));
      return hashes.map((one) => holders.get(one) ?? null);
    },
  });
}

function holderOf([, id, name, nameKey, mode, registeredAt, reservedUntil, blockReason]: Held): KeyHolder {
  return { id, name, nameKey, mode, registeredAt, reservedUntil, blockReason };
}

/** Throws `FORBIDDEN` for an agent that may only read. */
export function refuseBlocked({ blockReason }: Pick<KeyHolder, 'blockReason'>): void {
  if (blockReason === null) return;
  const end = /[.!?]$/.test(blockReason) ? '' : '.';
  throw new DomainError(
    'agent_blocked',
    `The operator has blocked this agent, which may only read: ${blockReason}${end}`,
  );
}

/** What looking a key up takes of a caller's context. */
interface Asking {
  readonly limiter: Limiter;
  readonly ip: string;
  readonly keys: KeyLookup;
  readonly clock: Clock;
  readonly knownKeys: KnownKeys;
}

/**
 * The agent that a key of this hash speaks for. Null when nobody holds it, or when its holder was a spectator whose
 * reservation ran out. A key that is not known to hold spends a budget of its address before it is looked up: throws
 * `RATE_LIMITED`.
 */
export async function agentOfKey(context: Asking, hashed: string): Promise<KeyHolder | null> {
  const { keys, clock, knownKeys } = context;
  // Guesses must not shut out agents that share the address, such as behind a proxy that is not trusted.
  if (knownKeys.agentOf(hashed) === undefined) await admitUnknownKey(context);
  const found = await keys.add(hashed);
  const holder = found === null || isReleased(found, clock.now()) ? null : found;
  knownKeys.note(hashed, holder?.id ?? null);
  return holder;
}

async function admitUnknownKey({ limiter, ip }: Asking): Promise<void> {
  const retryAfter = (await limiter.count('unknownKeys', addressBudget(ip)))?.retryAfterSeconds ?? null;
  if (retryAfter === null) return;
  const message = `Too many keys came from this address that nobody holds; try again in ${retryAfter} s.`;
  const { requests: limit, windowMs } = LIMITS.unknownKeys;
  const budget = { endpoint: 'unknown keys', limit, windowSeconds: windowMs / SECOND };
  throw new DomainError('rate_limited', message, { retryAfter, budget });
}
