import { beforeAll, describe, expect, test } from '@jest/globals';

import { hashOf, openRows, type Table } from './rows.ts';
import { shared } from '../support/shared.ts';

const rows = shared(openRows);

const PREDICTIONS_OF_TWO = `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
  select 1, agent, 'YES', 60, '2026-01-01T13:10:00Z' from unnest(array[9, 98]) agent`;

type Refused = readonly [what: string, table: Table, changes: Readonly<Record<string, unknown>>, by: string];

const OTHER_AGENT = { id: 2, name: 'Bob', name_key: 'bob', key_hash: hashOf('b2') };
const OTHER_HOUR = { id: 2, start_time: '2026-01-01T14:00:00Z', end_time: '2026-01-01T15:00:00Z', status: 'upcoming' };
const RESOLVED = {
  ...OTHER_HOUR,
  status: 'resolved',
  outcome: 'YES',
  resolution_value: 1,
  decided_at: '2026-01-01T15:00:01Z',
};
const VOID = { ...OTHER_HOUR, status: 'void', void_reason: 'tie', decided_at: '2026-01-01T15:00:01Z' };
const OTHER_PREDICTION = { round_id: 1, agent_id: 3 };

const AGENTS: readonly Refused[] = [
  ['a name that is taken', 'agents', { ...OTHER_AGENT, name_key: 'ada' }, 'agents_name_key_unique'],
  ['a key that is taken', 'agents', { ...OTHER_AGENT, key_hash: hashOf('a1') }, 'agents_key_hash_unique'],
  ['a hash of 63 digits', 'agents', { ...OTHER_AGENT, key_hash: hashOf('b2').slice(1) }, 'agents_key_hash_check'],
  ['a hash in capitals', 'agents', { ...OTHER_AGENT, key_hash: hashOf('B2') }, 'agents_key_hash_check'],
  ['the words of openssl', 'agents', { ...OTHER_AGENT, key_hash: 'SHA2-256(stdin)= 1f' }, 'agents_key_hash_check'],
  ['a name of 2 characters', 'agents', { ...OTHER_AGENT, name: 'Bo' }, 'agents_name_check'],
  ['a name with a space', 'agents', { ...OTHER_AGENT, name: 'Bob B' }, 'agents_name_check'],
  ['a name followed by a line end', 'agents', { ...OTHER_AGENT, name: 'Bob\n' }, 'agents_name_check'],
  ['an unknown mode', 'agents', { ...OTHER_AGENT, mode: 'admin' }, 'agents_mode_check'],
  ['a spectator without a reservation', 'agents', { ...OTHER_AGENT, mode: 'spectate' }, 'agents_reservation_check'],
];

const ROUNDS: readonly Refused[] = [
  ['a second active round', 'rounds', { ...OTHER_HOUR, status: 'active' }, 'rounds_one_active'],
  ['a second round of an hour', 'rounds', { id: 2, status: 'upcoming' }, 'rounds_start_time_unique'],
  [
    'a start that is not on the hour',
    'rounds',
    { ...OTHER_HOUR, start_time: '2026-01-01T14:00:01Z', end_time: '2026-01-01T15:00:01Z' },
    'rounds_whole_hour_check',
  ],
  ['a round of two hours', 'rounds', { ...OTHER_HOUR, end_time: '2026-01-01T16:00:00Z' }, 'rounds_one_hour_check'],
  ['an unknown status', 'rounds', { ...OTHER_HOUR, status: 'open' }, 'rounds_status_check'],
  ['an unknown question type', 'rounds', { ...OTHER_HOUR, question_type: 'weather' }, 'rounds_question_type_check'],
  ['an unknown format', 'rounds', { ...OTHER_HOUR, prediction_format: 'number' }, 'rounds_prediction_format_check'],
  ['an unknown operator', 'rounds', { ...OTHER_HOUR, operator: '<' }, 'rounds_operator_check'],
  ['a resolved round without an outcome', 'rounds', { ...RESOLVED, outcome: null }, 'rounds_outcome_check'],
  ['a resolved round without a value', 'rounds', { ...RESOLVED, resolution_value: null }, 'rounds_outcome_check'],
  [
    'an outcome before the resolution',
    'rounds',
    { ...RESOLVED, status: 'resolving', decided_at: null },
    'rounds_outcome_check',
  ],
  ['a resolved round without a time of decision', 'rounds', { ...RESOLVED, decided_at: null }, 'rounds_decided_check'],
  [
    'a round decided while it runs',
    'rounds',
    { ...OTHER_HOUR, decided_at: '2026-01-01T15:00:01Z' },
    'rounds_decided_check',
  ],
  ['a void round without a reason', 'rounds', { ...VOID, void_reason: null }, 'rounds_void_check'],
  ['a void round with an unknown reason', 'rounds', { ...VOID, void_reason: 'rain' }, 'rounds_void_reason_check'],
  ['a void reason of a resolved round', 'rounds', { ...RESOLVED, void_reason: 'tie' }, 'rounds_void_check'],
  ['a negative number of entries', 'rounds', { ...OTHER_HOUR, total_entries: -1 }, 'rounds_entries_check'],
];

