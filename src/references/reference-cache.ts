import { LRUCache } from 'lru-cache';

import { withoutDeadline } from '../deadline.ts';
import { batcher } from '../batching.ts';
import { fillEvidence, type ReferenceDeps } from './fill-evidence.ts';
import { type PointReference, pointReferences } from './references.ts';
import type { GridPoints, RoundEvidence } from './round-evidence.ts';
import { isTurnOver, ownTurn } from '../turns.ts';
import { type FillMinutes, minuteFilling } from './whole-minutes.ts';

interface ReferenceRequest extends GridPoints {
  readonly now: Date;
}

/** A round's references at the requested points, and their evidence. */
interface RoundReferences {
  readonly evidence: RoundEvidence;
  readonly byPoint: ReadonlyMap<number, ReadPoint>;
}

export interface ReadPoint extends PointReference {
  readonly evidence: RoundEvidence;
}

export interface ReferenceCache {
  /**
   * References of a round at past points; null for an unknown round. Until it is decided, missing prices are stored where the
   * market has its past. Throws `DeadlineExceeded` after the caller's deadline.
   */
  readonly read: (request: ReferenceRequest) => Promise<RoundReferences | null>;
  readonly fillMinutes: FillMinutes;
}

/** The maximum of rounds with cached references; the least recently read is evicted. */
const CACHED_ROUNDS = 300;
const MAX_BATCH = 100;

interface CachedRound {
  readonly evidence: RoundEvidence;
  readonly known: Map<number, PointReference>;
}

/** A known reference never changes, since its prices do not; an unknown one is read again. */
export function referenceCache(deps: ReferenceDeps): ReferenceCache {
  const cache = new LRUCache<number, CachedRound>({ max: CACHED_ROUNDS });
  const add = async (evidence: RoundEvidence, points: readonly number[]): Promise<RoundReferences> => {
    const known = cache.get(evidence.roundId)?.known ?? new Map<number, PointReference>();
    cache.set(evidence.roundId, { evidence, known });
    const found = await pointReferences(
      evidence,
      points.filter((point) => !known.has(point)),
    );
    for (const [point, reference] of found) if (reference.known) known.set(point, reference);
    const byPoint = points.flatMap((point) => known.get(point) ?? found.get(point) ?? []);
    return { evidence, byPoint: new Map(byPoint.map((one) => [one.point, { ...one, evidence }])) };
  };
  const { add: readTogether } = batcher<ReferenceRequest, RoundReferences | null>({
    inFlight: 2,
    max: MAX_BATCH,
    run: (batch) => withoutDeadline(() => readBatch(deps, batch, add)),
  });
  return {
    fillMinutes: minuteFilling(deps),
    async read(request) {
      const one = cache.get(request.roundId);
      const isCached = one !== undefined && request.points.every((point) => one.known.has(point));
      return isCached ? add(one.evidence, request.points) : readTogether(request);
    },
  };
}

async function readBatch(
  deps: ReferenceDeps,
  batch: readonly ReferenceRequest[],
  add: (evidence: RoundEvidence, points: readonly number[]) => Promise<RoundReferences>,
): Promise<readonly (RoundReferences | null)[]> {
  const { market } = deps;
  const byRound = Map.groupBy(batch, ({ roundId }) => roundId);
  const wanted = [...byRound].map(([roundId, ones]) => ({ roundId, points: pointsOf(ones) }));
  const now = new Date(Math.max(...batch.map((one) => one.now.getTime())));
  const mayFill = ({ source, status }: RoundEvidence): boolean =>
    !market.isLive && source === market.source && (status === 'active' || status === 'resolving');
  const found = await fillEvidence(deps, wanted, { now, mayFill });
  const answers: (RoundReferences | null)[] = [];
  for (const { roundId, points } of batch) {
    if (isTurnOver()) await ownTurn();
    const evidence = found.get(roundId);
    answers.push(evidence === undefined ? null : await add(evidence, points));
  }
  return answers;
}

function pointsOf(requests: readonly GridPoints[]): readonly number[] {
  return [...new Set(requests.flatMap(({ points }) => points))].toSorted((one, other) => one - other);
}
