import { gzipSync } from 'node:zlib';

import { HEADER } from '../market/replay-folder.ts';
import { csv, FIGURES, kraken, type MadeFile, plain, START, THREE } from './made-files.ts';
import { madeZip } from './made-zip.ts';

const bad = (from: MadeFile['from'], what: string, bytes: Buffer | string, refusal: string): MadeFile =>
  csv(from, what, bytes, { refusal });
const COLUMNS = 'accepted are 6 columns: timestamp,open,high,low,close,volume.';
const PRICE = 'is refused; accepted is a plain decimal above 0 such as 28477.73.';
const RANGE = 'is refused; accepted is a high not below, and a low not above, any other price of the row.';
const at = (figures: string): string => plain([`2025-01-01T00:00:00Z,${figures}`]);
const [ONE = '', TWO = ''] = THREE;

export const REFUSED_FILES: readonly MadeFile[] = [
  bad(
    'plain',
    'different rows of a minute',
    plain([ONE, TWO, ONE.replace('9.20', '9.21')]),
    `Rows of 2025-01-01T00:00:00Z must be equal (got ${FIGURES[0]} at FILE:2, and 9.10,9.50,9.00,9.21,3.50000000 at FILE:4).`,
  ),
  bad(
    'kraken',
    'candles of five minutes',
    kraken(1, [0, 5, 15]),
    'FILE: its candles are 5 minutes apart; accepted are candles of a minute.',
  ),
  bad(
    'kraken',
    'candles of an hour',
    kraken(1, [0, 60, 120]),
    'FILE: its candles are 60 minutes apart; accepted are candles of a minute.',
  ),
  bad(
    'kraken',
    'two units in a file',
    `${kraken()}\n${START + 180}000,1,1,1,1,1,7`,
    'FILE:4: time "1735689780000" is refused; accepted are seconds, as in the first row.',
  ),
  bad(
    'kraken',
    'a time of no unit',
    '17356896000,1,1,1,1,1,7',
    'FILE:1: time "17356896000" is refused; accepted are seconds (10 digits), milliseconds (13 digits), microseconds (16 digits) since 1970.',
  ),
  bad(
    'kraken',
    'a time within a minute',
    `${START + 1},1,1,1,1,1,7`,
    `FILE:1: time "${START + 1}" is refused; accepted is a whole minute.`,
  ),
  bad(
    'plain',
    'an impossible day',
    plain(['2025-02-30T00:00:00Z,1,1,1,1,1']),
    'FILE:2: timestamp "2025-02-30T00:00:00Z" is refused; accepted is a whole UTC minute such as 2023-04-01T22:00:00Z.',
  ),
  bad(
    'coinbase',
    'a header of another format',
    `time,open,high,low,close,volume\n${kraken()}`,
    'FILE:1: "time,open,high,low,close,volume" is not a header of coinbase; accepted is time,low,high,open,close,volume, or none.',
  ),
  bad(
    'coinbase',
    'rows of another format',
    kraken(),
    `FILE:1: row "${kraken().split('\n')[0]}" is refused; accepted are 6 columns: time,low,high,open,close,volume.`,
  ),
  bad(
    'plain',
    'a cut row',
    plain([ONE, '2025-01-01T00:01:00Z,9']),
    `FILE:3: row "2025-01-01T00:01:00Z,9" is refused; ${COLUMNS}`,
  ),
  bad(
    'plain',
    'a blank line among rows',
    plain([ONE, '', TWO]),
    'FILE:3: a blank line is refused; accepted are blank lines at the end.',
  ),
  bad(
    'plain',
    'a low above the open',
    at('9,9.5,9.1,9.2,1'),
    `FILE:2: row "2025-01-01T00:00:00Z,9,9.5,9.1,9.2,1" ${RANGE}`,
  ),
  bad(
    'plain',
    'a high below the close',
    at('9,9.5,9,9.6,1'),
    `FILE:2: row "2025-01-01T00:00:00Z,9,9.5,9,9.6,1" ${RANGE}`,
  ),
  bad('plain', 'a price of zero', at('0.00,9,0,1,1'), `FILE:2: open "0.00" ${PRICE}`),
  bad('plain', 'a price that is no number', at('1,NaN,1,1,1'), `FILE:2: high "NaN" ${PRICE}`),
  bad('plain', 'a price with an exponent', at('1,1,1e0,1,1'), `FILE:2: low "1e0" ${PRICE}`),
  bad(
    'plain',
    'a negative volume',
    at('1,1,1,1,-1'),
    'FILE:2: volume "-1" is refused; accepted is a plain decimal of 0 or more such as 6.25434.',
  ),
  bad('plain', 'no row', `${HEADER}\n`, 'FILE must have candles (got none).'),
  bad(
    'plain',
    'a cut gzip',
    gzipSync(plain()).subarray(0, -9),
    'FILE cannot be read (Error: unexpected end of file); accepted is CSV, gzipped or in a zip.',
  ),
  bad(
    'plain',
    'a gzip of repeated bytes',
    gzipSync(`${HEADER}\n${`${ONE}\n`.repeat(200_000)}`),
    'FILE must not expand to more than 100 times its size.',
  ),
  bad('plain', 'an endless line', 'x'.repeat(200_000), 'FILE must not have lines of more than 1000 characters.'),
  bad(
    'plain',
    'an encrypted zip',
    madeZip({ name: 'b.csv', text: plain(), flags: 1 }),
    'FILE/b.csv must be stored or deflated, and not encrypted (got encrypted).',
  ),
  bad(
    'plain',
    'a zip of another method',
    madeZip({ name: 'b.csv', text: plain(), method: 14 }),
    'FILE/b.csv must be stored or deflated, and not encrypted (got method 14).',
  ),
  bad(
    'plain',
    'a zip with a wrong checksum',
    madeZip({ name: 'b.csv', text: plain(), sum: 1 }),
    'FILE/b.csv must have the checksum that its zip states: it is damaged.',
  ),
  bad(
    'plain',
    'a zip that expands beyond its list',
    madeZip({ name: 'b.csv', text: plain(), length: 9 }),
    'FILE cannot be read (Error: too many bytes in the stream. expected 9. got at least 184); accepted is CSV, gzipped or in a zip.',
  ),
  bad(
    'plain',
    'a zip with a path out of its folder',
    madeZip({ name: '../b.csv', text: plain() }),
    'FILE cannot be read (Error: invalid relative path: ../b.csv); accepted is CSV, gzipped or in a zip.',
  ),
  bad(
    'plain',
    'a zip without CSV',
    madeZip({ name: 'b.txt', text: plain() }),
    'FILE must have a CSV file of this asset (got 0 of others).',
  ),
  bad(
    'plain',
    'a cut zip',
    madeZip({ name: 'b.csv', text: plain() }).subarray(0, -30),
    'FILE cannot be read (Error: End of central directory record signature not found. Either not a zip file, or file is truncated.); accepted is CSV, gzipped or in a zip.',
  ),
];
