import { openReplay } from '../../../../src/market/replay/replay.ts';
import { priceLists } from '../../../../src/rules/grid.ts';
import { basisOf } from '../../../../src/rules/reference/basis.ts';
import {
  addHours,
  type Asset,
  ASSETS,
  byAsset,
  type ByAsset,
  COVARIANCE_HOURS,
  type GridQuote,
  gridTime,
  type HistoryHour,
  HISTORY_HOURS,
  historyNeeded,
  HOUR,
  outcomeOf,
  planOf,
  questionOf,
  RULES_VERSION,
} from '../rules.ts';
import type { HourCandle, Past, PastRound, Shown, Span } from './past.ts';

/**
 * The hours of a folder of candles (`<symbol>-USD-<1m|5m|1h>.csv` or `.csv.gz`), with the question that a service running for a
 * week would ask. Checks all files; an error names file, line and value.
 */
export async function candleFolder(folder: string, span: Span): Promise<Past> {
  return pastOf(await openReplay(folder), span);
}

/** Historical prices, as the service's markets have them. */
export interface Prices {
  hourCandles(asset: Asset, from: Date, to: Date, now: Date): Promise<readonly HourCandle[]>;
  /** Null where an asset's price is unknown. */
  pricesSoFar(
    assets: readonly Asset[],
    instants: { readonly hourStart: Date; readonly times: readonly Date[] },
    now: Date,
  ): readonly (readonly Shown[] | null)[];
}

/** Hours before a round that its question or reference depends on. */
const HOURS_BEFORE = 1 + Math.max(HISTORY_HOURS, COVARIANCE_HOURS);

/** The market's hours that begin in the span, whose ends need not be whole hours. */
export function pastOf(market: Prices, { from: since, to }: Span): Past {
  const from = new Date(Math.ceil(since.getTime() / HOUR) * HOUR);
  const count = Math.max(0, Math.ceil((to.getTime() - from.getTime()) / HOUR));
  return {
    count,
    async *rounds() {
      const first = addHours(from, -HOURS_BEFORE);
      const end = addHours(from, count);
      const found = await Promise.all(ASSETS.map((asset) => market.hourCandles(asset, first, end, end)));
      const hours = byAsset((asset) => byHour(found[ASSETS.indexOf(asset)] ?? [], first));
      for (let hour = 0; hour < count; hour += 1) {
        yield roundOf({ market, hours, end }, addHours(from, hour), hour + HOURS_BEFORE);
      }
    },
  };
}

type Hours = readonly (HourCandle | undefined)[];

function byHour(candles: readonly HourCandle[], first: Date): Hours {
  const hours: (HourCandle | undefined)[] = [];
  for (const candle of candles) hours[(candle.hourStart.getTime() - first.getTime()) / HOUR] = candle;
  return hours;
}

interface Played {
  readonly market: Prices;
  readonly hours: ByAsset<Hours>;
  /** Later prices are not read. */
  readonly end: Date;
}

/** `place` is the index of the hour. */
function roundOf({ market, hours, end }: Played, hourStart: Date, place: number): PastRound {
  const hourAt = (at: number, assets: readonly Asset[] = ASSETS): HistoryHour =>
    Object.fromEntries(assets.flatMap((asset) => (hours[asset][at] === undefined ? [] : [[asset, hours[asset][at]]])));
  const plan = planOf(hourStart);
  const needed = historyNeeded(plan);
  // The service stores a round during the hour before it, without that hour's candle.
  const history =
    needed.length === 0
      ? []
      : Array.from({ length: HISTORY_HOURS }, (_, back) => hourAt(place - 1 - HISTORY_HOURS + back, needed));
  const question = questionOf(plan, hourStart, history);
  const candles = byAsset((asset) =>
    hours[asset].slice(place - COVARIANCE_HOURS, place).filter((one) => one !== undefined),
  );
  return {
    id: null,
    hourStart,
    question,
    rulesVersion: RULES_VERSION,
    outcome: outcomeOf(question, hourAt(place), hourAt(place - 1)),
    basis: basisOf(question, hourStart, candles),
    candles,
    quoteAt: quotesOf(market, { hourStart, assets: question.assets, end }),
    shownAt: (asset, time) => {
      const start = new Date(Math.floor(time.getTime() / HOUR) * HOUR);
      return market.pricesSoFar([asset], { hourStart: start, times: [time] }, end)[0]?.[0] ?? null;
    },
  };
}

interface Quoted {
  readonly hourStart: Date;
  readonly assets: readonly Asset[];
  readonly end: Date;
}

function quotesOf(market: Prices, { hourStart, assets, end }: Quoted): (point: number) => GridQuote | null {
  const known = new Map<number, GridQuote | null>();
  return (point) => {
    const before = known.get(point);
    if (before !== undefined) return before;
    const [shown] = market.pricesSoFar(assets, { hourStart, times: [gridTime(hourStart, point)] }, end);
    const quote = shown ? { point, ...priceLists(shown) } : null;
    known.set(point, quote);
    return quote;
  };
}
