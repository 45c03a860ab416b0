import { expect, test } from '@jest/globals';

import {
  consistencyProof,
  inclusionProof,
  isConsistent,
  leafHash,
  rangeRoot,
  rootOf,
} from '../../src/transparency/merkle.ts';
import { hashesIn, type TileReader, TILE_HASHES, widthOf } from '../../src/transparency/tiles.ts';
import { sha256, treeHash } from './log-oracle.ts';
import { CONSISTENCIES, INCLUSIONS, LEAVES, ROOTS } from './merkle-vectors.ts';
import { rootBy } from './proof-oracle.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'hex');
const texts = (hashes: readonly Buffer[]): readonly string[] => hashes.map((hash) => hash.toString('hex'));

const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

const leaves = LEAVES.map((leaf) => leafHash(bytes(leaf)));

test.each(ROOTS.map((root, size) => ({ root, size })))(
  'the root over $size published leaves is $root',
  ({ root, size }) => {
    expect(rootOf(Buffer.concat(leaves.slice(0, size))).toString('hex')).toBe(root);
  },
);

test.each(INCLUSIONS)(
  'the path of leaf $index in a tree of $size is the published one',
  async ({ index, size, proof }) => {
    expect(texts(await inclusionProof(subtreesOf(leaves), index, size))).toEqual(proof);
  },
);

test.each(CONSISTENCIES)(
  'the proof from $former to $size leaves is the published one',
  async ({ former, size, proof }) => {
    expect(texts(await consistencyProof(subtreesOf(leaves), former, size))).toEqual(proof);
    expect(consistent(former, size, proof.map(bytes))).toBe(true);
  },
);

test('the root of leaves 1 to 6 joins those of 1, 2 to 3, 4 to 5 and 6 from the right', async () => {
  const [one, six] = [treeHash(leaves, 1, 2), treeHash(leaves, 6, 7)];
  const expected = node(one, node(treeHash(leaves, 2, 4), node(treeHash(leaves, 4, 6), six)));
  expect(await rangeRoot(subtreesOf(leaves), 1, 7)).toEqual(expected);
});

test('a proof verifies between its own trees alone', () => {
  for (const { former, size, proof: hexes } of CONSISTENCIES.filter((one) => one.former !== one.size)) {
    const proof = hexes.map(bytes);
    const [old, now] = [tree(former), tree(size)];
    expect(isConsistent(old, now, proof)).toBe(true);
    expect(isConsistent({ ...old, root: now.root }, now, proof)).toBe(false);
    expect(isConsistent(old, { ...now, root: old.root }, proof)).toBe(false);
    expect(isConsistent(now, old, proof)).toBe(false);
    expect(isConsistent(old, now, [...proof, old.root])).toBe(false);
    expect(isConsistent(old, now, [old.root, ...proof])).toBe(false);
    for (const at of proof.keys()) {
      expect(isConsistent(old, now, proof.toSpliced(at, 1))).toBe(false);
      expect(isConsistent(old, now, proof.with(at, leafAt(3)))).toBe(false);
    }
  }
  expect(isConsistent(tree(4), tree(4), [])).toBe(true);
  expect(isConsistent(tree(4), { size: 4, root: tree(5).root }, [])).toBe(false);
  expect(isConsistent(tree(0), tree(5), [])).toBe(true);
  expect(isConsistent(tree(0), tree(5), [leafAt(3)])).toBe(false);
  expect(isConsistent(tree(4), tree(4), [leafAt(3)])).toBe(false);
  expect(isConsistent(tree(4), { ...tree(4), size: 3 }, [])).toBe(false);
});

test('a proof whose length is not that of its sizes does not verify', async () => {
  const proof = await consistencyProof(subtreesOf(leaves), 4, 8);
  expect(isConsistent(tree(4), tree(8), proof)).toBe(true);
  expect(isConsistent(tree(4), { ...tree(8), size: 9 }, proof)).toBe(false);
  // The old root follows from it, but its last leaf is one level deeper in the new tree.
  const [left, fourth, fifth, added] = [treeHash(leaves, 0, 4), leafAt(4), leafAt(5), leafAt(6)];
  const root = node(left, node(fourth, node(fifth, added)));
  expect(isConsistent(tree(6), { size: 7, root }, [fifth, added, fourth, left])).toBe(false);
});

test('the tiles of a tree give the roots and proofs of every smaller tree', async () => {
  const size = TILE_HASHES * 3 + 77;
  const all = Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`));
  const hashAt = hashesIn(tilesOf(all, size));
  const root = (count: number): Buffer => rootOf(Buffer.concat(all.slice(0, count)));
  for (const count of [1, 2, 255, 256, 257, 511, 512, 700, size]) {
    for (const index of [0, 1, count >> 1, count - 1].filter((one) => one < count)) {
      const proof = await inclusionProof(hashAt, index, count);
      expect(rootBy(proof, all[index] ?? Buffer.of(), index, count)).toEqual(root(count));
    }
    const proof = await consistencyProof(hashAt, count, size);
    expect(isConsistent({ size: count, root: root(count) }, { size, root: root(size) }, proof)).toBe(true);
  }
});

function tree(size: number) {
  return { size, root: bytes(ROOTS[size] ?? '') };
}

function leafAt(index: number): Buffer {
  return leaves[index] ?? leafHash('none');
}

function consistent(former: number, size: number, proof: readonly Buffer[]): boolean {
  return isConsistent(tree(former), tree(size), proof);
}

function subtreesOf(all: readonly Buffer[]) {
  return hashesIn(tilesOf(all, all.length));
}

/** Tiles cut by hand: level 0 has leaves, each level above it the roots of whole tiles. */
function tilesOf(all: readonly Buffer[], size: number): TileReader {
  return async (place, hashes) => {
    if (hashes > widthOf(place, size)) throw new Error(`Tile ${place.level}/${place.index} has no ${hashes} hashes`);
    let row = all;
    for (let level = 0; level < place.level; level += 1) {
      const whole = Math.floor(row.length / TILE_HASHES);
      row = Array.from({ length: whole }, (_, tile) =>
        rootOf(Buffer.concat(row.slice(tile * TILE_HASHES, (tile + 1) * TILE_HASHES))),
      );
    }
    return Buffer.concat(row.slice(place.index * TILE_HASHES, (place.index + 1) * TILE_HASHES));
  };
}
