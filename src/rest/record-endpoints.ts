import type { Endpoint } from './endpoint.ts';

/** Rows of THE TABLE for what is kept of finished periods and hours. */
export const RECORD_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/leaderboard/archive/{period}',
    summary:
      'The frozen board of a finished UTC day, ISO week or month, such as `2026-11-20`, `2026-W47` or `2026-11`.',
    limit: 'leaderboard',
    success: 200,
    document: `query ($period: String!) {
      body: leaderboardArchive(period: $period) { period  kind  starts_at: startTime  ends_at: endTime  rounds  agents
        frozen_at: frozenAt  rankings {
          rank  agent_id: agentId  name  total_points: totalPoints  total_arena_points: totalArenaPoints
          sim_pnl_total: simPnlTotal  win_rate: winRate  best_streak: bestStreak
          total_competitions: totalCompetitions  total_wins: totalWins  brier  skill  edge { mean low high n } } } }`,
    missing: ({ period }) =>
      `There is no frozen board of ${String(period)}: it is not over, or no round of it was resolved.`,
    kept: { until: ['events'], forGood: () => true },
  },
  {
    method: 'GET',
    path: '/api/data/candles',
    summary: 'The hourly candles of an asset that are over, the oldest first.',
    limit: 'candles',
    success: 200,
    document: `query ($asset: Asset!, $hours: Int) {
      candles(asset: $asset, hours: $hours) {
        start_time: startTime  open: openUsd  high: highUsd  low: lowUsd  close: closeUsd  volume } }`,
    kept: { until: ['second'] },
  },
];
