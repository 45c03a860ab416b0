import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';

import { z } from 'zod';

import { StartError } from '../rules/errors.ts';
import { hashOf, readManifestFile } from '../hashed-files.ts';
import { wholeLines } from '../whole-lines.ts';

/**
 * The files of an archive: lines of `/api/export/predictions.ndjson`, each with `set_at`, and of
 * `/api/export/rationales.ndjson`; those of `/log/entries/{round}`, each behind its round and a tab.
 */
export const ARCHIVE_FILES = {
  predictions: 'predictions.ndjson.gz',
  rationales: 'rationales.ndjson.gz',
  log: 'log.txt.gz',
} as const;

export type ArchiveFile = keyof typeof ARCHIVE_FILES;

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
  files: z.record(z.enum(['predictions', 'rationales', 'log']), z.object({ bytes: z.int(), sha256: z.string() })),
});

export type MonthManifest = z.infer<typeof MANIFEST>;

export type MonthArchive = Awaited<ReturnType<typeof readMonthArchive>>;

/** Throws a `StartError` for an incomplete or changed archive. */
export async function readMonthArchive(folder: string) {
  const manifest = await readManifestFile(folder, 'the archive of a month', MANIFEST);
  for (const [file, name] of Object.entries(ARCHIVE_FILES)) {
    const expected = Object.entries(manifest.files).find(([other]) => other === file)?.[1];
    if ((await hashOf(join(folder, name))) === expected?.sha256) continue;
    throw new StartError(`The archive ${folder} was changed or is incomplete: ${name} has another checksum.`);
  }
  return {
    manifest,
    lines: (file: ArchiveFile): AsyncIterable<string> =>
      wholeLines(createReadStream(join(folder, ARCHIVE_FILES[file])).pipe(createGunzip())),
  };
}
