import type { Market } from '../../clients/js/src/index.ts';
import { ASSETS, type Asset, byAsset, isAsset } from '../../src/rules/assets.ts';
import type { Candle } from '../../src/rules/candle.ts';
import { HOUR, MINUTE } from '../../src/rules/hours.ts';
import { type HistoryHour, OPERATORS } from '../../src/rules/questions/question.ts';
import { simulatedPrice } from '../../src/market/simulated/simulated-prices.ts';
import type { CurrentRound } from './arena.ts';
import { type Glance, priceText } from './glance.ts';

/** Records one hour's prices from the first poll on. */
export interface HourWatch {
  readonly roundId: number;
  look(market: Market): void;
  glance(entries: readonly string[]): Glance;
}

interface Span {
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

/** `first` is the market at the round's beginning, or soon after. */
export function watchHour(round: CurrentRound, first: Market): HourWatch {
  const before = hourOf((asset) => {
    const { price_usd: close, change_1h: change } = priceOf(first, asset);
    const open = close / (1 + change / 100);
    return { open, high: Math.max(open, close), low: Math.min(open, close), close };
  });
  const spans = byAsset((asset): Span => {
    const price = priceOf(first, asset).price_usd;
    return { open: price, high: price, low: price, close: price };
  });
  const { id: roundId, question_type: questionType, choices, params, assets } = round;
  const { subject, operator, threshold_pct: threshold, n } = params;
  const question = {
    questionType,
    choices,
    assets: ASSETS.filter((asset) => asset in assets),
    params: {
      subject: isAsset(subject) ? subject : null,
      operator: OPERATORS.find((one) => one === operator) ?? null,
      n,
      thresholdPct: threshold === null ? null : String(threshold),
    },
  };
  const toCome = first.source === 'simulated' ? simulatedHour(new Date(`${round.end_time}Z`).getTime()) : null;
  return {
    roundId,
    look(market) {
      for (const asset of ASSETS) {
        const span = spans[asset];
        span.close = priceOf(market, asset).price_usd;
        span.high = Math.max(span.high, span.close);
        span.low = Math.min(span.low, span.close);
      }
    },
    glance: (entries) => ({ roundId, question, before, soFar: hourOf((asset) => spans[asset]), toCome, entries }),
  };
}

function priceOf({ assets }: Market, asset: Asset): Market['btc'] {
  const price = assets[asset];
  if (price === undefined) throw new TypeError(`the market must have a price of ${asset} (got none)`);
  return price;
}

/** Simulated prices are a function of time, so the formula gives an hour before it begins. */
function simulatedHour(end: number): HistoryHour {
  const minutes = Array.from({ length: HOUR / MINUTE + 1 }, (_, minute) => end - HOUR + minute * MINUTE);
  return hourOf((asset) => {
    const prices = minutes.map((time) => simulatedPrice(asset, time));
    return {
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
    };
  });
}

function hourOf(spanOf: (asset: Asset) => Readonly<Span>): HistoryHour {
  return byAsset((asset): Candle => {
    const { open, high, low, close } = spanOf(asset);
    return { open: priceText(open), high: priceText(high), low: priceText(low), close: priceText(close) };
  });
}
