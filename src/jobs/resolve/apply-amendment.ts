import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { Amendment } from '../../entities/amendments.ts';
import type { Round } from '../../entities/round.ts';
import { appendEvents, type NewEvent } from '../../feed/event-log.ts';
import type { HourVerdict } from '../../market/market.ts';
import { storedPools } from '../../reads/forecasts.ts';
import { rows } from '../../reads/sql.ts';
import type { TallyRow } from '../../rules/crowd.ts';
import { arenaGain } from '../../rules/forecast/made.ts';
import { GRID_POINTS } from '../../rules/grid.ts';
import type { References } from '../../rules/payoffs.ts';
import { PERIODS } from '../../rules/windows.ts';
import { enterLedger, leaveLedger } from '../ledger/amended-rounds.ts';
import { tierEvents } from './apply-outcome.ts';
import { amendForecasts, scoreForecasts } from './forecast-scores.ts';
import { storeEvidence, storePrices } from './evidence-statements.ts';
import { decideRound, type Decision } from './decisions.ts';
import { AMENDED_STREAKS, correctScores, type Move, movesBy, workOutCorrections } from './score-corrections.ts';
import { type ScoredBy, standingKinds } from './score-statements.ts';

/** A decision beside the one that a round has. */
export interface SecondDecision {
  readonly decision: Decision;
  readonly reason: string;
  /** The candles that decided it; null where an operator did. */
  readonly verdict: HourVerdict | null;
  readonly references: References;
  readonly amendedAt: Date;
  readonly events: readonly NewEvent[];
}

export type DecidedRound = Round & { readonly decidedAt: Date };

/** What an amendment has done. */
export interface Amended {
  readonly moves: readonly Move[];
  /** Whose scores changed, its own among them. */
  readonly rounds: readonly number[];
}

/**
 * Puts a second decision beside the one that a round has. Scores get corrections: the rounds leave the ledger with the old
 * ones and enter it with the new. Nothing that a decision wrote is changed but the round's own row. The round, all
 * resolutions and all counting are locked already.
 */
export async function applyAmendment(
  transaction: SqlEntityManager,
  round: DecidedRound,
  second: SecondDecision,
): Promise<Amended> {
  const { id: roundId } = round;
  const { decision, amendedAt, verdict } = second;
  const previous = { outcome: round.outcome ?? null, voidReason: round.voidReason ?? null };
  await scoreForecasts(transaction);
  const tally = await rows<TallyRow>(transaction)`
    select prediction as answer, confidence, n from round_tallies where round_id = ${roundId}`;
  const by =
    decision.outcome === null ? null : await scoringOf(transaction, round, { ...second, tally }, decision.outcome);
  const corrections = await workOutCorrections(transaction, round, by);
  const { rounds, isFirst } = corrections;
  const left = await leaveLedger(transaction, { amended: roundId, rounds });
  const amendmentId = await transaction.insert(Amendment, {
    roundId,
    amendedAt,
    reason: second.reason,
    fromEvidence: verdict !== null,
    previousOutcome: previous.outcome,
    previousVoidReason: previous.voidReason,
    previousVoidNote: round.voidNote,
    ...decision,
    rounds: [...rounds],
  });
  await correctScores(transaction, corrections, { roundId, amendmentId });
  if (verdict !== null) await storeEvidence(transaction, roundId, verdict, amendmentId);
  if (verdict !== null && by !== null) await storePrices(transaction, round, verdict.candles);
  await redecide(transaction, round, { ...second, tally });
  const tierChanges = await enterLedger(transaction, left, AMENDED_STREAKS);
  await amendForecasts(transaction, round, { from: previous.outcome, to: decision.outcome, at: amendedAt });
  const { reason } = second;
  await appendEvents(transaction, amendedAt, [
    ...second.events,
    {
      kind: 'ROUND_AMENDED',
      roundId,
      payload: { ...decision, previousOutcome: previous.outcome, previousVoidReason: previous.voidReason, reason },
    },
    ...(await tierEvents(transaction, round, tierChanges)),
    { kind: 'LEADERBOARD_CHANGED', roundId, payload: { periods: PERIODS } },
  ]);
  return { rounds, moves: await movesBy(transaction, { roundId, amendmentId, isFirst }) };
}

type Tallied = SecondDecision & { readonly tally: readonly TallyRow[] };

/**
 * What the round's predictions are scored by. Their edge over the arena is that over its forecast of then, which the first decision
 * kept: a round that was void has none.
 */
async function scoringOf(
  transaction: SqlEntityManager,
  round: Round,
  { tally, references }: Tallied,
  answer: string,
): Promise<ScoredBy> {
  const kept = await storedPools(transaction, round);
  const priceAt = (point: number): readonly number[] | null => references.get(point) ?? null;
  const winner = round.choices.indexOf(answer);
  const arenaGains = Array.from({ length: GRID_POINTS }, (_, point) =>
    kept === null ? null : arenaGain({ choices: round.choices, ...kept, priceAt }, point, winner),
  );
  const all = [...tally, ...(await standingKinds(transaction, round.id))];
  return { answer, tally: all, references, arenaGains };
}

/** Gives the round its second decision; its place in the order of decisions, which streaks follow, stays. */
async function redecide(
  transaction: SqlEntityManager,
  round: DecidedRound,
  { decision, reason, verdict, amendedAt, tally }: Tallied,
): Promise<void> {
  const { outcome, voidReason } = decision;
  const voidNote = voidReason !== null && verdict === null ? reason : null;
  await decideRound(transaction, round, { ...decision, voidNote, tally, decidedAt: round.decidedAt });
  await rows(transaction)`
    update platform set boards_updated_at = ${amendedAt}, ordered_rounds = null,
      resolved_rounds = resolved_rounds + ${Number(outcome !== null) - Number(round.status === 'resolved')}::int,
      newest_resolved_end = (select max(end_time) from rounds where status = 'resolved')
    where id = 1`;
  // What is made of resolved rounds behind their resolution is not made without one.
  for (const table of ['ordered_boards', 'recent_points', 'kind_boards'])
    await rows(transaction)`delete from ${sql.table(table)} where (select newest_resolved_end from platform) is null`;
  await rows(transaction)`update platform set skilled = null where newest_resolved_end is null`;
}
