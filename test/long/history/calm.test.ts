import { beforeAll, expect, test } from '@jest/globals';
import { candlesOfFolder, type Candles } from '../../history/candle-files.ts';
import { runVerify, type Verified } from '../../verify/verify-process.ts';
import { httpClient } from '../../history/http-client.ts';
import { bodyOf, found, numberOf, textOf } from '../../history/json.ts';
import { recentRounds } from '../../history/observations.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';
import { runDifferences } from '../../history/compare.ts';
import { shortened } from '../../history/differences.ts';
import { QUESTION_TYPES } from '../../history/round-facts.ts';
import { run, type Run } from '../../history/run.ts';
import { CAST } from '../../history/scripted-agents.ts';
import { tamperedFolder } from '../../history/tampered-folder.ts';

const ROUNDS = 252;

describeWithCandles('ten calm days with twenty agents', CALM, () => {
  let candles: Candles;
  let done: Run;
  let verified: Verified;
  let tampered: Verified;
  let tamperedHour: string;

  beforeAll(async () => {
    candles = candlesOfFolder(CALM);
    done = await run({
      market: CALM,
      candles,
      clockStart: '2023-04-03T00:00:00Z',
      // An hour takes 0.3 s, and as long as the agents need.
      clockSpeed: 12_000,
      rounds: ROUNDS,
      boardsEvery: 10,
      recent: 10,
      atRest: async (url) => {
        verified = await runVerify(['--url', url, '--candles', CALM]);
        const rounds = await recentRounds(httpClient(url), 100);
        const ofAll = found(
          rounds.find((round) => round['question_type'] === 'best_performer' && round['status'] === 'resolved'),
          'a round that BTC decides',
        );
        const id = numberOf(ofAll, 'id');
        tamperedHour = textOf(ofAll, 'start_time').replace(' ', 'T').slice(0, 13);
        await using folder = await tamperedFolder(CALM, `${tamperedHour}:30:00Z`);
        tampered = await runVerify(['--url', url, '--rounds', `${id}..${id}`, '--candles', folder.path]);
      },
    });
  });

  test('the oracle finds no difference', () => {
    expect(shortened(runDifferences(done.recording, candles))).toEqual([]);
  });

  test('what is public verifies bit by bit, its candles against the folder too', () => {
    expect(verified).toMatchObject({ code: 0, complaint: '' });
    expect(verified.lines.at(-1)).toMatch(/^[\d,]+ values compared, no difference\.$/);
    expect(verified.lines.at(-2)).toMatch(/: \d+ decided rounds \(\d+ void\), 1 to \d+, [\d,]+ predictions\.$/);
  });

  test('a candle that is another one in the folder is found, with both values', () => {
    expect(tampered.code).toBe(1);
    const place = `the folder's candle of BTC at ${tamperedHour}:00:00.000Z: high is "`;
    expect(tampered.lines).toContainEqual(
      expect.stringMatching(/^round \d+, .*: high is "\d+\.?\d*", recomputed "\d+/),
    );
    expect(tampered.lines).toContainEqual(expect.stringContaining(place));
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
    const holders = bodyOf(stats, 'credential_holders');
    // Which tiers an agent has at the end depends on the hours that a busy machine left out.
    expect(numberOf(holders, 'silver') + numberOf(holders, 'gold')).toBeGreaterThan(0);
  });
});
