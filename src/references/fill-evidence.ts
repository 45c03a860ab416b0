import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { givenRows, insertRows } from '../entities/given-rows.ts';
import type { DB } from '../entities/tables.ts';
import { type Market, MarketUnavailable, type PriceSoFar } from '../market/market.ts';
import { ASSETS, byAsset } from '../rules/assets.ts';
import { type GridQuote, gridTime, priceLists, type ReferenceBasis } from '../rules/grid.ts';
import { addHours, MINUTE } from '../rules/hours.ts';
import { basisOf } from '../rules/reference/basis.ts';
import { COVARIANCE_HOURS } from '../rules/reference/covariance.ts';
import { type GridPoints, readEvidence, type RoundEvidence } from './round-evidence.ts';

type QuotedMarket = Pick<Market, 'isLive' | 'source' | 'pricesSoFar' | 'hourCandles'>;

export interface ReferenceDeps {
  readonly newEm: () => SqlEntityManager;
  readonly market: QuotedMarket;
}

interface FillOptions {
  readonly now: Date;
  /** True if the market's prices may be stored for this round. */
  readonly mayFill: (evidence: RoundEvidence) => boolean;
}

/** The evidence of these rounds, after missing prices that the market has were stored. */
export async function fillEvidence(
  { newEm, market }: ReferenceDeps,
  wanted: readonly GridPoints[],
  { now, mayFill }: FillOptions,
): Promise<ReadonlyMap<number, RoundEvidence>> {
  const stored = await readEvidence(newEm(), wanted);
  const lacking = wanted.flatMap(({ roundId, points }) => {
    const evidence = stored.get(roundId);
    return evidence !== undefined && mayFill(evidence) ? missingPointsOf(evidence, points) : [];
  });
  if (lacking.length === 0) return stored;
  await keepQuotes(newEm(), lacking, { market, now });
  const filled = new Set(lacking.map(({ evidence }) => evidence.roundId));
  const again = wanted.filter(({ roundId }) => filled.has(roundId));
  const found = new Map([...stored, ...(await readEvidence(newEm(), again))]);
  const baseless = again.flatMap(({ roundId }) => {
    const evidence = found.get(roundId);
    return evidence?.basis === null && evidence.quotes.has(0) ? [evidence] : [];
  });
  if (baseless.length === 0) return found;
  await Promise.all(baseless.map((evidence) => keepBasis(newEm(), evidence, { market, now })));
  return new Map([...found, ...(await readEvidence(newEm(), again))]);
}

function missingPointsOf(evidence: RoundEvidence, points: readonly number[]): readonly MissingPoints[] {
  const missing = [...new Set([0, ...points])].filter((point) => !evidence.quotes.has(point)).toSorted((a, b) => a - b);
  return missing.length === 0 && evidence.basis !== null ? [] : [{ evidence, points: missing }];
}

/** A round's stored evidence, and the points without quotes, ascending. */
interface MissingPoints {
  readonly evidence: RoundEvidence;
  readonly points: readonly number[];
}

/**
 * Stores the market's prices of these points at `now`, in one statement for all rounds. Stored quotes are never replaced;
 * points without a fresh price are left out.
 */
async function keepQuotes(
  em: SqlEntityManager,
  lacking: readonly MissingPoints[],
  { market, now }: { readonly market: QuotedMarket; readonly now: Date },
): Promise<void> {
  const before = market.isLive ? await lastStored(em, lacking) : new Map<number, GridQuote>();
  const quotes = lacking.flatMap(({ evidence, points }) =>
    quotesOf(market, { evidence, points }, now).map((quote) => ({
      round_id: evidence.roundId,
      ...widened(quote, before.get(evidence.roundId)),
    })),
  );
  await insertRows(em, 'round_quotes', quotes, { onlyNew: true });
}

