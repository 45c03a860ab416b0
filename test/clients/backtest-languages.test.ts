import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { exportedRounds, type PastRound } from '../../clients/js/src/backtest.ts';
import { createClient } from '../../clients/js/src/index.ts';
import { ownFolder } from '../support/own-folder.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { faultyServer, type Step } from './faulty-server.ts';
import { INSTALLED, PYTHON_SOURCES } from './languages.ts';
import { run } from './programs.ts';
import { FIRST_PLAYED, PLAYED_HOURS, writeCandles } from './written-candles.ts';

/* The backtest of both command lines over a folder of candles, without any service. */

const NOWHERE = 'http://127.0.0.1:9';
const TO = new Date(FIRST_PLAYED.getTime() + PLAYED_HOURS * 3_600_000);

/** The likeliest answer by the price alone, in each language; it asks for what has not come yet where it is told to. */
const AGENTS = {
  JavaScript: {
    file: 'agent.mjs',
    text: `export default ({ round, reference, price, candles }) => {
  const said = reference() ?? [];
  const most = Math.max(...said);
  if (candles(round.assets[0], 24).length < 23) throw new Error('but for one, 24 hours must be known');
  if (round.question_type === 'breadth') price('BTC', 31);
  if (round.question_type === 'podium') return null;
  return { prediction: round.choices[said.indexOf(most)], confidence: Math.floor(100 * most) };
};
`,
  },
  Python: {
    file: 'agent.py',
    text: `def answer(market):
    said = market.reference() or []
    most = max(said)
    assert len(market.candles(market.round["assets"][0], 24)) >= 23
    if market.round["question_type"] == "breadth":
        market.price("BTC", 31)
    if market.round["question_type"] == "podium":
        return None
    return {"prediction": market.round["choices"][said.index(most)], "confidence": float(int(100 * most))}
`,
  },
} as const;

const folder = ownFolder();
const candles = ownFolder();

beforeAll(() => {
  writeCandles(candles);
  for (const { file, text } of Object.values(AGENTS)) writeFileSync(join(folder, file), text);
});

const span = (): string[] => ['--from', FIRST_PLAYED.toISOString(), '--to', TO.toISOString()];

/** Hours of one candle each, what a price was within which is not known: six begin from then to before then. */
const betweenHours = (): string[] => {
  const [from, to] = [-6.5, -0.5].map((hour) => new Date(FIRST_PLAYED.getTime() + hour * 3_600_000).toISOString());
  return ['--from', from ?? '', '--to', to ?? ''];
};

const inEach = (wordsOf: (language: (typeof COMMAND_LINES)[number]['language']) => readonly string[], hours = span) =>
  Promise.all(
    COMMAND_LINES.map((line) =>
      line.run(['backtest', ...wordsOf(line.language), '--candles', candles, ...hours()], {
        url: NOWHERE,
        cwd: folder,
      }),
    ),
  );

