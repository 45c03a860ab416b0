import { BRIEFING, briefing } from './briefing.ts';
import { calendarOf } from './calendar.ts';
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
  unfrozenBoard,
  unknownName,
  unknownRound,
} from './row-parts.ts';
import { OWN_ENDPOINTS } from './own-endpoints.ts';
import { FORECAST, forecastNow, roundForecasts } from './forecast-shapes.ts';
import { LOG_ENDPOINTS } from './log-endpoints.ts';
import { hasDecided, roundAlone, upcoming } from './round-shapes.ts';
import { profile } from './shapes.ts';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts';

const SCHEDULE = 'starts_at: startTime  ends_at: endTime  question_type: questionType  assets';
const CANDLES = `agreed: agreedCandles { symbol  hour_start: hourStart
          open: openUsd  high: highUsd  low: lowUsd  close: closeUsd  volume }
        evidence { symbol  source  hour_start: hourStart
          open: openUsd  high: highUsd  low: lowUsd  close: closeUsd  volume
          body_hash: bodyHash  source_time: sourceTime  fetched_at: fetchedAt  counted  left_out: leftOut }`;
const RELIABILITY = '{ n  mean_probability: meanProbability  hit_rate: hitRate }';

export const ADDED_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/evidence',
    summary: 'The candles that decided a round, from every source, then those of its amendments.',
    limit: 'evidence',
    document: `query ($round_id: Int!) {
      body: round(id: $round_id) { round_id: id  status  source  question_type: questionType  outcome
        void_reason: voidReason  ${CANDLES}  rules_version: rulesVersion
        amendments { amended_at: amendedAt  outcome  void_reason: voidReason  ${CANDLES} } } }`,
    missing: unknownRound,
    cached: { for: 'everybody', immutable: hasDecided('body') },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}',
    summary: 'One round: its question, its state and, once it is decided, its outcome.',
    limit: 'round',
    document: `query ($round_id: Int!) {
      round(id: $round_id) { ${ROUND}  ${ROUND_OUTCOME}  ${ASSET_PRICES}  ${ROUND_ADDED}  decided_at: decidedAt
        ${ROUND_ENDED} } }`,
    missing: unknownRound,
    shape: roundAlone,
    cached: { for: 'everybody', immutable: hasDecided('round') },
  },
  {
    method: 'GET',
    path: '/api/rounds/upcoming',
    summary: 'The next round, and the questions of the hours after it.',
    limit: 'upcomingRounds',
    document: `{ round: nextRound { ${ROUND}  assets { symbol  provider_id: providerId }  ${ROUND_ADDED} }
      schedule { ${SCHEDULE} } }`,
    shape: upcoming,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/schedule',
    summary: 'The question types and assets of the coming hours, up to a week ahead.',
    limit: 'schedule',
    document: `query ($hours: Int) { schedule(hours: $hours) { ${SCHEDULE} } }`,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/schedule.ics',
    summary: 'The schedule of coming rounds as a calendar to subscribe to.',
    limit: 'calendar',
    document: `query ($hours: Int = 168) { schedule(hours: $hours) { ${SCHEDULE} } }`,
    text: { contentType: 'text/calendar; charset=utf-8', of: calendarOf },
  },
  {
    method: 'GET',
    path: '/api/agents',
    summary: 'The public profile of the agent with this name.',
    limit: 'agentByName',
    document: `query ($name: String!) {
      agent(name: $name) { ${PUBLIC_AGENT}  win_rate: winRate  ${RECENT_PREDICTIONS}  ${RECORD} } }`,
    missing: unknownName,
    shape: profile,
    cached: { for: 'everybody' },
  },
  ...OWN_ENDPOINTS,
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/reference',
    summary: 'The forecast from the price alone through a round, and the prices that it follows from.',
    limit: 'reference',
    document: `query ($round_id: Int!, $points: Int) {
      body: round(id: $round_id) { round_id: id  status  question_type: questionType  choices
        basis: referenceBasis { covariance  sign_before: signBefore }
        reference(points: $points) { at  known  probabilities { answer probability }
          prices { asset  price_usd: priceUsd  high_usd: highUsd  low_usd: lowUsd } }
        rules_version: rulesVersion } }`,
    missing: unknownRound,
    cached: { for: 'everybody', immutable: hasDecided('body') },
  },
  {
    method: 'GET',
    path: '/api/forecast',
    summary: "The arena's forecast of the running round, beside the price and the crowd.",
    limit: 'forecast',
    document: `{ body: currentRound { round_id: id  rules_version: rulesVersion  forecast { at  ${FORECAST}  known } } }`,
    shape: forecastNow,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/forecast',
    summary: "The arena's forecasts of a round at minutes 5, 15, 30, 45 and 55, recorded before the outcome.",
    limit: 'roundForecast',
    document: `query ($round_id: Int!) {
      body: round(id: $round_id) { round_id: id  rules_version: rulesVersion
        missed: missedForecasts
        checkpoints: forecasts { minute  recorded_at: recordedAt  ${FORECAST}
          candidates { name  probabilities { answer probability }  weight  brier }
          brier  price_brier: priceBrier  price_weight: priceWeight  known  unpriced  decided_until: decidedUntil } } }`,
    missing: unknownRound,
    shape: roundForecasts,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/forecast/record',
    summary:
      "The scores of the arena's forecast at minutes 5, 15, 30, 45 and 55 over a window, beside the price and the crowd.",
    limit: 'forecastRecord',
    document: `query ($period: Period = alltime, $question_type: QuestionType, $asset: String) {
      body: forecastRecord(period: $period, questionType: $question_type, asset: $asset) { rules_version: rulesVersion  period
        checkpoints { minute  rounds  brier  price_brier: priceBrier  crowd_brier: crowdBrier  edge { mean low high n }
          total_brier: totalBrier  total_price_brier: totalPriceBrier  best_candidate: bestCandidate
          calibration { from  to  forecast ${RELIABILITY}  price ${RELIABILITY}  crowd ${RELIABILITY} } } } }`,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/benchmarks',
    summary:
      "The scores of the price, the arena's forecast, the plain mean or even odds at minutes 5, 15, 30, 45 and 55 in each window.",
    limit: 'benchmark',
    document: `query ($name: BenchmarkName!) {
      benchmarks: benchmark(name: $name) { name  period  minute  rounds  brier  edge { mean low high n } } }`,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/models',
    summary: "The scores of each model's predictions in a window; agents name their models themselves.",
    limit: 'models',
    document: `query ($period: Period, $limit: Int) { models(period: $period, limit: $limit) {
      model  predictions: n  hit_rate: hitRate { mean low high n }  brier { mean low high n }
      skill { mean low high n }  edge { mean low high n } } }`,
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/briefing',
    summary:
      'Everything needed to answer, in at most 2 kB: the question, the price, the crowd, the hours before; with a key your last mistakes.',
    limit: 'briefing',
    document: BRIEFING,
    shape: briefing,
  },
  {
    method: 'GET',
    path: '/api/changes',
    summary: "The changes of released versions up to this service's own, the newest first.",
    limit: 'changes',
    document: 'query ($since: String) { changes(since: $since) { version  date  kind  text } }',
    cached: { for: 'everybody' },
  },
  {
    method: 'GET',
    path: '/api/data/candles',
    summary: "An asset's finished hourly candles, the oldest first.",
    limit: 'candles',
    document: `query ($asset: Asset!, $hours: Int) {
      candles(asset: $asset, hours: $hours) {
        start_time: startTime  open: openUsd  high: highUsd  low: lowUsd  close: closeUsd  volume } }`,
    cached: { for: 'everybody' },
  },
  ...WEBHOOK_ENDPOINTS,
  ...LOG_ENDPOINTS,
  {
    method: 'GET',
    path: '/api/leaderboard/archive/{period}',
    summary:
      'The frozen board of a finished UTC day, ISO week or month, such as `2026-11-20`, `2026-W47` or `2026-11`.',
    limit: 'leaderboard',
    document: `query ($period: String!) {
      body: leaderboardArchive(period: $period) { period  kind  starts_at: startTime  ends_at: endTime  rounds  agents
        frozen_at: frozenAt  rankings {
          rank  agent_id: agentId  name  total_points: totalPoints  total_arena_points: totalArenaPoints
          sim_pnl_total: simPnlTotal  win_rate: winRate  best_streak: bestStreak
          total_competitions: totalCompetitions  total_wins: totalWins  brier  skill  edge { mean low high n } }
        amended_rounds: amendedRounds } }`,
    missing: unfrozenBoard,
    cached: { for: 'everybody', immutable: () => true },
  },
];
