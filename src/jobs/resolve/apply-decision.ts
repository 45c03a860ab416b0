import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { insertRows } from '../../entities/given-rows.ts';
import type { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import { appendEvents, type NewEvent } from '../../feed/event-log.ts';
import type { HourVerdict, Market } from '../../market/market.ts';
import type { References } from '../../rules/payoffs.ts';
import { resolutionValue } from '../../rules/questions/deciding.ts';
import type { LogDeps } from '../../transparency/append.ts';
import { appendDecision } from '../../transparency/record-digests.ts';
import { PERIODS } from '../../rules/windows.ts';
import { FIELD } from '../ledger/sum-tables.ts';
import { type LockedRound, lockRound } from '../ledger/locks.ts';
import { anyOf } from '../../reads/fragments.ts';
import { addToTotals, type Decision, storeDecision, endVoid } from './decisions.ts';
import { setRoundSource, storeEvidence, storePrices } from './evidence-statements.ts';
import { storePools } from './forecast-pools.ts';
import { scoreForecasts } from './forecast-scores.ts';
import { scorePredictions, standingOnlyTally } from './score-statements.ts';
import type { TierChange } from '../ledger/standing-statements.ts';
import { move } from '../ledger/move.ts';
import { movesOfResolution } from '../ledger/moves.ts';
import { REBUILD, resolveStandings } from '../ledger/standings.ts';

/** The basis of a decision. */
interface DecisionBasis {
  readonly verdict: HourVerdict;
  readonly market: Pick<Market, 'source' | 'providerIds'>;
  readonly now: Date;
  readonly references: References;
  readonly deps: LogDeps;
  /** Writes in the same transaction; returns their events. Not called when nothing is decided. */
  readonly extraWrites?: ExtraWrites | undefined;
  /** From this number of scores on, all standings are rewritten; `REBUILD.scores` by default, another in tests. */
  readonly rebuildFrom?: number;
}

export type ExtraWrites = (
  transaction: SqlEntityManager,
  decided: { readonly status: 'resolved' | 'void'; readonly outcome: string | null },
) => Promise<readonly NewEvent[]>;

/**
 * Applies a round's decision and stores its evidence in one transaction; for a winning answer also scores, totals, windows,
 * tiers, tallies and events. Null where the round is decided already.
 */
export function applyDecision(
  em: SqlEntityManager,
  round: Round,
  { decision, ...basis }: DecisionBasis & { readonly decision: Decision },
) {
  const { outcome, voidReason } = decision;
  return em.transactional(async (transaction) => {
    const locked = await lockRound(transaction, round.id, basis.now);
    if (locked?.status !== 'resolving') return null;
    const { decidedAt, entries } = locked;
    await storeEvidence(transaction, round.id, basis.verdict);
    await setRoundSource(transaction, round, basis.market);
    const events =
      outcome === null
        ? [await endVoid(transaction, round, { voidReason, decidedAt, deps: basis.deps })]
        : await applyAnswer(transaction, round, { ...basis, locked, answer: outcome });
    const status = outcome === null ? 'void' : 'resolved';
    const more = await basis.extraWrites?.(transaction, { status, outcome });
    await appendEvents(transaction, decidedAt, [...(more ?? []), ...events]);
    return { decidedAt, entries };
  });
}

async function applyAnswer(
  transaction: SqlEntityManager,
  round: Round,
  { answer, locked, ...basis }: DecisionBasis & { readonly answer: string; readonly locked: LockedRound },
): Promise<readonly NewEvent[]> {
  const { decidedAt, entries, newestResolvedEnd } = locked;
  await storePrices(transaction, round, basis.verdict.candles);
  const moved = await movesOfResolution(transaction, round, newestResolvedEnd);
  const rebuildFrom = basis.rebuildFrom ?? REBUILD.scores;
  const judged = { answer, references: basis.references, isLarge: entries >= rebuildFrom };
  const { arenaGains, tally } = await storePools(transaction, round, judged);
  const tallies = tally.map(({ answer: prediction, ...one }) => ({ round_id: round.id, prediction, ...one }));
  await insertRows(transaction, 'round_tallies', tallies);
  const all = [...tally, ...(await standingOnlyTally(transaction, round.id))];
  await scorePredictions(transaction, round, { ...judged, tally: all, arenaGains });
  await storeDecision(transaction, round, { outcome: answer, voidReason: null, tally, decidedAt });
  await scoreForecasts(transaction, round, { from: null, to: answer, at: decidedAt });
  await move(transaction, FIELD, moved.moves);
  const { id: roundId } = round;
  const checkpoint = await appendDecision(transaction, basis.deps, { roundId, at: decidedAt });
  // Late, since readers of standings wait for the commit.
  const tierChanges = await resolveStandings(transaction, moved, rebuildFrom);
  await addToTotals(transaction, round, decidedAt);
  const value = resolutionValue(round, answer);
  const payload = { outcome: answer, resolutionValue: value, totalEntries: entries, checkpoint };
  return [
    { kind: 'ROUND_RESOLVED', roundId, payload },
    ...(await tierEvents(transaction, round, tierChanges)),
    { kind: 'LEADERBOARD_CHANGED', roundId, payload: { periods: PERIODS } },
  ];
}

/** The events carry the names of agents, so that a dashboard needs no request for them. */
export async function tierEvents(
  transaction: SqlEntityManager,
  { id: roundId }: Round,
  changes: readonly TierChange[],
): Promise<readonly NewEvent[]> {
  if (changes.length === 0) return [];
  const ids = changes.map(({ agentId }) => agentId);
  const agents = transaction.getKysely<DB>().selectFrom('agents').select(['id', 'name']);
  const found = await agents.where('id', '=', anyOf(ids)).execute();
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return changes.map(({ agentId, from, to }) => ({
    kind: 'TIER_CHANGED',
    roundId,
    payload: { agentId, agentName: names.get(agentId), from, to },
  }));
}
