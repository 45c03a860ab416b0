import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { HourCandle } from '../../../src/market/market.ts';
import { openReplay } from '../../../src/market/replay/replay.ts';
import { HOUR } from '../../../src/rules/hours.ts';
import { HEADER, flatHour, folderOf, forAll, forOne, rowsFrom } from '../replay-folder.ts';

const HOUR_START = '2022-06-01T10:00:00Z';
const LATER = new Date('2022-06-02T00:00:00Z');

/** The BTC candle of the hour of HOUR_START when the folder holds `files`; undefined when it has no price. */
async function hourOfBtc(files: Record<string, string>): Promise<HourCandle | undefined> {
  await using folder = await folderOf({ ...forAll('1h', flatHour('2022-05-31T00:00:00Z', 60)), ...files });
  const market = await openReplay(folder.path);
  const start = new Date(HOUR_START);
  return (await market.hourCandles('BTC', start, new Date(start.getTime() + HOUR), LATER))[0];
}

function btc(step: string, rows: readonly string[]): Promise<HourCandle | undefined> {
  return hourOfBtc(forOne('BTC', step, rows));
}

describe('hour of a replay folder', () => {
  test('an hourly candle keeps its decimals', async () => {
    expect(await btc('1h', [`${HOUR_START},28477.730,28485.98000000000000000001,28400,28485.9,6.25000`])).toEqual({
      hourStart: new Date(HOUR_START),
      open: '28477.730',
      high: '28485.98000000000000000001',
      low: '28400',
      close: '28485.9',
      volume: '6.25000',
    });
  });

  test('an hour of finer candles has their first open, last close, extremes and exact volume', async () => {
    const rows = rowsFrom(HOUR_START, 5, 12, (place) => {
      if (place === 0) return '9.25,10,9.1,10,0';
      if (place === 3) return '10.0,10.50,9.0,10.0,0.1';
      if (place === 7) return '10.0,10.5,8.999999999999999999,10.0,0.2';
      return '9.5,10,9.5,9.75,0.00';
    });
    expect(await btc('5m', rows)).toMatchObject({
      open: '9.25',
      high: '10.50',
      low: '8.999999999999999999',
      close: '9.75',
      volume: '0.30',
    });
  });

  test.each(['1m', '5m'])('an hour without its first %s candle has no price', async (step) => {
    expect(await btc(step, flatHour(HOUR_START, Number(step[0])).slice(1))).toBeUndefined();
  });

  test.each(['1m', '5m'])('an hour without its last %s candle has no price', async (step) => {
    expect(await btc(step, flatHour(HOUR_START, Number(step[0])).slice(0, -1))).toBeUndefined();
  });

  test('an hour with candles only around it has no price', async () => {
    const around = [...flatHour('2022-06-01T09:00:00Z', 5), ...flatHour('2022-06-01T11:00:00Z', 5)];
    expect(await btc('5m', around)).toBeUndefined();
  });

  test('an hour without a candle in its middle has a price', async () => {
    expect(await btc('5m', flatHour(HOUR_START, 5).toSpliced(4, 3))).toMatchObject({ open: '7.50', volume: '9' });
  });

  test.each(['1m', '5m', '1h'])('an hour without trades in its %s candles has no price', async (step) => {
    const minutes = { '1m': 1, '5m': 5 }[step] ?? 60;
    const frozen = flatHour(HOUR_START, minutes).map((row) => row.replace(/,1$/, ',0.000'));
    expect(await btc(step, frozen)).toBeUndefined();
    expect(await btc(step, [...frozen.slice(0, -1), flatHour(HOUR_START, minutes).at(-1) ?? ''])).toBeDefined();
  });

  test('the finest step with candles in the hour gives its price', async () => {
    const hourly = forOne('BTC', '1h', flatHour(HOUR_START, 60, '3'));
    const fives = forOne('BTC', '5m', flatHour(HOUR_START, 5, '2'));
    expect(
      await hourOfBtc({ ...hourly, ...fives, ...forOne('BTC', '1m', flatHour(HOUR_START, 1, '1')) }),
    ).toMatchObject({ open: '1' });
    expect(await hourOfBtc({ ...hourly, ...fives })).toMatchObject({ open: '2' });
    const elsewhere = forOne('BTC', '1m', flatHour('2022-06-01T11:00:00Z', 1, '1'));
    expect(await hourOfBtc({ ...hourly, ...fives, ...elsewhere })).toMatchObject({ open: '2' });
    const partial = forOne('BTC', '1m', flatHour(HOUR_START, 1, '1').slice(30));
    expect(await hourOfBtc({ ...hourly, ...fives, ...partial })).toBeUndefined();
  });
});

