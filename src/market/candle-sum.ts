import { HOUR } from '../rules/hours.ts';
import type { CandleFile, CandleRow } from './candle-file.ts';
import { largerDecimal, smallerDecimal, sumDecimals } from './decimal-text.ts';

/** One candle over the time of `rows`, which are ascending; null for none. */
export function addUp(rows: readonly CandleRow[]): CandleRow | null {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    open: first.open,
    high: rows.map((row) => row.high).reduce(largerDecimal),
    low: rows.map((row) => row.low).reduce(smallerDecimal),
    close: last.close,
    volume: sumDecimals(rows.map((row) => row.volume)),
  };
}

/** The candles of `file` that open at or after `from` and are over at `to`. */
export function rowsWithin(file: CandleFile, from: number, to: number): CandleRow[] {
  const rows: CandleRow[] = [];
  for (let at = file.firstFrom(from); at < file.length && file.startAt(at) + file.step <= to; at++)
    rows.push(file.row(at));
  return rows;
}

/**
 * The hour that starts at `hourStart`, added up; null when its first or last candle is missing or nothing was traded
 * (exchanges deliver flat candles without volume while they are halted).
 */
export function hourOfCandles(file: CandleFile, hourStart: number): CandleRow | null {
  const first = file.firstFrom(hourStart);
  const next = file.firstFrom(hourStart + HOUR);
  const complete = file.startAt(first) === hourStart && file.startAt(next - 1) === hourStart + HOUR - file.step;
  const hour = complete ? addUp(rowsWithin(file, hourStart, hourStart + HOUR)) : null;
  return hour !== null && Number(hour.volume) > 0 ? hour : null;
}
