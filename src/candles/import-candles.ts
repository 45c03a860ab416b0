import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Asset } from '../rules/assets.ts';
import { StartError } from '../rules/errors.ts';
import { csvFilesAt } from './csv-files.ts';
import { type FormatName, rowReader } from './row-reader.ts';
import { sortedRows } from './sorted-rows.ts';

interface Import {
  readonly files: readonly string[];
  readonly format: FormatName;
  readonly asset: Asset;
  /** The replay folder; null checks the files alone. */
  readonly folder: string | null;
  readonly writes: boolean;
}

/** Names in Kraken's archive, which has all pairs and intervals. */
const KRAKEN_NAMES: Partial<Record<Asset, string>> = { BTC: 'XBT', DOGE: 'XDG' };
/** Higher levels double the time for a tenth of the size. */
const GZIP_LEVEL = 4;

/** Merges files into the asset's replay file of minutes, which changes whole or not at all. Throws `StartError`. */
export async function importCandles({ files, format, asset, folder, writes }: Import) {
  const target = folder === null ? null : targetIn(folder, asset);
  if (folder !== null && writes) await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder !== null && writes ? folder : tmpdir(), '.import-'));
  try {
    const rows = sortedRows(scratch);
    const read: { name: string; rows: number; unit: string }[] = [];
    const readAll = async (path: string, form: FormatName): Promise<void> => {
      const wanted = `${KRAKEN_NAMES[asset] ?? asset}USD_1.csv`;
      for await (const { name, lines } of csvFilesAt(path, (one) => form !== 'kraken' || one === wanted)) {
        const reader = rowReader(form, name);
        let count = 0;
        for await (const some of lines) {
          for (const line of some) {
            const row = reader.read(line);
            if (row === null) continue;
            rows.add({ ...row, file: read.length });
            count += 1;
          }
        }
        read.push({ name, rows: count, unit: reader.end() });
      }
    };
    if (target !== null && existsSync(target)) await explained(target, readAll(target, 'plain'));
    for (const path of files) await explained(path, readAll(path, format));
    const texts = Readable.from(
      rows.replayText(({ file, line }) => `${read[file]?.name}:${line}`),
      { highWaterMark: 1 },
    );
    const written = createWriteStream(join(scratch, 'written'), { flush: true });
    const packing = writes && target?.endsWith('.gz') ? [createGzip({ level: GZIP_LEVEL })] : [];
    await pipeline([texts, ...packing, written]);
    if (rows.tally.candles === 0) throw new StartError(`${files.join(', ')} must have candles (got none).`);
    if (target !== null && writes) await rename(written.path, target);
    return { path: target, read, ...rows.tally };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The file that the folder has, else a new gzipped one. */
function targetIn(folder: string, asset: Asset): string {
  const [plain = '', gzipped = ''] = ['csv', 'csv.gz'].map((ending) => join(folder, `${asset}-USD-1m.${ending}`));
  if (!existsSync(plain)) return gzipped;
  if (!existsSync(gzipped)) return plain;
  throw new StartError(`${folder} holds both ${plain} and ${gzipped}: remove one.`);
}

async function explained(name: string, reading: Promise<void>): Promise<void> {
  await reading.catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${name} cannot be read (${String(cause)}); accepted is CSV, gzipped or in a zip.`, { cause });
  });
}
