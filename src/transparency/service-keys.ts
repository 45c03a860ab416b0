import { createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DB, Row } from '../entities/tables.ts';
import { ServiceKey } from '../entities/webhooks.ts';
import { DomainError, StartError } from '../rules/errors.ts';
import { publicBytes } from './notes.ts';

/** The prefix of a public key, before its 32 bytes in base64. */
export const PUBLIC_PREFIX = 'whpk_';
/** The previous key signs beside the present one if it was retired after this. */
const OVERLAP_BEGIN = sql<Date>`now() - interval '1 day'`;

export interface KeyDeps {
  readonly randomBytes: (count: number) => Buffer;
  readonly keyPepper: string | undefined;
}

/** The public keys, the newest first. */
export async function serviceKeysOf(em: SqlEntityManager) {
  const keys = await em.find(ServiceKey, {}, { exclude: ['privateKey'], orderBy: { id: 'desc' } });
  return keys.map(({ id, publicKey, createdAt, retiredAt = null, note = null, signatures }) => {
    return { id, publicKey: PUBLIC_PREFIX + publicKey, createdAt, retiredAt, note, signatures };
  });
}

/* Private keys are parameters of statements, never part of their text, which PostgreSQL may log. */

/** Creates a key, unless the database has one that signs. */
export async function makeFirstKey(em: SqlEntityManager, making: KeyDeps): Promise<void> {
  const key = newKey(making);
  await em
    .getKysely<DB>()
    .insertInto('service_keys')
    .columns(['public_key', 'private_key', 'sealed', 'created_at', 'signatures'])
    .expression(
      sql`select ${publicHalf(key)}, ${storedKey(key, making)}, ${making.keyPepper !== undefined}, now(), '{}'
        where not exists (select from service_keys where retired_at is null)`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The signers of a message: the present key, and for a day the previous one. Throws `StartError` without any, or their pepper. */
export async function signersOf(em: SqlEntityManager, pepper: string | undefined): Promise<readonly Signer[]> {
  const keys = await signingKeys(em, pepper, (error) => {
    throw error;
  });
  if (keys.length === 0) throw new StartError('The service has no key that signs, so its webhooks wait.');
  return keys.map(signerOf);
}

/** The keys of `signersOf`, without those that the pepper does not open: `onSealed` takes their errors. */
export async function signingKeys(
  em: SqlEntityManager,
  pepper: string | undefined,
  onSealed: (error: unknown) => void,
): Promise<readonly KeyObject[]> {
  const found = await em
    .getKysely<DB>()
    .selectFrom('service_keys')
    .select(['private_key', 'sealed'])
    .where('private_key', 'is not', null)
    .where((key) => key.or([key('retired_at', 'is', null), key('retired_at', '>', OVERLAP_BEGIN)]))
    .orderBy('id', 'desc')
    .execute();
  return found.flatMap((row) => {
    try {
      return [privateKeyOf(row, pepper)];
    } catch (error) {
      onSealed(error);
      return [];
    }
  });
}

/** Base64 of the Ed25519 signature of a text. */
export type Signer = (text: string) => string;

export function signerOf(key: KeyObject): Signer {
  return (text) => sign(null, Buffer.from(text), key).toString('base64');
}

/**
 * Replaces the present key, whose id is given, with a note that both keys sign. Deletes private keys that no longer sign.
 * Throws `CONFLICT` for another id.
 */
export async function rotateServiceKey(transaction: SqlEntityManager, id: number, making: KeyDeps) {
  const tables = transaction.getKysely<DB>();
  const former = await tables
    .updateTable('service_keys')
    .set((key) => ({ retired_at: key.fn<Date>('now') }))
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .returning((key) => ['public_key', 'private_key', 'sealed', key.ref('retired_at').$notNull().as('at')])
    .executeTakeFirst();
  if (former === undefined) throw new DomainError('conflict', `Key ${id} is not the key by which the service signs.`);
  const key = newKey(making);
  const [from, to] = [PUBLIC_PREFIX + former.public_key, publicName(key)];
  const note = JSON.stringify({ type: 'hourcast.key-rotated', from, to, at: former.at.toISOString() });
  const signatures = [privateKeyOf(former, making.keyPepper), key].map((one) => signerOf(one)(note));
  // Not through the entity: MikroORM writes values into the text of a statement, which servers log.
  const present = await tables
    .insertInto('service_keys')
    .columns(['public_key', 'private_key', 'sealed', 'created_at', 'note', 'signatures'])
    .expression(
      sql`select ${publicHalf(key)}, ${storedKey(key, making)}, ${making.keyPepper !== undefined}::boolean,
        ${former.at}::timestamptz, ${note}, ${signatures}::text[]`,
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await tables
    .updateTable('service_keys')
    .set({ private_key: null })
    .where('retired_at', '<=', OVERLAP_BEGIN)
    .execute();
  return { present_id: present.id, public_key: to };
}

/** PKCS #8 before the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

function newKey({ randomBytes }: KeyDeps): KeyObject {
  return keyOf(Buffer.concat([PKCS8_HEAD, randomBytes(32)]));
}

function keyOf(pkcs8: Buffer): KeyObject {
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

function publicHalf(key: KeyObject): string {
  return publicBytes(key).toString('base64');
}

/** The public key of a private one, as callers get it. */
export function publicName(key: KeyObject): string {
  return PUBLIC_PREFIX + publicHalf(key);
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

function cipherKey(pepper: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', 'hourcast service key', 32));
}

/** The stored form of a private key, encrypted if there is a pepper. */
function storedKey(key: KeyObject, { randomBytes, keyPepper }: KeyDeps): string {
  const plain = key.export({ format: 'der', type: 'pkcs8' });
  if (keyPepper === undefined) return plain.toString('base64');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(keyPepper), iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function privateKeyOf(row: Pick<Row<'service_keys'>, 'private_key' | 'sealed'>, pepper: string | undefined): KeyObject {
  const bytes = Buffer.from(row.private_key ?? '', 'base64');
  return keyOf(row.sealed ? decryptedKey(bytes, pepper) : bytes);
}

function decryptedKey(bytes: Buffer, pepper = ''): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey(pepper), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new StartError(
      'KEY_PEPPER must be the one with which the service key was stored. If it was replaced on purpose, run `npx hourcast doctor --new-pepper`.',
      { cause },
    );
  }
}
