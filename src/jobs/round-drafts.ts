import type { Market } from '../market/market.ts';
import { MarketUnavailable } from '../market/market.ts';
import { type Asset, ASSETS } from '../rules/assets.ts';
import type { Candle } from '../rules/candle.ts';
import { DAY, hourOf } from '../rules/hours.ts';
import { historyNeeded, questionOf } from '../rules/questions/asking.ts';
import type { Question } from '../rules/questions/question.ts';
import { planOf } from '../rules/questions/rotation.ts';

const HISTORY_MS = 7 * DAY;

export interface RoundDraft {
  readonly startTime: Date;
  readonly question: Question;
}

/**
 * The question of the hour that starts at `startTime`, its threshold from the last 7 days' candles. A market that
 * cannot be asked does not hold a round up: then the threshold comes from the rules' fixed table.
 */
export async function draftRound(market: Market, startTime: Date, now: Date): Promise<RoundDraft> {
  const plan = planOf(startTime);
  const history = await historyOf(market, historyNeeded(plan), now);
  return { startTime, question: questionOf(plan, startTime, history) };
}

async function historyOf(market: Market, assets: readonly Asset[], now: Date) {
  const to = hourOf(now);
  const from = new Date(to.getTime() - HISTORY_MS);
  const hours = new Map<number, Partial<Record<Asset, Candle>>>();
  try {
    for (const asset of ASSETS.filter((one) => assets.includes(one))) {
      for (const candle of await market.hourCandles(asset, from, to, now)) {
        const start = candle.hourStart.getTime();
        hours.set(start, { ...hours.get(start), [asset]: candle });
      }
    }
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return [];
  }
  return [...hours.values()];
}
