import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { ASSETS, byAsset, type Asset } from '../rules/assets.ts';
import { HOUR, MINUTE, hourOf } from '../rules/hours.ts';
import { openCandleFile } from './candle-file.ts';
import { decideAlone, statusAlone } from './decide-alone.ts';
import type { HourCandle, Market } from './market.ts';
import { hourAt, type PriceHistory } from './price-history.ts';
import { replayQuotes } from './replay-quotes.ts';

/** Finest first. */
const STEPS = [
  { name: '1m', length: MINUTE },
  { name: '5m', length: 5 * MINUTE },
  { name: '1h', length: HOUR },
] as const;

const ACCEPTED = `accepted are files <symbol>-USD-<${STEPS.map((step) => step.name).join('|')}>.csv or .csv.gz`;

/**
 * Prices from the candle files of `folder` (not from folders in it). Reads and checks every file before it answers, so
 * that a bad row stops the start; the error names file, line, value and what is accepted.
 */
export async function openReplay(folder: string): Promise<Market> {
  const files = await fileNames(folder);
  const opened = await Promise.all(ASSETS.map((asset) => openHistory(folder, files, asset)));
  const histories = byAsset((asset) => opened[ASSETS.indexOf(asset)] ?? []);
  const quotes = replayQuotes(histories);
  const name = basename(resolve(folder));
  const market: Market = {
    source: `replay:${name}`,
    warning: `Prices are replayed from recorded candles (${name}); they are not the prices of today.`,
    providerIds: byAsset((asset) => `${asset}-USD`),
    hourCandles: async (asset, from, to, now) => {
      const firstNotOver = hourOf(now).getTime();
      return hoursBetween(histories[asset], from.getTime(), Math.min(to.getTime(), firstNotOver));
    },
    decide(assets, hours, now) {
      return decideAlone(this, { assets, hours, now });
    },
    status() {
      return statusAlone(this);
    },
    quotes: async (now) => quotes(now),
  };
  return market;
}

/** The priced hours that start at or after `from` and before `to`, both ms since 1970. */
function hoursBetween(history: PriceHistory, from: number, to: number): HourCandle[] {
  const candles: HourCandle[] = [];
  for (let start = Math.ceil(from / HOUR) * HOUR; start < to; start += HOUR) {
    const hour = hourAt(history, start);
    if (hour !== null) candles.push({ hourStart: new Date(start), ...hour });
  }
  return candles;
}

async function fileNames(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch (cause) {
    throw new Error(`Replay folder ${folder} cannot be read (${String(cause)}); ${ACCEPTED}.`, { cause });
  }
}

async function openHistory(folder: string, files: ReadonlySet<string>, asset: Asset): Promise<PriceHistory> {
  const found = STEPS.flatMap((step) => {
    const plain = `${asset}-USD-${step.name}.csv`;
    const names = [plain, `${plain}.gz`].filter((name) => files.has(name));
    if (names.length > 1)
      throw new Error(`Replay folder ${folder} holds both ${names.join(' and ')}; accepted is one.`);
    return names.map((name) => ({ path: join(folder, name), length: step.length }));
  });
  if (found.length === 0) throw new Error(`Replay folder ${folder} has no candles of ${asset}; ${ACCEPTED}.`);
  return Promise.all(found.map((file) => openCandleFile(file.path, file.length)));
}
