import { ASSETS, byAsset, type Asset } from '../../../src/rules/assets.ts';
import type { Candle } from '../../../src/rules/candle.ts';
import type { HistoryHour, QuestionParams } from '../../../src/rules/questions/question.ts';

/** A candle that opens at 100, so that a price less 100 is the move in percent. */
export function candle(close: string, high = '110', low = '90'): Candle {
  return { open: '100', high, low, close };
}

/** An hour in which the assets close at the given prices, from an open of 100. */
export function closes(prices: Partial<Record<Asset, string>>): HistoryHour {
  return Object.fromEntries(Object.entries(prices).map(([asset, close]) => [asset, candle(close)]));
}

/** An hour in which all eight assets close at 100 but for the given ones. */
export function market(prices: Partial<Record<Asset, string>>): HistoryHour {
  return closes({ ...byAsset(() => '100'), ...prices });
}

/** An hour in which the first `count` assets rose, and the others did not move. */
export function rising(count: number): HistoryHour {
  return closes(byAsset((asset) => (ASSETS.indexOf(asset) < count ? '100.01' : '100')));
}

/** Structured parameters that are null but for the given ones. */
export function params(given: Partial<QuestionParams>): QuestionParams {
  return { subject: null, operator: null, thresholdPct: null, n: null, ...given };
}
