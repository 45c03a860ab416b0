/** Counts as whole percent that add up to 100: those with the largest remainders are rounded up. None of nothing. */
export function wholeShares(counts: readonly number[]): readonly number[] {
  const all = counts.reduce((sum, n) => sum + n, 0);
  if (all === 0) return [];
  const shares = counts.map((n) => Math.floor((n * 100) / all));
  const lacking = 100 - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = counts
    .map((n, index) => ({ index, remainder: (n * 100) % all }))
    .toSorted((one, other) => other.remainder - one.remainder);
  for (const { index } of byRemainder.slice(0, lacking)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
