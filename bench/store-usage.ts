import { setTimeout as delay } from 'node:timers/promises';

import { withClient, type DatabaseConnection } from '../src/database/connection.ts';
import type { TestRedis } from '../test/support/redis.ts';

/** Counters since the stores' start. */
export interface StoreUsage {
  /** Transactions of PostgreSQL; a single statement is one. */
  readonly transactions: number;
  /** Current connections to the database. */
  readonly connections: number;
  /** Commands of Redis without those in scripts; 0 without Redis. */
  readonly commands: number;
}

/** PostgreSQL counts a busy backend's work up to a second late, and the rest after ten idle seconds. */
const COUNTED_MS = { busy: 1_500, idle: 12_000 };

/** Waits until past work is counted: nearly all of it, or all if nothing has happened since. */
export function counted(backends: keyof typeof COUNTED_MS = 'busy'): Promise<void> {
  return delay(COUNTED_MS[backends]);
}

export async function storeUsage(database: DatabaseConnection, redis: TestRedis | null): Promise<StoreUsage> {
  const { rows } = await withClient(database, (client) =>
    client.query<{ transactions: number; connections: number }>(
      `select (xact_commit + xact_rollback)::float8 as transactions, numbackends - 1 as connections
         from pg_stat_database where datname = current_database()`,
    ),
  );
  const stats = redis === null ? '' : await redis.cli('info', 'stats');
  const [, commands = '0'] = /^total_commands_processed:(\d+)/m.exec(stats) ?? [];
  return { transactions: 0, connections: 0, ...rows[0], commands: Number(commands) };
}

/** The difference, divided by `count`; the connections are the second's. */
export function usageOf(before: StoreUsage, after: StoreUsage, count: number): StoreUsage {
  return {
    transactions: (after.transactions - before.transactions) / count,
    connections: after.connections,
    commands: (after.commands - before.commands) / count,
  };
}
