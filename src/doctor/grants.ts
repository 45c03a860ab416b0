/**
 * Rights of a least-privilege role beside reads of every table; `npm run docs:tables` writes them into
 * docs/security.md.
 */
export const GRANTS = [
  {
    why: 'The service only ever adds to these.',
    rights: 'insert',
    tables: `admin_actions, agreed_candles, amendments, archives, candles, crowd_minutes, erased_words, forecast_pools, forecast_scores, log_cosignatures,
  log_records, predictions, rationales, reference_bases, round_forecasts, round_quotes, round_tallies, score_corrections, scores`,
  },
  {
    why: 'It moves these on.',
    rights: 'insert, update',
    tables:
      'agents, carried_streaks, corrected_scores, log_state, log_tiles, platform, round_assets, service_keys, webhook_tries',
  },
  {
    why: 'It also deletes from these.',
    rights: 'insert, update, delete',
    tables: `board_counts, board_places, daily_tallies, earlier_ranks, events, field_tallies, forecast_reliability, forecast_sums,
  kind_boards, kind_sums, lead_tallies, model_sums, ordered_boards, recent_points, refusals, reserved_names, rounds, standing_agents,
  standing_rows, standings, webhooks`,
  },
  {
    why: 'Rationales stay as their agents wrote them, until an operator hides one or removes the agent.',
    rights: 'update (hidden_at), delete',
    tables: 'rationales',
  },
  {
    why: 'It drops old months that have an archive (`KEEP_MONTHS`).',
    rights: 'execute',
    tables: 'function drop_month',
  },
];
