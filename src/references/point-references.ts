import { setImmediate } from 'node:timers/promises';

import { steadyMs } from '../clock.ts';
import { type GridQuote, momentAt } from '../rules/grid.ts';
import { referenceAt } from '../rules/reference/reference.ts';
import type { RoundEvidence } from './round-evidence.ts';

/** What the price alone said at a grid point of a round. */
export interface PointReference {
  readonly point: number;
  /** False where no price, no open or no covariance is stored: then every answer has 1/k. */
  readonly known: boolean;
  /** One for each choice of the round, in their order; together 1. */
  readonly probabilities: readonly number[];
  /** The prices that are stored there. */
  readonly quote: GridQuote | null;
}

/** How long references are worked out before others have their turn, in real milliseconds. */
const SLICE_MS = 8;

/** The references at these points, by point, worked out of what is stored. */
export async function pointReferences(
  evidence: RoundEvidence,
  points: readonly number[],
): Promise<ReadonlyMap<number, PointReference>> {
  const byPoint = new Map<number, PointReference>();
  let began = steadyMs();
  for (const point of points) {
    byPoint.set(point, pointReference(evidence, point));
    if (steadyMs() - began < SLICE_MS) continue;
    await setImmediate();
    began = steadyMs();
  }
  return byPoint;
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
