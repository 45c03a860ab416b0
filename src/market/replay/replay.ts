import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { type Asset, ASSETS, byAsset, type ByAsset } from '../../rules/assets.ts';
import { DAY, HOUR, hourOf, MINUTE, SECOND } from '../../rules/hours.ts';
import { openCandleFile } from './candle-file.ts';
import { decideAlone, statusAlone } from '../single-source.ts';
import type { HourCandle, Market, Quote, Quotes } from '../market.ts';
import { earliestPrice, finishedCandles, hourAt, priceAt, type PriceHistory } from './price-history.ts';
import { allOrNone, pricesAlong } from './prices-so-far.ts';
import { largerDecimal, smallerDecimal } from '../decimals.ts';
import { addUp, type Figures } from '../figures.ts';

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
  const files = await replayFiles(folder);
  const opened = await Promise.all(
    ASSETS.map((asset) => Promise.all(files[asset].map(({ path, length }) => openCandleFile(path, length)))),
  );
  const histories = byAsset((asset) => opened[ASSETS.indexOf(asset)] ?? []);
  const hourly = byAsset((asset) => keptHours(histories[asset]));
  const quotes = replayQuotes(histories);
  const name = basename(resolve(folder));
  const market: Market = {
    source: `replay:${name}`,
    warning: `Prices are replayed from recorded candles (${name}); they are not the prices of today.`,
    isLive: false,
    providerIds: byAsset((asset) => `${asset}-USD`),
    hourCandles: async (asset, from, to, now) => {
      const firstNotOver = hourOf(now).getTime();
      return hoursBetween(hourly[asset], from.getTime(), Math.min(to.getTime(), firstNotOver));
    },
    pricesSoFar: (assets, { hourStart, times }, now) => {
      const soFar = assets.map((asset) => pricesAlong(histories[asset], hourStart.getTime()));
      return times.map((time) => (time > now ? null : allOrNone(soFar.map((at) => at(time.getTime())))));
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
function hoursBetween(hourStarting: HourStarting, from: number, to: number): HourCandle[] {
  const candles: HourCandle[] = [];
  for (let start = Math.ceil(from / HOUR) * HOUR; start < to; start += HOUR) {
    const hour = hourStarting(start);
    if (hour !== null) candles.push({ hourStart: new Date(start), ...hour });
  }
  return candles;
}

type HourStarting = (hourStart: number) => Figures | null;

/** Some weeks of one asset: every round reads the last 7 days anew, and an hour is added up from 60 candles. */
const KEPT_HOURS = 512;

function keptHours(history: PriceHistory): HourStarting {
  const kept = new Map<number, Figures | null>();
  return (hourStart) => {
    const known = kept.get(hourStart);
    if (known !== undefined) return known;
    const hour = hourAt(history, hourStart);
    kept.set(hourStart, hour);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_HOURS && oldest !== undefined) kept.delete(oldest);
    return hour;
  };
}

/** A file of candles, each as long as this. */
interface FoundFile {
  readonly path: string;
  readonly length: number;
}

/** Each asset's files in `folder`, the finest first. Throws an error for the operator when one is missing or there twice. */
export async function replayFiles(folder: string): Promise<ByAsset<readonly FoundFile[]>> {
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

function filesOf(asset: Asset, folder: string, files: ReadonlySet<string>): readonly FoundFile[] {
  const found = STEPS.flatMap((step) => {
    const plain = `${asset}-USD-${step.name}.csv`;
    const names = [plain, `${plain}.gz`].filter((name) => files.has(name));
    if (names.length > 1)
      throw new Error(`Replay folder ${folder} holds both ${names.join(' and ')}; accepted is one.`);
    return names.map((name) => ({ path: join(folder, name), length: step.length }));
  });
  if (found.length === 0) throw new Error(`Replay folder ${folder} has no candles of ${asset}; ${ACCEPTED}.`);
  return found;
}

const STALE_AFTER = 60 * SECOND;

/** A function that returns the prices at a time; they change at whole minutes alone, so the last minute's are kept. */
function replayQuotes(histories: ByAsset<PriceHistory>): (now: Date) => Quotes | null {
  let kept: { minute: number; shown: Shown | null; quotes: Quotes | null } | null = null;
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

/** What the market showed, as old as its oldest price. */
interface Shown {
  readonly at: number;
  readonly running: boolean;
  readonly assets: ByAsset<Quote>;
}

function shownAt(histories: ByAsset<PriceHistory>, minute: number): Shown | null {
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
  const day = addUp(finishedCandles(history, minute - DAY, minute));
  return {
    priceUsd: price,
    change1hPct: changePct(history, price, minute - HOUR),
    change24hPct: changePct(history, price, minute - DAY),
    high24h: largerDecimal(day?.high ?? price, price),
    low24h: smallerDecimal(day?.low ?? price, price),
    volume24h: day?.volume ?? '0',
  };
}

function changePct(history: PriceHistory, price: string, then: number): number {
  const before = Number(priceAt(history, then)?.price ?? earliestPrice(history));
  return (Number(price) / before - 1) * 100;
}
