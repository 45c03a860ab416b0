import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Figures } from '../market/figures.ts';
import { openCandleFile, STEPS } from '../market/replay/candle-file.ts';
import { hourAt, type PriceHistory } from '../market/replay/price-history.ts';
import { allOrNone, pricesAlong } from '../market/replay/prices-so-far.ts';
import { type Asset, ASSETS } from '../rules/assets.ts';
import { nameOf } from './candle-agreement.ts';
import type { Findings } from './findings.ts';
import { CannotVerify } from './settings.ts';

export type FolderCandles = Awaited<ReturnType<typeof openFolder>>;

export interface FolderNeeds {
  readonly folder: FolderCandles;
  readonly findings: Findings;
}

/** Opens `<SYM>-USD-<1m|5m|1h>.csv[.gz]` files. Throws `CannotVerify` for any other folder. */
export async function openFolder(folder: string) {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new CannotVerify(`--candles ${folder} cannot be read: ${String(cause)}`, { cause });
  });
  const histories = await Promise.all(ASSETS.map((asset) => openHistory(folder, names, asset)));
  const known = new Map<string, Figures | null>();
  const historyOf = (asset: Asset): PriceHistory => histories[ASSETS.indexOf(asset)] ?? [];
  return {
    hourOf(asset: Asset, hourStart: Date): Figures | null {
      const name = nameOf(asset, hourStart);
      const candle = known.get(name) ?? hourAt(historyOf(asset), hourStart.getTime());
      known.set(name, candle);
      return candle;
    },
    pricesSoFar(assets: readonly Asset[], hourStart: Date, times: readonly Date[]) {
      const along = assets.map((asset) => pricesAlong(historyOf(asset), hourStart.getTime()));
      return times.map((time) => allOrNone(along.map((at) => at(time.getTime()))));
    },
  };
}

async function openHistory(folder: string, names: readonly string[], asset: Asset): Promise<PriceHistory> {
  // The finest step with candles in an hour counts.
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
