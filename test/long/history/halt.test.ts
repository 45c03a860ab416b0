import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { playDays, type PlayedDays } from '../../history/played-days.ts';
import { judge, type Judgement } from '../../history/public-answers.ts';
import { describeWithCandles, HALTS } from '../../history/shared-market.ts';
import { candlesOfFolder, type Candles } from '../../oracle/candle-files.ts';
import { shortened } from '../../oracle/differences.ts';
import { hourOf } from '../../oracle/hours.ts';
import { shared } from '../../support/shared.ts';

/** The hours of the halt from 01:59 to 04:30: the first still has its last minute, the last lacks its first. */
const HOURS_WITHOUT_CANDLES = ['2021-04-20 02:00:00', '2021-04-20 03:00:00', '2021-04-20 04:00:00'];

describeWithCandles('sixty hours around a halt of the exchange', HALTS, () => {
  let candles: Candles;
  let judged: Judgement;
  const played: PlayedDays = shared((closing) => {
    candles = candlesOfFolder(HALTS);
    return playDays(HALTS, { candles, start: '2021-04-19T12:00:00Z', rounds: 60 }, closing);
  });
  beforeAll(async () => {
    judged = await judge(played, candles);
  });

  test('the oracle agrees with every answer about rounds, agents, boards and stats', () => {
    expect(shortened(judged.differences)).toEqual([]);
    expect(played.service.reported).toEqual([]);
  });

  test('hours without candles are void a day later, and delay no later round', async () => {
    const { rows } = await sql<Decision>`
      select r.start_time as start, r.end_time as "end", r.status, r.void_reason as reason, r.decided_at as decided, r.total_entries as entries
      from rounds r where r.decided_at is not null order by r.decided_at`.execute(played.service.newEm().getKysely());
    const without = rows.filter(({ start }) => HOURS_WITHOUT_CANDLES.map(hourOf).includes(start.getTime() / 3_600_000));
    expect(without).toEqual(
      HOURS_WITHOUT_CANDLES.map(() => expect.objectContaining({ status: 'void', reason: 'no_prices' })),
    );
    for (const { end, decided, entries } of without) {
      expect(decided.getTime() - end.getTime()).toBe(24 * 3_600_000);
      expect(entries).toBeGreaterThan(0);
      expect(rows.filter((other) => other.start >= end && other.decided < decided).length).toBeGreaterThan(20);
    }
  });
});

interface Decision {
  readonly start: Date;
  readonly end: Date;
  readonly status: string;
  readonly reason: string | null;
  readonly decided: Date;
  readonly entries: number;
}
