import { compareDecimals, largerDecimal, smallerDecimal } from './decimal-text.ts';
import { minuteAt } from './timestamp-bytes.ts';

const FIGURES = ['open', 'high', 'low', 'close', 'volume'] as const;
export const COLUMNS = ['timestamp', ...FIGURES] as const;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const TIMESTAMP_LENGTH = 20;
const EXACT_POWERS = 22;
const POWERS = Float64Array.from({ length: EXACT_POWERS + 1 }, (_, digits) => 10 ** digits);

const PRICE = 'a plain decimal above 0 such as 28477.73';

/** What can be wrong with a row: the column to show (or the whole row), and what is accepted there. */
export const FAULTS = {
  timestamp: { shown: 'timestamp', accepted: 'a whole UTC minute such as 2023-04-01T22:00:00Z' },
  step: { shown: 'timestamp', accepted: "an opening time that is a multiple of the file's step" },
  order: { shown: 'timestamp', accepted: 'an opening time later than that of the row before' },
  open: { shown: 'open', accepted: PRICE },
  high: { shown: 'high', accepted: PRICE },
  low: { shown: 'low', accepted: PRICE },
  close: { shown: 'close', accepted: PRICE },
  volume: { shown: 'volume', accepted: 'a plain decimal of 0 or more such as 6.25434' },
  columns: { shown: 'row', accepted: `exactly ${COLUMNS.length} columns: ${COLUMNS.join(',')}` },
  range: { shown: 'row', accepted: 'a high not below, and a low not above, any other price of the row' },
} as const;

export type Fault = keyof typeof FAULTS;

/** A place in the bytes of a candle file, and the row last read there. */
export interface RowReader {
  readonly bytes: Buffer;
  /** Where the next row begins. */
  at: number;
  /** Minutes since 1970 at which the candle opens. */
  minute: number;
  readonly figures: Float64Array;
}

export function rowReader(bytes: Buffer, at: number): RowReader {
  return { bytes, at, minute: -1, figures: new Float64Array(FIGURES.length) };
}

/**
 * Checks the row at `reader.at` and moves on to the next one; null when the row is sound. Works on the bytes, without
 * a string or an object for a row: half a million rows are checked while the service starts.
 */
export function readRow(reader: RowReader, stepMinutes: number): Fault | null {
  const rowStart = reader.at;
  const minuteBefore = reader.minute;
  reader.minute = minuteAt(reader.bytes, rowStart);
  if (reader.minute < 0) return 'timestamp';
  if (reader.minute % stepMinutes !== 0) return 'step';
  if (reader.minute <= minuteBefore) return 'order';
  reader.at = rowStart + TIMESTAMP_LENGTH;
  for (const [place, figure] of FIGURES.entries()) {
    if (byteAt(reader.bytes, reader.at) !== COMMA) return 'columns';
    reader.at++;
    const value = readDecimal(reader);
    const sound = figure === 'volume' ? value >= 0 : value > 0;
    if (!sound) return figure;
    reader.figures[place] = value;
  }
  if (byteAt(reader.bytes, reader.at) === RETURN) reader.at++;
  if (byteAt(reader.bytes, reader.at) !== NEWLINE) return 'columns';
  reader.at++;
  return inRange(reader.figures) || exactlyInRange(reader.bytes, rowStart) ? null : 'range';
}

/** The row's columns as text, whatever they hold. */
export function rowColumns(bytes: Buffer, rowStart: number): string[] {
  const end = bytes.indexOf(NEWLINE, rowStart);
  const text = bytes.toString('latin1', rowStart, end === -1 ? bytes.length : end);
  return (text.endsWith('\r') ? text.slice(0, -1) : text).split(',');
}

/** Reads digits with at most one point among them and stops at a comma or a line's end; NaN when something else is there. */
function readDecimal(reader: RowReader): number {
  const { bytes } = reader;
  const start = reader.at;
  let at = start;
  let mantissa = 0;
  let point = -1;
  for (; ; at++) {
    const byte = byteAt(bytes, at);
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (byte === POINT && point === -1) point = at;
    else if (byte === COMMA || byte === NEWLINE || byte === RETURN) break;
    else return Number.NaN;
  }
  reader.at = at;
  const fractionDigits = point === -1 ? 0 : at - point - 1;
  const wellFormed = at > start && point !== start && (point === -1 || fractionDigits > 0);
  return wellFormed ? mantissa / (POWERS[fractionDigits] ?? 10 ** fractionDigits) : Number.NaN;
}

function inRange(figures: Float64Array): boolean {
  const [open = 0, high = 0, low = 0, close = 0] = figures;
  return high >= open && high >= close && low <= open && low <= close;
}

/** The same in exact decimals: beyond 15 digits the doubles of `readDecimal` can differ from what they stand for. */
function exactlyInRange(bytes: Buffer, rowStart: number): boolean {
  const [, open = '', high = '', low = '', close = ''] = rowColumns(bytes, rowStart);
  const highEnough = compareDecimals(high, largerDecimal(open, close)) >= 0;
  return highEnough && compareDecimals(low, smallerDecimal(open, close)) <= 0;
}

/** Beyond the end stands a line's end, so that a last line without one needs no rule of its own. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? NEWLINE;
}
