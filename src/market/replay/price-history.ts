import { HOUR } from '../../rules/hours.ts';
import { addUp, type Figures } from '../figures.ts';
import type { CandleFile } from './candle-file.ts';

export type PriceHistory = readonly CandleFile[];

export function hourAt(history: PriceHistory, hourStart: number): Figures | null {
  const file = decidingFile(history, hourStart, hourStart + HOUR);
  return file === undefined ? null : hourOfCandles(file, hourStart);
}

export function priceAt(history: PriceHistory, time: number) {
  let newest: ReturnType<typeof pointIn> = null;
  let running = false;
  for (const file of history) {
    const point = pointIn(file, time);
    if (point === null) continue;
    running ||= point.running;
    const newer = newest === null || point.at > newest.at;
    if (newer || (point.at === newest?.at && point.running && !newest.running)) newest = point;
  }
  return newest && { ...newest, running };
}

export function earliestPrice(history: PriceHistory): string | null {
  const starts = history.map((file) => file.startAt(0));
  const first = history[starts.indexOf(Math.min(...starts))];
  return first?.row(0).open ?? null;
}

/** Candles that open at or after `from` and are over at `now`, hour by hour from the finest step. */
export function finishedCandles(history: PriceHistory, from: number, now: number): Figures[] {
  const rows: Figures[] = [];
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < now; hour += HOUR) {
    const until = Math.min(hour + HOUR, now);
    const file = decidingFile(history, hour, until);
    if (file !== undefined) rows.push(...rowsWithin(file, Math.max(hour, from), until));
  }
  return rows;
}

function decidingFile(history: PriceHistory, from: number, to: number): CandleFile | undefined {
  return history.find((file) => file.startAt(file.firstFrom(from)) < to);
}

/** The open of a running candle, or the close of the last one. */
function pointIn(file: CandleFile, time: number) {
  // Candles open on whole minutes, so the next one opens at least a millisecond later.
  const latest = file.firstFrom(time + 1) - 1;
  if (latest < 0) return null;
  const start = file.startAt(latest);
  const end = start + file.stepMs;
  const row = file.row(latest);
  return time < end ? { price: row.open, at: start, running: true } : { price: row.close, at: end, running: false };
}

function rowsWithin(file: CandleFile, from: number, to: number): Figures[] {
  const rows: Figures[] = [];
  for (let at = file.firstFrom(from); at < file.length && file.startAt(at) + file.stepMs <= to; at++)
    rows.push(file.row(at));
  return rows;
}

/** Null if the first or last candle is missing or volume is 0: halted exchanges deliver flat candles. */
export function hourOfCandles(file: CandleFile, hourStart: number): Figures | null {
  const first = file.firstFrom(hourStart);
  const next = file.firstFrom(hourStart + HOUR);
  const complete = file.startAt(first) === hourStart && file.startAt(next - 1) === hourStart + HOUR - file.stepMs;
  const hour = complete ? addUp(rowsWithin(file, hourStart, hourStart + HOUR)) : null;
  return hour !== null && Number(hour.volume) > 0 ? hour : null;
}
