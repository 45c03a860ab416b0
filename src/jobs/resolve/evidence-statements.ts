import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Round } from '../../entities/round.ts';
import type { HourVerdict, Market, SourceCandle } from '../../market/market.ts';
import { returnPct } from '../../rules/candle.ts';
import { rows } from '../../reads/sql.ts';

/** Keeps what every source showed, and what they agreed on, as the round's evidence. */
export async function storeEvidence(
  transaction: SqlEntityManager,
  roundId: number,
  { evidence, candles }: HourVerdict,
  /** The second decision that it belongs to; 0: the first. */
  amendmentId = 0,
): Promise<void> {
  await rows(transaction)`
    insert into candles (round_id, source, asset, hour_start, open, high, low, close, volume,
      body_hash, source_time, fetched_at, counted, left_out, amendment_id)
    select ${roundId}::int, c.source, c.asset, c."hourStart", c.open, c.high, c.low, c.close, c.volume,
      c."bodyHash", c."sourceTime", c."fetchedAt", c.counted, c."leftOut", ${amendmentId}::int
    from jsonb_to_recordset(${JSON.stringify(evidence.map(storable))}::jsonb) as c(
      source text, asset text, "hourStart" timestamptz, open text, high text, low text, close text, volume text,
      "bodyHash" text, "sourceTime" timestamptz, "fetchedAt" timestamptz, counted boolean, "leftOut" text)`;
  await rows(transaction)`
    insert into agreed_candles (round_id, asset, hour_start, open, high, low, close, volume, amendment_id)
    select ${roundId}::int, c.asset, c."hourStart", c.open, c.high, c.low, c.close, c.volume, ${amendmentId}::int
    from jsonb_to_recordset(${JSON.stringify(candles)}::jsonb) as c(
      asset text, "hourStart" timestamptz, open numeric, high numeric, low numeric, close numeric, volume numeric)`;
}

/** A round is stored an hour before it is decided: where the market has changed meanwhile, it carries the one that decided. */
export async function setRoundSource(
  transaction: SqlEntityManager,
  round: Round,
  { source, providerIds }: Pick<Market, 'source' | 'providerIds'>,
): Promise<void> {
  if (round.source === source) return;
  await rows(transaction)`update rounds set source = ${source} where id = ${round.id}`;
  await rows(transaction)`
    update round_assets set provider_id = ${JSON.stringify(providerIds)}::jsonb ->> asset
    where round_id = ${round.id}`;
}

/** Writes the prices that decided the round beside its assets. */
export async function storePrices(
  transaction: SqlEntityManager,
  round: Round,
  candles: HourVerdict['candles'],
): Promise<void> {
  const ofRound = candles.filter(({ hourStart }) => hourStart.getTime() === round.startTime.getTime());
  const prices = ofRound.map((candle) => ({ ...candle, returnPct: returnPct(candle) }));
  await rows(transaction)`
    update round_assets a
    set open = c.open, high = c.high, low = c.low, close = c.close, return_pct = c."returnPct"
    from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as c(
      asset text, open numeric, high numeric, low numeric, close numeric, "returnPct" numeric)
    where a.round_id = ${round.id} and a.asset = c.asset`;
}

const FIGURES = ['open', 'high', 'low', 'close', 'volume'] as const;
const FIGURE = /^-?\d{1,100}(?:\.\d{1,100})?$/;
const HASH = /^[0-9a-f]{64}$/;
const MAX_CHARACTERS = 500;
/** The years that have four digits: PostgreSQL and JavaScript write the others differently. */
const [FIRST, LAST] = [Date.UTC(1970), Date.UTC(10_000)];

/**
 * The row as the table takes it, whatever a source has brought into it: evidence never stops a decision. A candle that
 * does not count loses figures that are none, and its sentence says so; one that counts has been checked figure by figure.
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

/** Without what PostgreSQL refuses in a text (NUL, half a character) or what a reader's terminal would act on. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
