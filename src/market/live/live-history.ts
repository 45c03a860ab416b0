import { LRUCache } from 'lru-cache';

import type { Asset } from '../../rules/assets.ts';
import { HOUR, addHours, hourOf, SECOND } from '../../rules/hours.ts';
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

interface FoundPart {
  readonly candles: readonly HourCandle[];
  /** Whether asking again within the hour could give no more. */
  readonly complete: boolean;
}

/** How long, in milliseconds, an answer that lacks something is given again: those who ask at a moment share it. */
const INCOMPLETE_MS = 5 * SECOND;

interface Kept {
  readonly answer: Promise<FoundPart>;
  readonly askedAt: number;
  readonly complete: boolean;
}

/**
 * The agreed candles of past hours: one request an asset and source (for each 12 days), kept for the rest of the hour
 * once every source has answered and the newest hour is among them. Throws `MarketUnavailable` when no source answers.
 */
export function liveHistory(sources: readonly Source[], min: number) {
  const kept = new LRUCache<string, Kept>({ max: KEPT_PARTS });
  const ask = (key: string, part: Part): Promise<FoundPart> => {
    const answer = askPart(sources, part, min);
    const asked = { answer, askedAt: part.now.getTime(), complete: false };
    kept.set(key, asked);
    answer.then(
      ({ complete }) => complete && kept.set(key, { ...asked, complete }),
      () => kept.delete(key),
    );
    return answer;
  };
  return async (asset: Asset, span: { from: Date; to: Date }, now: Date): Promise<readonly HourCandle[]> => {
    const candles: HourCandle[] = [];
    for (const part of partsOf(asset, span, now)) {
      const key = JSON.stringify([asset, part.hours[0], part.hours.length, hourOf(now)]);
      const known = kept.get(key);
      const holds = known !== undefined && (known.complete || now.getTime() - known.askedAt < INCOMPLETE_MS);
      candles.push(...(await (holds ? known.answer : ask(key, part))).candles);
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

async function askPart(sources: readonly Source[], { asset, hours, now }: Part, min: number): Promise<FoundPart> {
  const [first = now] = hours;
  const answers = await Promise.all(sources.map((source) => askHours(source, asset, { first, now })));
  const answered = answers.filter(({ shown }) => shown !== null);
  if (answered.length === 0)
    throw new MarketUnavailable(`No source answers about ${asset}: ${answers.map(({ source }) => source).join(', ')}.`);
  const { candles } = verdictOf(answers, { hours, now, min, down: [] });
  const newest = candles.at(-1)?.hourStart.getTime() === hours.at(-1)?.getTime();
  return {
    candles: candles.map(({ asset: _asset, ...candle }) => candle),
    complete: newest && answered.length === answers.length,
  };
}
