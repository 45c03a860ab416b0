import { beforeAll, expect, test } from '@jest/globals';

import { differences } from '../../faults/oracle.ts';
import { CAST, playDays, type PlayedDays } from '../../history/played-days.ts';
import { judge, type Judgement } from '../../history/public-answers.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';
import { tamperedFolder } from '../../history/tampered-folder.ts';
import { candlesOfFolder, type Candles } from '../../oracle/candle-files.ts';
import { shortened } from '../../oracle/differences.ts';
import { found, textOf } from '../../oracle/json.ts';
import { QUESTION_TYPES } from '../../oracle/round-facts.ts';
import { until } from '../../support/poll.ts';
import { launch } from '../../support/process.ts';
import { preparedDataFolder } from '../../support/data-folder.ts';
import { shared } from '../../support/shared.ts';
import { withPlanted } from '../../verify/planting.ts';
import { runVerify } from '../../verify/verify-process.ts';

const ROUNDS = 252;

describeWithCandles('ten calm days with twenty agents', CALM, () => {
  let candles: Candles;
  let judged: Judgement;
  const played: PlayedDays = shared((closing) => {
    candles = candlesOfFolder(CALM);
    return playDays(CALM, { candles, start: '2023-04-03T00:00:00Z', rounds: ROUNDS }, closing);
  });
  beforeAll(async () => {
    judged = await judge(played, candles);
  });

  test('the oracle agrees with every answer about rounds, agents, boards and stats', () => {
    expect(shortened(judged.differences)).toEqual([]);
  });

  test('the oracle detects each planted change', async () => {
    const changes = [
      ['scores set score = score + 10 where round_id = 5 and place = 2', /^results of round 5.*: score /],
      ['scores set edge_millionths = edge_millionths + 1 where round_id = 6 and place = 2', /^edge of prediction/],
      [
        `rounds set outcome = 'NO' where id = (select min(id) from rounds where outcome = 'YES')`,
        /^round \d+: outcome /,
      ],
      ['round_assets set close = close + 0.01 where round_id = 9', /^round 9: end_\w+_price /],
      ['standings set weekly_pnl_usd = weekly_pnl_usd + 0.01 where agent_id = 3', /^own profile of .+: sim_pnl_7d /],
      [`standings set tier = 'diamond' where agent_id = 3`, /^public profile of .+: credential_tier /],
      [`board_places set rank = 2 where period = 'daily' and position = 1`, /^daily board after .+: rank /],
      ['platform set resolved_rounds = resolved_rounds + 1', /^stats: total_competitions /],
    ] as const;
    const statements = changes.map(([change]) => `update ${change}`);
    await withPlanted(played.service.newEm, { statements }, async () => {
      const seen = (await judge(played, candles)).differences;
      for (const [, line] of changes) expect(seen).toContainEqual(expect.stringMatching(line));
    });
  });

  test('the oracle agrees with all stored data, hours and events included', async () => {
    const { service, connection, memory } = played;
    expect(service.reported).toEqual([]);
    const uptimes = [{ from: Date.parse('2023-04-03T00:00:00Z'), to: service.clock.now().getTime() }];
    expect(shortened(await differences(connection, { memory, uptimes, everyHour: true }))).toEqual([]);
  });

  test('public data verify bit by bit, with candles from the folder too', async () => {
    const { code, complaint, lines } = await runVerify(['--url', played.service.url, '--candles', CALM]);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(lines.at(-1)).toMatch(/^[\d,]+ values compared, no difference\.$/);
    expect(lines.at(-2)).toMatch(/: \d+ decided rounds \(\d+ void\), 1 to \d+, [\d,]+ predictions\.$/);
  });

  test('verify reports a changed candle of the folder with both values', async () => {
    const { facts } = found(
      judged.ledger.resolved.find((round) => round.facts.type === 'best_performer'),
      'a round that BTC decides',
    );
    const hour = new Date(facts.hour * 3_600_000).toISOString().slice(0, 13);
    await using folder = await tamperedFolder(CALM, `${hour}:30:00Z`);
    const range = `${facts.id}..${facts.id}`;
    const { code, lines } = await runVerify(['--url', played.service.url, '--rounds', range, '--candles', folder.path]);
    expect(code).toBe(1);
    const place = `the folder's candle of BTC at ${hour}:00:00.000Z: high is "`;
    expect(lines).toContainEqual(expect.stringMatching(/^round \d+, .*: high is "\d+\.?\d*", recomputed "\d+/));
    expect(lines).toContainEqual(expect.stringContaining(place));
  });

  test('the days are long enough, with enough predictions', () => {
    const { questions, accepted, players } = played;
    const types = new Set(questions.map((round) => textOf(round, 'question_type')));
    expect([...types].toSorted()).toEqual([...QUESTION_TYPES].toSorted());
    expect(judged.ledger.resolved.length).toBeGreaterThanOrEqual(240);
    expect(players).toHaveLength(CAST.length);
    expect(accepted.length).toBeGreaterThan(ROUNDS * 10);
    const tiers = new Set([...(judged.ledger.resolved.at(-1)?.careers.values() ?? [])].map(({ tier }) => tier));
    expect(tiers).toEqual(new Set(['bronze', 'silver', 'gold']));
  });

  test('a process on the same folder resolves rounds, verifies and ends cleanly', async () => {
    await using data = await preparedDataFolder();
    const clock = { CLOCK_START: '2023-04-03T00:10:00Z', CLOCK_SPEED: '1800' };
    await using service = await launch({ DATA_DIR: data.path, MARKET: `replay:${CALM}`, ...clock });
    await until('two resolved rounds', async () => (await service.get('/api/stats')).body.total_competitions >= 2);
    const rounds = (await service.get('/api/rounds/recent')).body.rounds;
    const first = rounds.at(-1).id;
    const { code, complaint } = await runVerify([
      '--url',
      service.url,
      '--rounds',
      `${first}..${first}`,
      '--candles',
      CALM,
    ]);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(await service.end()).toMatchObject({ code: 0, stderr: '' });
  });
});
