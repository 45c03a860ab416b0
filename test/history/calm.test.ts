import { beforeAll, expect, test } from '@jest/globals';
import { candlesOfFolder, type Candles } from './candle-files.ts';
import { bodyOf, numberOf, textOf } from './json.ts';
import { CALM, describeWithCandles } from './shared-market.ts';
import { runDifferences } from './compare.ts';
import { shortened } from './differences.ts';
import { QUESTION_TYPES } from './round-facts.ts';
import { run, type Run } from './run.ts';
import { CAST } from './scripted-agents.ts';

const ROUNDS = 252;
const MINUTE = 60_000;

describeWithCandles('ten calm days with twenty agents', CALM, () => {
  let candles: Candles;
  let done: Run;

  beforeAll(async () => {
    candles = candlesOfFolder(CALM);
    done = await run({
      market: CALM,
      candles,
      clockStart: '2023-04-03T00:00:00Z',
      clockSpeed: 5400,
      rounds: ROUNDS,
      boardsEvery: 10,
      recent: 10,
    });
  }, 6 * MINUTE);

  test('the oracle finds no difference', () => {
    expect(shortened(runDifferences(done.recording, candles))).toEqual([]);
  });

  test('the service ends with 0 on SIGTERM, at full speed and at rest', () => {
    expect(done.exitCodes).toEqual([0, 0]);
  });

  test('all 13 question types come up', () => {
    const types = new Set(done.recording.rounds.map(({ round }) => textOf(round, 'question_type')));
    expect([...types].toSorted()).toEqual([...QUESTION_TYPES].toSorted());
  });

  test('the run is long and full enough to mean something', () => {
    const { rounds, accepted, agents, stats } = done.recording;
    expect(rounds.filter(({ round }) => round['status'] === 'resolved').length).toBeGreaterThanOrEqual(240);
    expect(agents).toHaveLength(CAST.length);
    expect(accepted.length).toBeGreaterThan(ROUNDS * 10);
    expect(numberOf(bodyOf(stats, 'credential_holders'), 'gold')).toBeGreaterThan(0);
  });
});
