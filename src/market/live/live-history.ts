import type { Asset } from '../../rules/assets.ts';
import { HOUR, addHours, hourOf } from '../../rules/hours.ts';
import { MAX_HOURS, askHours } from './hour-request.ts';
import { MarketUnavailable, type HourCandle } from '../market.ts';
import type { Source } from './source.ts';
import { verdictOf } from './verdict.ts';

/** So many answers are kept: those of all assets for an hour's thresholds, several times over. */
const KEPT_PARTS = 64;

/** Consecutive hours of one asset that one request to each source covers. */
interface Part {
  readonly asset: Asset;
  readonly hours: readonly Date[];
  readonly now: Date;
}

interface Found {
  readonly candles: readonly HourCandle[];
  /** Whether asking again within the hour could give no more. */
  readonly complete: boolean;
}

/**
 * The agreed candles of past hours: one request an asset and source (for each 12 days), kept for the rest of the hour
 * once every source has answered and the newest hour is among them. Throws `MarketUnavailable` when no source answers.
 */
export function liveHistory(sources: readonly Source[], min: number) {
  const kept = new Map<string, readonly HourCandle[]>();
  return async (asset: Asset, span: { from: Date; to: Date }, now: Date): Promise<readonly HourCandle[]> => {
    const candles: HourCandle[] = [];
    for (const part of partsOf(asset, span, now)) {
      const key = JSON.stringify([asset, part.hours[0], part.hours.length, hourOf(now)]);
      const known = kept.get(key);
      const found = known === undefined ? await askPart(sources, part, min) : { candles: known, complete: true };
      if (found.complete) keep(kept, key, found.candles);
      candles.push(...found.candles);
    }
    return candles;
  };
}

/** The hours that start from `from` to before `to` and are over at `now`, in parts that one request covers. */
function* partsOf(asset: Asset, { from, to }: { from: Date; to: Date }, now: Date): Generator<Part> {
  const end = Math.min(to.getTime(), hourOf(now).getTime());
  const first = Math.ceil(from.getTime() / HOUR) * HOUR;
  for (let start = first; start < end; start += MAX_HOURS * HOUR) {
    const count = Math.min(MAX_HOURS, Math.ceil((end - start) / HOUR));
    yield { asset, now, hours: Array.from({ length: count }, (_, place) => addHours(new Date(start), place)) };
  }
}

async function askPart(sources: readonly Source[], { asset, hours, now }: Part, min: number): Promise<Found> {
  const [first = now] = hours;
  const answers = await Promise.all(sources.map((source) => askHours(source, asset, { first, now })));
  const answered = answers.filter(({ shown }) => shown !== null);
  if (answered.length === 0)
    throw new MarketUnavailable(`No source answers about ${asset}: ${answers.map(({ source }) => source).join(', ')}.`);
  const { candles } = verdictOf(answers, { hours, now, min, down: [] });
  const newest = candles.at(-1)?.hourStart.getTime() === hours.at(-1)?.getTime();
  return {
    candles: candles.map(({ hourStart, open, high, low, close, volume }) => ({
      hourStart,
      open,
      high,
      low,
      close,
      volume,
    })),
    complete: newest && answered.length === answers.length,
  };
}

function keep(kept: Map<string, readonly HourCandle[]>, key: string, candles: readonly HourCandle[]): void {
  kept.delete(key);
  kept.set(key, candles);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_PARTS && oldest !== undefined) kept.delete(oldest);
}
