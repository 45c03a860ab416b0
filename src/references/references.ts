import { setImmediate } from 'node:timers/promises';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { steadyMs } from '../clock.ts';
import type { Round } from '../entities/round.ts';
import { type GridQuote, momentAt } from '../rules/grid.ts';
import { referenceAt } from '../rules/reference/reference.ts';
import { keepBasis, keepQuotes, type Lacking, type QuotedMarket } from './keep-evidence.ts';
import { type GridPoints, readEvidence, type RoundEvidence } from './round-evidence.ts';

export interface ReferenceDeps {
  readonly newEm: () => SqlEntityManager;
  readonly market: QuotedMarket;
}

/** What the price alone said at a grid point of a round. */
export interface PointReference {
  readonly point: number;
  /** False where no price, or no open, is stored: then every answer has 1/k. */
  readonly known: boolean;
  /** One for each choice of the round, in their order; together 1. */
  readonly probabilities: readonly number[];
  /** The prices that are stored there. */
  readonly quote: GridQuote | null;
}

/** A round's references at the points that were asked, and what they follow from. */
export interface RoundReferences {
  readonly evidence: RoundEvidence;
  readonly byPoint: ReadonlyMap<number, PointReference>;
}

/**
 * The reference vectors of a round that is over at these grid points (`gridPointAt` of a submission), by point, in the order
 * of its choices; 1/k each where no price is known. Stores the prices that it needs, so that anybody can work it out again.
 */
export async function referencesOf(
  deps: ReferenceDeps,
  { id, endTime }: Pick<Round, 'id' | 'endTime'>,
  points: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (points.length === 0) return new Map();
  const asked = [{ roundId: id, points }];
  const kept = await keptEvidence(deps, asked, {
    now: endTime,
    mayKeep: ({ source }) => source === deps.market.source,
  });
  const evidence = kept.get(id);
  if (evidence === undefined) throw new Error(`Round ${id} is missing although it is being decided`);
  const { byPoint } = await worked(evidence, points);
  return new Map([...byPoint].map(([point, { probabilities }]) => [point, probabilities]));
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

/** How long references are worked out before others have their turn, in real milliseconds. */
const SLICE_MS = 8;

/** Works the references at these points out of what is stored. */
export async function worked(evidence: RoundEvidence, points: readonly number[]): Promise<RoundReferences> {
  const byPoint = new Map<number, PointReference>();
  let began = steadyMs();
  for (const point of points) {
    byPoint.set(point, pointReference(evidence, point));
    if (steadyMs() - began < SLICE_MS) continue;
    await setImmediate();
    began = steadyMs();
  }
  return { evidence, byPoint };
}

function pointReference(evidence: RoundEvidence, point: number): PointReference {
  const moment = momentAt(evidence, point);
  return {
    point,
    known: moment !== null,
    probabilities: referenceAt(evidence.question, moment),
    quote: evidence.quotes.get(point) ?? null,
  };
}
