import { gzipSync } from 'node:zlib';

import { HEADER } from '../market/replay-folder.ts';
import { madeZip } from './made-zip.ts';

export interface MadeFile {
  readonly what: string;
  readonly from: 'binance' | 'kraken' | 'coinbase' | 'plain';
  readonly name: string;
  readonly bytes: Buffer | string;
  /** The rows of the replay file; 2025-01-01 from 00:00Z on, unless a row differs. */
  readonly rows?: readonly string[];
  /** Also in the report. */
  readonly reports?: string;
  /** The sentence instead, after the folder of the file. */
  readonly refusal?: string;
}

export const START = 1_735_689_600;
export const FIGURES = ['9.10,9.50,9.00,9.20,3.50000000', '9.20,9.40,9.10,9.30,0.00000001', '9.30,9.30,9.30,9.30,0'];
/** The three minutes from 2025-01-01T00:00Z. */
export const THREE = FIGURES.map((figures, minute) => `2025-01-01T00:0${minute}:00Z,${figures}`);
const [ONE = '', TWO = '', LAST = ''] = THREE;
const GAPPED = [ONE, `2025-01-01T00:05:00Z,${FIGURES[1]}`, `2025-01-01T00:06:00Z,${FIGURES[2]}`];

const binanceRow = (minute: number, unit: number, figures = FIGURES[minute] ?? ''): string =>
  `${(START + 60 * minute) * unit},${figures},${(START + 60 * minute + 60) * unit - 1},1,2,3,4,0`;
const binance = (unit: number): string => [0, 1, 2].map((minute) => binanceRow(minute, unit)).join('\n');
export const kraken = (unit = 1, minutes = [0, 1, 2]): string =>
  minutes.map((minute, at) => `${(START + 60 * minute) * unit},${FIGURES[at]},7`).join('\n');
const coinbaseRow = (minute: number): string => {
  const [open, high, low, close, volume] = (FIGURES[minute] ?? '').split(',');
  return [START + 60 * minute, low, high, open, close, volume].join(',');
};
export const plain = (rows: readonly string[] = THREE): string => [HEADER, ...rows, ''].join('\n');
const BINANCE_HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
export const csv = (
  from: MadeFile['from'],
  what: string,
  bytes: Buffer | string,
  end: Partial<MadeFile>,
): MadeFile => ({
  what,
  from,
  name: 'a.csv',
  bytes,
  ...end,
});
const good = (from: MadeFile['from'], what: string, bytes: Buffer | string, reports?: string): MadeFile =>
  csv(from, what, bytes, { rows: THREE, ...(reports && { reports }) });

export const GOOD_FILES: readonly MadeFile[] = [
  good('binance', 'milliseconds', binance(1000), 'rows: 3, milliseconds\n'),
  good('binance', 'microseconds, as since 2025', binance(1_000_000), 'rows: 3, microseconds\n'),
  good('binance', 'its header', `${BINANCE_HEADER}\n${binance(1000)}\n`),
  good(
    'binance',
    'another spelling of its header',
    `Open time,Open,High,Low,Close,Volume,a,b,c,d,e,f\n${binance(1000)}`,
  ),
  { ...good('binance', 'in a zip', madeZip({ name: 'BTC-1m.csv', text: binance(1000) })), name: 'a.zip' },
  {
    ...good('binance', 'stored in a zip', madeZip({ name: 'd/b.csv', text: binance(1000), method: 0 })),
    name: 'a.zip',
  },
  good(
    'binance',
    'two zipped days with different units, beside a checksum',
    madeZip(
      { name: '1.csv', text: binanceRow(0, 1000) },
      { name: '1.csv.CHECKSUM', text: '00' },
      { name: '2.csv', text: `${binanceRow(1, 1_000_000)}\n${binanceRow(2, 1_000_000)}` },
    ),
    '2.csv: rows: 2, microseconds\n',
  ),
  good('kraken', 'seconds', kraken(), 'rows: 3, seconds\n'),
  good(
    'kraken',
    'its archive of pairs and intervals',
    madeZip(
      { name: 'ETHUSD_1.csv', text: kraken() },
      { name: 'XBTUSD_5.csv', text: kraken(1, [0, 5, 10]) },
      { name: 'k/XBTUSD_1.csv', text: kraken() },
    ),
  ),
  good(
    'coinbase',
    'its order of columns, newest first',
    `time,low,high,open,close,volume\n${[2, 1, 0].map(coinbaseRow).join('\n')}`,
  ),
  good('coinbase', 'no header', [0, 1, 2].map(coinbaseRow).join('\n')),
  good('plain', 'the own form', plain(), 'rows: 3, timestamps\n'),
  good('plain', 'a byte order mark', Buffer.concat([MARK, Buffer.from(plain())])),
  good('kraken', 'a byte order mark without a header', Buffer.concat([MARK, Buffer.from(kraken())])),
  good('plain', 'CRLF and blank last lines', `${plain().replaceAll('\n', '\r\n')}\r\n \r\n`),
  good('plain', 'no end of the last line', plain().trimEnd()),
  { ...good('plain', 'gzipped', gzipSync(plain())), name: 'a.csv.gz' },
  good(
    'plain',
    'gzipped in three parts, without such a name',
    Buffer.concat([plain([ONE]), TWO, `\n${LAST}`].map((part) => gzipSync(part))),
  ),
  good('plain', 'any order', plain([LAST, ONE, TWO]), 'repeated rows: 0.\n'),
  good(
    'plain',
    'a row twice',
    plain([...THREE, TWO]),
    'candles: 3, 2025-01-01T00:00:00Z to 2025-01-01T00:02:00Z; repeated rows: 1.\n',
  ),
  good(
    'plain',
    'a row twice with other last zeros',
    plain([...THREE, ONE.replace('9.10', '9.1').replace('9.00', '9')]),
    'repeated rows: 1.\n',
  ),
  csv('kraken', 'a gap', kraken(1, [0, 5, 6]), {
    rows: GAPPED,
    reports: 'Gaps: 1, missing minutes: 4.\n  2025-01-01T00:01:00Z, minutes: 4\n',
  }),
];
