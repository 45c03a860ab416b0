import { brierTerm, referenceBrierTerm } from './brier.ts';
import { crowdFigures, type TallyRow } from './crowd.ts';
import { boundedBrier, isSettled, ownBrier, referenceBrier } from './edge.ts';
import { toDecimal } from './fraction.ts';
import { GRID_POINTS } from './grid.ts';
import { pnlUsd, scoreOf } from './scoring.ts';
import { RULES, type RulesVersion } from './versions.ts';

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
    [true, false].map((correct) => payoffOf(confidence, choiceCount, correct)),
  );
}

export function payoffOf(confidence: number, choiceCount: number, correct: boolean): Payoff {
  return {
    confidence,
    correct,
    score: scoreOf(confidence, correct),
    pnlUsd: pnlUsd(confidence, choiceCount, correct),
    brier: toDecimal(brierTerm(confidence, correct)),
    referenceBrier: toDecimal(referenceBrierTerm(choiceCount, correct)),
  };
}

/** A round that is over, as far as the payoffs of its predictions go. */
export interface DecidedRound {
  readonly choices: readonly string[];
  readonly outcome: string;
  readonly rulesVersion: RulesVersion;
}

/** Brier over all answers, from 0 to 2, in the units of the edge. */
export interface OwnBriers {
  /** What is taken from a reference that has settled. */
  readonly ownBrier: number;
  /** The same as it is taken from any other reference. */
  readonly edgeBrier: number;
}

/** Those of a prediction in a round of `choiceCount` answers. */
export function ownBriersOf(
  { confidence, correct }: Pick<Payoff, 'confidence' | 'correct'>,
  choiceCount: number,
  version: RulesVersion,
): OwnBriers {
  const edgeBrier = RULES[version].boundedEdge ? boundedBrier : ownBrier;
  return {
    ownBrier: inUnits(ownBrier(confidence, choiceCount, correct), UNITS.edge),
    edgeBrier: inUnits(edgeBrier(confidence, choiceCount, correct), UNITS.edge),
  };
}

/** What every prediction with this answer and confidence earns, but for its moment, streak and place. */
export interface AnswerPayoff extends Payoff, OwnBriers {
  readonly answer: string;
  readonly contribution: number;
  readonly peerScore: number;
}

/** The payoff of each row of a round's tally: the at most 808 rows that resolution joins in. */
export function answerPayoffs(
  { choices, outcome, rulesVersion }: DecidedRound,
  tally: readonly TallyRow[],
): readonly AnswerPayoff[] {
  const payoffs = new Map(payoffsOf(choices.length).map((one) => [payoffKey(one.confidence, one.correct), one]));
  return crowdFigures(choices, tally, outcome).map(({ answer, confidence, contribution, peerScore }) => {
    const correct = answer === outcome;
    const payoff = payoffs.get(payoffKey(confidence, correct));
    if (payoff === undefined) throw new RangeError(`confidence must be from 0 to 100 (got ${confidence})`);
    return {
      ...payoff,
      ...ownBriersOf(payoff, choices.length, rulesVersion),
      answer,
      contribution: inUnits(contribution, UNITS.contribution),
      peerScore: inUnits(peerScore, UNITS.peer),
    };
  });
}

/** What the price alone said: a probability for each choice, by the grid point at which it is known. */
export type References = ReadonlyMap<number, readonly number[]>;

/** The references' Brier by the point of the grid, in the units of the edge. At most one of the two is known at a point. */
export interface ReferenceBriers {
  readonly open: readonly (number | null)[];
  /** Where the question is settled. */
  readonly settled: readonly (number | null)[];
}

/** Brier of the reference at every point of the grid; neither is known where no price is, and the rules give no edge there. */
export function referenceBriers(
  { choices, outcome, rulesVersion }: DecidedRound,
  references: References,
): ReferenceBriers {
  const even = choices.map(() => 1 / choices.length);
  const unknown = RULES[rulesVersion].edgeWithoutPrice === 'none' ? null : even;
  const winner = choices.indexOf(outcome);
  const points = Array.from({ length: GRID_POINTS }, (_, point) => references.get(point) ?? unknown);
  const briers = (isWanted: (reference: readonly number[]) => boolean) =>
    points.map((reference) =>
      reference !== null && isWanted(reference) ? inUnits(referenceBrier(reference, winner), UNITS.edge) : null,
    );
  return { open: briers((reference) => !isSettled(reference)), settled: briers(isSettled) };
}

/** Brier of what the price alone said when the hour began, nothing being settled yet: even odds where no price was known. */
export function openingBrier({ choices, outcome }: DecidedRound, { open }: Pick<ReferenceBriers, 'open'>): number {
  const even = choices.map(() => 1 / choices.length);
  return open[0] ?? inUnits(referenceBrier(even, choices.indexOf(outcome)), UNITS.edge);
}

/** The edge of a prediction that was made at a point of the grid, in its units; null where it has none. */
export function edgeAt(point: number, briers: ReferenceBriers, payoff: OwnBriers): number | null {
  const [open, settled] = [briers.open[point] ?? null, briers.settled[point] ?? null];
  if (open !== null) return open - payoff.edgeBrier;
  return settled === null ? null : settled - payoff.ownBrier;
}

function payoffKey(confidence: number, correct: boolean): number {
  return 2 * confidence + Number(correct);
}
