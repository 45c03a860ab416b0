import { withTimeout } from '../../deadline.ts';
import { type Market, MarketUnavailable } from '../../market/market.ts';
import { type Asset, ASSETS } from '../../rules/assets.ts';
import { addHours, hourOf } from '../../rules/hours.ts';
import { historyNeeded, planOf, questionOf } from '../../rules/questions/asking.ts';
import type { HistoryHour, Question } from '../../rules/questions/question.ts';
import { HISTORY_HOURS } from '../../rules/questions/thresholds.ts';

/** A round before it is stored. */
export interface RoundDraft {
  readonly startTime: Date;
  readonly question: Question;
}

/**
 * The question of the hour that starts at `startTime`, with a threshold from the last 7 days' candles. If the market is
 * unavailable or slow (a timeout in real milliseconds), the threshold comes from the rules' fixed table, so that the round
 * is not delayed.
 */
export async function draftRound(
  market: Market,
  startTime: Date,
  { now, historyTimeoutMs }: { readonly now: Date; readonly historyTimeoutMs: number },
): Promise<RoundDraft> {
  const plan = planOf(startTime);
  let history: readonly HistoryHour[] = [];
  const read = async (): Promise<void> => {
    history = await historyOf(market, historyNeeded(plan), now);
  };
  // A later answer changes nothing: the question is made by then.
  await withTimeout(historyTimeoutMs, read());
  return { startTime, question: questionOf(plan, startTime, history) };
}

async function historyOf(market: Market, assets: readonly Asset[], now: Date): Promise<readonly HistoryHour[]> {
  const to = hourOf(now);
  const from = addHours(to, -HISTORY_HOURS);
  const hours = new Map<number, HistoryHour>();
  try {
    const reads = ASSETS.filter((one) => assets.includes(one)).map(async (asset) => {
      return { asset, candles: await market.hourCandles(asset, from, to, now) };
    });
    for (const { asset, candles } of await Promise.all(reads)) {
      for (const candle of candles) {
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
