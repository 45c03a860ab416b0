import { pnlCentsOf } from '../oracle/scores.ts';
import { below } from './oracle-normals.ts';

/** A scored prediction, as far as chance goes. */
export interface Guessable {
  readonly answers: number;
  /** Percent. */
  readonly confidence: number;
  readonly correct: boolean;
}

/** The share of guessers who would have won less often, those level counted half: one round after the other. */
export function luckOfWinsBy(record: readonly Guessable[]): number {
  let chances = [1];
  for (const { answers } of record) {
    const next = Array.from({ length: chances.length + 1 }, () => 0);
    chances.forEach((chance, wins) => {
      next[wins] = (next[wins] ?? 0) + chance * (1 - 1 / answers);
      next[wins + 1] = (next[wins + 1] ?? 0) + chance / answers;
    });
    chances = next;
  }
  const wins = record.filter(({ correct }) => correct).length;
  return chances.slice(0, wins).reduce((sum, chance) => sum + chance, 0) + (chances[wins] ?? 0) / 2;
}

/** The same of P&L in cents, normal with the exact mean and variance of the same confidences on guesses. */
export function luckOfPnlBy(record: readonly Guessable[]): number {
  let [earned, mean, variance] = [0, 0, 0];
  for (const { answers, confidence, correct } of record) {
    const [won, lost] = [true, false].map((right) => Number(pnlCentsOf(answers, confidence, right)));
    earned += Number(pnlCentsOf(answers, confidence, correct));
    mean += (Number(won) + (answers - 1) * Number(lost)) / answers;
    variance += ((Number(won) - Number(lost)) ** 2 * (answers - 1)) / answers ** 2;
  }
  return variance > 0 ? below((earned - mean) / Math.sqrt(variance)) : 0.5;
}
