import { brierTerm, referenceBrierTerm } from './brier.ts';
import { crowdFigures, type TallyRow } from './crowd.ts';
import { boundedBrier, isSettled, ownBrier, referenceBrier } from './edge.ts';
import { toDecimal } from './fraction.ts';
import { GRID_POINTS } from './grid.ts';
import { pnlUsd, scoreOf } from './scoring.ts';
import { RULES, type RulesVersion } from './versions.ts';

/** Stored units per 1. Whole numbers: sums stay exact as scores enter and leave. */
export const UNITS = { edge: 1_000_000, contribution: 1_000_000_000, peer: 1_000_000, difficulty: 1_000_000 } as const;

/** Rounds to whole units, half up. */
export function inUnits(figure: number, units: number): number {
  // Never -0, which is another text in JSON.
  return Math.round(figure * units) + 0;
}

export function unitsOf(figure: number | null | undefined, units: number): number | null {
  return figure == null ? null : inUnits(figure, units);
}

export function figureOf(inItsUnits: number | null | undefined, units: number): number | null {
  return inItsUnits == null ? null : inItsUnits / units;
}

export interface Payoff {
  readonly confidence: number;
  readonly correct: boolean;
  readonly score: number;
  readonly pnlUsd: string;
  readonly brier: string;
  readonly referenceBrier: string;
}

export const CONFIDENCES = Array.from({ length: 101 }, (_, confidence) => confidence);

/** All 202 possible payoffs. Throws where 1 / choiceCount has no finite decimal (3 answers). */
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

export interface DecidedRound {
  readonly choices: readonly string[];
  readonly outcome: string;
  readonly rulesVersion: RulesVersion;
}

/** Brier over all answers, from 0 to 2, in the units of the edge. */
interface OwnBriers {
  /** Counts against a settled reference. */
  readonly ownBrier: number;
  /** Counts against any other reference. */
  readonly edgeBrier: number;
}

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

export interface AnswerPayoff extends Payoff, OwnBriers {
  readonly answer: string;
  readonly contribution: number;
  readonly peerScore: number;
}

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

export type References = ReadonlyMap<number, readonly number[]>;

/** The references' Brier scores by grid point, in edge units; at most one of the two is known at a point. */
export interface ReferenceBriers {
  readonly open: readonly (number | null)[];
  readonly settled: readonly (number | null)[];
}

/** Scores are null at points without a price, unless the rules then measure the edge over even odds. */
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

/** Brier score of the reference at the start of the hour; even odds where no price was known. */
export function openingBrier({ choices, outcome }: DecidedRound, { open }: Pick<ReferenceBriers, 'open'>): number {
  const even = choices.map(() => 1 / choices.length);
  return open[0] ?? inUnits(referenceBrier(even, choices.indexOf(outcome)), UNITS.edge);
}

export function edgeAt(point: number, briers: ReferenceBriers, payoff: OwnBriers): number | null {
  const [open, settled] = [briers.open[point] ?? null, briers.settled[point] ?? null];
  if (open !== null) return open - payoff.edgeBrier;
  return settled === null ? null : settled - payoff.ownBrier;
}

function payoffKey(confidence: number, correct: boolean): number {
  return 2 * confidence + Number(correct);
}
