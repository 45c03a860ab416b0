import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { candlesCommand } from '../../src/candles/command-line.ts';
import { openReplay } from '../../src/market/replay/replay.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { HEADER } from '../market/replay-folder.ts';
import { seeded } from '../support/seeded.ts';
import { GOOD_FILES, THREE } from './made-files.ts';
import { REFUSED_FILES } from './refused-files.ts';

const FILES = [...GOOD_FILES, ...REFUSED_FILES];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourcast-import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function made(name: string, bytes: Buffer | string): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const importing = (file: string, from: string, ...more: readonly string[]) =>
  candlesCommand(['import', file, '--from', from, '--asset', 'BTC', ...more]);
const into = (): readonly string[] => ['--to', join(folder, 'out')];
const written = (): string => gunzipSync(readFileSync(join(folder, 'out/BTC-USD-1m.csv.gz'))).toString();

describe(`an import of ${FILES.length} files`, () => {
  test.each(FILES)(
    '$from with $what has its exact result',
    async ({ from, name, bytes, rows, reports, refusal = '' }) => {
      const file = made(name, bytes);
      const { code, stdout = '', stderr = '' } = await importing(file, from, ...into());
      if (rows === undefined) {
        expect({ code, stderr }).toEqual({ code: 1, stderr: `${refusal.replaceAll('FILE', file)}\n` });
        expect(readdirSync(join(folder, 'out'))).toEqual([]);
      } else {
        expect({ code, stderr, text: written() }).toEqual({
          code: 0,
          stderr: '',
          text: [HEADER, ...rows, ''].join('\n'),
        });
        expect(stdout).toContain(reports ?? `candles: ${rows.length}, `);
        expect(readdirSync(join(folder, 'out'))).toEqual(['BTC-USD-1m.csv.gz']);
      }
    },
  );
});

describe('the folder', () => {
  test('an import adds to the rows that the folder has', async () => {
    const [one = '', two = '', three = ''] = THREE;
    await importing(made('1.csv', [two, one].join('\n')), 'plain', ...into());
    const { stdout } = await importing(made('2.csv', [three, two].join('\n')), 'plain', ...into());
    expect(stdout).toContain('candles: 3, 2025-01-01T00:00:00Z to 2025-01-01T00:02:00Z; repeated rows: 1.');
    expect(written()).toBe([HEADER, ...THREE, ''].join('\n'));
  });

  test('an import stays uncompressed where the folder is', async () => {
    made('BTC-USD-1m.csv', `${HEADER}\n${THREE[0]}\n`);
    await importing(made('1.csv', THREE.join('\n')), 'plain', '--to', folder);
    expect(readFileSync(join(folder, 'BTC-USD-1m.csv'), 'utf8')).toBe([HEADER, ...THREE, ''].join('\n'));
    expect(existsSync(join(folder, 'BTC-USD-1m.csv.gz'))).toBe(false);
  });

  test('a refused import and a check leave the folder’s bytes', async () => {
    const kept = made('BTC-USD-1m.csv', `${HEADER}\n${THREE[0]}\n`);
    const other = made('1.csv', [THREE[0]?.replace('9.20', '9.3'), THREE[1]].join('\n'));
    const { code, stderr } = await importing(other, 'plain', '--to', folder);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(`${kept}:2, and .+ at ${other}:1\\)`) });
    expect(await importing(other, 'plain', '--to', folder, '--check')).toMatchObject({ code: 1, stderr });
    const added = made('2.csv', THREE.join('\n'));
    const { stdout } = await importing(added, 'plain', '--to', folder, '--check');
    expect(stdout).toMatch(/^.+rows: 1, timestamps\n.+rows: 3, timestamps\nChecked: candles: 3, /);
    expect(readFileSync(kept, 'utf8')).toBe(`${HEADER}\n${THREE[0]}\n`);
    expect(readdirSync(folder).toSorted()).toEqual(['1.csv', '2.csv', 'BTC-USD-1m.csv']);
  });

  test('an import refuses a folder with both forms of a file', async () => {
    made('BTC-USD-1m.csv', HEADER);
    made('BTC-USD-1m.csv.gz', gzipSync(HEADER));
    expect(await importing(made('1.csv', THREE.join('\n')), 'plain', '--to', folder)).toMatchObject({
      code: 1,
      stderr: `${folder} holds both ${folder}/BTC-USD-1m.csv and ${folder}/BTC-USD-1m.csv.gz: remove one.\n`,
    });
  });
});

