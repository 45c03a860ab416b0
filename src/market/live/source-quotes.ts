import { type Asset, ASSETS, isAsset } from '../../rules/assets.ts';
import { DAY, HOUR } from '../../rules/hours.ts';
import { type ShownCandle, STEP_MS } from './exchanges/exchange.ts';
import { isPrice } from '../decimals.ts';
import { addUp, figuresFault } from '../figures.ts';
import { quoteOf } from '../quote.ts';
import type { Quote } from '../market.ts';
import { SourceFailure } from './source-failure.ts';
import type { Source } from './source.ts';

export type SourceQuotes = ReadonlyMap<Asset, SourceQuote>;

export interface SourceQuote extends Quote {
  /** The end of the time whose candles were received, which may be old while requests for them fail. */
  readonly pastUntil: number;
}

interface PastCandles {
  readonly until: number;
  readonly candles: readonly ShownCandle[];
}

/** Past prices are requested once in 5 minutes only. */
export function sourceQuotes(source: Source): (now: Date) => Promise<SourceQuotes> {
  const pasts = new Map<Asset, PastCandles>();
  return async (now) => {
    const [prices] = await Promise.all([pricesOf(source), ...ASSETS.map((asset) => renew(pasts, source, asset, now))]);
    const quotes = new Map<Asset, SourceQuote>();
    for (const [asset, price] of prices) {
      const { until: pastUntil = 0, candles = [] } = pasts.get(asset) ?? {};
      const quote = quoteBeside(price, candles, now);
      if (quote !== null) quotes.set(asset, { ...quote, pastUntil });
    }
    return quotes;
  };
}

async function pricesOf(source: Source): Promise<ReadonlyMap<Asset, string>> {
  const answers = await Promise.all(
    source.exchange.priceRequests.map(({ path, read }) => orNull(source.ask(path, read))),
  );
  const prices = new Map<Asset, string>();
  for (const answer of answers)
    for (const [asset, price] of Object.entries(answer?.value ?? {}))
      if (isAsset(asset) && isPrice(price)) prices.set(asset, price);
  return prices;
}

async function renew(pasts: Map<Asset, PastCandles>, source: Source, asset: Asset, now: Date): Promise<void> {
  const step = STEP_MS[PAST_STEP];
  const until = (Math.floor(now.getTime() / step) + 1) * step;
  if (pasts.get(asset)?.until === until) return;
  // One candle more than a day, since the instant a day ago lies within one.
  const from = new Date(until - DAY - step);
  const request = { asset, step: PAST_STEP, from, to: new Date(until) } as const;
  const path = source.exchange.candlesPath(request);
  const answer = await orNull(source.ask(path, (body) => source.exchange.candlesOf(body, request)));
  if (answer !== null) pasts.set(asset, { until, candles: answer.value.candles });
}

/** A failed source has no quote for a while; its status has the reason. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SourceFailure) return null;
    throw error;
  }
}

const PAST_STEP = '5m';

/** Changes are against the open of the candle 1 h or 24 h ago, so up to 5 minutes earlier. Null without candles. */
function quoteBeside(price: string, shown: readonly ShownCandle[], now: Date): Quote | null {
  const time = now.getTime();
  const past = shown.filter((candle) => candle.start <= time && figuresFault(candle) === null);
  const candles = past.toSorted((one, other) => one.start - other.start);
  const [earliest] = candles;
  if (earliest === undefined) return null;
  const day = addUp(candles.filter(({ start }) => start >= time - DAY && start + STEP_MS[PAST_STEP] <= time));
  const before = (then: number): string => priceAt(candles, then) ?? earliest.open;
  return quoteOf(price, { day, hourAgo: before(time - HOUR), dayAgo: before(time - DAY) });
}

function priceAt(candles: readonly ShownCandle[], time: number): string | null {
  const latest = candles.findLast((candle) => candle.start <= time);
  if (latest === undefined) return null;
  return time < latest.start + STEP_MS[PAST_STEP] ? latest.open : latest.close;
}
