import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Figures } from '../../src/market/figures.ts';
import { openCandleFile } from '../../src/market/replay/candle-file.ts';
import { hourAt, type PriceHistory } from '../../src/market/replay/price-history.ts';
import { type Asset, ASSETS } from '../../src/rules/assets.ts';
import { HOUR, MINUTE } from '../../src/rules/hours.ts';
import { nameOf } from './candle-agreement.ts';
import { CannotVerify } from './settings.ts';

/** An asset's candle of the hour that starts then, from a folder that is independent of the service; null: it has none. */
export type FolderCandles = (asset: Asset, hourStart: Date) => Figures | null;

/** Finest first: the finest that has candles in an hour counts. */
const STEPS = [
  { name: '1m', length: MINUTE },
  { name: '5m', length: 5 * MINUTE },
  { name: '1h', length: HOUR },
] as const;

/** Opens a folder of `<SYM>-USD-<1m|5m|1h>.csv[.gz]`. Throws `CannotVerify` for one that is none. */
export async function openFolder(folder: string): Promise<FolderCandles> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new CannotVerify(`--candles ${folder} cannot be read: ${String(cause)}`, { cause });
  });
  const histories = await Promise.all(ASSETS.map((asset) => openHistory(folder, names, asset)));
  const known = new Map<string, Figures | null>();
  return (asset, hourStart) => {
    const name = nameOf(asset, hourStart);
    const candle = known.get(name) ?? hourAt(histories[ASSETS.indexOf(asset)] ?? [], hourStart.getTime());
    known.set(name, candle);
    return candle;
  };
}

async function openHistory(folder: string, names: readonly string[], asset: Asset): Promise<PriceHistory> {
  const found = STEPS.flatMap(({ name, length }) =>
    names
      .filter((file) => file === `${asset}-USD-${name}.csv` || file === `${asset}-USD-${name}.csv.gz`)
      .map((file) => ({ path: join(folder, file), length })),
  );
  if (found.length === 0) {
    throw new CannotVerify(`--candles ${folder} has no ${asset}-USD-<1m|5m|1h>.csv or .csv.gz.`);
  }
  try {
    return await Promise.all(found.map(({ path, length }) => openCandleFile(path, length)));
  } catch (cause) {
    throw new CannotVerify(`--candles: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
