import { HOUR, MINUTE } from '../../rules/hours.ts';
import type { ShownCandle, ShownCandles } from './exchanges/exchange.ts';
import { isZero } from '../decimals.ts';
import { figuresFault, sameFigures } from '../figures.ts';

const CLOCK_TOLERANCE_MS = MINUTE;

/** A candle is final and sound if the hour is over, a later candle exists, it has trades, and no figure is impossible. */
export function judge(shown: ShownCandles, hourStart: Date, at: Record<'now' | 'fetchedAt', Date>) {
  const start = hourStart.getTime();
  const ofHour = shown.candles.filter((candle) => candle.start === start);
  const [candle = null] = ofHour;
  const doubt = answerFault(shown, at) ?? hourFault(ofHour, { start, now: at.now });
  const pending = doubt === null ? pendingFault(shown, { start, candle }) : null;
  const sound = candle === null ? null : (figuresFault(candle) ?? frozenFault(shown, candle));
  // A later answer may show what is pending, or show it final.
  return { candle, leftOut: doubt ?? pending ?? sound, isPending: pending !== null };
}

function answerFault({ candles }: ShownCandles, { now, fetchedAt }: Record<'now' | 'fetchedAt', Date>): string | null {
  if (candles.some((candle) => candle.start % HOUR !== 0)) return 'Its candles do not open on whole hours.';
  const latest = Math.max(now.getTime(), fetchedAt.getTime()) + CLOCK_TOLERANCE_MS;
  return candles.some((candle) => candle.start > latest) ? 'It shows candles of hours that have not begun.' : null;
}

function hourFault(ofHour: readonly ShownCandle[], { start, now }: { start: number; now: Date }): string | null {
  const [candle, ...others] = ofHour;
  if (now.getTime() < start + HOUR) return 'The hour is not over.';
  const differs = candle !== undefined && others.some((other) => !sameFigures(other, candle));
  return differs ? 'It shows the hour twice, with different figures.' : null;
}

function pendingFault(
  { candles, finalTo }: ShownCandles,
  { start, candle }: { start: number; candle: ShownCandle | null },
): string | null {
  if (candle === null) return 'It shows no candle of this hour.';
  const witnessed = candles.some((other) => other.start > start);
  if (!witnessed) return 'It shows no later candle yet, so this one may not be final.';
  // Not `>`: a `finalTo` of NaN must not let a candle through.
  return start <= finalTo ? null : 'It marks this candle as not final.';
}

function frozenFault({ candles }: ShownCandles, candle: ShownCandle): string | null {
  if (isZero(candle.volume)) return 'It shows no trade in this hour, so its prices are frozen.';
  const before = candles.find((other) => other.start === candle.start - HOUR);
  return before !== undefined && sameFigures(before, candle) ? 'It repeats the candle of the hour before.' : null;
}
