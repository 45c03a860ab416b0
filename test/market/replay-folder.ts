import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ASSETS, type Asset } from '../../src/rules/assets.ts';
import { scopedFolder } from '../support/own-folder.ts';

export const HEADER = 'timestamp,open,high,low,close,volume';

export interface ReplayFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of candle files; a file named `.gz` is gzipped. It is deleted with the scope that declares it `await using`. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<ReplayFolder> {
  const folder = await scopedFolder();
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder.path, name), name.endsWith('.gz') ? gzipSync(text) : text);
  return folder;
}

/** The same rows (after the header) for every asset, in a file of `step`. */
export function forAll(step: string, rows: readonly string[]): Record<string, string> {
  return Object.fromEntries(ASSETS.map((asset) => [`${asset}-USD-${step}.csv`, csv(rows)]));
}

/** One asset's file of `step`. */
export function forOne(asset: Asset, step: string, rows: readonly string[]): Record<string, string> {
  return { [`${asset}-USD-${step}.csv`]: csv(rows) };
}

/** `count` rows from `start` on, `minutes` apart; `figures` gives what follows the timestamp. */
export function rowsFrom(start: string, minutes: number, count: number, figures: (place: number) => string): string[] {
  const first = Date.parse(start);
  return Array.from({ length: count }, (_, place) => `${stamp(first + place * minutes * 60_000)},${figures(place)}`);
}

/** An hour of flat rows of one unit of volume each. */
export function flatHour(start: string, minutes: number, price = '7.50'): string[] {
  return rowsFrom(start, minutes, 60 / minutes, () => `${price},${price},${price},${price},1`);
}

function csv(rows: readonly string[]): string {
  return [HEADER, ...rows, ''].join('\n');
}

function stamp(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
