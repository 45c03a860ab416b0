import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { minuteVolume, priceText, simulatedPrice } from '../src/market/simulated/simulated-prices.ts';
import { COLUMNS } from '../src/market/replay/candle-row.ts';
import { type Asset, ASSETS } from '../src/rules/assets.ts';
import { DAY, MINUTE } from '../src/rules/hours.ts';

/* npm run sample [FOLDER]: writes the candles of `backtest --sample`, simulated prices of no exchange. */

const START = Date.parse('2026-01-01T00:00Z');
const END = START + 14 * DAY;
const PRICE_DIGITS = 5;
const VOLUME_DIGITS = 1;

/** High and low are those of whole minutes, as in the simulated market. */
function sampleText(asset: Asset): string {
  const lines = [COLUMNS.join(',')];
  const price = (time: number): number =>
    Number(Number(priceText(asset, simulatedPrice(asset, time))).toPrecision(PRICE_DIGITS));
  for (let time = START, open = price(START); time < END; time += MINUTE) {
    const close = price(time + MINUTE);
    const volume = Number((minuteVolume(asset, time) / 1000).toPrecision(VOLUME_DIGITS));
    const stamp = `${new Date(time).toISOString().slice(0, 19)}Z`;
    lines.push([stamp, open, Math.max(open, close), Math.min(open, close), close, volume].join(','));
    open = close;
  }
  return `${lines.join('\n')}\n`;
}

const [folder = join(import.meta.dirname, '../clients/python/src/hourcast/sample')] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const asset of ASSETS) {
  writeFileSync(join(folder, `${asset}-USD-1m.csv.gz`), gzipSync(sampleText(asset), { level: 9 }));
}