const ANSWERS: readonly Refused[] = [
  ['a second prediction of an agent in a round', 'predictions', {}, 'predictions_first_pkey'],
  ['the confidence 101', 'predictions', { ...OTHER_PREDICTION, confidence: 101 }, 'predictions_confidence_check'],
  ['the confidence -1', 'predictions', { ...OTHER_PREDICTION, confidence: -1 }, 'predictions_confidence_check'],
  ['a prediction of an unknown agent', 'predictions', { agent_id: 99 }, 'predictions_agent_id_foreign'],
  ['a prediction in an unknown round', 'predictions', { round_id: 99 }, 'predictions_round_id_foreign'],
  ['a second score of a prediction', 'scores', { place: 2 }, 'scores_first_agent_rounds'],
  ['a score without a prediction', 'scores', { agent_id: 4, place: 2 }, 'scores_prediction_foreign'],
  ['a place that is taken', 'scores', { agent_id: 3 }, 'scores_first_pkey'],
  ['a loss above the stake', 'scores', { agent_id: 3, place: 2, pnl_usd: '-100.01' }, 'scores_pnl_check'],
];

const THE_REST: readonly Refused[] = [
  ['a price of zero', 'round_assets', { asset: 'ETH', open: 0, high: 1, low: 1, close: 1 }, 'round_assets_price_check'],
  [
    'a high below the low',
    'round_assets',
    { asset: 'ETH', open: 2, high: 1, low: 2, close: 2 },
    'round_assets_price_check',
  ],
  ['a ninth asset', 'round_assets', { asset: 'XRP' }, 'round_assets_asset_check'],
  ['duplicate evidence', 'candles', {}, 'candles_pkey'],
  ['evidence about a ninth asset', 'candles', { asset: 'XRP' }, 'candles_asset_check'],
  ['evidence for an unknown round', 'candles', { round_id: 99 }, 'candles_round_id_foreign'],
  ['evidence left out without a reason', 'candles', { source: 'b', counted: false }, 'candles_counted_check'],
  ['evidence that counts and is left out', 'candles', { source: 'b', left_out: 'Why.' }, 'candles_counted_check'],
  ['evidence that counts without a price', 'candles', { source: 'b', low: null }, 'candles_figures_check'],
  ['evidence of another hash', 'candles', { source: 'b', body_hash: 'abc' }, 'candles_body_hash_check'],
  ['a second agreement about an hour', 'agreed_candles', {}, 'agreed_candles_pkey'],
  ['an agreed high below the close', 'agreed_candles', { asset: 'ETH', high: 1.4 }, 'agreed_candles_price_check'],
  ['an agreed price of zero', 'agreed_candles', { asset: 'ETH', low: 0 }, 'agreed_candles_price_check'],
  ['a standing of an unknown agent', 'standings', { agent_id: 99 }, 'standings_agent_id_foreign'],
  ['a best streak below the current one', 'standings', { agent_id: 3, current_streak: 3 }, 'standings_streak_check'],
  ['a streak below zero', 'standings', { agent_id: 3, current_streak: -1 }, 'standings_streak_check'],
  ['more wins than competitions', 'standings', { agent_id: 3, alltime_wins: 4 }, 'standings_wins_check'],
  ['a fifth tier', 'standings', { agent_id: 3, tier: 'platinum' }, 'standings_tier_check'],
  ['a fifth window', 'board_places', { period: 'hourly' }, 'board_places_period_check'],
  ['a position that is taken', 'board_places', {}, 'board_places_pkey'],
  ['a place of an unknown agent', 'board_places', { position: 2, agent_id: 99 }, 'board_places_agent_id_foreign'],
  ['an event number that is taken', 'events', {}, 'events_pkey'],
  ['an unknown kind of event', 'events', { seq: 2, kind: 'ROUND_LOST' }, 'events_kind_check'],
  ['a second platform', 'platform', { id: 2 }, 'platform_one_row_check'],
];

