import { z } from 'zod';

import { RECORD_FIELDS, type RecordKind } from '../../transparency/leaves.ts';
import { HASH_BYTES, leafHash, rangeRoot, subtreesOf } from '../../transparency/merkle.ts';
import { TILE_HASHES } from '../../transparency/tiles.ts';
import { servedTiles } from './log-head.ts';
import type { ServiceClient } from '../published/service-client.ts';
import { CannotVerify } from '../settings.ts';

/** A leaf as the service publishes it. */
export interface Entry {
  readonly index: number;
  readonly leaf: string;
  /** A recorded forecast has one. */
  readonly salt: string | null;
}

/** A leaf other than a prediction's. */
export type LoggedRecord = NonNullable<ReturnType<typeof recordOf>>;

/** The hashes of a tree's leaves, and which of them match something that is published. */
export function loggedLeaves(hashes: Buffer) {
  const size = hashes.length / HASH_BYTES;
  const isMatched = new Uint8Array(size);
  const hashAt = (index: number): Buffer => hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  return {
    size,
    hashAt,
    root: (from: number, to: number): Promise<Buffer> => rangeRoot(subtreesOf(hashes), from, to),
    /** True if the log has the leaf there, which then counts as matched. */
    match(index: number, leaf: string): boolean {
      const isThere = index < size && leafHash(leaf).equals(hashAt(index));
      if (isThere) isMatched[index] = 1;
      return isThere;
    },
    /** Counts a leaf as matched whose difference is already reported. */
    ignore: (index: number): void => void (isMatched[index] = 1),
    /** The indices from `from` and before `to` of leaves without a match. */
    unmatched: (from = 0, to = size): readonly number[] => {
      const found: number[] = [];
      for (let index = from; index < to; index += 1) if (isMatched[index] === 0) found.push(index);
      return found;
    },
  };
}

export type LoggedLeaves = ReturnType<typeof loggedLeaves>;

export async function readLeafHashes(client: ServiceClient, size: number): Promise<Buffer> {
  const read = servedTiles(client, size);
  const tiles: Buffer[] = [];
  for (let index = 0; index * TILE_HASHES < size; index += 1) tiles.push(await read({ level: 0, index }, TILE_HASHES));
  return Buffer.concat(tiles);
}

const ENTRY = /^(\d{1,15})\t(".*")(?:\t([\da-f]+))?$/;

/** The leaves of a round, or of none, by index. */
export async function readEntries(
  client: ServiceClient,
  round: number | null,
  isArchived = false,
): Promise<readonly Entry[]> {
  const path = round === null ? '/log/entries' : `/log/entries/${round}`;
  const served = async () => (await client.body(path))?.toString() ?? '';
  const text = isArchived && round !== null ? await client.months.entries(round) : await served();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, index, json = '', salt = null] = ENTRY.exec(line) ?? [];
      if (index === undefined) throw new CannotVerify(`${path} has a line that is no entry: ${line.slice(0, 80)}.`);
      return { index: Number(index), leaf: z.string().parse(JSON.parse(json)), salt };
    })
    .toSorted((one, other) => one.index - other.index);
}

const FIRST_LINE = /^hourcast (\w+) 1\n/;

/** Null for leaves of predictions. */
export function recordOf(entry: Entry) {
  const name = FIRST_LINE.exec(entry.leaf)?.[1];
  if (name === undefined || !isKind(name)) return null;
  const lines = entry.leaf.split('\n').slice(1, -1);
  const values: Readonly<Record<string, string>> = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  return { ...entry, kind: name, values };
}

function isKind(name: string): name is RecordKind {
  return Object.hasOwn(RECORD_FIELDS, name);
}
