import { type AskedQuestion } from './plain-question.ts';
import { change, clockTime } from './figures.ts';
import { turningReturns } from './turning-returns.ts';

/** In percent of the hour's start. */
export interface Move {
  readonly name: string;
  readonly pct: number;
  /** Extremes within the hour; null if they equal `pct`. */
  readonly reach: readonly [low: number, high: number] | null;
  /** True for the question's subjects. */
  readonly isAsked: boolean;
}

export interface Moves {
  readonly rows: readonly Move[];
  /** Returns at which the answer turns, in percent. */
  readonly turns: readonly number[];
  /** A description of the drawing. */
  readonly what: string;
}

interface Prices {
  readonly symbol: string;
  readonly startPriceUsd: number | null;
  readonly highUsd: number | null;
  readonly lowUsd: number | null;
  readonly returnPct: number | null;
}

interface Candle {
  readonly symbol: string;
  readonly hourStart: string;
  readonly openUsd: string;
  readonly highUsd: string;
  readonly lowUsd: string;
  readonly closeUsd: string;
}

interface DecidedRound extends AskedQuestion {
  readonly assets: readonly Prices[];
  readonly agreedCandles: readonly Candle[];
}

/** No rows if the market's moves are unknown. */
export function movesOf(round: DecidedRound): Moves {
  const { questionType, params } = round;
  const turns = turningReturns({ questionType, thresholdPct: params.thresholdPct });
  const words = 'return, close over open; thin: lowest to highest';
  if (questionType === 'volatility') {
    const rows = movesIn(round).map(({ reach, ...move }) => {
      const [low, high] = reach ?? [0, 0];
      return { ...move, pct: high - low, reach: null };
    });
    return { rows, turns, what: 'range, (high − low) / open' };
  }
  if (questionType === 'momentum') return { rows: hoursOf(round), turns, what: `${words}, in both hours` };
  const rows = movesIn(round);
  if (questionType === 'beat_market') {
    const mean = rows.reduce((sum, { pct }) => sum + pct / rows.length, 0);
    return { rows, turns: [mean], what: `${words}; dashed: the mean of all, ${change(mean, 3)}` };
  }
  const turning = turns.length === 0 ? '' : `; the question turns at ${turns.map((at) => change(at)).join(' and ')}`;
  return { rows, turns, what: words + turning };
}

/** The highest first if there are more than two. */
function movesIn({ assets, params: { subject } }: DecidedRound): Move[] {
  const moves = assets.flatMap(({ symbol, startPriceUsd: open, highUsd, lowUsd, returnPct }) => {
    if (open === null || highUsd === null || lowUsd === null || returnPct === null) return [];
    const reach = [(lowUsd / open - 1) * 100, (highUsd / open - 1) * 100] as const;
    return [{ name: symbol, pct: returnPct, reach, isAsked: subject == null || subject === symbol }];
  });
  return moves.length > 2 ? moves.toSorted((one, other) => other.pct - one.pct) : moves;
}

/** The subject's hour before, and its own. */
function hoursOf({ agreedCandles, params: { subject } }: DecidedRound): Move[] {
  return agreedCandles
    .filter(({ symbol }) => symbol === subject)
    .toSorted((one, other) => one.hourStart.localeCompare(other.hourStart))
    .map(({ hourStart, openUsd, highUsd, lowUsd, closeUsd }, index, all) => {
      const of = (price: string): number => (Number(price) / Number(openUsd) - 1) * 100;
      return {
        name: clockTime(hourStart),
        pct: of(closeUsd),
        reach: [of(lowUsd), of(highUsd)] as const,
        isAsked: index === all.length - 1,
      };
    });
}