describe('refused rows', () => {
  beforeAll(async () => {
    expect(await rows.refusalOf('agents', { id: 3, name: 'Cy3', name_key: 'cy3', key_hash: hashOf('c3') })).toBeNull();
    expect(await rows.refusalOf('predictions', OTHER_PREDICTION)).toBeNull();
    expect(await rows.refusalOf('agents', { id: 9, name: 'Di9', name_key: 'di9', key_hash: hashOf('d9') })).toBeNull();
  });

  test.each([...AGENTS, ...ROUNDS, ...ANSWERS, ...THE_REST])(
    'the database refuses %s',
    async (_, table, changes, by) => {
      expect(await rows.refusalOf(table, changes)).toBe(by);
    },
  );

  test('the database refuses scores of several rounds when the agent predicted only one', async () => {
    const scores = `insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd,
        brier, reference_brier, confidence, edge_millionths)
      select round_id, 3, false, -40, 0, 3, 0, -52, 0.64, 0.25, 80, 0 from generate_series(1, 2) round_id`;
    expect(await rows.refusalOfStatement(scores)).toBe('scores_prediction_foreign');
  });

  test.each<[string, Table]>([
    ['an agent that predicted', 'agents'],
    ['a round that was predicted', 'rounds'],
  ])('the database refuses the removal of %s', async (_, table) => {
    expect(await rows.refusalOfStatement(`delete from ${table}`)).toMatch(/_foreign$/);
  });

  test.each([
    ['another id of an agent that predicted', 'update agents set id = 99 where id = 1', 'predictions_agent_id_foreign'],
    ['another id of a round that was predicted', 'update rounds set id = 99', 'predictions_round_id_foreign'],
    ['the removal of all agents', 'truncate agents cascade', 'predictions_agent_id_foreign'],
    ['predictions of a known and an unknown agent', PREDICTIONS_OF_TWO, 'predictions_agent_id_foreign'],
  ])('the database refuses the statement: %s', async (_, statement, by) => {
    expect(await rows.refusalOfStatement(statement)).toBe(by);
  });

  test.each<Table>(['candles', 'agreed_candles', 'predictions', 'scores'])(
    'rows of %s can be added, but not changed or removed',
    async (table) => {
      for (const statement of [
        `update ${table} set round_id = round_id`,
        `update ${table} set round_id = 1 where round_id = 1`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        expect(await rows.refusalOfStatement(statement)).toBe(`${table}_kept`);
    },
  );
});

describe('accepted rows', () => {
  test.each<[string, Table, Readonly<Record<string, unknown>>]>([
    ['an expired name beside another', 'agents', { id: 5, name: 'Ada', name_key: null, key_hash: hashOf('e5') }],
    [
      'a spectator with a reservation',
      'agents',
      {
        id: 6,
        name: 'Eve',
        name_key: 'eve',
        key_hash: hashOf('e6'),
        mode: 'spectate',
        reserved_until: '2026-01-31T00:00:00Z',
      },
    ],
    ['a resolved round', 'rounds', RESOLVED],
    [
      'a void round',
      'rounds',
      { ...VOID, id: 3, start_time: '2026-01-01T15:00:00Z', end_time: '2026-01-01T16:00:00Z' },
    ],
    [
      'a second round that waits',
      'rounds',
      { id: 4, start_time: '2026-01-01T16:00:00Z', end_time: '2026-01-01T17:00:00Z', status: 'resolving' },
    ],
    ['confidence 0', 'predictions', { round_id: 2, agent_id: 1, confidence: 0 }],
    ['confidence 100', 'predictions', { round_id: 2, agent_id: 3, confidence: 100 }],
    ['the whole stake lost', 'scores', { agent_id: 3, place: 2, pnl_usd: '-100.00' }],
    [
      'evidence that is left out, without figures',
      'candles',
      { source: 'c', open: null, high: null, low: null, close: null, volume: null, counted: false, left_out: 'Why.' },
    ],
    ['an event about a round that was removed', 'events', { seq: 2, round_id: 99 }],
  ])('the database accepts %s', async (_, table, changes) => {
    expect(await rows.refusalOf(table, changes)).toBeNull();
  });
});
