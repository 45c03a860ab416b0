import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { openReplay } from '../../src/market/replay/replay.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { ownFolder } from '../support/own-folder.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { run } from './programs.ts';

/* The candles in both packages, and the backtest that needs no service. */

const ROOT = join(import.meta.dirname, '../..');
const SAMPLE = join(ROOT, 'clients/python/src/hourcast/sample');
const NOWHERE = 'http://127.0.0.1:9';
const MOST_BYTES = 1_500_000;

const folder = ownFolder();
beforeAll(() => {
  const choice = 'const said = reference() ?? []; const most = Math.max(...said);';
  const answer = '{ prediction: round.choices[said.indexOf(most)], confidence: Math.floor(100 * most) }';
  writeFileSync(
    join(folder, 'agent.mjs'),
    `export default ({ round, reference }) => { ${choice} return ${answer}; };\n`,
  );
  writeFileSync(
    join(folder, 'agent.py'),
    `def answer(market):
    said = market.reference() or []
    most = max(said)
    return {"prediction": market.round["choices"][said.index(most)], "confidence": int(100 * most)}
`,
  );
});

/** Jest takes minutes to compare long texts that differ. */
const digestOf = (zipped: Buffer): string => createHash('sha256').update(gunzipSync(zipped)).digest('hex');
const fiveDigits = (text: string): number => Number(Number(text).toPrecision(5));
const agentOf = (language: string): string => (language === 'Python' ? 'agent.py' : 'agent.mjs');
const inEach = (...words: readonly string[]) =>
  Promise.all(
    COMMAND_LINES.map((line) =>
      line.run(['backtest', '--agent', agentOf(line.language), '--sample', ...words], { url: NOWHERE, cwd: folder }),
    ),
  );

test('the sample is the text that the script computes, in at most 1.5 MB', async () => {
  const computed = join(folder, 'computed');
  await run([process.execPath, join(ROOT, 'bin/run.js'), 'scripts/sample-candles.ts', computed], { cwd: ROOT });
  const names = ASSETS.map((asset) => `${asset}-USD-1m.csv.gz`);
  expect(readdirSync(SAMPLE).toSorted()).toEqual([...names, 'LICENSE'].toSorted());
  const [kept, made] = [SAMPLE, computed].map((place) => names.map((name) => readFileSync(join(place, name))));
  expect(kept?.map(digestOf)).toEqual(made?.map(digestOf));
  expect(kept?.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(MOST_BYTES);
});

test('hours of the sample are those of the simulated market, to five digits', async () => {
  const [replayed, simulated] = [await openReplay(SAMPLE), simulatedMarket()];
  const [from, to] = [new Date('2026-01-01T00:00Z'), new Date('2026-01-15T00:00Z')];
  for (const asset of ASSETS) {
    const [kept, exact] = await Promise.all(
      [replayed, simulated].map((market) => market.hourCandles(asset, from, to, to)),
    );
    expect(kept?.map(({ open, high, low, close }) => [open, high, low, close].map(Number))).toEqual(
      exact?.map(({ open, high, low, close }) => [open, high, low, close].map(fiveDigits)),
    );
    expect(kept).toHaveLength(14 * 24);
  }
});

describe(`backtest --sample in ${COMMAND_LINES.map(({ language }) => language).join(' and ')}`, () => {
  test('a backtest of the sample needs no service, and has the same scores in all languages', async () => {
    const ends = await inEach('--at', '20', '--json');
    const results = ends.map(({ stdout }) => JSON.parse(stdout));
    expect(results).toEqual(results.map(() => results[0]));
    expect(results[0]).toMatchObject({
      from: '2026-01-08 01:00:00',
      to: '2026-01-14 23:00:00',
      rounds: 167,
      answers: 167,
      failed: 0,
      rank: null,
      warning: 'The prices of the sample are simulated: they follow no exchange.',
    });
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
  });

  test('--from and --to choose hours of the sample, and --candles beside it is refused', async () => {
    for (const { stdout } of await inEach('--from', '2026-01-14', '--to', '2026-01-14T05:00Z'))
      expect(stdout).toMatch(/^5 answers in 5 rounds/);
    for (const { code, stderr } of await inEach('--candles', '.')) {
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('Only one of --sample and --candles must be given.'),
      });
    }
  });
});
