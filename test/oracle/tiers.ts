export const TIERS = ['bronze', 'silver', 'gold', 'diamond'] as const;
export type Tier = (typeof TIERS)[number];

/** Sums over an agent's edges, in millionths. */
export interface Edges {
  readonly n: bigint;
  readonly sum: bigint;
  readonly squares: bigint;
}

export const NO_EDGES: Edges = { n: 0n, sum: 0n, squares: 0n };

export function withEdge({ n, sum, squares }: Edges, edge: bigint): Edges {
  return { n: n + 1n, sum: sum + edge, squares: squares + edge ** 2n };
}

/** The mean edge lies above 0. */
function hasEdge({ sum }: Edges): boolean {
  return sum > 0n;
}

/** mean(e) > 2 sd(e) / sqrt(n), squared and freed of fractions: S^2 (n - 1) > 4 (n Q - S^2). */
function surelyHasEdge({ n, sum, squares }: Edges): boolean {
  return n > 1n && sum > 0n && sum ** 2n * (n - 1n) > 4n * (n * squares - sum ** 2n);
}

export function tierOf(points: number, competitions: number, edges: Edges): Tier {
  if (points >= 75_000 && competitions >= 720 && surelyHasEdge(edges)) return 'diamond';
  if (points >= 25_000 && competitions >= 240 && hasEdge(edges)) return 'gold';
  return points >= 5_000 && competitions >= 50 ? 'silver' : 'bronze';
}
