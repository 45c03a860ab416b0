import { ADDED_ENDPOINTS } from './added-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import {
  ASSET_PRICES,
  PUBLIC_AGENT,
  RECENT_PREDICTIONS,
  RECORD,
  ROUND,
  ROUND_ADDED,
  ROUND_ENDED,
  ROUND_OUTCOME,
  unknownAgent,
  unknownRound,
  WEBHOOK,
} from './row-parts.ts';
import { currentRound, entries, flatRounds, hasDecidedWithoutWords, results } from './round-shapes.ts';
import { fieldsOf } from './shape.ts';
import { leaderboard, marketByAsset, ownProfile, profile, submitted, succeeded } from './shapes.ts';

/** THE TABLE: the 14 endpoints of spec section 4 in order, then the added ones. Added fields follow the spec's. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/agents/register',
    summary: 'Register a name and get an API key, shown once.',
    refusals: ['CONFLICT'],
    limit: 'register',
    success: 201,
    document: `mutation ($name: String!, $mode: AgentMode, $wallet_address: String) {
      body: register(name: $name, mode: $mode, walletAddress: $wallet_address) {
        agent { id name mode total_points: totalPoints current_streak: currentStreak }  api_key: apiKey } }`,
    shape: succeeded,
  },
  {
    method: 'GET',
    path: '/api/me',
    summary: 'Your own profile: totals, streaks, P&L and the last 20 predictions.',
    limit: 'me',
    document: `{ agent: me { ${PUBLIC_AGENT}  mode  registered_at: registeredAt(format: SPACED)
      rounds_competed: roundsCompeted  sim_pnl_7d: simPnl7d  win_rate: winRate  ${RECENT_PREDICTIONS}
      registered_at_iso: registeredAt  standing { rank  rank_period: period }  ${RECORD}
      standing_predictions: standingPredictions { lapses_at: lapsesAt }  webhooks { ${WEBHOOK} } } }`,
    shape: ownProfile,
    cached: { for: 'viewer' },
  },
  {
    method: 'POST',
    path: '/api/me/rotate-key',
    summary: 'Replace your API key; the old one is invalid at once.',
    limit: 'rotateKey',
    document: `mutation { body: rotateKey { api_key: apiKey  message } }`,
    shape: succeeded,
  },
  {
    method: 'POST',
    path: '/api/me/activate',
    summary: 'Become a competitor, if you registered as a spectator.',
    limit: 'activate',
    document: `mutation { body: activate { message  mode  next_round: nextRound {
      id  ends_at: endTime(format: SPACED)  starts_at: startTime  ends_at_iso: endTime } } }`,
    shape: succeeded,
  },
  {
    method: 'GET',
    path: '/api/rounds/current',
    summary: 'The running round: its question, its choices and the time left.',
    limit: 'currentRound',
    document: `{ round: currentRound { ${ROUND}  assets { symbol  provider_id: providerId }
      time_remaining_seconds: timeRemainingSeconds  ${ROUND_ADDED} } }`,
    shape: currentRound,
    cached: { for: 'everybody' },
  },
  {
    method: 'POST',
    path: '/api/predictions',
    summary: 'Answer the current round, once.',
    refusals: ['FORBIDDEN', 'CONFLICT'],
    recordsRefusals: true,
    limit: 'predictions',
    success: 201,
    headers: { idempotency_key: 'Idempotency-Key' },
    document: `mutation ($round_id: Int!, $prediction: String!, $confidence: Int!, $idempotency_key: String, $dry_run: Boolean, $rationale: String, $model: String) {
      prediction: submitPrediction(roundId: $round_id, prediction: $prediction, confidence: $confidence,
        idempotencyKey: $idempotency_key, dryRun: $dry_run, rationale: $rationale, model: $model) {
        id  agent_id: agentId  round_id: roundId  prediction  confidence  submitted_at: submittedAt(format: JOINED)
        submitted_at_iso: submittedAt  replayed  dry_run: dryRun  leaf_hash: leafHash  rationale  model } }`,
    shape: submitted,
    means: {
      200: 'The answer was only checked (`dry_run`): nothing is stored, and the round can still be answered.',
      201: 'The answer is stored, and final. A repeat with the same `Idempotency-Key` returns the same.',
    },
    successOf: (data) => (fieldsOf(data['prediction'])['dry_run'] === true ? 200 : 201),
    answerHeaders: (data) => {
      const { replayed, leaf_hash: leaf } = fieldsOf(data['prediction']);
      return {
        ...(replayed === true && { 'Idempotent-Replayed': 'true' }),
        ...(typeof leaf === 'string' && { 'Hourcast-Leaf': leaf }),
      };
    },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/results',
    summary: 'The result of a round: outcome, prices, predictions by score.',
    limit: 'results',
    document: `query ($round_id: Int!, $limit: Int, $after: Int) {
      round(id: $round_id) { ${ROUND}  ${ROUND_OUTCOME}  ${ASSET_PRICES}  ${ROUND_ADDED}
        ${ROUND_ENDED}
        predictions: results(limit: $limit, after: $after) {
          id  agent_name: agentName  prediction  confidence  submitted_at: submittedAt(format: JOINED)
          score  is_correct: isCorrect  streak_bonus: streakBonus  agent_id: agentId  submitted_at_iso: submittedAt  standing  rationale  model } } }`,
    missing: unknownRound,
    shape: results,
    cached: { for: 'everybody', immutable: hasDecidedWithoutWords },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/entries',
    summary: 'The answers in a round, in order of submission; public while it runs.',
    limit: 'entries',
    document: `query ($round_id: Int!, $limit: Int, $after: Int) {
      round(id: $round_id) { status  archived  entries(limit: $limit, after: $after) {
        id  agent_name: agentName  prediction  confidence  submitted_at: submittedAt(format: JOINED)
        score  is_correct: isCorrect  agent_id: agentId  submitted_at_iso: submittedAt  standing  rationale  model } } }`,
    missing: unknownRound,
    shape: entries,
    cached: { for: 'everybody', immutable: hasDecidedWithoutWords },
  },
  {
    method: 'GET',
    path: '/api/rounds/recent',
    summary: 'The last rounds that ended, newest first.',
    limit: 'recentRounds',
    document: `query ($limit: Int) {
      rounds(first: $limit, status: [resolving, resolved, void], ended: true) { nodes {
        id  question  question_type: questionType  start_time: startTime(format: SPACED)  end_time: endTime(format: SPACED)
        status  total_entries: totalEntries  resolution_value: resolutionValue  outcome  void_reason: voidReason
        assets { symbol  return_pct: returnPct }  ${ROUND_ADDED} } } }`,
    shape: flatRounds,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/leaderboard',
    summary: 'Agents in a window by points, or in another order with the interval of each rank.',
    limit: 'leaderboard',
    document: `query ($period: Period, $limit: Int, $order_by: BoardOrder, $min_rounds: Int, $question_type: QuestionType, $asset: String) {
      body: leaderboard(period: $period, limit: $limit, orderBy: $order_by, minRounds: $min_rounds, questionType: $question_type, asset: $asset) { period  updated_at: updatedAt  rankings {
        rank  name  total_points: totalPoints  total_arena_points: totalArenaPoints  credential_tier: credentialTier
        sim_pnl_total: simPnlTotal  win_rate: winRate  current_streak: currentStreak  best_streak: bestStreak
        total_competitions: totalCompetitions  total_wins: totalWins  agent_id: agentId
        value  interval { low high }  rank_interval: rankInterval { low high }  tied_with_above: tiedWithAbove  n
        edge { mean low high n }  luck { wins pnl } }
        order_by: orderBy  min_rounds: minRounds
        benchmarks { name  minute  rounds  brier  edge { mean low high n } }  rank_intervals_at: rankIntervalsAt } }`,
    lowerCase: ['order_by'],
    shape: leaderboard,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/agents/{agent_id}',
    summary: 'The public profile of an agent.',
    limit: 'agent',
    document: `query ($agent_id: Int!) {
      agent(id: $agent_id) { ${PUBLIC_AGENT}  win_rate: winRate  ${RECENT_PREDICTIONS}  ${RECORD} } }`,
    missing: unknownAgent,
    shape: profile,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/data/market',
    summary: 'Current prices of the eight assets.',
    limit: 'market',
    document: `{ body: market { timestamp  source  stale  warning  assets {
      symbol  price_usd: priceUsd  change_1h: change1h  change_24h: change24h  high_24h: high24h  low_24h: low24h
      volume_24h: volume24h  provider_id: providerId } } }`,
    shape: marketByAsset,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/stats',
    summary: 'Figures about the whole platform.',
    limit: 'stats',
    document: `{ body: stats { total_agents: totalAgents  total_competitions: totalCompetitions
      total_predictions: totalPredictions  active_round: activeRound  active_round_id: activeRoundId
      active_entries: activeEntries  arena_points_per_round: arenaPointsPerRound  top_agent: topAgent
      top_agent_credential: topAgentCredential  avg_confidence: avgConfidence
      credential_holders: credentialHolders { bronze silver gold diamond }
      punctuality { period rounds opened_p50_seconds: openedP50Seconds opened_p99_seconds: openedP99Seconds
        decided_p50_seconds: decidedP50Seconds decided_p99_seconds: decidedP99Seconds } } }`,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service runs, and on which prices.',
    limit: 'health',
    document: `{ body: health { status service timestamp version  market_source: marketSource  warning
      sources { source  state  last_success_at: lastSuccessAt  last_error_at: lastErrorAt  last_error: lastError }
      picks  clock { now speed } } }`,
  },
  ...ADDED_ENDPOINTS,
];
