import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Round } from '../entities/round.ts';
import { appendEvents, type NewEvent } from '../feed/event-log.ts';
import type { HourVerdict, Market } from '../market/market.ts';
import { difficultyOf } from '../rules/crowd.ts';
import type { References } from '../rules/payoffs.ts';
import { resolutionValue } from '../rules/questions/deciding.ts';
import type { VoidReason } from '../rules/round-states.ts';
import { PERIODS } from '../rules/windows.ts';
import {
  addToTotals,
  decideRound,
  lockRound,
  setRoundSource,
  storeEvidence,
  storePrices,
  storeTally,
  tallyRound,
  updateFieldTallies,
} from './round-statements.ts';
import { storePools } from './forecast-pools.ts';
import { scoreForecasts } from './forecast-scores.ts';
import { scorePredictions } from './score-statements.ts';
import type { TierChange } from './standings/standing-statements.ts';
import { REBUILD, updateStandings } from './standings/standings.ts';
import { windowMoves } from './standings/window-moves.ts';
import { rows } from '../reads/sql.ts';

/** What a decision rests on: the market that was asked, and its verdict. */
interface Decision {
  readonly verdict: HourVerdict;
  readonly market: Pick<Market, 'source' | 'providerIds'>;
  readonly now: Date;
  /** What the price alone said, where it is known. */
  readonly references?: References | undefined;
  /** What else belongs in the same transaction; returns the events that announce it. Not called when nothing is decided. */
  readonly extraWrites?: ExtraWrites | undefined;
  /** From how many scores on all standings are written anew; `REBUILD.scores` unless a test wants to see either way. */
  readonly rebuildFrom?: number;
}

export type ExtraWrites = (
  transaction: SqlEntityManager,
  decided: { readonly status: 'resolved' | 'void'; readonly outcome: string | null },
) => Promise<readonly NewEvent[]>;

/** A decision as it was applied; null: somebody else had decided the round. */
type Applied = { readonly decidedAt: Date; readonly entries: number } | null;
/** `attached`: what others have attached to `standings`, where that kept them from being written anew. */
type AppliedOutcome = (NonNullable<Applied> & { readonly attached: readonly string[] }) | null;

const NO_PRICES: References = new Map();

/** Applies a round's winning answer: evidence, scores, totals, windows, tiers, tallies, status and events, all or nothing. */
export function applyOutcome(
  em: SqlEntityManager,
  round: Round,
  decision: Decision & { readonly answer: string },
): Promise<AppliedOutcome> {
  const { verdict, answer } = decision;
  return em.transactional(async (transaction) => {
    const before = await lockRound(transaction, round.id, decision.now);
    if (before?.status !== 'resolving') return null;
    const { newestResolvedEnd, decidedAt: now } = before;
    await storeBasis(transaction, round, decision);
    await storePrices(transaction, round, verdict.candles);
    const moves = await windowMoves(transaction, round, newestResolvedEnd);
    const rebuildFrom = decision.rebuildFrom ?? REBUILD.scores;
    const isLarge = before.entries >= rebuildFrom;
    const judged = { answer, references: decision.references ?? NO_PRICES, isLarge };
    const { arenaGains, tally } = await storePools(transaction, round, judged);
    await storeTally(transaction, round.id, tally);
    await scorePredictions(transaction, round, { ...judged, tally, arenaGains });
    const { tierChanges, attached } = await updateStandings(transaction, moves, rebuildFrom);
    const value = resolutionValue(round, answer);
    const difficulty = difficultyOf(tally, answer);
    await decideRound(transaction, round.id, {
      status: 'resolved',
      outcome: answer,
      value,
      difficulty,
      voidReason: null,
      now,
    });
    await scoreForecasts(transaction);
    await updateFieldTallies(transaction, moves);
    await addToTotals(transaction, round, now);
    const more = await decision.extraWrites?.(transaction, { status: 'resolved', outcome: answer });
    await appendEvents(transaction, now, [
      ...(more ?? []),
      {
        kind: 'ROUND_RESOLVED',
        roundId: round.id,
        payload: { outcome: answer, resolutionValue: value, totalEntries: before.entries },
      },
      ...(await tierEvents(transaction, round, tierChanges)),
      { kind: 'LEADERBOARD_CHANGED', roundId: round.id, payload: { periods: PERIODS } },
    ]);
    return { decidedAt: now, entries: before.entries, attached };
  });
}

/** Says whose tier changed by name too, so that a dashboard need not ask. */
async function tierEvents(
  transaction: SqlEntityManager,
  { id: roundId }: Round,
  changes: readonly TierChange[],
): Promise<readonly NewEvent[]> {
  if (changes.length === 0) return [];
  const ids = changes.map(({ agentId }) => agentId);
  const found = await rows<{ id: number; name: string }>(transaction)`
    select id, name from agents where id = any(${ids}::int[])`;
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return changes.map(({ agentId, from, to }) => ({
    kind: 'TIER_CHANGED',
    roundId,
    payload: { agentId, agentName: names.get(agentId), from, to },
  }));
}

/** Ends a round without an outcome: nobody's totals, streak or P&L move. */
export function applyVoid(
  em: SqlEntityManager,
  round: Round,
  decision: Decision & { readonly reason: VoidReason },
): Promise<Applied> {
  const { reason } = decision;
  return em.transactional(async (transaction) => {
    const before = await lockRound(transaction, round.id, decision.now);
    if (before?.status !== 'resolving') return null;
    const { decidedAt: now } = before;
    await storeBasis(transaction, round, decision);
    await decideRound(transaction, round.id, { status: 'void', outcome: null, value: null, voidReason: reason, now });
    await tallyRound(transaction, round.id);
    await addToTotals(transaction, round, null);
    const more = await decision.extraWrites?.(transaction, { status: 'void', outcome: null });
    await appendEvents(transaction, now, [
      ...(more ?? []),
      { kind: 'ROUND_VOID', roundId: round.id, payload: { reason } },
    ]);
    return { decidedAt: now, entries: before.entries };
  });
}

async function storeBasis(transaction: SqlEntityManager, round: Round, { market, verdict }: Decision): Promise<void> {
  await storeEvidence(transaction, round.id, verdict);
  await setRoundSource(transaction, round, market);
}
