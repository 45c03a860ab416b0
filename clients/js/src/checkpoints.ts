import { bytesOf, hexOf, isSigned } from './signatures.ts';

/** The state of a log: the root of its first `size` leaves. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes in base64. */
  readonly root: string;
}

const CHECKPOINT = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z\d+/]{43}=)\n/;
const SIGNATURE = /^\u2014 (\S+) ([A-Za-z\d+/]+={0,2})$/;

/**
 * Reads a checkpoint that one of the log's keys signed (C2SP tlog-checkpoint). Keys are texts of name, id and key, as
 * `client.serviceKeys()` returns them in `verifier`. Throws for any other text.
 */
export async function readCheckpoint(note: string, keys: readonly string[]): Promise<Checkpoint> {
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin, size, root = ''] = CHECKPOINT.exec(text) ?? [];
  if (origin === undefined || !note.endsWith('\n')) throw new Error('The checkpoint must be a signed note of a log.');
  const content = new TextEncoder().encode(text);
  const lines = note.slice(end + 1, -1).split('\n');
  for (const verifier of keys) {
    const [name, id = '', key = ''] = splitKey(verifier);
    if (name !== origin) continue;
    for (const line of lines) {
      const [, signer, encoded = ''] = SIGNATURE.exec(line) ?? [];
      const bytes = bytesOf(encoded);
      if (signer !== name || hexOf(bytes.subarray(0, 4)) !== id) continue;
      if (await isSigned(bytesOf(key).slice(1), content, bytes.slice(4))) return { origin, size: Number(size), root };
    }
  }
  const names = lines.flatMap((line) => SIGNATURE.exec(line)?.[1] ?? []);
  const given = names.length === 0 ? 'nobody' : names.join(', ');
  throw new Error(`The checkpoint of ${origin} must be signed by ${keys.join(' or ')} (it is signed by ${given}).`);
}

/** A base64 key may have `+` too. */
function splitKey(verifier: string): readonly string[] {
  return /^([^\s+]+)\+([\da-f]{8})\+(.*)$/.exec(verifier)?.slice(1) ?? [];
}
