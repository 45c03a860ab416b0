export const TIERS = ['bronze', 'silver', 'gold', 'diamond'] as const;
export type Tier = (typeof TIERS)[number];

/** Sums of d = (1/k - o)^2 - (c - o)^2 over an agent's predictions, in units of 1 / 640,000. */
export interface Skill {
  readonly n: bigint;
  readonly sum: bigint;
  readonly squares: bigint;
}

export const NO_SKILL: Skill = { n: 0n, sum: 0n, squares: 0n };

export function withPrediction(skill: Skill, answers: number, confidence: number, correct: boolean): Skill {
  if (8 % answers !== 0) throw new Error(`${answers} answers do not divide 8`);
  const eighths = BigInt(8 / answers - (correct ? 8 : 0));
  const hundredths = BigInt(confidence - (correct ? 100 : 0));
  const d = eighths ** 2n * 10_000n - hundredths ** 2n * 64n;
  return { n: skill.n + 1n, sum: skill.sum + d, squares: skill.squares + d ** 2n };
}

/** Brier skill above 0: the Brier sum lies below that of the reference, so that their difference is positive. */
export function isSkilled(skill: Skill): boolean {
  return skill.sum > 0n;
}

/** mean(d) > 2 sd(d) / sqrt(n), squared and freed of fractions: S^2 (n - 1) > 4 (n Q - S^2). */
export function isSurelySkilled({ n, sum, squares }: Skill): boolean {
  return n > 1n && sum > 0n && sum ** 2n * (n - 1n) > 4n * (n * squares - sum ** 2n);
}

export function tierOf(points: number, competitions: number, skill: Skill): Tier {
  if (points >= 75_000 && competitions >= 720 && isSurelySkilled(skill)) return 'diamond';
  if (points >= 25_000 && competitions >= 240 && isSkilled(skill)) return 'gold';
  return points >= 5_000 && competitions >= 50 ? 'silver' : 'bronze';
}