describe(`backtests in ${COMMAND_LINES.map(({ language }) => language).join(' and ')}`, () => {
  test('a backtest has the same result and answers in all languages, to the last bit', async () => {
    const ends = await inEach((language) => [
      '--agent',
      AGENTS[language].file,
      '--at',
      '30',
      '--json',
      '--output',
      `${language}.ndjson`,
    ]);
    const results = ends.map(({ stdout }) => JSON.parse(stdout));
    const answers = COMMAND_LINES.map(({ language }) =>
      readFileSync(join(folder, `${language}.ndjson`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect(results).toEqual(results.map(() => results[0]));
    expect(answers).toEqual(answers.map(() => answers[0]));
    // Those of breadth looked ahead.
    expect(results[0]).toMatchObject({
      failed: 2,
      sat_out: 2,
      rank: null,
      warning: expect.stringContaining('--after-cutoff'),
    });
    expect(results[0].answers).toBeGreaterThan(15);
    expect(answers[0]?.every(({ edge, reference }) => typeof edge === 'number' && reference.length > 1)).toBe(true);
    for (const { code, stderr } of ends) {
      expect(code).toBe(1);
      expect(stderr).toContain(
        'is not answered: minute must be from 0 to 30, since later ones are still to come (got 31).',
      );
    }
  });

  test('a backtest gives a program the input of watch, without colours in a pipe', async () => {
    const bot = `cat > given.json; echo '{"prediction": "YES", "confidence": 70.0}'`;
    for (const { stdout } of await inEach(() => ['--answer', bot, '--after-cutoff', '2026-01-09T00:00'])) {
      expect(stdout).toMatch(/^\d+ answers in \d+ rounds, 12 before the cutoff left out \(0 sat out, \d+ failed\)\n/);
      expect(stdout).not.toContain('\u001B');
      const given = JSON.parse(readFileSync(join(folder, 'given.json'), 'utf8'));
      expect(given).toMatchObject({
        round: { choices: expect.any(Array), params: expect.any(Object), starts_at: '2026-01-09T13:00:00.000Z' },
        time_remaining_seconds: 3600,
        market: { assets: { DOT: { price_usd: expect.any(Number), change_1h: expect.any(Number) } } },
        reference: given.round.choices.map((answer: string) => ({ answer, probability: expect.any(Number) })),
      });
    }
  });

  test('a backtest without edges has no table of them', async () => {
    const bot = `grep -oE '"choices": ?\\["[^"]*' | sed 's/.*"//; s/$/ 60.0 %/'`;
    for (const { stdout } of await inEach(() => ['--answer', bot, '--at', '45'], betweenHours)) {
      expect(stdout).toMatch(/^6 answers in 6 rounds/);
      expect(stdout).toContain('edge unknown');
      expect(stdout).not.toContain('Edge by question');
    }
  });
});

const UNDECIDED = {
  question: null,
  threshold_pct: null,
  n: null,
  rules_version: 2,
  outcome: null,
  void_reason: 'no_prices',
};

/** The exports of rounds at 10 and 12 o'clock, of which the first has a price: rounds, references, candles, quotes. */
const WITH_A_GAP = [
  [10, 12].map((hour) => ({ id: hour, start_time: `2026-01-09 ${hour}:00:00`, ...UNDECIDED })),
  [],
  [],
  [{ id: 1, round_id: 10, point: 0, assets: ['BTC'], prices: [100], highs: [101], lows: [99] }],
].map((rows): Step => ({ status: 200, body: rows.map((row) => `${JSON.stringify(row)}\n`).join('') }));

const HOURS = [10, 11].map((hour) => Date.UTC(2026, 0, 9, hour));

const PYTHON = `import json, sys
from hourcast import Client
from hourcast.backtest import exported_rounds
*_, last = exported_rounds(Client(sys.argv[1], key="")).rounds()
print(json.dumps([last.shown_at("BTC", at) for at in (${HOURS.map((at) => at / 1000).join(', ')})]))
`;

/** The prices in the last round's earlier hours, in each language. */
const EARLIER_PRICES: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  async JavaScript(url) {
    const past = await exportedRounds(createClient({ url, key: '' }));
    const rounds: PastRound[] = [];
    for await (const round of past.rounds()) rounds.push(round);
    return HOURS.map((at) => rounds.at(-1)?.shownAt('BTC', new Date(at)));
  },
  async Python(url) {
    const env = { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(['python3', '-c', PYTHON, url], { env });
    const [before, missing] = JSON.parse(stdout);
    return [{ price: before[0], high: before[1], low: before[2] }, missing];
  },
};

test.each(INSTALLED)('exported rounds in $language have no price of an hour that is missing', async ({ language }) => {
  await using server = await faultyServer(WITH_A_GAP);
  expect(await EARLIER_PRICES[language]?.(server.url)).toEqual([{ price: 100, high: 101, low: 99 }, null]);
});
