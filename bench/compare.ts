import { type Load, type Span, type Target, type Turn, turnOf } from './load.ts';

export interface Side {
  readonly name: string;
  turn(span: Span): Promise<Turn>;
}

/** The same load in each turn. */
export function sideOf(target: Target, name: string, load: Load): Side {
  return { name, turn: (span) => turnOf(target, load, span) };
}

export interface Plan {
  readonly repetitions: number;
  /** Measured time of a turn. */
  readonly seconds: number;
}

/** A side's turn, and the peer's turn next to it in time. */
export interface Pair {
  readonly ours: Turn;
  readonly theirs: Turn;
}

/** Turns of sides between two turns of the peer: each side is next to one. */
const BETWEEN = 2;
/** Earlier answers are slower, while code is still being compiled. */
const WARM_UP_ANSWERS = 1_000;
const LEAST_ANSWERS = 200;

/**
 * Measures in turns: peer, two sides, peer, two sides ... and the next repetition in reverse order. A busy moment of the machine
 * then slows neighbours alike. The first repetition warms up.
 */
export async function compare(
  peer: Side,
  sides: readonly Side[],
  { repetitions, seconds }: Plan,
): Promise<ReadonlyMap<Side, readonly Pair[]>> {
  const pairs = new Map<Side, Pair[]>(sides.map((side) => [side, []]));
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    const isWarmUp = repetition === 0;
    const span = { seconds, answers: isWarmUp ? WARM_UP_ANSWERS : LEAST_ANSWERS };
    const order = repetition % 2 === 0 ? sides : sides.toReversed();
    for (let first = 0; first < order.length; first += BETWEEN) {
      const some = order.slice(first, first + BETWEEN);
      const theirs = await peer.turn(span);
      for (const side of some) {
        const ours = await side.turn(span);
        if (!isWarmUp) pairs.get(side)?.push({ ours, theirs });
      }
    }
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return pairs;
}

/** The pairs of one side alone. */
export async function pairsOf(peer: Side, side: Side, plan: Plan): Promise<readonly Pair[]> {
  return [...(await compare(peer, [side], plan)).values()].flat();
}

/** Figures of two sides in turns; the first of each warms up. */
export async function alternately<T>(
  repetitions: number,
  of: (side: 0 | 1, n: number) => Promise<T>,
): Promise<readonly (readonly [T, T])[]> {
  const pairs: (readonly [T, T])[] = [];
  for (let n = 0; n <= repetitions; n += 1) {
    const pair = [await of(0, n), await of(1, n)] as const;
    if (n > 0) pairs.push(pair);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return pairs;
}

/** Minimum, median and maximum. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(sorted.length - 1) };
}
