import { toDecimal } from './fraction.ts';
import { pnlUsd } from './pnl.ts';
import { brier, referenceBrier } from './skill.ts';
import { scoreOf } from './scoring.ts';

/** All that a prediction's confidence and correctness alone decide. Figures with a fraction are exact decimals. */
export interface Effect {
  readonly confidence: number;
  readonly correct: boolean;
  readonly score: number;
  readonly pnlUsd: string;
  readonly brier: string;
  readonly referenceBrier: string;
}

const CONFIDENCES = Array.from({ length: 101 }, (_, confidence) => confidence);

/**
 * The effects of every possible prediction in a round of `choiceCount` answers: the 202 rows that resolution joins in,
 * so that no rule is typed again in SQL. Throws when 1 / choiceCount has no finite decimal (3 answers).
 */
export function effectsOf(choiceCount: number): readonly Effect[] {
  return CONFIDENCES.flatMap((confidence) =>
    [true, false].map((correct) => ({
      confidence,
      correct,
      score: scoreOf(confidence, correct),
      pnlUsd: pnlUsd(confidence, choiceCount, correct),
      brier: toDecimal(brier(confidence, correct)),
      referenceBrier: toDecimal(referenceBrier(choiceCount, correct)),
    })),
  );
}
