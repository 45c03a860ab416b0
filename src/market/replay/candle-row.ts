import { FIGURES, isInRange } from '../figures.ts';
import { DAY, MINUTE } from '../../rules/hours.ts';

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
  return isInRange({ open, high, low, close });
}

/** Beyond the end stands a line's end, so that a last line without one needs no rule of its own. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? NEWLINE;
}

const PATTERN = '0000-00-00T00:00:00Z';
const MINUTES_PER_DAY = DAY / MINUTE;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;
const DAYS_TO_1970 = 719_162;

const SHAPE = Uint8Array.from(PATTERN, (character) => character.charCodeAt(0));

/**
 * Minutes since 1970 of the whole minute written at `at` as `2023-04-01T22:00:00Z`; -1 when something else is there,
 * a day that does not exist or a year before 1970 included. Arithmetic on bytes: `Date` costs several times as much.
 */
export function minuteAt(bytes: Buffer, at: number): number {
  for (let place = 0; place < SHAPE.length; place++) {
    const byte = bytes[at + place] ?? 0;
    const shape = SHAPE[place] ?? 0;
    if (shape === ZERO ? byte < ZERO || byte > ZERO + 9 : byte !== shape) return -1;
  }
  const year = pairAt(bytes, at) * 100 + pairAt(bytes, at + 2);
  const day = dayNumber(year, pairAt(bytes, at + 5), pairAt(bytes, at + 8));
  const hour = pairAt(bytes, at + 11);
  const minute = pairAt(bytes, at + 14);
  if (day < 0 || hour > 23 || minute > 59 || pairAt(bytes, at + 17) !== 0) return -1;
  return day * MINUTES_PER_DAY + hour * 60 + minute;
}

/** Days since 1970-01-01 in the Gregorian calendar; -1 when there is no such day from then on. */
function dayNumber(year: number, month: number, day: number): number {
  const before = DAYS_BEFORE_MONTH[month - 1];
  const after = DAYS_BEFORE_MONTH[month];
  if (year < 1970 || before === undefined || after === undefined) return -1;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = after - before + (leap && month === 2 ? 1 : 0);
  if (day < 1 || day > length) return -1;
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  return past * 365 + leapDays - DAYS_TO_1970 + before + (leap && month > 2 ? 1 : 0) + day - 1;
}

function pairAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) - ZERO) * 10 + (bytes[at + 1] ?? 0) - ZERO;
}
