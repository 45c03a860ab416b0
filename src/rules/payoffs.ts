import { brierTerm, referenceBrierTerm } from './calibration.ts';
import { crowdFigures, type TallyRow } from './crowd.ts';
import { ownBrier, referenceBrier } from './edge.ts';
import { toDecimal } from './fraction.ts';
import { GRID_POINTS } from './grid.ts';
import { pnlUsd, scoreOf } from './scoring.ts';

/** How many of the units that are stored make 1. Whole numbers: their sums are exact, whatever enters and leaves. */
export const UNITS = { edge: 1_000_000, contribution: 1_000_000_000, peer: 1_000_000, difficulty: 1_000_000 } as const;

/** A figure as a whole number of its units, half up. */
export function inUnits(figure: number, units: number): number {
  // Never -0, which is another text in JSON.
  return Math.round(figure * units) + 0;
}

/** The figure that so many units are; null stays null. */
export function figureOf(inItsUnits: number | null | undefined, units: number): number | null {
  return inItsUnits == null ? null : inItsUnits / units;
}

/** All that a prediction's confidence and correctness alone decide. Figures with a fraction are exact decimals. */
export interface Payoff {
  readonly confidence: number;
  readonly correct: boolean;
  readonly score: number;
  readonly pnlUsd: string;
  readonly brier: string;
  readonly referenceBrier: string;
}

const CONFIDENCES = Array.from({ length: 101 }, (_, confidence) => confidence);

/**
 * The payoffs of every possible prediction in a round of `choiceCount` answers: 202. Throws when 1 / choiceCount has no
 * finite decimal (3 answers).
 */
export function payoffsOf(choiceCount: number): readonly Payoff[] {
  return CONFIDENCES.flatMap((confidence) =>
    [true, false].map((correct) => ({
      confidence,
      correct,
      score: scoreOf(confidence, correct),
      pnlUsd: pnlUsd(confidence, choiceCount, correct),
      brier: toDecimal(brierTerm(confidence, correct)),
      referenceBrier: toDecimal(referenceBrierTerm(choiceCount, correct)),
    })),
  );
}

/** A round that is over, as far as the payoffs of its predictions go. */
export interface DecidedRound {
  readonly choices: readonly string[];
  /** The answer that won. */
  readonly outcome: string;
}

/** What every prediction with this answer and confidence earns, but for its moment, streak and place. */
export interface AnswerPayoff extends Payoff {
  readonly answer: string;
  /** Brier over all answers, from 0 to 2, in the units of the edge. */
  readonly ownBrier: number;
  readonly contribution: number;
  readonly peerScore: number;
}

/** The payoff of each row of a round's tally: the at most 808 rows that resolution joins in. */
export function answerPayoffs({ choices, outcome }: DecidedRound, tally: readonly TallyRow[]): readonly AnswerPayoff[] {
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
export function referenceBriers({ choices, outcome }: DecidedRound, references: References): readonly number[] {
  const even = choices.map(() => 1 / choices.length);
  const winner = choices.indexOf(outcome);
  return Array.from({ length: GRID_POINTS }, (_, point) =>
    inUnits(referenceBrier(references.get(point) ?? even, winner), UNITS.edge),
  );
}

function payoffKey(confidence: number, correct: boolean): number {
  return 2 * confidence + Number(correct);
}
