import { z } from 'zod';

import { HASH_BYTES, isConsistent } from '../../transparency/merkle.ts';
import {
  type Checkpoint,
  isSignedBy,
  parsedCheckpoint,
  parsedNote,
  parsedVerifier,
  type Verifier,
  verifierText,
} from '../../transparency/notes.ts';
import { type TileReader, tilePath, widthOf } from '../../transparency/tiles.ts';
import type { ServiceClient } from '../published/service-client.ts';
import { CannotVerify } from '../settings.ts';

/** A signed checkpoint of a log, and the service's keys when it was read. */
export interface Head {
  readonly note: string;
  readonly checkpoint: Checkpoint;
  readonly keys: readonly Verifier[];
}

const KEYS = z.object({ keys: z.array(z.object({ verifier: z.string() })) });

/** Throws `CannotVerify` without a checkpoint that a key of the service signed. */
export async function readHead(client: ServiceClient): Promise<Head> {
  const note = await client.body('/log/checkpoint');
  if (note === null) throw new CannotVerify('The service has no log, or its log has no leaf yet.');
  const { keys } = await client.json('/.well-known/hourcast-keys.json', KEYS);
  const publicKeys = keys.flatMap(({ verifier }) => parsedVerifier(verifier)?.publicKey ?? []);
  return verifiedHead(note.toString(), publicKeys);
}

/** Throws `CannotVerify` unless one of the keys signed the checkpoint in the log's name. */
export function verifiedHead(note: string, publicKeys: readonly Buffer[]): Head {
  const checkpoint = parsedCheckpoint(note);
  if (checkpoint === null) {
    throw new CannotVerify(
      `A checkpoint must have a name, a size and a root (got ${JSON.stringify(note.slice(0, 80))}).`,
    );
  }
  const keys = publicKeys.map((publicKey) => ({ name: checkpoint.origin, publicKey }));
  const signed = parsedNote(note);
  if (signed === null || !keys.some((key) => isSignedBy(signed, key))) {
    const found = signed?.signatures.map(({ name, keyId }) => `${name}+${keyId.toString('hex')}`).join(' and ');
    const accepted = keys.map((key) => verifierText(key)).join(' or ');
    throw new CannotVerify(
      `The checkpoint must be signed by ${accepted || 'a key of the service'} (got ${found ?? 'no signature'}).`,
    );
  }
  return { note, checkpoint, keys };
}

/** The proof that the first `size` leaves of a log contain its first `former` leaves unchanged. */
export type ProofBetween = (former: number, size: number) => Promise<readonly Buffer[]>;

/** One sentence if the log does not continue the one that was seen; null if it does. */
export async function contradiction(seen: Head, now: Head, prove: ProofBetween): Promise<string | null> {
  const [{ origin, size, epoch }, present] = [seen.checkpoint, now.checkpoint];
  if (present.origin !== origin) return `The log is ${present.origin}, and was ${origin}.`;
  const isKnown = now.keys.some((key) => seen.keys.some((known) => known.publicKey.equals(key.publicKey)));
  if (!isKnown)
    return `The service has none of its former keys: ${seen.keys.map((key) => verifierText(key)).join(', ')}.`;
  const fork = present.epoch > epoch ? ` Epoch ${present.epoch} began with a backup that lacks them.` : '';
  if (present.size < size) return `The log has ${present.size} leaves; ${size} were published.${fork}`;
  const isContinued = isConsistent(seen.checkpoint, present, await prove(size, present.size));
  return isContinued ? null : `The first ${size} leaves of the log are not those that were published.${fork}`;
}

/** Reads the tiles of a tree of `size` leaves. */
export function servedTiles(client: ServiceClient, size: number): TileReader {
  return async (place) => {
    const width = widthOf(place, size);
    const path = `/log/tile/${tilePath(place, width)}`;
    const bytes = await client.body(path);
    const wanted = width * HASH_BYTES;
    if (bytes?.length === wanted) return bytes;
    throw new CannotVerify(`${path} must have ${wanted} bytes (got ${bytes?.length ?? 'a 404'}).`);
  };
}
