import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SYMBOLS } from '../oracle/candle-files.ts';
import { scopedFolder } from '../support/own-folder.ts';

/** A folder of the same 1-minute candles, but for one: BTC's high of this minute (`2023-04-03T10:30:00Z`) is 1000 USD more. */
export async function tamperedFolder(folder: string, minute: string): Promise<AsyncDisposable & { path: string }> {
  const tampered = await scopedFolder();
  const { path } = tampered;
  for (const symbol of SYMBOLS.filter((each) => each !== 'BTC')) {
    const name = `${symbol}-USD-1m.csv.gz`;
    await symlink(resolve(folder, name), join(path, name));
  }
  const minutes = gunzipSync(await readFile(join(folder, 'BTC-USD-1m.csv.gz'))).toString();
  await writeFile(join(path, 'BTC-USD-1m.csv'), withHigherHigh(minutes, minute));
  return tampered;
}

function withHigherHigh(minutes: string, minute: string): string {
  const from = minutes.indexOf(`\n${minute},`) + 1;
  if (from === 0) throw new Error(`there is no candle of ${minute}`);
  const to = minutes.indexOf('\n', from);
  const [timestamp, open, high, ...others] = minutes.slice(from, to).split(',');
  return minutes.slice(0, from) + [timestamp, open, Number(high) + 1000, ...others].join(',') + minutes.slice(to);
}
