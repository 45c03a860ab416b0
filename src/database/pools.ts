import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DatabaseConnection } from './connection.ts';
import { openOrm, type Orm, type OrmSettings, type PoolUse } from './orm.ts';
import type { PoolStatements, Statements } from './statements.ts';
import { STATEMENT_MS, EXPORT_POOL } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';
import { withTimeout } from '../deadline.ts';

/**
 * The connections of one process by purpose, so that none of them can take another's. `statementMs` unset: statements
 * may take as long as they take.
 */
const POOLS = {
  /** Jobs and reading the event log. */
  jobs: { connections: 8 },
  /** What callers read. */
  api: { connections: 10, statementMs: STATEMENT_MS },
  /**
   * Submissions, and whether one is there: what waits for the disk, and for synchronous standbys. Stopped before the
   * caller's deadline, a submission is known not to be stored.
   */
  submissions: { connections: 3, statementMs: STATEMENT_MS, byIndex: true, pipelines: true },
  /** What agents do about themselves: its commits wait for the disk and for synchronous standbys, too, and no read for them. */
  registrations: { connections: 2, statementMs: STATEMENT_MS },
  /** Looking up keys and the running round: single statements over indexes, which wait for no commit. */
  urgent: { connections: 2, statementMs: STATEMENT_MS, byIndex: true },
  /** Executions of subscriptions, few of which run at once. */
  feed: { connections: 3, statementMs: STATEMENT_MS },
  /** Pages of exports, which are read in turns. */
  exports: EXPORT_POOL,
} as const satisfies Record<string, PoolSettings>;

type PoolName = keyof typeof POOLS;

type PoolSettings = OrmSettings & { readonly connections: number };

/** How long, in real milliseconds, connections to the database may take to end: who is stuck on one is left behind. */
const FAREWELL_MS = SECOND;

/** Makes an entity manager for one piece of work. */
export type NewEm = () => SqlEntityManager;

/** The connections to a replica, which are read alone. */
export interface ReplicaPools {
  readonly newEm: Readonly<Record<ReplicaPoolName, NewEm>>;
  /** On the connections of `newEm.api`. */
  readonly statements: Statements;
  /** Calls `listener` after each connection that has ended. */
  readonly onConnectionLost: (listener: () => void) => void;
}

type ReplicaPoolName = Extract<PoolName, 'api' | 'exports'>;

export interface DatabasePools extends AsyncDisposable {
  readonly newEm: Readonly<Record<PoolName, NewEm>>;
  /** Hot paths, on the same connections. */
  readonly statements: Readonly<Record<PoolName, Statements>> & { readonly submissions: PoolStatements };
  /** Null where there is no replica. */
  readonly replica: ReplicaPools | null;
  /** By pool; those of the replica are called `replica` and `replica_exports`. */
  readonly use: () => Readonly<Record<string, PoolUse>>;
}

interface PoolOptions extends Pick<OrmSettings, 'discovered'> {
  /** How long a statement of what callers read may take, in real milliseconds, where that is not the usual. */
  readonly readMs?: number | undefined;
  /** A standby of the same database. */
  readonly replica?: DatabaseConnection | null | undefined;
}

/** Opens the pools; nothing connects yet. */
export async function openPools(address: DatabaseConnection, options: PoolOptions = {}): Promise<DatabasePools> {
  const { readMs = STATEMENT_MS, replica = null, discovered } = options;
  await using opened = new AsyncDisposableStack();
  const openOn = async (server: DatabaseConnection, { connections, ...settings }: PoolSettings) => {
    const orm = await openOrm(server, connections, settings);
    opened.defer(() => withTimeout(FAREWELL_MS, orm.close(true)));
    return orm;
  };
  const open = (settings: PoolSettings) => openOn(address, settings);
  const jobs = await open({ ...POOLS.jobs, discovered });
  const alike = { discovered: jobs.em.getMetadata() };
  const reading = { ...alike, ...POOLS.api, statementMs: readMs };
  const api = await open(reading);
  const submissions = await open({ ...alike, ...POOLS.submissions });
  const registrations = await open({ ...alike, ...POOLS.registrations });
  const urgent = await open({ ...alike, ...POOLS.urgent });
  const feed = await open({ ...alike, ...POOLS.feed });
  const exporting = { ...alike, ...POOLS.exports };
  const exports = await open(exporting);
  const standby = replica && { api: await openOn(replica, reading), exports: await openOn(replica, exporting) };
  const kept = opened.move();
  return {
    newEm: {
      jobs: () => jobs.em.fork(),
      api: () => api.em.fork(),
      submissions: () => submissions.em.fork(),
      registrations: () => registrations.em.fork(),
      urgent: () => urgent.em.fork(),
      feed: () => feed.em.fork(),
      exports: () => exports.em.fork(),
    },
    statements: {
      jobs: jobs.statements,
      api: api.statements,
      submissions: submissions.statements,
      registrations: registrations.statements,
      urgent: urgent.statements,
      feed: feed.statements,
      exports: exports.statements,
    },
    replica: standby && replicaPools(standby),
    use: () => ({
      jobs: jobs.poolUse(),
      api: api.poolUse(),
      submissions: submissions.poolUse(),
      registrations: registrations.poolUse(),
      urgent: urgent.poolUse(),
      feed: feed.poolUse(),
      exports: exports.poolUse(),
      ...(standby && { replica: standby.api.poolUse(), replica_exports: standby.exports.poolUse() }),
    }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function replicaPools({ api, exports }: Readonly<Record<ReplicaPoolName, Orm>>): ReplicaPools {
  return {
    newEm: { api: () => api.em.fork(), exports: () => exports.em.fork() },
    statements: api.statements,
    onConnectionLost(listener) {
      api.onConnectionLost(listener);
      exports.onConnectionLost(listener);
    },
  };
}
