import { describe, expect, test } from '@jest/globals';

import { verifyCommand } from '../../src/verify/command-line.ts';
import { settingsOf } from '../../src/verify/settings.ts';
import { runVerify } from './verify-process.ts';

test('an address alone means every round', () => {
  expect(settingsOf(['--url', 'http://127.0.0.1:3000/'])).toEqual({
    url: 'http://127.0.0.1:3000',
    rounds: null,
    candles: null,
  });
});

test('a range of rounds and a folder are accepted', () => {
  expect(settingsOf(['--url', 'https://arena.example', '--rounds', '1..200', '--candles', 'candles'])).toEqual({
    url: 'https://arena.example',
    rounds: { first: 1, last: 200 },
    candles: 'candles',
  });
});

const LOG = 'http://127.0.0.1:3000';

test('the log is checked against a file beside the working folder, or the given one', () => {
  const settings = { url: LOG, rounds: null, candles: null };
  const file = 'hourcast-log-127.0.0.1-3000.json';
  const log = { file, watches: false, witness: null };
  for (const words of [
    ['--log', LOG],
    ['--url', LOG, '--log'],
  ]) {
    expect(settingsOf(words)).toEqual({ ...settings, log });
  }
  expect(settingsOf(['--log', LOG, '--log-file', 'seen.json'])).toMatchObject({ log: { file: 'seen.json' } });
  expect(settingsOf(['--log', LOG, '--watch'])).toEqual({ ...settings, log: { ...log, watches: true } });
});

test('a witness has a name and an address, and watches', () => {
  expect(settingsOf(['--log', LOG, '--witness', 'witness.example/w1=[::1]:8850'])).toMatchObject({
    log: { watches: true, witness: { name: 'witness.example/w1', host: '::1', port: 8850 } },
  });
});

describe('refused arguments', () => {
  const url = ['--url', 'http://127.0.0.1:3000'];
  test.each([
    { words: [], says: /^--url must be .* \(got none\)/ },
    { words: ['--url', 'localhost'], says: /^--url must be .* \(got "localhost"\)/ },
    { words: ['--url', 'ftp://host'], says: /^--url must be .* \(got "ftp:\/\/host"\)/ },
    { words: [...url, '--rounds', '5'], says: /^--rounds must be .* \(got "5"\)/ },
    { words: [...url, '--rounds', '9..2'], says: /^--rounds must be .* \(got "9..2"\)/ },
    { words: [...url, '--rounds', '0..2'], says: /^--rounds must be .* \(got "0..2"\)/ },
    { words: [...url, '--round', '1..2'], says: /^Unknown option '--round'/ },
    { words: ['--log'], says: /^--log must be .* \(got none\)/ },
    { words: ['--log', 'localhost'], says: /^--log must be .* \(got "localhost"\)/ },
    { words: [...url, '--watch'], says: /^--log-file, --watch and --witness must be with --log/ },
    { words: ['--log', ...url, '--rounds', '1..2'], says: /^--log must be without --rounds and --candles/ },
    { words: ['--log', LOG, '--witness', 'w'], says: /^--witness must be a name and an address such .* \(got "w"\)/ },
    { words: ['--log', LOG, '--witness', 'a b=h:1'], says: /^--witness must be .* \(got "a b=h:1"\)/ },
    { words: ['--log', LOG, '--witness', 'w=h:99999'], says: /^--witness must be .* \(got "w=h:99999"\)/ },
    { words: [...url, 'more'], says: /^Unexpected argument 'more'/ },
  ])('the arguments $words are refused with the accepted ones', ({ words, says }) => {
    expect(() => settingsOf(words)).toThrow(says);
    expect(() => settingsOf(words)).toThrow(/\nUsage: npx hourcast verify --url http:\/\/127\.0\.0\.1:3000 \[--rounds/);
  });
});

test('bad arguments end the process with 2 and one sentence', async () => {
  const { code, lines, complaint } = await runVerify(['--rounds', '1..2']);
  expect({ code, lines }).toEqual({ code: 2, lines: [''] });
  expect(complaint).toMatch(/^--url must be the address of a service, .+ \(got none\)\.\nUsage: .+\n.+\n$/);
});

test.each(['--help', '-h'])('%s prints the accepted arguments', async (word) => {
  expect(await verifyCommand([word])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^npx hourcast verify --url /),
  });
});

test('an unreachable service or a folder without candles ends the process with 2', async () => {
  const absent = await runVerify(['--url', 'http://127.0.0.1:1']);
  expect(absent.code).toBe(2);
  expect(absent.complaint).toMatch(/^http:\/\/127\.0\.0\.1:1\/graphql cannot be reached: .+\n$/);
  const empty = await runVerify(['--url', 'http://127.0.0.1:1', '--candles', import.meta.dirname]);
  expect(empty.code).toBe(2);
  expect(empty.complaint).toMatch(
    /^--candles: Replay folder .+ has no candles of BTC; .+ <symbol>-USD-<1m\|5m\|1h>\.csv or \.csv\.gz\.\n$/,
  );
});
