import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { scaled } from './decimals.ts';
import { hourOf } from './hours.ts';

export const SYMBOLS = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'] as const;

/** Prices are integer counts of 10^-PRICE_PLACES USD. */
export const PRICE_PLACES = 10;

export interface HourCandle {
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
}

/** The usable candle of an asset's hour, or undefined where there is none. */
export type Candles = (symbol: string, hour: number) => HourCandle | undefined;

interface Minutes {
  readonly open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  readonly first: string;
  last: string;
  traded: boolean;
}

/** Adds the folder's 1-minute files up to hours. An hour without its first or last minute, or without volume, has no candle. */
export function candlesOfFolder(folder: string): Candles {
  const hours = new Map(
    SYMBOLS.map((symbol) => [symbol as string, hoursOfFile(join(folder, `${symbol}-USD-1m.csv.gz`))]),
  );
  return (symbol, hour) => {
    const minutes = hours.get(symbol)?.get(hour);
    const usable = minutes?.traded && minutes.first.endsWith(':00:00Z') && minutes.last.endsWith(':59:00Z');
    return usable ? minutes : undefined;
  };
}

function hoursOfFile(path: string): Map<number, Minutes> {
  const [header, ...lines] = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  if (header !== 'timestamp,open,high,low,close,volume') throw new Error(`${path} has another header: ${header}`);
  const hours = new Map<number, Minutes>();
  for (const line of lines) {
    const [timestamp = '', open = '', high = '', low = '', close = '', volume = ''] = line.split(',');
    const hour = hourOf(timestamp);
    const minutes = hours.get(hour) ?? started(timestamp, price(open));
    hours.set(hour, minutes);
    if (price(high) > minutes.high) minutes.high = price(high);
    if (price(low) < minutes.low) minutes.low = price(low);
    minutes.close = price(close);
    minutes.last = timestamp;
    minutes.traded ||= /[1-9]/.test(volume);
  }
  return hours;
}

function started(first: string, open: bigint): Minutes {
  return { open, high: open, low: open, close: open, first, last: first, traded: false };
}

function price(text: string): bigint {
  return scaled(text, PRICE_PLACES);
}
