import { readFile, rename, writeFile } from 'node:fs/promises';

import { z } from 'zod';

import { parsedCheckpoint, parsedVerifier, verifierText } from '../../transparency/notes.ts';
import type { Head } from './log-head.ts';
import { CannotVerify } from '../settings.ts';

const SEEN = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.object({ note: z.string(), keys: z.array(z.string()) }));

/** The last checkpoint that was seen; null without the file. Throws `CannotVerify` for other files. */
export async function readSeen(file: string): Promise<Head | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CannotVerify(`${file} cannot be read: ${error.message}.`, { cause: error });
  });
  if (text === null) return null;
  try {
    const { note, keys } = SEEN.parse(text);
    const checkpoint = parsedCheckpoint(note);
    if (checkpoint !== null) return { note, checkpoint, keys: keys.flatMap((key) => parsedVerifier(key) ?? []) };
  } catch {
    // The same sentence follows.
  }
  throw new CannotVerify(`${file} must be a file that verify --log wrote (got ${JSON.stringify(text.slice(0, 80))}).`);
}

/** On disk when it returns: a witness answers after that. */
export async function writeSeen(file: string, { note, keys }: Head): Promise<void> {
  const text = JSON.stringify({ note, keys: keys.map((key) => verifierText(key)) }, null, 2);
  try {
    await writeFile(`${file}.next`, `${text}\n`, { flush: true });
    await rename(`${file}.next`, file);
  } catch (cause) {
    throw new CannotVerify(`${file} cannot be written: ${String(cause)}.`, { cause });
  }
}
