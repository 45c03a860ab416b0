import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Asset, ASSETS, byAsset } from '../../rules/assets.ts';
import type { Figures } from '../figures.ts';
import { openCandleFile, STEPS } from './candle-file.ts';
import { hourAt, type PriceHistory } from './price-history.ts';
import { pricesAlong } from './prices-so-far.ts';

const ACCEPTED = `accepted are files <symbol>-USD-<${STEPS.map((step) => step.name).join('|')}>.csv or .csv.gz`;

/** The candles of every asset. All rows are checked: a bad one throws an error with its file, line, value and the accepted form. */
export async function openReplayFolder(folder: string) {
  const files = await replayFiles(folder);
  const opened = await Promise.all(
    ASSETS.map((asset) => Promise.all(files[asset].map(({ path, stepMs }) => openCandleFile(path, stepMs)))),
  );
  const histories = byAsset((asset) => opened[ASSETS.indexOf(asset)] ?? []);
  const hourly = byAsset((asset) => keptHours(histories[asset]));
  return {
    histories,
    hourAt: (asset: Asset, hourStart: number) => hourly[asset](hourStart),
    pricesAlong: (asset: Asset, hourStart: number) => pricesAlong(histories[asset], hourStart),
  };
}

/** Some weeks of one asset: every round reads the last 7 days, and an hour may add up 60 candles. */
const KEPT_HOURS = 512;

/** No lru-cache: the JavaScript client includes this file, and would need that package. */
function keptHours(history: PriceHistory): (hourStart: number) => Figures | null {
  const kept = new Map<number, Figures | null>();
  return (hourStart) => {
    const known = kept.get(hourStart);
    if (known !== undefined) return known;
    const hour = hourAt(history, hourStart);
    const [first] = kept.keys();
    if (kept.size >= KEPT_HOURS && first !== undefined) kept.delete(first);
    kept.set(hourStart, hour);
    return hour;
  };
}

/** The finest first. Throws an error for the operator if a file is missing or there twice. */
export async function replayFiles(folder: string) {
  const names = await fileNames(folder);
  return byAsset((asset) => filesOf(asset, folder, names));
}

async function fileNames(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch (cause) {
    throw new Error(`Replay folder ${folder} cannot be read (${String(cause)}); ${ACCEPTED}.`, { cause });
  }
}

function filesOf(asset: Asset, folder: string, files: ReadonlySet<string>) {
  const found = STEPS.flatMap(({ name: step, stepMs }) => {
    const plain = `${asset}-USD-${step}.csv`;
    const names = [plain, `${plain}.gz`].filter((name) => files.has(name));
    if (names.length > 1) throw new Error(`Replay folder ${folder} holds both ${names.join(' and ')}: remove one.`);
    return names.map((name) => ({ path: join(folder, name), stepMs }));
  });
  if (found.length === 0) throw new Error(`Replay folder ${folder} has no candles of ${asset}; ${ACCEPTED}.`);
  return found;
}
