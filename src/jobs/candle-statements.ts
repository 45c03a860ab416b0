import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { returnPct } from '../rules/candle.ts';
import type { AssetCandle } from './outcome.ts';

/** Keeps every candle that was looked at as the round's evidence. */
export async function storeCandles(
  transaction: SqlEntityManager,
  roundId: number,
  evidence: { candles: readonly AssetCandle[]; source: string; now: Date },
): Promise<void> {
  await sql`
    insert into candles (round_id, source, asset, hour_start, open, high, low, close, volume, fetched_at)
    select ${roundId}::int, ${evidence.source}, c.asset, c."hourStart", c.open, c.high, c.low, c.close, c.volume, ${evidence.now}
    from jsonb_to_recordset(${JSON.stringify(evidence.candles)}::jsonb) as c(
      asset text, "hourStart" timestamptz, open numeric, high numeric, low numeric, close numeric, volume numeric)`.execute(
    transaction.getKysely(),
  );
}

/** Writes the prices that decided the round beside its assets. */
export async function storePrices(
  transaction: SqlEntityManager,
  round: Round,
  candles: readonly AssetCandle[],
): Promise<void> {
  const ofRound = candles.filter(({ hourStart }) => hourStart.getTime() === round.startTime.getTime());
  const prices = ofRound.map((candle) => ({ ...candle, returnPct: returnPct(candle) }));
  await sql`
    update round_assets a
    set open = c.open, high = c.high, low = c.low, close = c.close, return_pct = c."returnPct"
    from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as c(
      asset text, open numeric, high numeric, low numeric, close numeric, "returnPct" numeric)
    where a.round_id = ${round.id} and a.asset = c.asset`.execute(transaction.getKysely());
}
