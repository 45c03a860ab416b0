import { crowdFigures, type TallyRow } from './crowd.ts';
import { ownBrier, referenceBrier } from './edge.ts';
import { GRID_POINTS } from './grid.ts';
import { type Payoff, payoffsOf } from './scoring.ts';

/** How many of the units that are stored make 1. Whole numbers: their sums are exact, whatever enters and leaves. */
export const UNITS = { edge: 1_000_000, contribution: 1_000_000_000, peer: 1_000_000, difficulty: 1_000_000 } as const;

/** A round that is over, as far as the worth of predictions goes. */
export interface Judged {
  readonly choices: readonly string[];
  /** The answer that won. */
  readonly outcome: string;
}

/** What every prediction with this answer and confidence is worth, but for its moment, streak and place. */
export interface Worth extends Payoff {
  readonly answer: string;
  /** Brier over all answers, from 0 to 2, in the units of the edge. */
  readonly ownBrier: number;
  readonly contribution: number;
  readonly peerScore: number;
}

/** The worth of each kind of prediction in a round's tally: the at most 808 rows that resolution joins in. */
export function worthsOf({ choices, outcome }: Judged, tally: readonly TallyRow[]): readonly Worth[] {
  const payoffs = new Map(payoffsOf(choices.length).map((one) => [payoffKey(one.confidence, one.correct), one]));
  return crowdFigures(choices, tally, outcome).map(({ answer, confidence, contribution, peerScore }) => {
    const correct = answer === outcome;
    const payoff = payoffs.get(payoffKey(confidence, correct));
    if (payoff === undefined) throw new RangeError(`confidence must be from 0 to 100 (got ${confidence})`);
    return {
      ...payoff,
      answer,
      ownBrier: inUnits(ownBrier(confidence, choices.length, correct), UNITS.edge),
      contribution: inUnits(contribution, UNITS.contribution),
      peerScore: inUnits(peerScore, UNITS.peer),
    };
  });
}

/** What the price alone said: a probability for each choice, by the grid point at which it is known. */
export type References = ReadonlyMap<number, readonly number[]>;

/** Brier of the reference at every point of the grid, in the units of the edge; 1 / k on each answer where none is known. */
export function referenceBriers({ choices, outcome }: Judged, references: References): readonly number[] {
  const even = choices.map(() => 1 / choices.length);
  const winner = choices.indexOf(outcome);
  return Array.from({ length: GRID_POINTS }, (_, point) =>
    inUnits(referenceBrier(references.get(point) ?? even, winner), UNITS.edge),
  );
}

/** A figure as a whole number of its units, half up. */
export function inUnits(figure: number, units: number): number {
  // Never -0, which is another text in JSON.
  return Math.round(figure * units) + 0;
}

/** The figure that so many units are; null stays null. */
export function figureOf(inItsUnits: number | null | undefined, units: number): number | null {
  return inItsUnits == null ? null : inItsUnits / units;
}

function payoffKey(confidence: number, correct: boolean): number {
  return 2 * confidence + Number(correct);
}
