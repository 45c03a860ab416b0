import type { Candles, HourCandle } from '../history/candle-files.ts';
import { PRICE_PLACES, SYMBOLS } from '../history/candle-files.ts';
import { found } from '../history/json.ts';
import { verdictOf } from '../history/oracle-questions.ts';
import type { RoundFacts } from '../history/round-facts.ts';
import { mulberry32 } from './oracle-normals.ts';
import type { Shown } from './oracle-walks.ts';

const DRAWS = 400;
const WEEK = 168;
/** Between two of the assets, as it usually is. */
const CORRELATION = 0.73;

/**
 * How likely each choice is to who knows the prices so far and no model but a normal with the week's volatility scaled by
 * the time left: the share of draws of the hour's end in which it wins. `left` is the share of the hour that is left.
 */
export function simpleModel(
  facts: RoundFacts,
  candles: Candles,
  { shown, left }: { readonly shown: ReadonlyMap<string, Shown>; readonly left: number },
): readonly number[] {
  const uniform = mulberry32(facts.id);
  const deviations = new Map(
    [...shown.keys()].map((name) => [name, volatility(candles, name, facts.hour) * Math.sqrt(left)]),
  );
  const wins = facts.choices.map(() => 1);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const common = normal(uniform);
    const drawn = new Map(
      [...shown].map(([name, soFar]) => {
        const z = Math.sqrt(CORRELATION) * common + Math.sqrt(1 - CORRELATION) * normal(uniform);
        return [name, endOf(soFar, { z, deviation: found(deviations.get(name), name), uniform })];
      }),
    );
    const verdict = verdictOf(facts, (name, hour) => (hour === facts.hour ? drawn.get(name) : candles(name, hour)));
    const place = verdict.status === 'resolved' ? facts.choices.indexOf(verdict.outcome) : -1;
    wins.forEach((count, index) => (wins[index] = count + Number(index === place)));
  }
  const sum = wins.reduce((total, count) => total + count, 0);
  return wins.map((count) => count / sum);
}

/** Root mean square of the hourly log returns of the week before. */
function volatility(candles: Candles, name: string, hour: number): number {
  const squares = Array.from({ length: WEEK }, (_, back) => candles(name, hour - 1 - back)).flatMap((candle) =>
    candle === undefined ? [] : [Math.log(Number(candle.close) / Number(candle.open)) ** 2],
  );
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

interface Draw {
  readonly z: number;
  readonly deviation: number;
  readonly uniform: () => number;
}

/** The hour's candle with this end; its extremes beyond are those of a bridge from the present price to it. */
function endOf({ open, price, high, low }: Shown, { z, deviation, uniform }: Draw): HourCandle {
  const end = deviation * z;
  const reach = (): number => Math.sqrt(end * end - 2 * deviation * deviation * Math.log(1 - uniform()));
  const [top, bottom] = [(end + reach()) / 2, (end - reach()) / 2];
  return {
    open: units(open),
    close: units(price * Math.exp(end)),
    high: units(Math.max(high, price * Math.exp(top))),
    low: units(Math.min(low, price * Math.exp(bottom))),
  };
}

function units(price: number): bigint {
  return BigInt(Math.round(price * 10 ** PRICE_PLACES));
}

function normal(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The covariance of log returns from close to close over the 168 hours before, of hours in which all assets have one. */
export function weekCovariance(candles: Candles, hour: number): readonly (readonly number[])[] {
  const hours = Array.from({ length: WEEK }, (_, back) =>
    SYMBOLS.flatMap((name) => {
      const [one, before] = [candles(name, hour - 1 - back), candles(name, hour - 2 - back)];
      const start = back === WEEK - 1 ? one?.open : before?.close;
      return one === undefined || start === undefined ? [] : [Math.log(Number(one.close) / Number(start))];
    }),
  ).filter((returns) => returns.length === SYMBOLS.length);
  return SYMBOLS.map((_, row) =>
    SYMBOLS.map((__, column) => {
      const products = hours.map((returns) => found(returns[row], 'a return') * found(returns[column], 'a return'));
      return products.reduce((sum, product) => sum + product, 0) / products.length;
    }),
  );
}
