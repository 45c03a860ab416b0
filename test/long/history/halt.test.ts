import { beforeAll, expect, test } from '@jest/globals';
import { candlesOfFolder, type Candles } from '../../history/candle-files.ts';
import { overtaken } from '../../history/compare-sightings.ts';
import { runDifferences } from '../../history/compare.ts';
import { shortened } from '../../history/differences.ts';
import { textOf } from '../../history/json.ts';
import { run, type Run } from '../../history/run.ts';
import { describeWithCandles, HALTS } from '../../history/shared-market.ts';

/** The hours of the halt from 01:59 to 04:30: the first still has its last minute, the last lacks its first. */
const HOURS_WITHOUT_CANDLES = ['2021-04-20 02:00:00', '2021-04-20 03:00:00', '2021-04-20 04:00:00'];

describeWithCandles('sixty hours around a halt of the exchange', HALTS, () => {
  let candles: Candles;
  let done: Run;

  beforeAll(async () => {
    candles = candlesOfFolder(HALTS);
    done = await run({
      market: HALTS,
      candles,
      clockStart: '2021-04-19T12:00:00Z',
      // An hour takes 0.3 s, and as long as the agents need.
      clockSpeed: 12_000,
      rounds: 60,
      boardsEvery: 6,
      recent: 100,
    });
  });

  test('the oracle finds no difference', () => {
    expect(shortened(runDifferences(done.recording, candles))).toEqual([]);
  });

  test('the service ends with 0 on SIGTERM, at full speed and at rest', () => {
    expect(done.exitCodes).toEqual([0, 0]);
  });

  test('the hours without candles are void for want of prices', () => {
    const inHalt = done.recording.rounds.filter(({ round }) =>
      HOURS_WITHOUT_CANDLES.includes(textOf(round, 'start_time')),
    );
    expect(inHalt.map(({ round }) => round['void_reason'])).toEqual(HOURS_WITHOUT_CANDLES.map(() => 'no_prices'));
    expect(inHalt.every(({ predictions }) => predictions.length > 0)).toBe(true);
  });

  test('a round that waits for prices does not hold later ones back', () => {
    expect(overtaken(done.recording).length).toBeGreaterThan(0);
  });
});