test('an imported month replays: each hour is the plain sum of its minutes', async () => {
  const random = seeded(8);
  const start = Date.parse('2025-01-01T00:00Z');
  const minutes = Array.from({ length: 31 * 24 * 60 }, () => Array.from({ length: 4 }, () => random.between(100, 999)));
  const figures = minutes.map(([open = 0, close = 0, up = 0, volume = 0]) => {
    const [high, low] = [Math.max(open, close) + up, Math.min(open, close) - 50];
    return { open, high, low, close, volume };
  });
  const rows = figures.map(({ open, high, low, close, volume }, minute) =>
    [start / 1000 + 60 * minute, open, high, low, close, volume, 1].join(','),
  );
  const months = [rows.slice(0, 20_000), rows.slice(15_000)].map((some, at) => made(`${at}.csv`, some.join('\n')));
  await candlesCommand(['import', ...months, '--from', 'kraken', '--asset', 'BTC', ...into()]);
  const imported = join(folder, 'out/BTC-USD-1m.csv.gz');
  for (const asset of ASSETS.slice(1)) copyFileSync(imported, join(folder, `out/${asset}-USD-1m.csv.gz`));
  const market = await openReplay(join(folder, 'out'));
  const end = new Date(start + 31 * 24 * 3_600_000);
  const hours = await market.hourCandles('BTC', new Date(start), end, end);
  expect(hours).toEqual(
    Array.from({ length: 31 * 24 }, (_, hour) => {
      const within = figures.slice(60 * hour, 60 * hour + 60);
      return {
        hourStart: new Date(start + hour * 3_600_000),
        open: `${within[0]?.open}`,
        high: `${Math.max(...within.map(({ high }) => high))}`,
        low: `${Math.min(...within.map(({ low }) => low))}`,
        close: `${within[59]?.close}`,
        volume: `${within.reduce((sum, { volume }) => sum + volume, 0)}`,
      };
    }),
  );
});

describe('the command', () => {
  test.each([
    [[], /^npx hourcast candles import FILE\.\.\. --from /],
    [
      ['import', 'a.csv', '--from', 'ftx', '--asset', 'BTC'],
      /^--from must be one of binance\|kraken\|coinbase\|plain \(got ftx\)\.\n/,
    ],
    [['import', 'a.csv', '--from', 'plain', '--asset', 'btc'], /^--asset must be one of BTC, .+ \(got btc\)\.\n/],
    [
      ['import', 'a.csv', '--from', 'plain', '--asset', 'BTC'],
      /^--to must name the folder to write, unless --check is given\.\n/,
    ],
    [['import', 'a.csv', '--form', 'plain'], /^Unknown option '--form'/],
  ])('%j is a wrong command', async (words, message) => {
    expect(await candlesCommand(words)).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });

  test('a folder that cannot be written is refused in a sentence', async () => {
    const file = made('1.csv', THREE.join('\n'));
    const { code, stderr } = await importing(file, 'plain', '--to', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The folder must be one that can be written \(got EEXIST: .+\)\.\n$/);
  });

  test('a missing file is refused in a sentence, and --help explains', async () => {
    const { code, stderr } = await importing(join(folder, 'none.csv'), 'plain', '--check');
    expect(code).toBe(1);
    expect(stderr).toMatch(/none\.csv cannot be read \(Error: ENOENT: .+\); accepted is CSV, gzipped or in a zip\.\n$/);
    expect(await candlesCommand(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('--check') });
  });
});
