import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto';

import type { InferEntity, SqlEntityManager } from '@mikro-orm/postgresql';

import { ServiceKey } from '../entities/webhooks.ts';
import { rows } from '../reads/sql.ts';
import { DomainError, StartError } from '../rules/errors.ts';

/** A new key is told by this before the 32 bytes of its public half. */
const PUBLIC_PREFIX = 'whpk_';
/** For so long the key before the present one signs beside it. */
const OVERLAP = '1 day';

/** What keys are made with. */
export interface KeyMaking {
  readonly randomBytes: (count: number) => Buffer;
  readonly keyPepper: string | undefined;
}

type KeyRow = Pick<InferEntity<typeof ServiceKey>, 'publicKey' | 'privateKey' | 'sealed'>;

/** The public halves, the newest first. */
export async function serviceKeysOf(em: SqlEntityManager) {
  const keys = await em.find(ServiceKey, {}, { exclude: ['privateKey'], orderBy: { id: 'desc' } });
  return keys.map(({ id, publicKey, createdAt, retiredAt = null, note = null, signatures }) => {
    return { id, publicKey: PUBLIC_PREFIX + publicKey, createdAt, retiredAt, note, signatures };
  });
}

/* Private halves are parameters of statements, never part of their text, which PostgreSQL may log. */

/** Makes the first key of a database that has none. */
export async function makeFirstKey(em: SqlEntityManager, making: KeyMaking): Promise<void> {
  const key = newKey(making);
  await rows(em)`
    insert into service_keys (public_key, private_key, sealed, created_at, signatures)
    select ${publicHalf(key)}, ${stored(key, making)}, ${making.keyPepper !== undefined}, now(), '{}'
    where not exists (select from service_keys) on conflict do nothing`;
}

/** What signs a message: by the present key, and for a day by the one before it. Throws `StartError` without their pepper. */
export async function signersOf(em: SqlEntityManager, pepper: string | undefined): Promise<readonly Signer[]> {
  const found = await rows<KeyRow>(em)`
    select public_key as "publicKey", private_key as "privateKey", sealed from service_keys
    where private_key is not null and (retired_at is null or retired_at > now() - ${OVERLAP}::interval) order by id desc`;
  return found.map((row) => signerOf(privateKeyOf(row, pepper)));
}

/** Base64 of the Ed25519 signature of a text. */
export type Signer = (text: string) => string;

function signerOf(key: KeyObject): Signer {
  return (text) => sign(null, Buffer.from(text), key).toString('base64');
}

/**
 * Puts a new key in the place of the present one, whose id is given, with a note that both have signed. Private halves that sign
 * nothing any more are forgotten. Throws `CONFLICT` where it is not the present one.
 */
export async function rotateServiceKey(transaction: SqlEntityManager, id: number, making: KeyMaking) {
  const [former] = await rows<KeyRow & { at: Date }>(transaction)`
    update service_keys set retired_at = now() where id = ${id} and retired_at is null
    returning public_key as "publicKey", private_key as "privateKey", sealed, retired_at as at`;
  if (former === undefined) throw new DomainError('conflict', `Key ${id} is not the key by which the service signs.`);
  const key = newKey(making);
  const [from, to] = [former.publicKey, publicHalf(key)].map((one) => PUBLIC_PREFIX + one);
  const note = JSON.stringify({ type: 'hourcast.key-rotated', from, to, at: former.at.toISOString() });
  const signatures = [privateKeyOf(former, making.keyPepper), key].map((one) => signerOf(one)(note));
  const [present] = await rows<{ id: number }>(transaction)`
    insert into service_keys (public_key, private_key, sealed, created_at, note, signatures)
    values (${publicHalf(key)}, ${stored(key, making)}, ${making.keyPepper !== undefined}, ${former.at}, ${note},
      ${signatures}::text[]) returning id`;
  await rows(transaction)`
    update service_keys set private_key = null where retired_at <= now() - ${OVERLAP}::interval`;
  return { present_id: present?.id, public_key: to };
}

/** PKCS #8 around the 32 bytes of a private half of Ed25519 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

function newKey({ randomBytes }: KeyMaking): KeyObject {
  return keyOf(Buffer.concat([PKCS8_HEAD, randomBytes(32)]));
}

function keyOf(pkcs8: Buffer): KeyObject {
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

function publicHalf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

function cipherKey(pepper: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', 'hourcast service key', 32));
}

/** What the database holds of a private half: with a pepper nothing that can be read without it. */
function stored(key: KeyObject, { randomBytes, keyPepper }: KeyMaking): string {
  const plain = key.export({ format: 'der', type: 'pkcs8' });
  if (keyPepper === undefined) return plain.toString('base64');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(keyPepper), iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function privateKeyOf({ privateKey, sealed }: KeyRow, pepper: string | undefined): KeyObject {
  const bytes = Buffer.from(privateKey ?? '', 'base64');
  return keyOf(sealed ? opened(bytes, pepper) : bytes);
}

function opened(bytes: Buffer, pepper = ''): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey(pepper), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new StartError('KEY_PEPPER must be the one with which the service key was stored.', { cause });
  }
}
