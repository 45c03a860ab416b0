import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/* Signed notes (C2SP signed-note), checkpoints (tlog-checkpoint) and cosignatures (tlog-cosignature), by Ed25519. */

/** The kinds of signatures that an Ed25519 key makes. */
const NOTE_SIGNATURE = 1;
const COSIGNATURE = 4;
const KEY_ID_BYTES = 4;
const TIME_BYTES = 8;
const RAW_KEY_BYTES = 32;

/** The name and key of a signer. */
export interface Verifier {
  readonly name: string;
  /** The 32 bytes of an Ed25519 public key. */
  readonly publicKey: Buffer;
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: Buffer;
  readonly bytes: Buffer;
}

interface SignedNote {
  /** Lines; the last one ends with a line feed too. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Signs bytes by Ed25519. */
export type SignBytes = (bytes: Buffer) => Buffer;

const MARK = '\u2014 ';
const LINE = /^\u2014 ([^\s+]+) ([A-Za-z\d+/]+={0,2})$/;

export function noteOf({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

/** A signature as a note has it, with its line feed. */
export function signatureLine({ name, keyId, bytes }: NoteSignature): string {
  return `${MARK}${name} ${Buffer.concat([keyId, bytes]).toString('base64')}\n`;
}

/** Null for a text that is no signed note. */
export function parsedNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n')) return null;
  const signatures: NoteSignature[] = [];
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded = ''] = LINE.exec(line) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    if (name === undefined || bytes.length <= KEY_ID_BYTES) return null;
    signatures.push({ name, keyId: bytes.subarray(0, KEY_ID_BYTES), bytes: bytes.subarray(KEY_ID_BYTES) });
  }
  return { text: note.slice(0, end + 1), signatures };
}

export function signatureOf(verifier: Verifier, sign: SignBytes, text: string): NoteSignature {
  return { name: verifier.name, keyId: keyIdOf(verifier), bytes: sign(Buffer.from(text)) };
}

export function isSignedBy({ text, signatures }: SignedNote, verifier: Verifier): boolean {
  const keyId = keyIdOf(verifier);
  const own = signatures.filter((one) => one.name === verifier.name && one.keyId.equals(keyId));
  return own.some(({ bytes }) => verify(null, Buffer.from(text), keyObjectOf(verifier), bytes));
}

/** A witness' statement that it saw this checkpoint at `time`, consistent with all that it saw before. */
export function cosignatureOf(witness: Verifier, sign: SignBytes, text: string, time: Date): NoteSignature {
  const seconds = Math.floor(time.getTime() / 1000);
  const at = Buffer.alloc(TIME_BYTES);
  at.writeBigUInt64BE(BigInt(seconds));
  const bytes = Buffer.concat([at, sign(cosignatureMessage(text, seconds))]);
  return { name: witness.name, keyId: keyIdOf(witness, COSIGNATURE), bytes };
}

/** The time of the witness' cosignature; null without a valid one. */
export function cosignedAt({ text, signatures }: SignedNote, witness: Verifier): Date | null {
  const keyId = keyIdOf(witness, COSIGNATURE);
  for (const { name, keyId: id, bytes } of signatures) {
    if (name !== witness.name || !id.equals(keyId) || bytes.length <= TIME_BYTES) continue;
    const seconds = Number(bytes.readBigUInt64BE());
    const isValid = verify(null, cosignatureMessage(text, seconds), keyObjectOf(witness), bytes.subarray(TIME_BYTES));
    if (isValid) return new Date(seconds * 1000);
  }
  return null;
}

function cosignatureMessage(text: string, seconds: number): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
}

function keyIdOf({ name, publicKey }: Verifier, kind = NOTE_SIGNATURE): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(kind), publicKey]), 'buffer').subarray(
    0,
    KEY_ID_BYTES,
  );
}

function keyObjectOf({ publicKey }: Verifier): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }, format: 'jwk' });
}

/** The 32 bytes of the public key of a private one. */
export function publicBytes(key: KeyObject): Buffer {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}

/** A verifier as text, `name+id+key`, as note tools read it. */
export function verifierText(verifier: Verifier, kind: 'note' | 'cosignature' = 'note'): string {
  const type = kind === 'note' ? NOTE_SIGNATURE : COSIGNATURE;
  const key = Buffer.concat([Buffer.of(type), verifier.publicKey]).toString('base64');
  return `${verifier.name}+${keyIdOf(verifier, type).toString('hex')}+${key}`;
}

/** Null for other texts, and where the id is not that of the key. */
export function parsedVerifier(text: string): Verifier | null {
  const [, name, key = ''] = /^([^\s+]+)\+[\da-f]{8}\+([A-Za-z\d+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(key, 'base64');
  if (name === undefined || bytes.length !== RAW_KEY_BYTES + 1) return null;
  const verifier = { name, publicKey: bytes.subarray(1) };
  const kind = bytes[0] === COSIGNATURE ? 'cosignature' : 'note';
  return verifierText(verifier, kind) === text ? verifier : null;
}

/** A service that cosigns checkpoints which follow from all that it saw before (C2SP tlog-witness). */
export interface Witness {
  readonly verifier: Verifier;
  /** Its address, before `/add-checkpoint`. */
  readonly url: string;
}

/** Witnesses as `verifier=address`, each key once; null for other texts. */
export function parsedWitnesses(texts: readonly string[]): readonly Witness[] | null {
  const found = texts.flatMap((text) => {
    const [, key = '', url = ''] = /^([^=]*)=(https?:\/\/[^\s?#@]+?)\/?$/.exec(text) ?? [];
    const verifier = parsedVerifier(key);
    const isValid = verifier !== null && verifierText(verifier, 'cosignature') === key && URL.canParse(url);
    return isValid ? [{ verifier, url }] : [];
  });
  const names = new Set(found.map(({ verifier }) => verifier.name));
  return names.size === texts.length ? found : null;
}

/** The state of a log: the root over its first `size` leaves. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  /** From 1; a restore of a backup begins another one. */
  readonly epoch: number;
}

export function checkpointText({ origin, size, root, epoch }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\nepoch ${epoch}\n`;
}

const CHECKPOINT = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z\d+/]{43}=)\n(?:epoch ([1-9]\d{0,8})\n)?/;

/** Null for a text that is no checkpoint. Other logs have no epoch; it is 1 then. */
export function parsedCheckpoint(text: string): Checkpoint | null {
  const [, origin, size, root = '', epoch = '1'] = CHECKPOINT.exec(text) ?? [];
  if (origin === undefined) return null;
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), epoch: Number(epoch) };
}
