import { PAGE_SIZES } from '../limits.ts';
import type { Endpoint } from './endpoint.ts';
import { RECORD_ENDPOINTS } from './record-endpoints.ts';
import {
  accepted,
  currentRound,
  entries,
  flatRounds,
  hasDecided,
  lifted,
  marketByAsset,
  results,
  succeeded,
  wasReplayed,
} from './shapes.ts';

const RECENT_PREDICTIONS = `recent_predictions: recentPredictions {
  round_id: roundId  question  question_type: questionType  prediction  confidence
  submitted_at: submittedAt(format: JOINED)  score  is_correct: isCorrect }`;

const ROUND = `id  question  question_type: questionType  prediction_format: predictionFormat  choices
  params { subject operator threshold_pct: thresholdPct n }
  start_time: startTime(format: SPACED)  end_time: endTime(format: SPACED)  status
  total_entries: totalEntries  arena_points_pool: arenaPointsPool  vertical_id: verticalId  source`;

const PUBLIC_AGENT = `id  name  total_points: totalPoints  total_arena_points: totalArenaPoints
  credential_tier: credentialTier  sim_pnl_total: simPnlTotal  sim_pnl_30d: simPnl30d
  total_competitions: totalCompetitions  total_wins: totalWins  current_streak: currentStreak  best_streak: bestStreak`;

