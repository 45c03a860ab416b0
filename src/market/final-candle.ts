import { HOUR, MINUTE } from '../rules/hours.ts';
import type { ShownCandle, ShownCandles } from './exchanges/exchange.ts';
import { figuresFault, isZero } from './figures.ts';

/** What a source showed of one hour: its candle, if any, and why it does not count, if it does not. */
export interface Judged {
  readonly candle: ShownCandle | null;
  readonly leftOut: string | null;
}

export interface JudgedAt {
  /** The instant for which is decided. */
  readonly now: Date;
  /** When the answer had come, by the service's clock. */
  readonly fetchedAt: Date;
}

/** How far the source's clock may be ahead of the service's. */
const CLOCK_TOLERANCE_MS = MINUTE;

/**
 * Whether the candle of the hour that starts at `hourStart` is final and sound: the hour is over, the source shows a
 * later candle, something was traded, and no figure is impossible.
 */
export function judge(shown: ShownCandles, hourStart: Date, at: JudgedAt): Judged {
  const start = hourStart.getTime();
  const candles = shown.candles.filter((candle) => candle.start === start);
  const [candle = null] = candles;
  return { candle, leftOut: answerFault(shown, at) ?? hourFault(shown, candles, { start, now: at.now }) };
}

/** What casts doubt on every candle of the answer. */
function answerFault({ candles }: ShownCandles, { now, fetchedAt }: JudgedAt): string | null {
  if (candles.some((candle) => candle.start % HOUR !== 0)) return 'Its candles do not open on whole hours.';
  const latest = Math.max(now.getTime(), fetchedAt.getTime()) + CLOCK_TOLERANCE_MS;
  return candles.some((candle) => candle.start > latest) ? 'It shows candles of hours that have not begun.' : null;
}

function hourFault(
  shown: ShownCandles,
  ofHour: readonly ShownCandle[],
  { start, now }: { start: number; now: Date },
): string | null {
  const [candle, ...others] = ofHour;
  if (now.getTime() < start + HOUR) return 'The hour is not over.';
  if (candle === undefined) return 'It shows no candle of this hour.';
  if (others.some((other) => !isSame(other, candle))) return 'It shows the hour twice, with different figures.';
  const witnessed = shown.candles.some((other) => other.start > start);
  if (!witnessed) return 'It shows no later candle yet, so this one may not be final.';
  // Not `>`, for a `finalTo` that is no time must not let a candle through.
  if (!(start <= shown.finalTo)) return 'It says itself that this candle is not final.';
  return figuresFault(candle) ?? frozenFault(shown, candle);
}

function frozenFault({ candles }: ShownCandles, candle: ShownCandle): string | null {
  if (isZero(candle.volume)) return 'It shows no trade in this hour, so its prices are frozen.';
  const before = candles.find((other) => other.start === candle.start - HOUR);
  return before !== undefined && isSame(before, candle) ? 'It shows the candle of the hour before once more.' : null;
}

function isSame(one: ShownCandle, other: ShownCandle): boolean {
  return (['open', 'high', 'low', 'close', 'volume'] as const).every((name) => one[name] === other[name]);
}
