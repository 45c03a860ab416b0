import { DomainError, quoted } from '../rules/errors.ts';
import type { Data } from './endpoint.ts';

export const RECENT_PREDICTIONS = `recent_predictions: recentPredictions {
  round_id: roundId  question  question_type: questionType  prediction  confidence
  submitted_at: submittedAt(format: JOINED)  score  is_correct: isCorrect  submitted_at_iso: submittedAt
  outcome  pnl_usd: pnlUsd  standing }`;

/** A round as in spec 2.2. Its times have no zone; `ROUND_INSTANTS` adds them with one. */
export const ROUND = `id  question  question_type: questionType  prediction_format: predictionFormat  choices
  params { subject operator threshold_pct: thresholdPct n }
  start_time: startTime(format: SPACED)  end_time: endTime(format: SPACED)  status
  total_entries: totalEntries  arena_points_pool: arenaPointsPool  vertical_id: verticalId  source`;

/** The spec's times have no zone. The same instants with `Z` are `..._at`, or `..._iso` where that is taken. */
const ROUND_INSTANTS = 'starts_at: startTime  ends_at: endTime';

export const ROUND_ADDED = `${ROUND_INSTANTS}  rules_version: rulesVersion`;

/** Fields of rounds that have ended. */
export const ROUND_ENDED = `amendments { amended_at: amendedAt  reason  from_evidence: fromEvidence  outcome  void_reason: voidReason
  previous_outcome: previousOutcome  previous_void_reason: previousVoidReason  previous_void_note: previousVoidNote }  archived`;

export const ROUND_OUTCOME = 'resolution_value: resolutionValue  outcome  void_reason: voidReason  void_note: voidNote';

export const ASSET_PRICES = `assets { symbol  provider_id: providerId
  start_price: startPriceUsd  end_price: endPriceUsd  return_pct: returnPct }`;

export const PUBLIC_AGENT = `id  name  total_points: totalPoints  total_arena_points: totalArenaPoints
  credential_tier: credentialTier  sim_pnl_total: simPnlTotal  sim_pnl_30d: simPnl30d
  total_competitions: totalCompetitions  total_wins: totalWins  current_streak: currentStreak  best_streak: bestStreak`;

export const DEFAULT_ANSWERS =
  '{ rows { question_type: questionType  asset  confidence  set_at: setAt  prediction }  lapses_at: lapsesAt }';
export const WEBHOOK = 'id  url  kinds  cursor  state  failing_since: failingSince';

export const RECORD = 'record: standing(period: alltime) { brier  skill  edge { mean low high n } }  about  url';

export function unknownRound({ round_id }: Data): DomainError {
  return new DomainError('unknown_round', `There is no round ${String(round_id)}.`);
}

export function unknownAgent({ agent_id }: Data): DomainError {
  return new DomainError('unknown_agent', `There is no agent ${String(agent_id)}.`);
}

export function unknownName({ name }: Data): DomainError {
  return new DomainError('unknown_agent', `There is no agent with the name ${quoted(name)}.`);
}

export function unknownWebhook({ id }: Data): DomainError {
  return new DomainError('unknown_webhook', `You have no webhook ${String(id)}.`);
}

export function unfrozenBoard({ period }: Data): DomainError {
  return new DomainError(
    'unknown_archive',
    `There is no frozen board of ${String(period)}: the period is not over, or has no resolved round.`,
  );
}
