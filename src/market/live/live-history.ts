import { LRUCache } from 'lru-cache';

import type { Asset } from '../../rules/assets.ts';
import { HOUR, addHours, hourOf, SECOND } from '../../rules/hours.ts';
import { MAX_HOURS, askHours } from './hour-request.ts';
import { MarketUnavailable, type HourCandle } from '../market.ts';
import type { Source } from './source.ts';
import { verdictOf } from './verdict.ts';

const KEPT_PARTS = 64;

interface Part {
  readonly asset: Asset;
  readonly hours: readonly Date[];
  readonly now: Date;
}

type FoundPart = Awaited<ReturnType<typeof askPart>>;

/** Callers at the same moment share an incomplete answer. */
const INCOMPLETE_MS = 5 * SECOND;

/** Cached for the hour once all sources have answered and the newest hour is there. Throws `MarketUnavailable`. */
export function liveHistory(sources: readonly Source[], min: number) {
  const kept = new LRUCache<string, { answer: Promise<FoundPart>; askedAt: number; complete: boolean }>({
    max: KEPT_PARTS,
  });
  const ask = (key: string, part: Part): Promise<FoundPart> => {
    const answer = askPart(sources, part, min);
    const entry = { answer, askedAt: part.now.getTime(), complete: false };
    kept.set(key, entry);
    answer.then(
      ({ complete }) => complete && kept.set(key, { ...entry, complete }),
      () => kept.delete(key),
    );
    return answer;
  };
  return async (asset: Asset, span: { from: Date; to: Date }, now: Date): Promise<readonly HourCandle[]> => {
    const candles: HourCandle[] = [];
    for (const part of partsOf(asset, span, now)) {
      const key = JSON.stringify([asset, part.hours[0], part.hours.length, hourOf(now)]);
      const known = kept.get(key);
      const isFresh = known !== undefined && (known.complete || now.getTime() - known.askedAt < INCOMPLETE_MS);
      candles.push(...(await (isFresh ? known.answer : ask(key, part))).candles);
    }
    return candles;
  };
}

/** The hours from `from` to before `to` that are over at `now`, in parts for one request each. */
function* partsOf(asset: Asset, { from, to }: { from: Date; to: Date }, now: Date): Generator<Part> {
  const end = Math.min(to.getTime(), hourOf(now).getTime());
  const first = Math.ceil(from.getTime() / HOUR) * HOUR;
  for (let start = first; start < end; start += MAX_HOURS * HOUR) {
    const count = Math.min(MAX_HOURS, Math.ceil((end - start) / HOUR));
    yield { asset, now, hours: Array.from({ length: count }, (_, index) => addHours(new Date(start), index)) };
  }
}

async function askPart(sources: readonly Source[], { asset, hours, now }: Part, min: number) {
  const [first = now] = hours;
  const answers = await Promise.all(sources.map((source) => askHours(source, asset, { first, now })));
  const answered = answers.filter(({ shown }) => shown !== null);
  if (answered.length === 0)
    throw new MarketUnavailable(
      `No source returned candles of ${asset} (requested: ${answers.map(({ source }) => source).join(', ')}).`,
    );
  const { candles } = verdictOf(answers, { hours, now, min, down: [] });
  const hasNewest = candles.at(-1)?.hourStart.getTime() === hours.at(-1)?.getTime();
  return {
    candles: candles.map(({ asset: _asset, ...candle }) => candle),
    // A repetition within the hour could give no more.
    complete: hasNewest && answered.length === answers.length,
  };
}
