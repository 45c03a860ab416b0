import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { type Asset, ASSETS, byAsset, type ByAsset } from '../../rules/assets.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../rules/hours.ts';
import { openCandleFile, STEPS } from './candle-file.ts';
import { singleSource } from '../single-source.ts';
import type { Market, Quote, Quotes } from '../market.ts';
import { earliestPrice, finishedCandles, hourAt, priceAt, type PriceHistory } from './price-history.ts';
import { pricesAlong } from './prices-so-far.ts';
import { addUp, type Figures } from '../figures.ts';
import { quoteOf } from '../quote.ts';

const ACCEPTED = `accepted are files <symbol>-USD-<${STEPS.map((step) => step.name).join('|')}>.csv or .csv.gz`;

/** All rows are checked first: a bad one stops the start with its file, line, value and the accepted form. */
export async function openReplay(folder: string): Promise<Market> {
  const files = await replayFiles(folder);
  const opened = await Promise.all(
    ASSETS.map((asset) => Promise.all(files[asset].map(({ path, length }) => openCandleFile(path, length)))),
  );
  const histories = byAsset((asset) => opened[ASSETS.indexOf(asset)] ?? []);
  const hourly = byAsset((asset) => keptHours(histories[asset]));
  const quotes = replayQuotes(histories);
  const name = basename(resolve(folder));
  return singleSource({
    source: `replay:${name}`,
    warning: `Prices are replayed from recorded candles (${name}); they are not the prices of today.`,
    hourAt: (asset, hourStart) => hourly[asset](hourStart),
    pricesAlong: (asset, hourStart) => pricesAlong(histories[asset], hourStart),
    quotes,
  });
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
  const found = STEPS.flatMap((step) => {
    const plain = `${asset}-USD-${step.name}.csv`;
    const names = [plain, `${plain}.gz`].filter((name) => files.has(name));
    if (names.length > 1) throw new Error(`Replay folder ${folder} holds both ${names.join(' and ')}: remove one.`);
    return names.map((name) => ({ path: join(folder, name), length: step.length }));
  });
  if (found.length === 0) throw new Error(`Replay folder ${folder} has no candles of ${asset}; ${ACCEPTED}.`);
  return found;
}

const STALE_AFTER = 60 * SECOND;

/** Prices change at whole minutes only, so the last minute's are cached. */
function replayQuotes(histories: ByAsset<PriceHistory>): (now: Date) => Quotes | null {
  let kept: { minute: number; shown: ReturnType<typeof shownAt>; quotes: Quotes | null } | null = null;
  return (now) => {
    const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
    if (kept?.minute !== minute) kept = { minute, shown: shownAt(histories, minute), quotes: null };
    const { shown } = kept;
    if (shown === null) return null;
    const stale = !shown.running && now.getTime() - shown.at > STALE_AFTER;
    if (kept.quotes?.stale !== stale) kept.quotes = { at: new Date(shown.at), stale, assets: shown.assets };
    return kept.quotes;
  };
}

function shownAt(histories: ByAsset<PriceHistory>, minute: number) {
  const points = byAsset((asset) => priceAt(histories[asset], minute));
  if (!allKnown(points)) return null;
  return {
    at: Math.min(...ASSETS.map((asset) => points[asset].at)),
    running: ASSETS.every((asset) => points[asset].running),
    assets: byAsset((asset) => quote(histories[asset], points[asset].price, minute)),
  };
}

function allKnown<T>(values: ByAsset<T | null>): values is ByAsset<T> {
  return ASSETS.every((asset) => values[asset] !== null);
}

function quote(history: PriceHistory, price: string, minute: number): Quote {
  const before = (then: number): string => priceAt(history, then)?.price ?? earliestPrice(history) ?? price;
  const day = addUp(finishedCandles(history, minute - DAY, minute));
  return quoteOf(price, { day, hourAgo: before(minute - HOUR), dayAgo: before(minute - DAY) });
}
