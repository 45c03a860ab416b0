import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { Amendment } from '../../entities/amendments.ts';
import type { DB } from '../../entities/tables.ts';
import { appendEvents } from '../../feed/event-log.ts';
import { lockLog, type LogDeps } from '../../transparency/append.ts';
import { appendDecision } from '../../transparency/record-digests.ts';
import { PERIODS } from '../../rules/windows.ts';
import { enterLedger, leaveLedger } from '../ledger/amended-rounds.ts';
import { tierEvents } from './apply-decision.ts';
import { scoreForecasts } from './forecast-scores.ts';
import { storeEvidence, storePrices } from './evidence-statements.ts';
import { storeAmendedDecision, type AmendableRound, type AmendedDecision } from './decisions.ts';
import { rankChangesBy } from './amendment-moves.ts';
import { AMENDED_STREAKS, correctScores, workOutCorrections } from './score-corrections.ts';
import { scoringAgain } from './score-statements.ts';

/**
 * Stores a new decision of a round beside the earlier ones. Scores get corrections: the rounds leave the ledger with the old
 * scores and enter it with the new. The earlier decisions' rows stay, except the row of the round itself. The caller holds the
 * locks of the round, of resolutions and of counting. Returns the rounds whose scores changed, including the amended one, and
 * the agents that moved.
 */
export async function applyAmendment(
  transaction: SqlEntityManager,
  round: AmendableRound,
  second: AmendedDecision & { readonly deps: LogDeps },
) {
  const { id: roundId } = round;
  const { decision, amendedAt, verdict, reason, deps } = second;
  const previous = { previousOutcome: round.outcome ?? null, previousVoidReason: round.voidReason ?? null };
  const tallies = transaction.getKysely<DB>().selectFrom('round_tallies').where('round_id', '=', roundId);
  const tally = await tallies.select(['prediction as answer', 'confidence', 'n']).execute();
  const by =
    decision.outcome === null
      ? null
      : await scoringAgain(transaction, round, { references: second.references, tally }, decision.outcome);
  const { rounds, isFirst } = await workOutCorrections(transaction, round, by);
  const left = await leaveLedger(transaction, { amended: roundId, rounds });
  const amendmentId = await transaction.insert(Amendment, {
    roundId,
    amendedAt,
    reason,
    fromEvidence: verdict !== null,
    ...previous,
    previousVoidNote: round.voidNote,
    ...decision,
    rounds: [...rounds],
  });
  const stored = { roundId, amendmentId, isFirst };
  await correctScores(transaction, stored);
  if (verdict !== null) await storeEvidence(transaction, roundId, verdict, amendmentId);
  if (verdict !== null && by !== null) await storePrices(transaction, round, verdict.candles);
  await lockLog(transaction);
  await storeAmendedDecision(transaction, round, { ...second, tally });
  const tierChanges = await enterLedger(transaction, left, AMENDED_STREAKS);
  await scoreForecasts(transaction, round, { from: previous.previousOutcome, to: decision.outcome, at: amendedAt });
  const checkpoint = await appendDecision(transaction, deps, { roundId, at: amendedAt, amendmentId });
  await appendEvents(transaction, amendedAt, [
    ...second.events,
    { kind: 'ROUND_AMENDED', roundId, payload: { ...decision, ...previous, reason, checkpoint } },
    ...(await tierEvents(transaction, round, tierChanges)),
    { kind: 'LEADERBOARD_CHANGED', roundId, payload: { periods: PERIODS } },
  ]);
  return { rounds, moves: await rankChangesBy(transaction, stored) };
}