describe('replay folder', () => {
  const rows = flatHour(HOUR_START, 60);

  test('the base name of the folder is in the source', async () => {
    await using folder = await folderOf(forAll('1h', rows));
    expect((await openReplay(`${folder.path}/`)).source).toBe(`replay:${basename(folder.path)}`);
  });

  test('files can be gzipped, have CR LF, and lack the last line’s end', async () => {
    const text = [HEADER, ...rows].join('\n');
    const plain = await hourOfBtc({ 'BTC-USD-1h.csv': text });
    expect(plain).toMatchObject({ volume: '1' });
    expect(await hourOfBtc({ 'BTC-USD-1h.csv': text.replaceAll('\n', '\r\n') })).toEqual(plain);
    expect(await hourOfBtc({ 'BTC-USD-5m.csv.gz': [HEADER, ...flatHour(HOUR_START, 5)].join('\n') })).toMatchObject({
      volume: '12',
    });
  });

  test.each(['1h.csv', '1h.csv.gz'])('%s can have a byte order mark and blank last lines', async (file) => {
    const sound = await btc('1h', rows);
    for (const end of ['\n', '\n\n', '\r\n\r\n', '\n  \n\t']) {
      const text = [`\uFEFF${HEADER}`, ...rows].join('\n') + end;
      await using folder = await folderOf(forAll('1m', flatHour('2022-05-31T00:00:00Z', 1)));
      await writeFile(join(folder.path, `BTC-USD-${file}`), file.endsWith('gz') ? gzipSync(text) : text);
      const market = await openReplay(folder.path);
      const start = new Date(HOUR_START);
      expect(await market.hourCandles('BTC', start, new Date(start.getTime() + HOUR), LATER)).toEqual([sound]);
    }
  });

  test('blank lines between rows and marks elsewhere are refused', async () => {
    const two = flatHour(HOUR_START, 30);
    for (const text of [
      [HEADER, two[0], '', two[1]],
      [HEADER, '', ...two],
      [HEADER, `\uFEFF${two[0]}`],
    ]) {
      await expect(hourOfBtc({ 'BTC-USD-1m.csv': text.join('\n') })).rejects.toThrow(
        /line [23]: timestamp .* is refused/,
      );
    }
  });

  test('folders inside are ignored', async () => {
    await using folder = await folderOf(forAll('1h', rows));
    await mkdir(join(folder.path, '2021-04'));
    await writeFile(join(folder.path, '2021-04', 'BTC-USD-1m.csv'), 'nonsense');
    await expect(openReplay(folder.path)).resolves.toBeDefined();
  });

  test('a missing folder is refused with its path', async () => {
    await expect(openReplay('/nowhere/candles')).rejects.toThrow(
      /\/nowhere\/candles cannot be read .*ENOENT.*; accepted are files <symbol>-USD/,
    );
  });

  test('a folder without candles of an asset is refused', async () => {
    const { 'DOT-USD-1h.csv': _dot, ...others } = forAll('1h', rows);
    await using folder = await folderOf(others);
    await expect(openReplay(folder.path)).rejects.toThrow(/no candles of DOT; accepted are files/);
  });

  test('a file both plain and gzipped is refused', async () => {
    await using folder = await folderOf({ ...forAll('1h', rows), 'BTC-USD-1h.csv.gz': HEADER });
    await expect(openReplay(folder.path)).rejects.toThrow(/both BTC-USD-1h.csv and BTC-USD-1h.csv.gz/);
  });

  test('a .gz file that is not gzipped is refused with its name', async () => {
    await using folder = await folderOf(forAll('1h', rows));
    await writeFile(join(folder.path, 'BTC-USD-5m.csv.gz'), 'plain text');
    await expect(openReplay(folder.path)).rejects.toThrow(
      /BTC-USD-5m.csv.gz cannot be read .*incorrect header check.*; accepted/,
    );
  });

  test.each([
    ['', 'line 1: "" is not a header; accepted is timestamp,open,high,low,close,volume'],
    ['time,open,high,low,close,volume\n', 'line 1: "time,open,high,low,close,volume" is not a header'],
    [HEADER, 'no candles after the header'],
    [`${HEADER}\n`, 'no candles after the header'],
  ])('the file %j is refused', async (text, message) => {
    await expect(hourOfBtc({ 'BTC-USD-5m.csv': text })).rejects.toThrow(message);
  });

  const GOOD = '2022-06-01T10:00:00Z,2,3,1,2,1';
  test.each([
    [
      '2022-06-01 10:05:00,2,3,1,2,1',
      'timestamp "2022-06-01 10:05:00" is refused; accepted is a whole UTC minute such as 2023-04-01T22:00:00Z',
    ],
    ['2022-06-31T10:05:00Z,2,3,1,2,1', 'timestamp "2022-06-31T10:05:00Z"'],
    ['2022-06-01T10:05:30Z,2,3,1,2,1', 'timestamp "2022-06-01T10:05:30Z"'],
    ['1654077900000,2,3,1,2,1', 'timestamp "1654077900000"'],
    ['', 'timestamp ""'],
    [
      '2022-06-01T10:06:00Z,2,3,1,2,1',
      'timestamp "2022-06-01T10:06:00Z" is refused; accepted is an opening time that is a multiple',
    ],
    [GOOD, 'timestamp "2022-06-01T10:00:00Z" is refused; accepted is an opening time later than'],
    ['2022-06-01T09:55:00Z,2,3,1,2,1', 'later than that of the row before'],
    ['2022-06-01T10:05:00Z,abc,3,1,2,1', 'open "abc" is refused; accepted is a plain decimal above 0 such as 28477.73'],
    ['2022-06-01T10:05:00Z,,3,1,2,1', 'open ""'],
    ['2022-06-01T10:05:00Z,2,3e1,1,2,1', 'high "3e1"'],
    ['2022-06-01T10:05:00Z,2,3.,1,2,1', 'high "3."'],
    ['2022-06-01T10:05:00Z,2,3,.5,2,1', 'low ".5"'],
    ['2022-06-01T10:05:00Z,2,3,0.00,2,1', 'low "0.00"'],
    ['2022-06-01T10:05:00Z,2,3,1,-2,1', 'close "-2"'],
    ['2022-06-01T10:05:00Z,2,3,1,1.2.3,1', 'close "1.2.3"'],
    ['2022-06-01T10:05:00Z,2,3,1,2,-1', 'volume "-1" is refused; accepted is a plain decimal of 0 or more'],
    ['2022-06-01T10:05:00Z,2,3,1,2', 'row "2022-06-01T10:05:00Z,2,3,1,2" is refused; accepted is exactly 6 columns'],
    ['2022-06-01T10:05:00Z,2,3,1,2,1,9', 'exactly 6 columns: timestamp,open,high,low,close,volume'],
    ['2022-06-01T10:05:00Z', 'exactly 6 columns'],
    [
      '2022-06-01T10:05:00Z,2,1.99,1,2,1',
      'row "2022-06-01T10:05:00Z,2,1.99,1,2,1" is refused; accepted is a high not below',
    ],
    ['2022-06-01T10:05:00Z,2,3,2.01,2,1', 'a low not above'],
  ])('the row %j is refused', async (row, message) => {
    const error: unknown = await btc('5m', [GOOD, row, '2022-06-01T10:10:00Z,2,3,1,2,1']).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toMatch(/^Error: BTC-USD-5m\.csv line 3: /);
    expect(String(error)).toContain(message);
  });

  test('figures beyond the precision of floats are compared exactly', async () => {
    const price = '123456789.123456789123456789';
    expect(await btc('1h', [`${HOUR_START},${price},${price}1,${price},${price},1`])).toMatchObject({
      high: `${price}1`,
    });
  });
});
