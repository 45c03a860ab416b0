import { hash } from 'node:crypto';

/* Merkle trees over SHA-256, as RFC 6962, section 2.1, defines them. A leaf's index counts from 0. */

export const HASH_BYTES = 32;

const LEAF = Buffer.of(0);
/** The bytes of a node, written anew for each hash: a million of them are hashed in a row. */
const joined = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export function leafHash(leaf: string | Buffer): Buffer {
  return hash('sha256', Buffer.concat([LEAF, Buffer.from(leaf)]), 'buffer');
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(joined, 1);
  right.copy(joined, 1 + HASH_BYTES);
  return hash('sha256', joined, 'buffer');
}

/** The root of a tree without leaves. */
const EMPTY_ROOT = hash('sha256', Buffer.of(), 'buffer');

/** The root over the hashes of leaves, or of equally large subtrees of 2^n leaves each, which follow one another in `hashes`. */
export function rootOf(hashes: Buffer): Buffer {
  if (hashes.length === 0) return EMPTY_ROOT;
  const row = Buffer.from(hashes);
  let count = row.length / HASH_BYTES;
  // Each pass joins pairs in place; a hash without a neighbour moves up unchanged.
  for (; count > 1; count = Math.ceil(count / 2)) {
    for (let pair = 0; 2 * pair + 1 < count; pair += 1) {
      const at = 2 * pair * HASH_BYTES;
      row.copy(joined, 1, at, at + 2 * HASH_BYTES);
      // A string: making a Buffer of each takes most of the time.
      row.write(hash('sha256', joined, 'binary'), pair * HASH_BYTES, 'binary');
    }
    if (count % 2 === 1)
      row.copy(row, Math.floor(count / 2) * HASH_BYTES, (count - 1) * HASH_BYTES, count * HASH_BYTES);
  }
  return Buffer.from(row.subarray(0, HASH_BYTES));
}

/** The hash of the complete subtree over the leaves from `index * 2^level`, 2^level of them. */
export type SubtreeHash = (level: number, index: number) => Promise<Buffer>;

/** The hash of any complete subtree of a tree with these leaves. */
export function subtreesOf(hashes: Buffer): SubtreeHash {
  return async (level, index) => {
    const bytes = HASH_BYTES * 2 ** level;
    return rootOf(hashes.subarray(index * bytes, (index + 1) * bytes));
  };
}

/** The root over the leaves from `start`, before `end`: their largest complete subtrees, joined from the right. */
export async function rangeRoot(hashAt: SubtreeHash, start: number, end: number): Promise<Buffer> {
  const hashes = await Promise.all(coverOf(start, end).map(({ level, index }) => hashAt(level, index)));
  return (
    hashes.reduceRight<Buffer | null>((right, left) => (right === null ? left : nodeHash(left, right)), null) ??
    EMPTY_ROOT
  );
}

function coverOf(start: number, end: number): readonly { readonly level: number; readonly index: number }[] {
  const subtrees: { level: number; index: number }[] = [];
  for (let at = start; at < end;) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** The hashes that lead from a leaf to the root of the tree's first `size` leaves, from below. */
export async function inclusionProof(hashAt: SubtreeHash, index: number, size: number): Promise<readonly Buffer[]> {
  const path = async (start: number, end: number): Promise<readonly Buffer[]> => {
    if (end - start === 1) return [];
    const middle = start + splitOf(end - start);
    return index < middle
      ? [...(await path(start, middle)), await rangeRoot(hashAt, middle, end)]
      : [...(await path(middle, end)), await rangeRoot(hashAt, start, middle)];
  };
  return path(0, size);
}

/** The hashes that show the first `size` leaves to contain the first `former` leaves unchanged; `former` is from 1. */
export async function consistencyProof(hashAt: SubtreeHash, former: number, size: number): Promise<readonly Buffer[]> {
  const path = async (start: number, end: number, isWhole: boolean): Promise<readonly Buffer[]> => {
    if (former === end) return isWhole ? [] : [await rangeRoot(hashAt, start, end)];
    const middle = start + splitOf(end - start);
    return former <= middle
      ? [...(await path(start, middle, isWhole)), await rangeRoot(hashAt, middle, end)]
      : [...(await path(middle, end, false)), await rangeRoot(hashAt, start, middle)];
  };
  return path(0, size, true);
}

/** The greatest power of 2 below a count above 1. */
function splitOf(count: number): number {
  return 2 ** Math.ceil(Math.log2(count) - 1);
}

interface Tree {
  readonly size: number;
  readonly root: Buffer;
}

/** RFC 9162, section 2.1.4.2. */
export function isConsistent(former: Tree, present: Tree, proof: readonly Buffer[]): boolean {
  if (former.size > present.size) return false;
  if (former.size === 0) return proof.length === 0;
  if (former.size === present.size) return proof.length === 0 && former.root.equals(present.root);
  let [node, last] = [former.size - 1, present.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [first, ...rest] = Number.isInteger(Math.log2(former.size)) ? [former.root, ...proof] : proof;
  if (first === undefined) return false;
  let [old, now] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [old, now] = [nodeHash(sibling, old), nodeHash(sibling, now)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else now = nodeHash(now, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && old.equals(former.root) && now.equals(present.root);
}

function half(number: number): number {
  return Math.floor(number / 2);
}