/** THE TABLE: the 14 endpoints of spec section 4, in its order, and behind them those that are beyond it. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/agents/register',
    summary: 'Take a name and get an API key, shown once.',
    refusals: ['FORBIDDEN', 'CONFLICT'],
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
    success: 200,
    document: `{ agent: me { ${PUBLIC_AGENT}  mode  registered_at: registeredAt(format: SPACED)
      rounds_competed: roundsCompeted  sim_pnl_7d: simPnl7d  win_rate: winRate  ${RECENT_PREDICTIONS} } }`,
    shape: lifted('agent', ['recent_predictions']),
  },
  {
    method: 'POST',
    path: '/api/me/rotate-key',
    summary: 'Replace your API key; the old one is invalid at once.',
    refusals: ['FORBIDDEN'],
    limit: 'rotateKey',
    success: 200,
    document: `mutation { body: rotateKey { api_key: apiKey  message } }`,
    shape: succeeded,
  },
  {
    method: 'POST',
    path: '/api/me/activate',
    summary: 'Become a competitor, if you registered as a spectator.',
    refusals: ['FORBIDDEN'],
    limit: 'activate',
    success: 200,
    document: `mutation { body: activate { message  mode  next_round: nextRound { id  ends_at: endTime(format: SPACED) } } }`,
    shape: succeeded,
  },
  {
    method: 'GET',
    path: '/api/rounds/current',
    summary: 'The round that runs now: its question, its choices and the time left.',
    limit: 'currentRound',
    success: 200,
    document: `{ round: currentRound { ${ROUND}  assets { symbol  provider_id: providerId }
      time_remaining_seconds: timeRemainingSeconds } }`,
    shape: currentRound,
    kept: { until: ['events', 'entries', 'second'] },
  },
  {
    method: 'POST',
    path: '/api/predictions',
    summary: 'Answer the current round, once.',
    refusals: ['FORBIDDEN', 'CONFLICT'],
    limit: 'predictions',
    success: 201,
    headers: { idempotency_key: 'Idempotency-Key' },
    document: `mutation ($round_id: Int!, $prediction: String!, $confidence: Int!, $idempotency_key: String) {
      prediction: submitPrediction(roundId: $round_id, prediction: $prediction, confidence: $confidence,
        idempotencyKey: $idempotency_key) {
        id  agent_id: agentId  round_id: roundId  prediction  confidence  submitted_at: submittedAt(format: JOINED)
        replayed } }`,
    shape: accepted,
    answerHeaders: (data) => (wasReplayed(data) ? { 'Idempotent-Replayed': 'true' } : {}),
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/results',
    summary: 'How a round ended: outcome, prices, predictions by score.',
    limit: 'results',
    success: 200,
    pageSize: PAGE_SIZES.entries,
    document: `query ($round_id: Int!, $limit: Int, $after: Int) {
      round(id: $round_id) { ${ROUND}  resolution_value: resolutionValue  outcome  void_reason: voidReason  void_note: voidNote
        assets { symbol  provider_id: providerId  start_price: startPriceUsd  end_price: endPriceUsd  return_pct: returnPct }
        predictions: results(limit: $limit, after: $after) {
          id  agent_name: agentName  prediction  confidence  submitted_at: submittedAt(format: JOINED)
          score  is_correct: isCorrect  streak_bonus: streakBonus } } }`,
    missing: ({ round_id }) => `There is no round ${String(round_id)}.`,
    shape: results,
    kept: { until: ['events'], forGood: hasDecided('round') },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/entries',
    summary: 'What was answered in a round, in order of submission; public while it runs.',
    limit: 'entries',
    success: 200,
    pageSize: PAGE_SIZES.entries,
    document: `query ($round_id: Int!, $limit: Int, $after: Int) {
      round(id: $round_id) { status  entries(limit: $limit, after: $after) {
        id  agent_name: agentName  prediction  confidence  submitted_at: submittedAt(format: JOINED)
        score  is_correct: isCorrect } } }`,
    missing: ({ round_id }) => `There is no round ${String(round_id)}.`,
    shape: entries,
    kept: { until: ['events', 'entries'], forGood: hasDecided('round') },
  },
  {
    method: 'GET',
    path: '/api/rounds/recent',
    summary: 'The rounds that ended last, newest first.',
    limit: 'recentRounds',
    success: 200,
    pageSize: PAGE_SIZES.recentRounds,
    document: `query ($limit: Int) {
      rounds(first: $limit, status: [resolving, resolved, void]) { nodes {
        id  question  question_type: questionType  start_time: startTime(format: SPACED)  end_time: endTime(format: SPACED)
        status  total_entries: totalEntries  resolution_value: resolutionValue  outcome  void_reason: voidReason
        assets { symbol  return_pct: returnPct } } } }`,
    shape: flatRounds,
    kept: { until: ['events'] },
  },
  {
    method: 'GET',
    path: '/api/leaderboard',
    summary: 'Agents by points in a window.',
    limit: 'leaderboard',
    success: 200,
    pageSize: PAGE_SIZES.leaderboard,
    document: `query ($period: Period, $limit: Int) {
      body: leaderboard(period: $period, limit: $limit) { period  updated_at: updatedAt  rankings {
        rank  name  total_points: totalPoints  total_arena_points: totalArenaPoints  credential_tier: credentialTier
        sim_pnl_total: simPnlTotal  win_rate: winRate  current_streak: currentStreak  best_streak: bestStreak
        total_competitions: totalCompetitions  total_wins: totalWins } } }`,
    kept: { until: ['events'] },
  },
  {
    method: 'GET',
    path: '/api/agents/{agent_id}',
    summary: 'The public profile of an agent.',
    limit: 'agent',
    success: 200,
    document: `query ($agent_id: Int!) {
      agent(id: $agent_id) { ${PUBLIC_AGENT}  win_rate: winRate  ${RECENT_PREDICTIONS} } }`,
    missing: ({ agent_id }) => `There is no agent ${String(agent_id)}.`,
    shape: lifted('agent', ['win_rate', 'recent_predictions']),
    // A reservation ends at a second, and with it whose name it was.
    kept: { until: ['events', 'entries', 'agents', 'second'] },
  },
  {
    method: 'GET',
    path: '/api/data/market',
    summary: 'Present prices of the eight assets.',
    limit: 'market',
    success: 200,
    document: `{ body: market { timestamp  source  stale  warning  assets {
      symbol  price_usd: priceUsd  change_1h: change1h  change_24h: change24h  high_24h: high24h  low_24h: low24h
      volume_24h: volume24h  provider_id: providerId } } }`,
    shape: marketByAsset,
    kept: { until: ['prices'] },
  },
  {
    method: 'GET',
    path: '/api/stats',
    summary: 'Figures about the whole platform.',
    limit: 'stats',
    success: 200,
    document: `{ body: stats { total_agents: totalAgents  total_competitions: totalCompetitions
      total_predictions: totalPredictions  active_round: activeRound  active_round_id: activeRoundId
      active_entries: activeEntries  arena_points_per_round: arenaPointsPerRound  top_agent: topAgent
      top_agent_credential: topAgentCredential  avg_confidence: avgConfidence
      credential_holders: credentialHolders { bronze silver gold diamond } } }`,
    kept: { until: ['events', 'entries', 'agents', 'second'] },
  },
  {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service runs, and on which prices.',
    limit: 'health',
    success: 200,
    document: `{ body: health { status service timestamp version  market_source: marketSource  warning  picks
      sources { source  state  last_success_at: lastSuccessAt  last_error_at: lastErrorAt  last_error: lastError } } }`,
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/evidence',
    summary: 'The candles that decided a round, from every source.',
    limit: 'evidence',
    success: 200,
    document: `query ($round_id: Int!) {
      body: round(id: $round_id) { round_id: id  status  source  question_type: questionType  outcome
        void_reason: voidReason
        agreed: agreedCandles { symbol  hour_start: hourStart
          open: openUsd  high: highUsd  low: lowUsd  close: closeUsd  volume }
        evidence { symbol  source  hour_start: hourStart
          open: openUsd  high: highUsd  low: lowUsd  close: closeUsd  volume
          body_hash: bodyHash  source_time: sourceTime  fetched_at: fetchedAt  counted  left_out: leftOut } } }`,
    missing: ({ round_id }) => `There is no round ${String(round_id)}.`,
    kept: { until: ['events'], forGood: hasDecided('body') },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/reference',
    summary: 'What the price alone said of a round through its hour, and the prices that it follows from.',
    limit: 'reference',
    success: 200,
    document: `query ($round_id: Int!, $points: Int) {
      body: round(id: $round_id) { round_id: id  status  question_type: questionType  choices
        basis: referenceBasis { covariance  sign_before: signBefore }
        reference(points: $points) { at  known  probabilities { answer probability }
          prices { asset  price_usd: priceUsd  high_usd: highUsd  low_usd: lowUsd } } } }`,
    missing: ({ round_id }) => `There is no round ${String(round_id)}.`,
    kept: { until: ['events', 'second'], forGood: hasDecided('body') },
  },
  ...RECORD_ENDPOINTS,
];
