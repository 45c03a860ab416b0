import { type Checkpoint, readCheckpoint } from './checkpoints.ts';
import type { PredictionProof } from './reference.ts';
import { bytesOf } from './signatures.ts';

export interface VerifyOptions {
  /** The `leaf_hash` that `predict` returned, the header `Hourcast-Leaf`; default: not compared. */
  readonly leaf?: string | undefined;
  /** The log's keys, such as `hourcast.log/...+1a2b3c4d+AX...`; default: those of `client.serviceKeys()`. */
  readonly keys?: readonly string[] | undefined;
}

/** A prediction's place in the log. */
export interface Place extends Checkpoint {
  /** From 0. */
  readonly index: number;
}

/** A prediction's leaf, and the proof that the log has it. */
export interface Receipt extends PredictionProof {
  /** Returns null before the round closes: only the leaf is checked. Throws for a proof that does not hold. */
  verify(options?: VerifyOptions): Promise<Place | null>;
}

/** `keysOf` returns the service's keys. */
export function receiptOf(proof: PredictionProof, keysOf: () => Promise<readonly string[]>): Receipt {
  return { ...proof, verify: async ({ leaf, keys } = {}) => verifyProof(proof, keys ?? (await keysOf()), leaf) };
}

/** The same for a proof that was read elsewhere. */
export async function verifyProof(
  proof: PredictionProof,
  keys: readonly string[],
  own?: string,
): Promise<Place | null> {
  const { leaf, index, size, checkpoint } = proof;
  const hash = await leafHash(leaf);
  if (proof.leaf_hash !== hash) throw new Error(`The leaf must have the hash ${proof.leaf_hash} (it has ${hash}).`);
  if (own !== undefined && own !== hash)
    throw new Error(`The leaf must have the hash ${own} of the submission (it has ${hash}).`);
  if (index === null || size === null || proof.proof === null || checkpoint === null) return null;
  const found = await readCheckpoint(checkpoint, keys);
  if (found.size !== size)
    throw new Error(`The checkpoint must have the ${size} leaves of the proof (it has ${found.size}).`);
  const root = await rootFrom(hash, { index, size, path: proof.proof });
  if (root !== found.root)
    throw new Error(`The log ${found.origin} does not have the leaf ${hash} at index ${index} of ${size}.`);
  return { ...found, index };
}

interface Path {
  readonly index: number;
  readonly size: number;
  readonly path: readonly string[];
}

/** The root to which a proof leads (RFC 9162, section 2.1.3.2); null for a proof of another length. */
async function rootFrom(leaf: string, { index, size, path }: Path): Promise<string | null> {
  let [node, last, hash] = [index, size - 1, leaf];
  if (!(index >= 0 && index <= last)) return null;
  for (const sibling of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = await nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = await nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? hash : null;
}

function half(number: number): number {
  return Math.floor(number / 2);
}

async function leafHash(leaf: string): Promise<string> {
  return sha256([Uint8Array.of(0), new TextEncoder().encode(leaf)]);
}

async function nodeHash(left: string, right: string): Promise<string> {
  return sha256([Uint8Array.of(1), bytesOf(left), bytesOf(right)]);
}

async function sha256(parts: readonly Uint8Array[]): Promise<string> {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
