/** In SQL: a round of which nobody knows yet how it ended. */
export const UNDECIDED = `status = 'resolving', outcome = null, resolution_value = null, decided_at = null`;

/** What nobody may do to a database in which six hours were played by three agents, and what the oracle says of it. */
export const FORBIDDEN_CHANGES: readonly (readonly [what: string, sql: string, said: RegExp])[] = [
  ['a lost prediction', 'delete from predictions where id = 5', /^prediction 5: answered .+, stored undefined$/],
  ['a changed one', 'update predictions set confidence = 99 where id = 5', /^prediction 5: answered .+10.+99/s],
  [
    'a moved one',
    `update predictions set submitted_at = submitted_at - interval '1 second' where id = 5`,
    /^prediction 5:/,
  ],
  [
    'one that nobody made',
    `insert into predictions values (1, 99, 9999, 'BTC', 5, now())`,
    /^prediction 9999: stored .+nobody/,
  ],
  ['a lost agent', 'delete from agents where id = 2', /^agent 2: answered agent-2, stored undefined$/],
  [
    'a lost score',
    'delete from scores where round_id = 2 and agent_id = 1',
    /^number of scores of round 2 \(resolved\): stored 2, expected 3$/,
  ],
  [
    'a wrong score',
    'update scores set score = 41 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: stored 1 41\+0 .+, expected 1 40\+0/,
  ],
  [
    'a wrong streak bonus',
    'update scores set streak_bonus = 5 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: stored 1 40\+5/,
  ],
  [
    'a wrong place',
    'update scores set place = 9 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: .+ place 9 /,
  ],
  [
    'a wrong P&L',
    'update scores set pnl_usd = 0.01 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: .+ cents 1 Brier /,
  ],
  [
    'a wrong Brier score',
    'update scores set brier = 0.5 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: .+ Brier 500000, /,
  ],
  [
    'a score of a round that is not resolved',
    `update rounds set ${UNDECIDED} where id = 3`,
    /^number of scores of round 3 \(resolving\): stored 3, expected 0$/,
  ],
  [
    'a wrong total',
    'update standings set alltime_points = alltime_points + 1 where agent_id = 3',
    /^standings.alltime_points of agent 3: stored \d+, expected \d+$/,
  ],
  [
    'a wrong window',
    'update standings set daily_wins = 0 where agent_id = 1',
    /^standings.daily_wins of agent 1: stored 0, expected 6$/,
  ],
  ['a lost standing', 'delete from standings where agent_id = 2', /^standings.alltime_points of agent 2: stored null/],
  [
    'a wrong streak',
    'update standings set current_streak = 5 where agent_id = 1',
    /^standings.current_streak of agent 1: stored 5, expected 6$/,
  ],
  [
    'a wrong tier',
    `update standings set tier = 'gold' where agent_id = 1`,
    /^standings.tier of agent 1: stored gold, expected bronze$/,
  ],
  [
    'a wrong rank',
    `update board_places set rank = 3 where period = 'weekly' and position = 1`,
    /^agent and rank on the weekly board of position 1: stored 1 with 3, expected 1 with 1$/,
  ],
  [
    'a lost rank',
    `update board_counts set agents = 0 where period = 'monthly'`,
    /^agents counted by points of monthly bucket \d+ of 1: stored null, expected 1$/,
  ],
  [
    'a wrong count of entries',
    'update rounds set total_entries = 4 where id = 2',
    /^total_entries, confidence_sum of round 2: stored 4, \d+, expected 3, \d+$/,
  ],
  [
    'a wrong count of rounds',
    'update platform set resolved_rounds = 7',
    /^platform.resolved_rounds of the platform: stored 7, expected 6$/,
  ],
  [
    'a wrong count of predictions',
    'update platform set decided_predictions = 1',
    /^platform.decided_predictions .+ stored 1, expected 18$/,
  ],
  [
    'a wrong tally of a round',
    'update round_tallies set n = 2 where round_id = 1',
    /^round_tallies.n of round 1: .+: stored 2, expected 1$/,
  ],
  [
    'a wrong tally of the field',
    `update field_tallies set weekly_n = 3, monthly_n = 3, alltime_n = 3 where asset = '*'`,
    /^field_tallies.weekly_n of \* .+: stored 3, expected 1$/,
  ],
  [
    'a gap in the events',
    'delete from events where seq = 9',
    /^the seq after each seq of event 8: stored 10, expected 9$/,
  ],
  [
    'events that were forgotten too early',
    'delete from events where seq < 5',
    /^the oldest event, .+: stored 5, expected 1$/,
  ],
  [
    'a counter that runs ahead',
    'update platform set last_seq = last_seq + 1',
    /^platform.last_seq of the platform: stored \d+, expected \d+$/,
  ],
  [
    'a round decided twice',
    `update events set kind = 'ROUND_RESOLVED' where round_id = 2 and kind = 'ROUND_CLOSED'`,
    /^number of ROUND_RESOLVED events of round 2 \(resolved\): stored 2, expected 1$/,
  ],
  [
    'a round decided without a word',
    `update events set kind = 'TIER_CHANGED' where round_id = 2 and kind = 'ROUND_RESOLVED'`,
    /^number of ROUND_RESOLVED events of round 2 \(resolved\): stored 0, expected 1$/,
  ],
  [
    'rounds decided in another order than that of their hours',
    `update events e set seq = 1000000 + o.seq from events o where o.round_id = case e.round_id when 2 then 3 else 2 end
      and e.kind = 'ROUND_RESOLVED' and o.kind = e.kind and e.round_id in (2, 3)`,
    /^the order of decisions, which is that of the hours of round 2: stored decided after round \d+/,
  ],
  [
    'another event than was heard',
    `update events set kind = 'TIER_CHANGED' where seq = 7`,
    /^the subscriber: heard 7 .+, stored 7 TIER_CHANGED/,
  ],
  ['a missing hour', 'delete from rounds where id = 4', /^hour 2026-01-01T15:00:00.000Z: no round/],
];
