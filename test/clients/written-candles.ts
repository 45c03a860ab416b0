import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { ASSETS } from '../../src/rules/assets.ts';
import { seeded } from '../support/seeded.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export const FIRST_HOUR = new Date('2026-01-01T00:00:00Z');
/** From here on there are minutes; before there are hours alone. */
export const FIRST_PLAYED = new Date(FIRST_HOUR.getTime() + 180 * HOUR_MS);
export const PLAYED_HOURS = 26;

/** Writes candles in which prices walk: 180 hours of one candle each, then 26 of 60. In one of them trade is halted. */
export function writeCandles(folder: string): void {
  const random = seeded(26);
  const end = FIRST_PLAYED.getTime() + PLAYED_HOURS * HOUR_MS;
  for (const [place, asset] of ASSETS.entries()) {
    let price = 10 ** (4 - (place % 5)) * 1.2345;
    const walked = (from: number, step: number, to: number, isHalted: (time: number) => boolean): string => {
      const lines = ['timestamp,open,high,low,close,volume'];
      for (let time = from; time < to; time += step) {
        const prices = [price];
        for (let move = 0; move < 4; move += 1)
          prices.push((price *= 1 + random.between(-1000, 1000) / (step > HOUR_MS / 2 ? 2e5 : 1.5e6)));
        const [open = 0, close = 0] = [prices[0], prices.at(-1)];
        const figures = [open, Math.max(...prices), Math.min(...prices), close].map((figure) => figure.toFixed(6));
        if (!isHalted(time)) lines.push([`${new Date(time).toISOString().slice(0, 19)}Z`, ...figures, '1.5'].join(','));
      }
      // With the mark and the blank lines that spreadsheets and editors leave.
      return `\uFEFF${lines.join('\n')}\n\r\n \n`;
    };
    const hours = walked(FIRST_HOUR.getTime(), HOUR_MS, FIRST_PLAYED.getTime(), () => false);
    writeFileSync(join(folder, `${asset}-USD-1h.csv`), hours);
    const haltedFrom = FIRST_PLAYED.getTime() + 10 * HOUR_MS;
    const isHalted = (time: number): boolean => time >= haltedFrom + 30 * MINUTE_MS && time < haltedFrom + HOUR_MS;
    const minutes = walked(FIRST_PLAYED.getTime(), MINUTE_MS, end, isHalted);
    writeFileSync(join(folder, `${asset}-USD-1m.csv.gz`), gzipSync(minutes));
  }
}
