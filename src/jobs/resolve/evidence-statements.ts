import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { givenRows, insertRows } from '../../entities/given-rows.ts';
import type { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import type { HourVerdict, Market, SourceCandle } from '../../market/market.ts';
import { returnPct } from '../../rules/candle.ts';

/** Stores as evidence the candle of each source, and the candles that the sources agree on. */
export async function storeEvidence(
  transaction: SqlEntityManager,
  roundId: number,
  { evidence, candles }: HourVerdict,
  /** The later decision that it belongs to; 0: the first. */
  amendmentId = 0,
): Promise<void> {
  const by = { round_id: roundId, amendment_id: amendmentId };
  await insertRows(
    transaction,
    'candles',
    evidence.map(storable).map((one) => {
      const { asset, source, open, high, low, close, volume, counted } = one;
      const times = { hour_start: one.hourStart, source_time: one.sourceTime, fetched_at: one.fetchedAt };
      const figures = { open, high, low, close, volume };
      return { ...by, asset, source, ...figures, counted, ...times, body_hash: one.bodyHash, left_out: one.leftOut };
    }),
  );
  await insertRows(
    transaction,
    'agreed_candles',
    candles.map(({ asset, hourStart, open, high, low, close, volume }) => {
      return { ...by, asset, hour_start: hourStart, open, high, low, close, volume };
    }),
  );
}

/** The market may have changed since the round was stored: a round names the source that decided it. */
export async function setRoundSource(
  transaction: SqlEntityManager,
  round: Round,
  { source, providerIds }: Pick<Market, 'source' | 'providerIds'>,
): Promise<void> {
  if (round.source === source) return;
  const tables = transaction.getKysely<DB>();
  await tables.updateTable('rounds').set({ source }).where('id', '=', round.id).execute();
  await tables
    .updateTable('round_assets')
    .set((of) => ({ provider_id: sql<string>`${JSON.stringify(providerIds)}::jsonb ->> ${of.ref('asset')}` }))
    .where('round_id', '=', round.id)
    .execute();
}

/** Writes the prices that decided the round beside its assets. */
export async function storePrices(
  transaction: SqlEntityManager,
  round: Round,
  candles: HourVerdict['candles'],
): Promise<void> {
  const ofRound = candles.filter(({ hourStart }) => hourStart.getTime() === round.startTime.getTime());
  const prices = ofRound.map((candle) => {
    const { asset, open, high, low, close } = candle;
    return { asset, open, high, low, close, return_pct: returnPct(candle) };
  });
  await transaction
    .getKysely<DB>()
    .updateTable('round_assets as a')
    .from(givenRows('round_assets', prices))
    .set((of) => ({
      open: of.ref('given.open'),
      high: of.ref('given.high'),
      low: of.ref('given.low'),
      close: of.ref('given.close'),
      return_pct: of.ref('given.return_pct'),
    }))
    .where('a.round_id', '=', round.id)
    .whereRef('a.asset', '=', 'given.asset')
    .execute();
}

const FIGURES = ['open', 'high', 'low', 'close', 'volume'] as const;
const FIGURE = /^-?\d{1,100}(?:\.\d{1,100})?$/;
const HASH = /^[0-9a-f]{64}$/;
const MAX_CHARACTERS = 500;
/** PostgreSQL and JavaScript write years of other than four digits differently. */
const [FIRST, LAST] = [Date.UTC(1970), Date.UTC(10_000)];

/**
 * A row that the table accepts, whatever the source sent: evidence never stops a decision. A candle that does not count
 * loses all figures if one of them is no number; the figures of one that counts are checked already.
 */
export function storable(row: SourceCandle): SourceCandle {
  const { bodyHash, sourceTime, counted, leftOut } = row;
  const sound = {
    ...row,
    bodyHash: bodyHash !== null && HASH.test(bodyHash) ? bodyHash : null,
    sourceTime: sourceTime !== null && isWithinYears(sourceTime) ? sourceTime : null,
  };
  if (counted) return { ...sound, leftOut: null };
  const sentence = plainText(leftOut ?? 'It does not count.');
  if (FIGURES.every((name) => row[name] === null || FIGURE.test(row[name]))) return { ...sound, leftOut: sentence };
  const none = { open: null, high: null, low: null, close: null, volume: null };
  return { ...sound, ...none, leftOut: `${sentence} Its figures cannot be stored.` };
}

function isWithinYears(time: Date): boolean {
  return time.getTime() >= FIRST && time.getTime() < LAST;
}

/** Removes characters that PostgreSQL refuses (NUL, half a surrogate pair) and those that control a terminal. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
