import { randomBytes } from 'node:crypto';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { Client, TypeOverrides } from 'pg';

import { anchorClock } from '../../src/app/open-clock.ts';
import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openOrm } from '../../src/database/orm.ts';
import type { Statements } from '../../src/database/statements.ts';
import type { LogDeps } from '../../src/transparency/append.ts';
import { makeFirstKey } from '../../src/transparency/service-keys.ts';
import { createTestDatabase } from './database.ts';
import { recordedLog, type RecordedLog } from './recorded-log.ts';
import { type ScriptedMarket, scriptedMarket } from './scripted-market.ts';

/** A test's own database with the platform's row, and a scripted market; nothing runs by itself. */
export interface Arena extends LogDeps {
  readonly connection: DatabaseConnection;
  readonly market: ScriptedMarket;
  readonly log: RecordedLog;
  readonly newEm: () => SqlEntityManager;
  /** On the same connections. */
  readonly statements: Statements;
  /** Plain SQL on a separate connection; integers are numbers, numerics are strings. */
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Empties every table but agents and their count, and restarts the sequences. */
  reset(): Promise<void>;
  /** Every table as text: equal texts mean that nothing was written. */
  contents(): Promise<string>;
  close(): Promise<void>;
}

export const ARENA_MADE_AT = new Date('2026-01-01T00:00:00Z');

const INT8 = 20;

/** For the log of a database with a service key: nothing may be reported. */
export const LOGGING: LogDeps = {
  keyPepper: undefined,
  report: (error) => {
    throw error;
  },
};

const KEPT = ['agents', 'name_counts', 'platform', 'migrations', 'months', 'service_keys', 'log_state'];

/** Deleting is quicker than truncating few rows; without foreign keys the order does not matter. */
const FIRST_PLATFORM = `
  update platform set last_seq = 0, resolved_rounds = 0, decided_predictions = 0, decided_confidence_sum = 0,
    newest_resolved_end = null, ordered_rounds = null, skilled = null, boards_updated_at = created_at;
  update log_state set size = 0, note = null, at = null, epoch = 1, logged_epoch = 0;
  select setval('rounds_id_seq', 1, false), setval('predictions_id_seq', 1, false)`;

export async function openArena(): Promise<Arena> {
  const stack = new AsyncDisposableStack();
  const { connection, drop } = await createTestDatabase();
  stack.defer(drop);
  const orm = await openOrm(connection);
  stack.defer(() => orm.close(true));
  const types = new TypeOverrides();
  types.setTypeParser(INT8, Number);
  const client = new Client({ ...connection, types, options: '-c timezone=UTC' });
  await client.connect();
  stack.defer(() => client.end());
  const tables = (await tablesOf(client)).filter((table) => !KEPT.includes(table));
  const emptying = tables.map((table) => `delete from ${table};`).join(' ');
  const newEm = (): SqlEntityManager => orm.em.fork();
  await anchorClock(newEm(), { clockStart: ARENA_MADE_AT, clockSpeed: 1 }, ARENA_MADE_AT);
  await makeFirstKey(newEm(), { ...LOGGING, randomBytes });
  return {
    ...LOGGING,
    connection,
    market: scriptedMarket(),
    log: recordedLog(),
    newEm,
    statements: orm.statements,
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      const { rows } = await client.query<Row>(text, [...values]);
      return rows;
    },
    reset: async () => {
      await client.query(`begin; set local session_replication_role = replica; ${emptying} ${FIRST_PLATFORM}; commit`);
    },
    contents: async () => {
      const contents: unknown[] = [];
      for (const table of await tablesOf(client)) {
        const { rows } = await client.query(`select to_jsonb(t)::text as row from ${table} t order by 1`);
        contents.push({ table, rows });
      }
      return JSON.stringify(contents);
    },
    close: () => stack.disposeAsync(),
  };
}

/** Every table of the service; those of months are parts of others. */
async function tablesOf(client: Pick<Client, 'query'>): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The query's only row. */
export async function only<Row extends object>(
  arena: Pick<Arena, 'query'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row> {
  const [row, ...more] = await arena.query<Row>(text, values);
  if (row === undefined || more.length > 0) throw new Error(`One row was expected of: ${text}`);
  return row;
}

/** The key hash of an agent from `addAgents`. */
export const hashOf = (agentId: number): string => agentId.toString(16).padStart(64, '0');

/** Their ids continue from 1. */
export async function addAgents(arena: Arena, count: number): Promise<readonly number[]> {
  const rows = await arena.query<{ id: number }>(
    `insert into agents (name, name_key, mode, key_hash, registered_at)
     select 'agent-' || n, 'agent-' || n, 'compete', lpad(to_hex(n), 64, '0'), $2
     from generate_series((select count(*) + 1 from agents), (select count(*) from agents) + $1::int) n order by n returning id`,
    [count, ARENA_MADE_AT],
  );
  return rows.map(({ id }) => id);
}
