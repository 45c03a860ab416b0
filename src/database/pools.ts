import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DatabaseConnection } from './connection.ts';
import { openOrm, type OrmSettings, type PoolUse, type Session } from './orm.ts';
import type { Statements } from './statements.ts';
import { STATEMENT_MS, EXPORT_POOL } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';
import { withTimeout } from '../deadline.ts';

/**
 * The connections of one process by purpose, so that none of them can take another's. `statementMs` unset: statements
 * may take as long as they take.
 */
const POOLS = {
  /** Jobs and reading the event log. */
  jobs: { connections: 10 },
  /** What callers read, and registrations. */
  api: { connections: 10, statementMs: STATEMENT_MS },
  /**
   * Submissions and looking keys up: single statements over indexes. Stopped before the caller's deadline, a
   * submission is known not to be stored.
   */
  urgent: { connections: 4, statementMs: STATEMENT_MS, byIndex: true },
  /** Executions of subscriptions, few of which run at once. */
  feed: { connections: 3, statementMs: STATEMENT_MS },
  /** Pages of exports, which are read in turns. */
  exports: EXPORT_POOL,
} as const satisfies Record<string, Session & { readonly connections: number }>;

type PoolName = keyof typeof POOLS;

/** How long, in real milliseconds, connections to the database may take to end: who is stuck on one is left behind. */
const FAREWELL_MS = SECOND;

/** Makes an entity manager for one piece of work. */
export type NewEm = () => SqlEntityManager;

export interface DatabasePools extends AsyncDisposable {
  readonly newEm: Readonly<Record<PoolName, NewEm>>;
  /** Hot paths, on the same connections. */
  readonly statements: Readonly<Record<PoolName, Statements>>;
  readonly use: () => Readonly<Record<PoolName, PoolUse>>;
}

/** Opens the pools; nothing connects yet. `readMs` replaces how long a statement of the API's pool may take. */
export async function openPools(address: DatabaseConnection, readMs: number = STATEMENT_MS): Promise<DatabasePools> {
  await using opened = new AsyncDisposableStack();
  const open = async ({ connections, ...settings }: OrmSettings & { readonly connections: number }) => {
    const orm = await openOrm(address, connections, settings);
    opened.defer(() => withTimeout(FAREWELL_MS, orm.close(true)));
    return orm;
  };
  const jobs = await open(POOLS.jobs);
  const alike = { discovered: jobs.em.getMetadata() };
  const api = await open({ ...alike, ...POOLS.api, statementMs: readMs });
  const urgent = await open({ ...alike, ...POOLS.urgent });
  const feed = await open({ ...alike, ...POOLS.feed });
  const exports = await open({ ...alike, ...POOLS.exports });
  const kept = opened.move();
  return {
    newEm: {
      jobs: () => jobs.em.fork(),
      api: () => api.em.fork(),
      urgent: () => urgent.em.fork(),
      feed: () => feed.em.fork(),
      exports: () => exports.em.fork(),
    },
    statements: {
      jobs: jobs.statements,
      api: api.statements,
      urgent: urgent.statements,
      feed: feed.statements,
      exports: exports.statements,
    },
    use: () => ({
      jobs: jobs.poolUse(),
      api: api.poolUse(),
      urgent: urgent.poolUse(),
      feed: feed.poolUse(),
      exports: exports.poolUse(),
    }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
