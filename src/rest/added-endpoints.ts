import { PAGE_SIZES } from '../limits.ts';
import { calendarOf } from './calendar.ts';
import type { Endpoint } from './endpoint.ts';
import { unknownName, unknownRound } from './missing.ts';
import { ASSET_PRICES, PUBLIC_AGENT, RECENT_PREDICTIONS, ROUND, ROUND_INSTANTS, ROUND_OUTCOME } from './selections.ts';
import { hasDecided, lifted, ownPredictions, roundAlone, upcoming } from './shapes.ts';

const SCHEDULE = 'starts_at: startTime  ends_at: endTime  question_type: questionType  assets';

/** What THE TABLE has beyond the spec. */
export const ADDED_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/evidence',
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
    missing: unknownRound,
    kept: { until: ['events'], forGood: hasDecided('body') },
  },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}',
    limit: 'round',
    success: 200,
    document: `query ($round_id: Int!) {
      round(id: $round_id) { ${ROUND}  ${ROUND_OUTCOME}  ${ASSET_PRICES}  ${ROUND_INSTANTS}  decided_at: decidedAt } }`,
    missing: unknownRound,
    shape: roundAlone,
    kept: { until: ['events', 'entries'], forGood: hasDecided('round') },
  },
  {
    method: 'GET',
    path: '/api/rounds/upcoming',
    limit: 'upcomingRounds',
    success: 200,
    document: `{ round: nextRound { ${ROUND}  assets { symbol  provider_id: providerId }  ${ROUND_INSTANTS} }
      schedule { ${SCHEDULE} } }`,
    shape: upcoming,
    kept: { until: ['events', 'second'] },
  },
  {
    method: 'GET',
    path: '/api/schedule',
    limit: 'schedule',
    success: 200,
    document: `query ($hours: Int) { schedule(hours: $hours) { ${SCHEDULE} } }`,
    kept: { until: ['second'] },
  },
  {
    method: 'GET',
    path: '/api/schedule.ics',
    limit: 'calendar',
    success: 200,
    document: `query ($hours: Int = 168) { schedule(hours: $hours) { ${SCHEDULE} } }`,
    text: { contentType: 'text/calendar; charset=utf-8', of: calendarOf },
  },
  {
    method: 'GET',
    path: '/api/agents',
    limit: 'agentByName',
    success: 200,
    document: `query ($name: String!) {
      agent(name: $name) { ${PUBLIC_AGENT}  win_rate: winRate  ${RECENT_PREDICTIONS} } }`,
    missing: unknownName,
    shape: lifted('agent', ['win_rate', 'recent_predictions']),
    // A reservation ends at a second, and with it whose name it was.
    kept: { until: ['events', 'entries', 'agents', 'second'] },
  },
  {
    method: 'GET',
    path: '/api/me/predictions',
    limit: 'ownPredictions',
    success: 200,
    document: `query ($limit: Int = ${PAGE_SIZES.ownPredictions.default}, $after: String) {
      me { predictions(first: $limit, after: $after) { pageInfo { hasNextPage  endCursor }  nodes {
        id  round_id: roundId  question  question_type: questionType  prediction  confidence
        submitted_at: submittedAt(format: JOINED)  score  is_correct: isCorrect  streak_bonus: streakBonus
        place  arena_points: arenaPoints  pnl_usd: pnlUsd  submitted_at_iso: submittedAt } } } }`,
    shape: ownPredictions,
  },
];
