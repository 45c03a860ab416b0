import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compareDecimals } from '../market/decimals.ts';
import { COLUMNS } from '../market/replay/candle-row.ts';
import { StartError } from '../rules/errors.ts';
import { MINUTE } from '../rules/hours.ts';

interface PlacedRow {
  /** Since 1970. */
  readonly minute: number;
  readonly figures: string;
  readonly line: number;
  /** The index of its file. */
  readonly file: number;
}

/** A day or two are sorted in memory at a time. */
const SPAN_MINUTES = 2 ** 11;
const MAX_WAITING = 2 ** 18;
const LISTED_GAPS = 20;

/** Sorts any number of rows by their minutes, through files in `folder`. */
export function sortedRows(folder: string) {
  const spans = new Set<number>();
  const waiting = new Map<number, string>();
  let characters = 0;
  const flush = (): void => {
    for (const [span, text] of waiting) appendFileSync(join(folder, `${span}`), text, 'latin1');
    waiting.clear();
    characters = 0;
  };
  const tally = { candles: 0, repeated: 0, first: '', last: '', gaps: 0, missing: 0, listed: new Array<string>() };
  return {
    /** Complete when `replayText` ends. `listed` has the first 20 gaps. */
    tally,
    add({ minute, figures, line, file }: PlacedRow): void {
      const span = Math.floor(minute / SPAN_MINUTES);
      const text = `${minute} ${figures} ${line} ${file}\n`;
      spans.add(span);
      waiting.set(span, (waiting.get(span) ?? '') + text);
      characters += text.length;
      if (characters > MAX_WAITING) flush();
    },
    /** The text of a replay file, in parts. Throws `StartError` for different rows of one minute. */
    *replayText(placeOf: (row: PlacedRow) => string): Generator<string> {
      flush();
      yield `${COLUMNS.join(',')}\n`;
      let kept: PlacedRow | null = null;
      for (const span of [...spans].toSorted((one, other) => one - other)) {
        const lines = readFileSync(join(folder, `${span}`), 'latin1')
          .trimEnd()
          .split('\n');
        let text = '';
        for (const row of lines.map(rowOf).toSorted((one, other) => one.minute - other.minute)) {
          if (row.minute === kept?.minute) {
            checkSame([kept, row], placeOf);
            tally.repeated += 1;
            continue;
          }
          const missing = kept === null ? 0 : row.minute - kept.minute - 1;
          if (missing > 0 && (tally.gaps += 1) <= LISTED_GAPS)
            tally.listed.push(`${minuteText(row.minute - missing)}, minutes: ${missing}`);
          tally.missing += missing;
          kept = row;
          tally.candles += 1;
          tally.last = minuteText(row.minute);
          tally.first ||= tally.last;
          text += `${tally.last},${row.figures}\n`;
        }
        yield text;
      }
    },
  };
}

function rowOf(text: string): PlacedRow {
  const [minute, figures = '', line, file] = text.split(' ');
  return { minute: Number(minute), figures, line: Number(line), file: Number(file) };
}

/** As numbers: archives differ in last zeros. */
function checkSame(rows: readonly [PlacedRow, PlacedRow], placeOf: (row: PlacedRow) => string): void {
  const [one, other] = rows.map(({ figures }) => figures.split(','));
  if (one?.every((figure, at) => compareDecimals(figure, other?.[at] ?? '') === 0)) return;
  const shown = rows.map((row) => `${row.figures} at ${placeOf(row)}`).join(', and ');
  throw new StartError(`Rows of ${minuteText(rows[0].minute)} must be equal (got ${shown}).`);
}

/** `2026-01-31T12:00:00Z`, the form of replay files. */
function minuteText(minute: number): string {
  return `${new Date(minute * MINUTE).toISOString().slice(0, 19)}Z`;
}
