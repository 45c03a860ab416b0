import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MINUTE } from '../../rules/hours.ts';
import { COLUMNS, FAULTS, readRow, rowColumns, rowReader, type Fault } from './candle-row.ts';
import type { Figures } from '../figures.ts';

/** The candles of one asset at one step, ascending by time. Times are milliseconds since 1970. */
export interface CandleFile {
  readonly step: number;
  readonly length: number;
  startAt(index: number): number;
  /** Its figures, in the file's own decimals. */
  row(index: number): Figures;
  /** The index of the first candle that opens at or after `time`; `length` when none does. */
  firstFrom(time: number): number;
}

const HEADER = COLUMNS.join(',');
const SHORTEST_ROW = '1970-01-01T00:00:00Z,1,1,1,1,0\n'.length;
const MEGABYTE = 2 ** 20;
const inflate = promisify(gunzip);

/** Reads a file of candles (gzipped when it is named `.gz`); every row is checked before it returns. */
export async function openCandleFile(path: string, step: number): Promise<CandleFile> {
  const name = basename(path);
  const bytes = await contents(path);
  const headerEnd = bytes.indexOf('\n');
  const header = bytes.toString('latin1', 0, headerEnd === -1 ? bytes.length : headerEnd).replace(/\r$/, '');
  if (header !== HEADER) throw new Error(`${name} line 1: ${quoted(header)} is not a header; accepted is ${HEADER}.`);
  if (headerEnd === -1 || headerEnd + 1 === bytes.length) throw new Error(`${name}: no candles after the header.`);
  return candleFile(bytes, step, index(bytes, { name, step, at: headerEnd + 1 }));
}

interface Index {
  readonly minutes: Int32Array;
  readonly offsets: Uint32Array;
}

function candleFile(bytes: Buffer, step: number, { minutes, offsets }: Index): CandleFile {
  return {
    step,
    length: minutes.length,
    startAt: (row) => (minutes[row] ?? Number.NaN) * MINUTE,
    row: (row) => {
      const columns = rowColumns(bytes, offsets[row] ?? bytes.length);
      const [, open = '', high = '', low = '', close = '', volume = ''] = columns;
      return { open, high, low, close, volume };
    },
    firstFrom: (time) => {
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

async function contents(path: string): Promise<Buffer> {
  try {
    const stored = await readFile(path);
    return path.endsWith('.gz') ? await inflate(stored, { chunkSize: MEGABYTE }) : stored;
  } catch (cause) {
    throw new Error(`${path} cannot be read (${String(cause)}); accepted is CSV, gzipped when the name ends in .gz.`, {
      cause,
    });
  }
}

function index(bytes: Buffer, file: { name: string; step: number; at: number }): Index {
  const maxRows = Math.ceil((bytes.length - file.at) / SHORTEST_ROW);
  const minutes = new Int32Array(maxRows);
  const offsets = new Uint32Array(maxRows);
  const reader = rowReader(bytes, file.at);
  let rows = 0;
  while (reader.at < bytes.length) {
    const rowStart = reader.at;
    const fault = readRow(reader, file.step / MINUTE);
    if (fault !== null)
      throw new Error(`${file.name} line ${rows + 2}: ${complaint(fault, rowColumns(bytes, rowStart))}`);
    minutes[rows] = reader.minute;
    offsets[rows] = rowStart;
    rows++;
  }
  return { minutes: minutes.slice(0, rows), offsets: offsets.slice(0, rows) };
}

function complaint(fault: Fault, columns: readonly string[]): string {
  const { shown, accepted } = FAULTS[fault];
  const value = shown === 'row' ? columns.join(',') : columns[COLUMNS.indexOf(shown)];
  return `${shown} ${quoted(value ?? '')} is refused; accepted is ${accepted}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
