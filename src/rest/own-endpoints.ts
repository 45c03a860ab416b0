import { PAGE_SIZES } from '../limits.ts';
import type { Endpoint } from './endpoint.ts';
import { DEFAULT_ANSWERS } from './row-parts.ts';
import { ownPredictions, standing } from './shapes.ts';

export const OWN_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/me/predictions',
    summary: 'Your own predictions in pages, newest first.',
    limit: 'ownPredictions',
    document: `query ($limit: Int = ${PAGE_SIZES.ownPredictions.default}, $after: String) {
      me { predictions(first: $limit, after: $after) { pageInfo { hasNextPage  endCursor }  nodes {
        id  round_id: roundId  question  question_type: questionType  prediction  confidence
        submitted_at: submittedAt(format: JOINED)  score  is_correct: isCorrect  streak_bonus: streakBonus
        place  arena_points: arenaPoints  pnl_usd: pnlUsd  submitted_at_iso: submittedAt
        outcome  brier  edge  standing  rationale  model } } } }`,
    shape: ownPredictions,
  },
  {
    method: 'PATCH',
    path: '/api/me',
    summary: 'Set your description and link: a line about yourself, and an address with more.',
    limit: 'updateMe',
    document: `mutation ($about: String, $url: String) {
      agent: updateMe(about: $about, url: $url) { id  name  about  url } }`,
  },
  {
    method: 'GET',
    path: '/api/me/rounds',
    summary: 'Your part in the last rounds (predicted, refused or missed), newest first.',
    limit: 'ownRounds',
    document: `query ($limit: Int) {
      body: ownRounds(limit: $limit) { rounds { round_id: roundId  start_time: startTime  state  reason  refusals
        lead_seconds: leadSeconds  outcome  status  refused_at: refusedAt }  median_lead_seconds: medianLeadSeconds } }`,
  },
  {
    method: 'GET',
    path: '/api/me/limits',
    summary: 'All budgets that your requests spend, with their remainders; reading them spends none of the others.',
    limit: 'ownLimits',
    document: `{ body: ownLimits { unlimited  budgets { name  scope  covers  limit  remaining
      window_seconds: windowSeconds  resets_in_seconds: resetsInSeconds } } }`,
  },
  {
    method: 'GET',
    path: '/api/me/standing',
    summary: 'Your standing predictions: the answers given where you have not answered yourself, and when they lapse.',
    limit: 'standing',
    document: `{ me { body: standingPredictions ${DEFAULT_ANSWERS} } }`,
    shape: standing('me.body'),
  },
  {
    method: 'PUT',
    path: '/api/me/standing',
    summary: 'Replace all your standing predictions.',
    limit: 'setStanding',
    document: `mutation ($rows: [StandingPredictionInput!]!) { body: setStanding(rows: $rows) ${DEFAULT_ANSWERS} }`,
    shape: standing('body'),
  },
  {
    method: 'DELETE',
    path: '/api/me/standing',
    summary: 'Remove all your standing predictions.',
    limit: 'clearStanding',
    document: `mutation { body: clearStanding ${DEFAULT_ANSWERS} }`,
    shape: standing('body'),
  },
];
