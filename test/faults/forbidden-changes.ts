/** In SQL: a round of which nobody knows yet how it ended. */
export const UNDECIDED = `status = 'resolving', outcome = null, resolution_value = null, decided_at = null`;

const prediction = (set: string): string => `update predictions set ${set} where id = 5`;
/** The first agent's score in the second round, a right one of 40. */
const score = (set: string): string => `update scores set ${set} where round_id = 2 and agent_id = 1`;
const standing = (agent: number, set: string): string => `update standings set ${set} where agent_id = ${agent}`;
const platform = (set: string): string => `update platform set ${set}`;
/** Another kind of one of the second round's events. */
const event = (from: string, to: string): string =>
  `update events set kind = '${to}' where round_id = 2 and kind = '${from}'`;

const STRANGE = `insert into predictions values (1, 99, 9999, 'BTC', 5, now())`;
const ALL_TALLIES = `update field_tallies set weekly_n = 3, monthly_n = 3, alltime_n = 3 where asset = '*'`;
const SWAPPED = `update events e set seq = 1000000 + o.seq from events o where e.round_id in (2, 3)
  and o.round_id = case e.round_id when 2 then 3 else 2 end and e.kind = 'ROUND_RESOLVED' and o.kind = e.kind`;

/** What nobody may do to a database in which six hours were played by three agents, and what the oracle says of it. */
export const FORBIDDEN_CHANGES: readonly (readonly [what: string, sql: string, said: RegExp])[] = [
  ['a lost prediction', 'delete from predictions where id = 5', /^prediction 5: answered .+, stored undefined$/],
  ['a changed prediction', prediction('confidence = 99'), /^prediction 5: answered .+10.+99/s],
  ['a prediction at another time', prediction(`submitted_at = submitted_at - interval '1 second'`), /^prediction 5:/],
  ['a prediction that no agent made', STRANGE, /^prediction 9999: stored .+nobody/],
  ['a lost agent', 'delete from agents where id = 2', /^agent 2: answered agent-2, stored undefined$/],
  [
    'a lost score',
    'delete from scores where round_id = 2 and agent_id = 1',
    /^number of scores of round 2 \(resolved\): stored 2, expected 3$/,
  ],
  ['a wrong score', score('score = 41'), /^score of agent 1 in round 2: stored 1 41\+0 .+, expected 1 40\+0/],
  ['a wrong streak bonus', score('streak_bonus = 5'), /^score of agent 1 in round 2: stored 1 40\+5/],
  ['a wrong place', score('place = 9'), /^score of agent 1 in round 2: .+ place 9 /],
  ['a wrong P&L', score('pnl_usd = 0.01'), /^score of agent 1 in round 2: .+ cents 1 Brier /],
  ['a wrong Brier score', score('brier = 0.5'), /^score of agent 1 in round 2: .+ Brier 500000, /],
  [
    'a score of a round that is not resolved',
    `update rounds set ${UNDECIDED} where id = 3`,
    /^number of scores of round 3 \(resolving\): stored 3, expected 0$/,
  ],
  [
    'a wrong total',
    standing(3, 'alltime_points = alltime_points + 1'),
    /^standings.alltime_points of agent 3: stored \d+, expected \d+$/,
  ],
  ['a wrong window', standing(1, 'daily_wins = 0'), /^standings.daily_wins of agent 1: stored 0, expected 6$/],
  ['a lost standing', 'delete from standings where agent_id = 2', /^standings.alltime_points of agent 2: stored null/],
  ['a wrong streak', standing(1, 'current_streak = 5'), /^standings.current_streak of agent 1: stored 5, expected 6$/],
  ['a wrong tier', standing(1, `tier = 'gold'`), /^standings.tier of agent 1: stored gold, expected bronze$/],
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
  ['a wrong count of rounds', platform('resolved_rounds = 7'), /^platform.resolved_rounds .+ stored 7, expected 6$/],
  [
    'a wrong count of predictions',
    platform('decided_predictions = 1'),
    /^platform.decided_predictions .+ stored 1, expected 18$/,
  ],
  [
    'a wrong tally of a round',
    'update round_tallies set n = 2 where round_id = 1',
    /^round_tallies.n of round 1: .+: stored 2, expected 1$/,
  ],
  ['a wrong tally of the field', ALL_TALLIES, /^field_tallies.weekly_n of \* .+: stored 3, expected 1$/],
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
  ['a counter that runs ahead', platform('last_seq = last_seq + 1'), /^platform.last_seq .+ stored \d+, expected \d+$/],
  [
    'a round decided twice',
    event('ROUND_CLOSED', 'ROUND_RESOLVED'),
    /^number of ROUND_RESOLVED events of round 2 \(resolved\): stored 2, expected 1$/,
  ],
  [
    'a round decided without a word',
    event('ROUND_RESOLVED', 'TIER_CHANGED'),
    /^number of ROUND_RESOLVED events of round 2 \(resolved\): stored 0, expected 1$/,
  ],
  [
    'rounds decided in another order than that of their hours',
    SWAPPED,
    /^the order of decisions, which is that of the hours of round 2: stored decided after round \d+/,
  ],
  [
    'another event than was received',
    `update events set kind = 'TIER_CHANGED' where seq = 7`,
    /^the subscriber: received 7 .+, stored 7 TIER_CHANGED/,
  ],
  ['a missing hour', 'delete from rounds where id = 4', /^hour 2026-01-01T15:00:00.000Z: no round/],
];
