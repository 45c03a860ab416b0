import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';

import { z } from 'zod';

import { StartError } from '../rules/errors.ts';
import { hashOf, readManifestFile } from '../hashed-files.ts';
import { wholeLines } from '../whole-lines.ts';

const FILES = z.enum(['predictions', 'rationales', 'log']);

export type ArchiveFile = z.infer<typeof FILES>;

/**
 * The files of an archive: lines of `/api/export/predictions.ndjson`, each with `set_at`, and of
 * `/api/export/rationales.ndjson`; those of `/log/entries/{round}`, each behind its round and a tab.
 */
export const ARCHIVE_FILES: Readonly<Record<ArchiveFile, string>> = {
  predictions: 'predictions.ndjson.gz',
  rationales: 'rationales.ndjson.gz',
  log: 'log.txt.gz',
};

const MANIFEST = z.strictObject({
  format: z.literal(1),
  /** The version of the service that wrote it. */
  version: z.string(),
  month: z.string(),
  first_round: z.int(),
  last_round: z.int(),
  taken_at: z.iso.datetime(),
  /** The log's newest checkpoint, a signed note; null before its first. */
  checkpoint: z.string().nullable(),
  /** Size and hash are those of the compressed file. */
  files: z.record(FILES, z.object({ bytes: z.int(), sha256: z.string() })),
});

export type MonthManifest = z.infer<typeof MANIFEST>;

export type MonthArchive = Awaited<ReturnType<typeof readMonthArchive>>;

/** Throws a `StartError` for an incomplete or changed archive. */
export async function readMonthArchive(folder: string) {
  const manifest = await readManifestFile(folder, 'the archive of a month', MANIFEST);
  for (const file of FILES.options) {
    const name = ARCHIVE_FILES[file];
    if ((await hashOf(join(folder, name))) === manifest.files[file].sha256) continue;
    throw new StartError(`The archive ${folder} was changed or is incomplete: ${name} has another checksum.`);
  }
  return {
    manifest,
    lines: (file: ArchiveFile): AsyncIterable<string> =>
      wholeLines(createReadStream(join(folder, ARCHIVE_FILES[file])).pipe(createGunzip())),
  };
}
