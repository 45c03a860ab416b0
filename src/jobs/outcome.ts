import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Round } from '../entities/round.ts';
import { appendEvents, type NewEvent } from '../feed/event-log.ts';
import type { HourCandle } from '../market/market.ts';
import type { Asset } from '../rules/assets.ts';
import { resolutionValue } from '../rules/questions/deciding.ts';
import type { VoidReason } from '../rules/round-states.ts';
import { PERIODS } from '../rules/windows.ts';
import { rewriteBoards, rewriteRanks } from './board-statements.ts';
import { storeCandles, storePrices } from './candle-statements.ts';
import { countDecided, decideRound, lockUndecided } from './round-statements.ts';
import { scorePredictions } from './score-statements.ts';
import { updateStandings } from './standing-statements.ts';
import { tallyRound, updateFieldTallies } from './tally-statements.ts';

export interface AssetCandle extends HourCandle {
  readonly asset: Asset;
}

interface Evidence {
  readonly candles: readonly AssetCandle[];
  readonly source: string;
  readonly now: Date;
}

/** Applies a round's winning answer: evidence, scores, totals, windows, tiers, tallies, status and events, all or nothing. */
export function applyOutcome(
  em: SqlEntityManager,
  round: Round,
  decision: Evidence & { readonly answer: string },
): Promise<void> {
  const { candles, source, now, answer } = decision;
  return em.transactional(async (transaction) => {
    const before = await lockUndecided(transaction, round.id);
    if (before === null) return;
    await storeCandles(transaction, round.id, { candles, source, now });
    await storePrices(transaction, round, candles);
    await scorePredictions(transaction, round, answer);
    const tierChanges = await updateStandings(transaction, round, before.newestResolvedEnd);
    await rewriteBoards(transaction);
    await rewriteRanks(transaction);
    const value = resolutionValue(round, answer);
    await decideRound(transaction, round.id, { status: 'resolved', outcome: answer, value, voidReason: null, now });
    await tallyRound(transaction, round.id);
    await updateFieldTallies(transaction, round, before.newestResolvedEnd);
    await countDecided(transaction, round, now);
    await appendEvents(transaction, now, [
      { kind: 'ROUND_RESOLVED', roundId: round.id, payload: { outcome: answer, resolutionValue: value } },
      ...tierChanges.map(({ agentId, from, to }): NewEvent => ({
        kind: 'TIER_CHANGED',
        roundId: round.id,
        payload: { agentId, from, to },
      })),
      { kind: 'LEADERBOARD_CHANGED', roundId: round.id, payload: { periods: PERIODS } },
    ]);
  });
}

/** Ends a round without an outcome: nobody's totals, streak or P&L move. */
export function applyVoid(
  em: SqlEntityManager,
  round: Round,
  decision: Evidence & { readonly reason: VoidReason },
): Promise<void> {
  const { candles, source, now, reason } = decision;
  return em.transactional(async (transaction) => {
    if ((await lockUndecided(transaction, round.id)) === null) return;
    await storeCandles(transaction, round.id, { candles, source, now });
    await decideRound(transaction, round.id, { status: 'void', outcome: null, value: null, voidReason: reason, now });
    await tallyRound(transaction, round.id);
    await countDecided(transaction, round, null);
    await appendEvents(transaction, now, [{ kind: 'ROUND_VOID', roundId: round.id, payload: { reason } }]);
  });
}
