import { withClient, type DatabaseConnection } from '../src/database/connection.ts';
import type { TestRedis } from '../test/support/redis.ts';

/** What processes have asked of what they share, counted since its start. */
export interface StoreUsage {
  /** Transactions of PostgreSQL, a statement by itself being one. */
  readonly transactions: number;
  /** Connections to the database at present. */
  readonly connections: number;
  /** Commands that Redis has executed, those inside its scripts left out; 0 without one. */
  readonly commands: number;
}

/** PostgreSQL counts what a busy backend has done up to a second late, and the last of it when it has been idle for ten. */
const COUNTED_MS = { busy: 1_500, idle: 12_000 };

/** Waits until what has happened so far is counted: nearly everything, or all of it where nothing has happened since. */
export function counted(backends: keyof typeof COUNTED_MS = 'busy'): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, COUNTED_MS[backends]));
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

/** What came between two looks, for each of `count`; the connections of the second. */
export function usageOf(before: StoreUsage, after: StoreUsage, count: number): StoreUsage {
  return {
    transactions: (after.transactions - before.transactions) / count,
    connections: after.connections,
    commands: (after.commands - before.commands) / count,
  };
}
