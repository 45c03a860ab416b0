import { FIGURES } from '../market/figures.ts';
import { UTF8_MARK } from '../market/replay/candle-file.ts';
import { complaint, minuteOf, quoted, rowFault } from '../market/replay/candle-row.ts';
import { StartError } from '../rules/errors.ts';

/** The columns of each format, with or without a header. `timestamp` is a text, `time` a number since 1970. */
export const FORMATS = {
  binance: 'time,open,high,low,close,volume,close time,quote volume,trades,taker volume,taker quote,ignored',
  kraken: 'time,open,high,low,close,volume,trades',
  coinbase: 'time,low,high,open,close,volume',
  plain: 'timestamp,open,high,low,close,volume',
} as const;

export type FormatName = keyof typeof FORMATS;

const UNITS = [
  { name: 'seconds', digits: 10, inMinute: 60 },
  { name: 'milliseconds', digits: 13, inMinute: 60_000 },
  { name: 'microseconds', digits: 16, inMinute: 60_000_000 },
] as const;
const UNIT_NAMES = UNITS.map(({ name, digits }) => `${name} (${digits} digits)`).join(', ');

/** Reads the lines of one file in turn; `file` is its name in messages. Throws `StartError` with file and line. */
export function rowReader(format: FormatName, file: string) {
  const columns = FORMATS[format].split(',');
  const places = FIGURES.map((name) => columns.indexOf(name));
  /** The first row decides it: exchanges have changed it from one file to the next. */
  let unit: (typeof UNITS)[number] | undefined;
  let [line, blank, last, spacing] = [0, 0, -1, 0];

  function refuse(sentence: string, at = line): never {
    throw new StartError(`${file}:${at}: ${sentence}`);
  }

  function countedMinute(text: string): number {
    unit ??= UNITS.find(({ digits }) => digits === text.length);
    const refused = `time ${quoted(text)} is refused; accepted`;
    if (unit === undefined || !/^\d+$/.test(text)) return refuse(`${refused} are ${UNIT_NAMES} since 1970.`);
    if (text.length !== unit.digits) return refuse(`${refused} are ${unit.name}, as in the first row.`);
    const minute = Number(text) / unit.inMinute;
    return Number.isInteger(minute) ? minute : refuse(`${refused} is a whole minute.`);
  }

  /** Names of columns after the figures differ from file to file. */
  function isHeader(row: string): boolean {
    if (line > 1 || /^\d/.test(row)) return false;
    const names = row
      .toLowerCase()
      .replaceAll(/[^a-z,]/g, '')
      .replace(/^(?:open)?time(?:stamp)?,/, `${columns[0]},`);
    const isFit = names.split(',', 1 + FIGURES.length).every((name, at) => name === columns[at]);
    return isFit || refuse(`${quoted(row)} is not a header of ${format}; accepted is ${FORMATS[format]}, or none.`);
  }

  return {
    /** The figures are those of `FIGURES`, as in the file. Null for a header and for blank last lines. */
    read(text: string): { readonly minute: number; readonly figures: string; readonly line: number } | null {
      line += 1;
      const row = (line === 1 ? text.replace(UTF8_MARK, '') : text).trimEnd();
      if (row === '') blank ||= line;
      else if (blank > 0) refuse('a blank line is refused; accepted are blank lines at the end.', blank);
      if (row === '' || isHeader(row)) return null;
      const given = row.split(',');
      if (given.length !== columns.length)
        refuse(`row ${quoted(row)} is refused; accepted are ${columns.length} columns: ${FORMATS[format]}.`);
      const [time = ''] = given;
      const minute = columns[0] === 'time' ? countedMinute(time) : minuteOf(time);
      const figures = places.map((place) => given[place] ?? '');
      const fault = Number.isNaN(minute) ? 'timestamp' : rowFault([time, ...figures]);
      if (fault !== null) refuse(complaint(fault, [time, ...figures]));
      if (last >= 0) spacing = greatestDivisor(spacing, Math.abs(minute - last));
      last = minute;
      return { minute, figures: figures.join(','), line };
    },
    /** Returns the unit of the file's times. Throws for candles of another length. */
    end(): string {
      if (spacing <= 1) return unit?.name ?? 'timestamps';
      throw new StartError(`${file}: its candles are ${spacing} minutes apart; accepted are candles of a minute.`);
    },
  };
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
