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
import { MINUTE, SECOND } from '../rules/hours.ts';
import type { Allowance, Limiter } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';

const KEY_BYTES = 24;

/** `pk_live_` and 48 hexadecimal characters, from 24 random bytes (spec 5). */
export function newKey(randomBytes: (count: number) => Buffer): string {
  return `pk_live_${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** The stored form of a key: SHA-256 in hex, as an HMAC if the operator set a pepper. */
export function keyHash(key: string, pepper: string | undefined): string {
  return pepper === undefined ? hash('sha256', key) : createHmac('sha256', pepper).update(key).digest('hex');
}

/** A hash that identifies the configured pepper. It reveals no more than a key's hash does. */
export function pepperMark(pepper: string | undefined): string {
  return keyHash('which pepper', pepper);
}

export function bearerKey(authorization: string | undefined): string | null {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return /^pk_live_[0-9a-f]{48}$/.test(token) ? token : null;
}

export type KeyProblem = 'missing_key' | 'key_without_bearer' | 'malformed_key' | 'invalid_key';

export function keyProblemOf(authorization: string | undefined): KeyProblem {
  if (authorization === undefined || authorization.trim() === '') return 'missing_key';
  if (bearerKey(authorization) !== null) return 'invalid_key';
  return /^\s*pk_live_/.test(authorization) ? 'key_without_bearer' : 'malformed_key';
}

/**
 * The agent each key last belonged to, by hash: for budgets and the first query, never for authentication. An invalid
 * key never becomes an agent's, since keys are random; it is remembered for a minute in case a backup is restored.
 */
export type KnownKeys = ReturnType<typeof openKnownKeys>;

/** LRU limits, some megabytes. Invalid keys are separate, so that guesses evict no valid ones. */
const MAX_KNOWN_KEYS = 50_000;
const MAX_INVALID_KEYS = 5_000;
const INVALID_KEY_MS = MINUTE;

export function openKnownKeys() {
  const agents = new LRUCache<string, number>({ max: MAX_KNOWN_KEYS });
  const invalid = new LRUCache<string, true>({ max: MAX_INVALID_KEYS, ttl: INVALID_KEY_MS });
  return {
    agentOf: (hashed: string) => agents.get(hashed),
    isInvalid: (hashed: string) => invalid.has(hashed),
    note(hashed: string, agentId: number | null): void {
      agents.delete(hashed);
      invalid.delete(hashed);
      if (agentId === null) invalid.set(hashed, true);
      else agents.set(hashed, agentId);
    },
  };
}

export interface KeyHolder extends AgentIdentity {
  readonly nameKey: string | null;
  readonly reservedUntil: Date | null;
  readonly blockReason: string | null;
}

export type KeyLookup = Batcher<string, KeyHolder | null>;

const READ = ['key_hash', 'id', 'name', 'name_key', 'mode', 'registered_at', 'reserved_until', 'block_reason'] as const;

type HolderRow = Values<'agents', typeof READ>;

const HOLDERS = statement<HolderRow>({
  name: 'key-holders',
  text: `select ${READ.join(', ')} from agents where key_hash = any($1::text[])`,
});

/** Each lookup starts after its request, so it sees every rotation answered before. */
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

function holderOf([, id, name, nameKey, mode, registeredAt, reservedUntil, blockReason]: HolderRow): KeyHolder {
  return { id, name, nameKey, mode, registeredAt, reservedUntil, blockReason };
}

export function refuseBlocked({ blockReason }: Pick<KeyHolder, 'blockReason'>): void {
  if (blockReason === null) return;
  const end = /[.!?]$/.test(blockReason) ? '' : '.';
  throw new DomainError(
    'agent_blocked',
    `The operator has blocked this agent, which may only read: ${blockReason}${end}`,
  );
}

interface LookupContext {
  readonly services: {
    readonly limiter: Limiter;
    readonly keys: KeyLookup;
    readonly clock: Clock;
    readonly knownKeys: KnownKeys;
  };
  readonly caller: { readonly ip: string };
  allowance: Allowance | null;
}

/** Null for an unknown key or expired reservation. Unknown keys spend a budget of the address: `RATE_LIMITED`. */
export async function agentOfKey(context: LookupContext, hashed: string): Promise<KeyHolder | null> {
  const { keys, clock, knownKeys } = context.services;
  const known = knownKeys.agentOf(hashed);
  if (known === undefined) {
    // Guesses must not lock out agents that share the address, such as behind an untrusted proxy.
    await admitUnknownKey(context);
    if (knownKeys.isInvalid(hashed)) return null;
  }
  const found = await keys.add(hashed);
  const holder = found === null || isReleased(found, clock.now()) ? null : found;
  if (holder === null || holder.id !== known) knownKeys.note(hashed, holder?.id ?? null);
  return holder;
}

async function admitUnknownKey(context: LookupContext): Promise<void> {
  const counted = await context.services.limiter.count('unknownKeys', addressBudget(context.caller.ip));
  const retryAfter = counted?.retryAfterSeconds ?? null;
  if (retryAfter === null) return;
  context.allowance = counted;
  const message = `This address has sent too many keys that belong to no agent; try again in ${retryAfter} s.`;
  const { requests: limit, windowMs } = LIMITS.unknownKeys;
  const budget = { endpoint: 'unknown keys', limit, windowSeconds: windowMs / SECOND };
  throw new DomainError('rate_limited', message, { retryAfter, budget });
}
