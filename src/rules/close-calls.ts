import type { QuestionType } from './questions/question.ts';

/** Types whose outcome depends on how far one return is from a bound, or from another return. */
export const CLOSE_TYPES = ['direction', 'momentum', 'threshold', 'relative'] as const satisfies QuestionType[];

export interface ReturnsOfRound {
  readonly roundId: number;
  /** Signed percent; null: the bound is 0, or the other return. */
  readonly thresholdPct: number | null;
  /** In percent, of the one asset, or of both. */
  readonly returnsPct: readonly number[];
}

/** The round that the smallest further move would have decided otherwise, the first of equal ones; for display. */
export function closestCall(rounds: readonly ReturnsOfRound[]) {
  const [closest = null] = rounds
    .map(({ roundId, thresholdPct, returnsPct: [first = 0, second] }) => ({
      roundId,
      marginPct: Math.abs(first - (second ?? thresholdPct ?? 0)),
    }))
    .toSorted((one, other) => one.marginPct - other.marginPct);
  return closest;
}

export type CloseCall = NonNullable<ReturnType<typeof closestCall>>;
