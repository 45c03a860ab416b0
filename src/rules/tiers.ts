import { compare, fraction, multiply, sign, square, subtract, type Fraction } from './fraction.ts';

export const TIER_NAMES = ['bronze', 'silver', 'gold', 'diamond'] as const;

export type Tier = (typeof TIER_NAMES)[number];

interface TierRow {
  readonly tier: Tier;
  readonly points: number;
  readonly competitions: number;
  /** Minimum standard errors of the mean edge above 0; 0: just above; null: no minimum. */
  readonly standardErrors: number | null;
}

export const TIERS: readonly TierRow[] = [
  { tier: 'bronze', points: -Infinity, competitions: 0, standardErrors: null },
  { tier: 'silver', points: 5_000, competitions: 50, standardErrors: null },
  { tier: 'gold', points: 25_000, competitions: 240, standardErrors: 0 },
  { tier: 'diamond', points: 75_000, competitions: 720, standardErrors: 2 },
];

export const FIRST_TIER: Tier = 'bronze';

export interface TierRecord {
  readonly points: number;
  readonly competitions: number;
  /** Competitions answered by a standing row: they have no edge and do not count toward tiers with one. */
  readonly standing: number;
  readonly edges: number;
  readonly edgeSum: Fraction;
  readonly edgeSquareSum: Fraction;
}

/** The highest tier whose row the record meets. A tier can be lost. */
export function tierOf(record: TierRecord): Tier {
  const row = TIERS.findLast(
    ({ points, competitions, standardErrors }) =>
      record.points >= points &&
      (standardErrors === null
        ? record.competitions >= competitions
        : record.competitions - record.standing >= competitions && edgeExceeds(standardErrors, record)),
  );
  return row?.tier ?? FIRST_TIER;
}

/**
 * True if mean(e) > m sd(e) / sqrt(n) over n edges e, sd with n - 1. It is computed without roots or denominators: for
 * S = sum e and Q = sum e^2 as S > 0 and S^2 (n - 1) > m^2 (n Q - S^2).
 */
function edgeExceeds(standardErrors: number, record: TierRecord): boolean {
  const { edges, edgeSum, edgeSquareSum } = record;
  if (sign(edgeSum) <= 0) return false;
  const spread = subtract(multiply(fraction(edges), edgeSquareSum), square(edgeSum));
  const lead = multiply(square(edgeSum), fraction(edges - 1));
  return compare(lead, multiply(square(fraction(standardErrors)), spread)) > 0;
}
