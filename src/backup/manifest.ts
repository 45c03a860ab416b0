import { join } from 'node:path';

import { z } from 'zod';

import { StartError } from '../rules/errors.ts';
import { type Chunks, hashOf, readManifestFile } from '../hashed-files.ts';

const TABLE = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** Size and hash are those of the compressed file. */
  bytes: z.int(),
  sha256: z.string(),
});

const MANIFEST = z.strictObject({
  format: z.literal(1),
  /** The version of the service that wrote it. */
  version: z.string(),
  /** The newest migration of the source database. */
  schema: z.string(),
  takenAt: z.iso.datetime(),
  /** Referenced tables come first. */
  tables: z.array(TABLE),
  /** The last value of each sequence. */
  sequences: z.record(z.string(), z.int()),
});

/** The manifest of a backup. */
export type Manifest = z.infer<typeof MANIFEST>;
export type BackedUpTable = z.infer<typeof TABLE>;

export const fileOf = (folder: string, table: string): string => join(folder, `${table}.copy.gz`);

/** Throws a `StartError` for an incomplete or changed backup. */
export async function readBackup(folder: string, progress: Progress): Promise<Manifest> {
  const manifest = await readManifestFile(folder, 'a complete backup', MANIFEST);
  for (const { name, sha256 } of manifest.tables) {
    const found = await hashOf(fileOf(folder, name), byteCounter(name, progress));
    if (found === sha256) continue;
    if (found === null)
      throw new StartError(`The backup ${folder} is incomplete: the file of the table ${name} is missing.`);
    throw new StartError(`The backup ${folder} was changed: the file of the table ${name} has another checksum.`);
  }
  return manifest;
}

/** Called with the number of bytes copied. */
export type Progress = (table: string, bytes: number) => void;

/** Counts bytes that pass. */
export function byteCounter(table: string, progress: Progress) {
  let bytes = 0;
  return async function* passedOn(chunks: Chunks): AsyncGenerator<string | Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      progress(table, bytes);
      yield chunk;
    }
  };
}
