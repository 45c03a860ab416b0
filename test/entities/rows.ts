import { Client, DatabaseError } from 'pg';

import { createTestDatabase } from '../support/database.ts';

type Values = Readonly<Record<string, unknown>>;

const CANDLE = {
  round_id: 1,
  asset: 'BTC',
  hour_start: '2026-01-01T12:00:00Z',
  open: '1',
  high: '2',
  low: '0.5',
  close: '1.5',
  volume: '1',
};

/** In place of a key's hash; the beginning is in hexadecimal digits. */
export const hashOf = (beginning: string): string => beginning.padEnd(64, '0');

/** One good row of each table, each referring to the others; a test changes what is to be refused. */
export const GOOD = {
  agents: {
    id: 1,
    name: 'Ada',
    name_key: 'ada',
    mode: 'compete',
    key_hash: hashOf('a1'),
    registered_at: '2026-01-01T00:00:00Z',
  },
  rounds: {
    id: 1,
    start_time: '2026-01-01T12:00:00Z',
    end_time: '2026-01-01T13:00:00Z',
    status: 'active',
    question_type: 'direction',
    prediction_format: 'boolean',
    question: 'Up?',
    choices: '["YES","NO"]',
    source: 'simulated',
  },
  round_assets: { round_id: 1, asset: 'BTC', position: 0, provider_id: 'BTC-USD' },
  candles: { ...CANDLE, source: 'simulated', fetched_at: '2026-01-01T13:00:00Z', counted: true },
  agreed_candles: CANDLE,
  predictions: { round_id: 1, agent_id: 1, prediction: 'YES', confidence: 80, submitted_at: '2026-01-01T12:30:00Z' },
  scores: {
    round_id: 1,
    agent_id: 1,
    is_correct: false,
    score: -40,
    streak_bonus: 0,
    place: 1,
    arena_points: 700,
    pnl_usd: '-52.00',
    brier: '0.6400',
    reference_brier: '0.250000',
    confidence: 80,
    edge_millionths: -390_000,
  },
  standings: {
    agent_id: 1,
    ...sumsOfWindows(),
    current_streak: 1,
    best_streak: 2,
    tier: 'gold',
  },
  board_places: { period: 'weekly', position: 1, agent_id: 1, rank: 1 },
  events: { seq: 1, kind: 'ROUND_STORED', at: '2026-01-01T12:00:00Z', round_id: 1, payload: '{}' },
  platform: {
    id: 1,
    created_at: '2026-01-01T12:00:00Z',
    clock_real_at: '2026-01-01T12:00:00Z',
    clock_service_at: '2026-01-01T12:00:00Z',
    clock_speed: 1,
    boards_updated_at: '2026-01-01T12:00:00Z',
    resolved_rounds: 0,
    decided_predictions: 0,
    decided_confidence_sum: 0,
    last_seq: 0,
  },
} as const satisfies Record<string, Values>;

export type Table = keyof typeof GOOD;

function sumsOfWindows(): Values {
  const sums = ['points', 'arena_points', 'wins', 'competitions', 'pnl_usd', 'brier_sum', 'reference_brier_sum'];
  const periods = ['daily', 'weekly', 'monthly', 'alltime'];
  return Object.fromEntries(periods.flatMap((period) => sums.map((sum) => [`${period}_${sum}`, 3])));
}

/** A database with the good rows in it. */
export async function openRows(closing: AsyncDisposableStack) {
  const { connection, drop } = await createTestDatabase();
  closing.defer(drop);
  const client = new Client(connection);
  await client.connect();
  closing.defer(() => client.end());
  const insert = (table: Table, values: Values) => {
    const columns = Object.keys(values);
    const places = columns.map((_, place) => `$${place + 1}`);
    return client.query(
      `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
      Object.values(values),
    );
  };
  for (const [table, values] of Object.entries(GOOD)) {
    if (isTable(table)) await insert(table, values);
  }
  return {
    connection,
    /** Tries a further row: the good one with `changes`. Returns the name of the constraint or rule that refuses it. */
    refusalOf: (table: Table, changes: Values) => refusalOf(insert(table, { ...GOOD[table], ...changes })),
    /** Returns the name of the constraint or rule that refuses a plain statement. */
    refusalOfStatement: (text: string) => refusalOf(client.query(text)),
  };
}

function isTable(name: string): name is Table {
  return Object.hasOwn(GOOD, name);
}

async function refusalOf(statement: Promise<unknown>): Promise<string | null> {
  try {
    await statement;
    return null;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return error.constraint ?? error.message;
  }
}
