import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { keepBasis, keepQuotes, type Lacking, type QuotedMarket } from './keep-evidence.ts';
import { type GridPoints, readEvidence, type RoundEvidence } from './round-evidence.ts';

export interface ReferenceDeps {
  readonly newEm: () => SqlEntityManager;
  readonly market: QuotedMarket;
}

export interface Keeping {
  readonly now: Date;
  /** Whether the market's prices may be stored for this round. */
  readonly mayKeep: (evidence: RoundEvidence) => boolean;
}

/** The evidence of these rounds, after what the market can add to it was stored. */
export async function keptEvidence(
  { newEm, market }: ReferenceDeps,
  asked: readonly GridPoints[],
  { now, mayKeep }: Keeping,
): Promise<ReadonlyMap<number, RoundEvidence>> {
  const stored = await readEvidence(newEm(), asked);
  const lacking = asked.flatMap(({ roundId, points }) => {
    const evidence = stored.get(roundId);
    return evidence !== undefined && mayKeep(evidence) ? lackingOf(evidence, points) : [];
  });
  if (lacking.length === 0) return stored;
  await keepQuotes(newEm(), lacking, { market, now });
  const isAgain = new Set(lacking.map(({ evidence }) => evidence.roundId));
  const again = asked.filter(({ roundId }) => isAgain.has(roundId));
  const found = new Map([...stored, ...(await readEvidence(newEm(), again))]);
  const baseless = again.flatMap(({ roundId }) => {
    const evidence = found.get(roundId);
    return evidence?.basis === null && evidence.quotes.has(0) ? [evidence] : [];
  });
  if (baseless.length === 0) return found;
  await Promise.all(baseless.map((evidence) => keepBasis(newEm(), evidence, { market, now })));
  return new Map([...found, ...(await readEvidence(newEm(), again))]);
}

/** What a round needs to be stored for references at these points: the open, the prices there and the basis. */
function lackingOf(evidence: RoundEvidence, points: readonly number[]): readonly Lacking[] {
  const missing = [...new Set([0, ...points])].filter((point) => !evidence.quotes.has(point)).toSorted((a, b) => a - b);
  return missing.length === 0 && evidence.basis !== null ? [] : [{ evidence, points: missing }];
}
