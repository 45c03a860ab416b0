import { createHash, createHmac } from 'node:crypto';

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
