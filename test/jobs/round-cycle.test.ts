import { describe, expect, test } from '@jest/globals';

import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import type { Market } from '../../src/market/market.ts';
import type { Asset } from '../../src/rules/assets.ts';
import { DAY } from '../../src/rules/hours.ts';
import { USUAL_PCT } from '../../src/rules/questions/thresholds.ts';
import { brokenMarket, eventsNow, roundsNow, roundStarting } from '../support/rounds-now.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena();

function reconcileAt(time: string): Promise<readonly number[]> {
  return reconcile(arena, new Date(time.includes('T') ? time : `2026-01-01T${time}Z`));
}

describe('first start', () => {
  test('a first start in mid-hour opens the running hour and stores the next', async () => {
    expect(await reconcileAt('12:34:56.789')).toEqual([]);
    expect(await roundsNow(arena)).toEqual(['12:00 active', '13:00 upcoming']);
    expect(await eventsNow(arena)).toEqual(['1 ROUND_STORED 12:00', '2 ROUND_STORED 13:00', '3 ROUND_OPENED 12:00']);
  });

  test('the log has each round opened and closed', async () => {
    await reconcileAt('12:10:00');
    arena.log.lines.length = 0;
    await reconcileAt('13:10:00');
    await reconcileAt('13:11:00');
    expect(arena.log.lines).toEqual([
      {
        level: 'info',
        message: 'Round closed',
        fields: { roundId: 1, hour: '2026-01-01T12:00:00.000Z', entries: 0 },
      },
      {
        level: 'info',
        message: 'Round opened',
        fields: { roundId: 2, hour: '2026-01-01T13:00:00.000Z', question: expect.stringMatching(/\?/) },
      },
    ]);
  });

  test('a first start stores the question, assets and source of the hour', async () => {
    // 2026-01-01 12:00 is hour 490,908 since 1970, and 490,908 = 13 x 37,762 + 2: the third in the rotation, then the fourth.
    await reconcileAt('12:10:00');
    const rounds = await arena.query(
      `select r.question_type, r.prediction_format, r.choices, r.source, r.total_entries, r.confidence_sum, r.outcome,
         r.threshold_pct is not null as has_threshold, r.question like '%2026-01-01 %' as names_its_time,
         array_agg(a.asset order by a.position) = array(select jsonb_array_elements_text(r.choices)) as asks_its_choices,
         count(*)::int as assets, min(a.position) as first, bool_and(a.provider_id = a.asset || '-USD') as named,
         bool_or(a.asset = r.subject) as has_subject
       from rounds r join round_assets a on a.round_id = r.id group by r.id order by r.id`,
    );
    const both = { source: 'scripted', total_entries: 0, confidence_sum: 0, outcome: null, first: 0, named: true };
    expect(rounds).toEqual([
      {
        ...both,
        question_type: 'threshold',
        prediction_format: 'boolean',
        choices: ['YES', 'NO'],
        has_threshold: true,
        names_its_time: true,
        asks_its_choices: false,
        assets: 1,
        has_subject: true,
      },
      {
        ...both,
        question_type: 'best_performer',
        prediction_format: 'choice',
        choices: ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'],
        has_threshold: false,
        names_its_time: true,
        asks_its_choices: true,
        assets: 8,
        has_subject: null,
      },
    ]);
  });
});

describe('repeated runs', () => {
  test('20 concurrent runs are one, at the start and at the turn of the hour', async () => {
    await Promise.all(Array.from({ length: 20 }, () => reconcileAt('12:10:00')));
    const waiting = await Promise.all(Array.from({ length: 20 }, () => reconcileAt('13:00:00')));
    const { id } = await roundStarting(arena, '2026-01-01T12:00:00Z');
    expect(waiting).toEqual(Array.from({ length: 20 }, () => [id]));
    expect(await roundsNow(arena)).toEqual(['12:00 resolving', '13:00 active', '14:00 upcoming']);
    expect(await eventsNow(arena)).toEqual([
      '1 ROUND_STORED 12:00',
      '2 ROUND_STORED 13:00',
      '3 ROUND_OPENED 12:00',
      '4 ROUND_CLOSED 12:00',
      '5 ROUND_OPENED 13:00',
      '6 ROUND_STORED 14:00',
    ]);
  });
});