function quotesOf(market: QuotedMarket, { evidence, points }: MissingPoints, now: Date): readonly GridQuote[] {
  const { startTime: hourStart, assets } = evidence;
  const times = points.map((point) => gridTime(hourStart, point));
  const shown = market.pricesSoFar(assets, { hourStart, times }, now);
  return points.flatMap((point, place) => {
    const soFar = shown[place];
    return soFar != null && soFar.every(isSound) ? [{ point, ...priceLists(soFar) }] : [];
  });
}

/** A price that the table would refuse counts as missing, since no source may stop a decision. */
function isSound({ price, high, low }: PriceSoFar): boolean {
  return [price, high, low].every((number) => Number.isFinite(number) && number > 0);
}

/** The last stored quote before the lacking points, by round: a process that started in mid-hour continues from it. */
async function lastStored(
  em: SqlEntityManager,
  lacking: readonly MissingPoints[],
): Promise<ReadonlyMap<number, GridQuote>> {
  const firstLacking = lacking.map(({ evidence, points }) => ({
    round_id: evidence.roundId,
    point: Math.min(...points),
  }));
  const found = await em
    .getKysely<DB>()
    .selectFrom(givenRows('round_quotes', firstLacking))
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom('round_quotes as t')
          .selectAll('t')
          .whereRef('t.round_id', '=', 'given.round_id')
          .whereRef('t.point', '<', 'given.point')
          .orderBy('t.point', 'desc')
          .limit(1)
          .as('q'),
      (on) => on.onTrue(),
    )
    .select(({ fn }) => [
      'q.round_id',
      'q.point',
      fn<number[]>('to_json', ['q.prices']).as('prices'),
      fn<number[]>('to_json', ['q.highs']).as('highs'),
      fn<number[]>('to_json', ['q.lows']).as('lows'),
    ])
    .execute();
  return new Map(found.map((row) => [row.round_id, row]));
}

function widened(quote: GridQuote, before: GridQuote | undefined): GridQuote {
  if (before === undefined) return quote;
  return {
    ...quote,
    highs: quote.highs.map((high, place) => Math.max(high, before.highs[place] ?? high)),
    lows: quote.lows.map((low, place) => Math.min(low, before.lows[place] ?? low)),
  };
}

/** Time after the round's start until which the basis waits for the candle of the hour before, which sources publish late. */
const NEWEST_WITHIN_MS = 3 * MINUTE;
/** Before this time after the start no exchange has that candle as final. */
const NEWEST_LIVE_MS = MINUTE;

/** Stores the round's basis, unless the market is unavailable or the candle of the hour before is still expected. */
async function keepBasis(
  em: SqlEntityManager,
  evidence: RoundEvidence,
  { market, now }: { readonly market: QuotedMarket; readonly now: Date },
): Promise<void> {
  const basis = await basisAt(market, evidence, now);
  if (basis === null) return;
  const row = { round_id: evidence.roundId, covariance: basis.covariance, sign_before: basis.signBefore };
  await insertRows(em, 'reference_bases', [row], { onlyNew: true });
}

async function basisAt(
  market: QuotedMarket,
  { startTime, question }: RoundEvidence,
  now: Date,
): Promise<ReferenceBasis | null> {
  const from = addHours(startTime, -COVARIANCE_HOURS);
  const elapsed = now.getTime() - startTime.getTime();
  if (market.isLive && elapsed < NEWEST_LIVE_MS) return null;
  try {
    const found = await Promise.all(ASSETS.map((asset) => market.hourCandles(asset, from, startTime, now)));
    const candles = byAsset((asset) => found[ASSETS.indexOf(asset)] ?? []);
    const before = addHours(startTime, -1).getTime();
    const isComplete = ASSETS.every((asset) => candles[asset].some(({ hourStart }) => hourStart.getTime() === before));
    return !isComplete && elapsed < NEWEST_WITHIN_MS ? null : basisOf(question, startTime, candles);
  } catch (error) {
    if (error instanceof MarketUnavailable) return null;
    throw error;
  }
}
