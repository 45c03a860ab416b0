import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HOUR, MINUTE } from '../../rules/hours.ts';
import { COLUMNS, complaint, minuteOf, quoted, rowFault, timeFault } from './candle-row.ts';
import type { Figures } from '../figures.ts';

/** Ascending candles of one asset and length. Times are milliseconds since 1970. */
export type CandleFile = ReturnType<typeof candleFile>;

/** Lengths of candles that files may have, the finest first. */
export const STEPS = [
  { name: '1m', stepMs: MINUTE },
  { name: '5m', stepMs: 5 * MINUTE },
  { name: '1h', stepMs: HOUR },
] as const;

const HEADER = COLUMNS.join(',');
/** As latin1. */
export const UTF8_MARK = /^\u00EF\u00BB\u00BF/;
const MEGABYTE = 2 ** 20;
const inflate = promisify(gunzip);

/** Gzipped if named `.gz`. Every row is checked. */
export async function openCandleFile(path: string, stepMs: number): Promise<CandleFile> {
  const name = basename(path);
  const text = await contents(path);
  const header = lineAt(text, 0);
  if (withoutReturn(header) !== HEADER)
    throw new Error(`${name} line 1: ${quoted(withoutReturn(header))} is not a header; accepted is ${HEADER}.`);
  if (text.length <= header.length + 1) throw new Error(`${name}: no candles after the header.`);
  return candleFile(text, stepMs, index(text, { name, stepMs, at: header.length + 1 }));
}

function candleFile(text: string, stepMs: number, { minutes, offsets }: ReturnType<typeof index>) {
  return {
    stepMs,
    length: minutes.length,
    startAt: (row: number) => (minutes[row] ?? Number.NaN) * MINUTE,
    row: (row: number): Figures => {
      const [, open = '', high = '', low = '', close = '', volume = ''] = withoutReturn(
        lineAt(text, offsets[row] ?? text.length),
      ).split(',');
      return { open, high, low, close, volume };
    },
    /** The index of the first candle that opens at or after `time`; `length` if none does. */
    firstFrom: (time: number): number => {
      const minute = time / MINUTE;
      let low = 0;
      let high = minutes.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((minutes[middle] ?? 0) < minute) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** Without a byte order mark and blank last lines, which editors add. */
async function contents(path: string): Promise<string> {
  try {
    const stored = await readFile(path);
    const bytes = path.endsWith('.gz') ? await inflate(stored, { chunkSize: MEGABYTE }) : stored;
    return bytes.toString('latin1').replace(UTF8_MARK, '').trimEnd();
  } catch (cause) {
    throw new Error(`${path} cannot be read (${String(cause)}); accepted is CSV, gzipped when the name ends in .gz.`, {
      cause,
    });
  }
}

function index(text: string, { name, stepMs, at: first }: { name: string; stepMs: number; at: number }) {
  const minutes: number[] = [];
  const offsets: number[] = [];
  const stepMinutes = stepMs / MINUTE;
  for (let at = first; at < text.length;) {
    const line = lineAt(text, at);
    const columns = withoutReturn(line).split(',');
    const minute = minuteOf(columns[0] ?? '');
    const fault = timeFault(minute, { stepMinutes, before: minutes.at(-1) ?? -1 }) ?? rowFault(columns);
    if (fault !== null) throw new Error(`${name} line ${minutes.length + 2}: ${complaint(fault, columns)}`);
    minutes.push(minute);
    offsets.push(at);
    at += line.length + 1;
  }
  return { minutes, offsets };
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? text.length : end);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