test('a turn overtaken by another process stores and opens nothing', async () => {
  const [requested, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const market = {
    ...arena.market,
    async hourCandles(...request: Parameters<typeof arena.market.hourCandles>) {
      requested.resolve();
      await answered.promise;
      return arena.market.hourCandles(...request);
    },
  };
  const late = reconcile({ ...arena, market }, new Date('2026-01-01T12:59:59Z'));
  await requested.promise;
  await reconcileAt('13:00:00');
  const events = await eventsNow(arena);
  answered.resolve();
  expect(await late).toEqual([]);
  expect(await roundsNow(arena)).toEqual(['13:00 active', '14:00 upcoming']);
  expect(await eventsNow(arena)).toEqual(events);
});

describe('turn of the hour', () => {
  test('the turn closes the ended round, opens the next and stores the one after', async () => {
    await reconcileAt('12:10:00');
    await reconcileAt('12:59:59.999');
    expect(await roundsNow(arena)).toEqual(['12:00 active', '13:00 upcoming']);
    const { id } = await roundStarting(arena, '2026-01-01T12:00:00Z');
    expect(await reconcileAt('13:00:00.000')).toEqual([id]);
    expect(await roundsNow(arena)).toEqual(['12:00 resolving', '13:00 active', '14:00 upcoming']);
  });

  test('the turn returns every waiting round, oldest first', async () => {
    for (const time of ['12:10:00', '13:10:00', '14:10:00']) await reconcileAt(time);
    const ids = await reconcileAt('15:10:00');
    const waiting = await arena.query(`select id from rounds where status = 'resolving' order by start_time`);
    expect(ids).toHaveLength(3);
    expect(waiting).toEqual(ids.map((id) => ({ id })));
  });
});

describe('downtime', () => {
  test('hours of a downtime have no round, and a stored round whose hour has passed is deleted', async () => {
    await reconcileAt('12:10:00');
    await reconcileAt('2026-01-03T07:30:00Z');
    expect(await roundsNow(arena)).toEqual(['12:00 resolving', '01-03 07:00 active', '01-03 08:00 upcoming']);
    expect(await eventsNow(arena)).toEqual([
      '1 ROUND_STORED 12:00',
      '2 ROUND_STORED removed',
      '3 ROUND_OPENED 12:00',
      '4 ROUND_STORED 07:00',
      '5 ROUND_STORED 08:00',
      '6 ROUND_CLOSED 12:00',
      '7 ROUND_OPENED 07:00',
    ]);
    expect(await arena.query('select 1 from round_assets where round_id not in (select id from rounds)')).toEqual([]);
  });
});

describe('slow market', () => {
  test('a slow market does not delay the turn of the hour', async () => {
    const answer = Promise.withResolvers<[]>();
    const market = { ...arena.market, hourCandles: () => answer.promise };
    await reconcileAt('12:10:00');
    const late = reconcile({ ...arena, market, historyTimeoutMs: 60_000 }, new Date('2026-01-01T13:00:00Z'));
    for (let turned = false; !turned;) turned = (await roundsNow(arena)).includes('13:00 active');
    expect(await roundsNow(arena)).toEqual(['12:00 resolving', '13:00 active']);
    answer.resolve([]);
    expect(await late).toHaveLength(1);
    expect(await roundsNow(arena)).toEqual(['12:00 resolving', '13:00 active', '14:00 upcoming']);
  });
});

describe('unavailable market', () => {
  test.each([
    ['is an error', (market: Market) => ({ market: brokenMarket(market) })],
    [
      'does not come in time',
      (market: Market) => ({
        market: { ...market, hourCandles: () => new Promise<never>(() => {}) },
        historyTimeoutMs: 1,
      }),
    ],
    [
      'never comes',
      (market: Market) => ({
        market: { ...market, hourCandles: () => new Promise<never>(() => {}) },
        historyTimeoutMs: DAY,
      }),
    ],
  ])('a market whose answer %s delays no round, which has the default threshold', async (_, without) => {
    await reconcile({ ...arena, ...without(arena.market) }, new Date('2026-01-01T12:10:00Z'));
    expect(await roundsNow(arena)).toEqual(['12:00 active', '13:00 upcoming']);
    const [round] = await arena.query<{ subject: Asset; threshold_pct: string }>(
      'select subject, threshold_pct from rounds where threshold_pct is not null',
    );
    expect(round?.threshold_pct).toBe(`-${USUAL_PCT.threshold[round?.subject ?? 'BTC']}`);
  });

  test('a defect of the market is an error, and nothing is stored', async () => {
    const market = { ...arena.market, hourCandles: () => Promise.reject(new TypeError('a defect')) };
    await expect(reconcile({ ...arena, market }, new Date('2026-01-01T12:10:00Z'))).rejects.toThrow('a defect');
    expect(await roundsNow(arena)).toEqual([]);
  });
});

test('a failure in the middle of a turn leaves nothing behind', async () => {
  await reconcileAt('12:10:00');
  const before = [await roundsNow(arena), await eventsNow(arena)];
  await arena.query(`alter table events add constraint broken check (kind <> 'ROUND_OPENED') not valid`);
  await expect(reconcileAt('13:10:00')).rejects.toThrow('broken');
  expect([await roundsNow(arena), await eventsNow(arena)]).toEqual(before);
  await arena.query('alter table events drop constraint broken');
  await reconcileAt('13:10:00');
  expect(await roundsNow(arena)).toEqual(['12:00 resolving', '13:00 active', '14:00 upcoming']);
  expect((await eventsNow(arena)).at(-1)).toBe('6 ROUND_STORED 14:00');
});
