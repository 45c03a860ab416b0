import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { z } from 'zod';

import { codeOf } from './database/failures.ts';
import { StartError } from './rules/errors.ts';

export type Chunks = AsyncIterable<string | Uint8Array>;

/** Throws a `StartError` if the folder exists. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((cause: unknown) => {
    throw new StartError(`The folder ${folder} must not exist, and its parent must be writable (${codeOf(cause)}).`, {
      cause,
    });
  });
}

/** The disk, or the account's share of it, is full. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Writes a new file and flushes it; returns the compressed size and hash. Throws a `StartError` on a full disk. */
export async function writeGzipped(path: string, source: Chunks) {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    source,
    createGzip({ level: 1 }),
    async function* hashed(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  ).catch((cause: unknown) => {
    if (!FULL.has(codeOf(cause))) throw cause;
    const folder = dirname(path);
    throw new StartError(`The disk must have room for ${folder} (${codeOf(cause)}), which is incomplete: delete it.`, {
      cause,
    });
  });
  return { bytes, sha256: hash.digest('hex') };
}

/** Null without the file. */
export async function hashOf(path: string, passedOn: (chunks: Chunks) => Chunks = (chunks) => chunks) {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), passedOn, hash);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

/** The name of the file that describes a folder. It is written last: a folder without it is incomplete. */
const MANIFEST_NAME = 'manifest.json';

/** Atomic. */
export async function writeManifestFile(folder: string, manifest: object): Promise<void> {
  const draft = join(folder, `${MANIFEST_NAME}.new`);
  await using file = await open(draft, 'wx');
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
  await file.sync();
  await rename(draft, join(folder, MANIFEST_NAME));
}

/** Throws a `StartError` for a folder without a manifest of this form, and so without `what`, such as `a complete backup`. */
export async function readManifestFile<Manifest>(
  folder: string,
  what: string,
  shape: z.ZodType<Manifest>,
): Promise<Manifest> {
  const mustHold = `The folder ${folder} must hold ${what}, but`;
  const text = await readFile(join(folder, MANIFEST_NAME), 'utf8').catch((cause: unknown) => {
    throw new StartError(`${mustHold} has no ${MANIFEST_NAME} that can be read (${codeOf(cause)}).`, { cause });
  });
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`${mustHold} its ${MANIFEST_NAME} cannot be read by this version.`, { cause });
  }
}
