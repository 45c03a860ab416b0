import { createPublicKey, verify } from 'node:crypto';

import { sha256 } from './log-oracle.ts';

/* Section 2.1 of RFC 6962 and C2SP signed-note by their definitions, which recurse; nothing of it is of the service. */

export function hashOfLeaf(text: string): Buffer {
  return sha256(Buffer.of(0), text);
}

/** The root to which PATH(m, D[n]) leads. */
export function rootBy(path: readonly Buffer[], leaf: Buffer, m: number, n: number): Buffer {
  if (n === 1) {
    if (path.length > 0) throw new Error('The path is too long');
    return leaf;
  }
  const [last, rest] = [path.at(-1), path.slice(0, -1)];
  if (last === undefined) throw new Error('The path is too short');
  const k = split(n);
  return m < k
    ? sha256(Buffer.of(1), rootBy(rest, leaf, m, k), last)
    : sha256(Buffer.of(1), last, rootBy(rest, leaf, m - k, n - k));
}

function split(n: number): number {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

/** A checkpoint; throws unless the key `whpk_...` signed it under the log's own name. */
export function checkpointBy(publicKey: string, note: string) {
  const [text = '', signatures = ''] = note.split(/(?<=\n)\n/);
  const [origin = '', size, root = ''] = text.split('\n');
  const raw = Buffer.from(publicKey.replace('whpk_', ''), 'base64');
  const id = sha256(`${origin}\n`, Buffer.of(1), raw).subarray(0, 4);
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  });
  const isSigned = signatures.split('\n').some((line) => {
    const [mark, name, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    const isOwn = mark === '\u2014' && name === origin && bytes.subarray(0, 4).equals(id);
    return isOwn && verify(null, Buffer.from(text), key, bytes.subarray(4));
  });
  if (!isSigned) throw new Error(`The checkpoint is not signed by ${publicKey}`);
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

interface Tree {
  readonly size: number;
  readonly root: Buffer;
}

/** True if PROOF(m, D[n]) leads to both roots. */
export function rootBySubproof(proof: readonly Buffer[], former: Tree, present: Tree): boolean {
  if (former.size === present.size) return proof.length === 0 && former.root.equals(present.root);
  const [old, now] = subproof([...proof], { m: former.size, n: present.size, isWhole: true, root: former.root });
  return old.equals(former.root) && now.equals(present.root);
}

interface Part {
  readonly m: number;
  readonly n: number;
  readonly isWhole: boolean;
  readonly root: Buffer;
}

/** SUBPROOF: the hashes of the first m leaves and of all n; takes hashes from the end. */
function subproof(proof: Buffer[], { m, n, isWhole, root }: Part): readonly [Buffer, Buffer] {
  if (m === n) {
    const hash = isWhole ? root : take(proof);
    return [hash, hash];
  }
  const k = split(n);
  const sibling = take(proof);
  if (m <= k) {
    const [old, now] = subproof(proof, { m, n: k, isWhole, root });
    return [old, sha256(Buffer.of(1), now, sibling)];
  }
  const [old, now] = subproof(proof, { m: m - k, n: n - k, isWhole: false, root });
  return [sha256(Buffer.of(1), sibling, old), sha256(Buffer.of(1), sibling, now)];
}

function take(proof: Buffer[]): Buffer {
  const last = proof.pop();
  if (last === undefined) throw new Error('The proof is too short');
  return last;
}
