import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DatabaseConnection } from './connection.ts';
import { openOrm, type Orm, type OrmSettings } from './orm.ts';
import { type PoolStatements, type Statements, statementsOn } from './statements.ts';
import { openPool, type PoolUse } from './timed-pool.ts';
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

type PoolSettings = OrmSettings & { readonly connections: number };

/** How long, in real milliseconds, connections to the database may take to end: who is stuck on one is left behind. */
const FAREWELL_MS = SECOND;

/** Makes an entity manager for one piece of work. */
export type NewEm = () => SqlEntityManager;

/** The connections to a replica, which are read alone. */
export interface ReplicaPools {
  readonly newEm: Readonly<Record<'api' | 'exports', NewEm>>;
  /** On the connections of `newEm.api`. */
  readonly statements: Statements;
  /** Calls `listener` after each connection that has ended. */
  readonly onConnectionLost: (listener: () => void) => void;
}

export interface DatabasePools extends AsyncDisposable {
  readonly newEm: Readonly<Record<Exclude<keyof typeof POOLS, 'urgent'>, NewEm>>;
  /** Without a mapper, on the same connections; what is urgent has no other. */
  readonly statements: Readonly<Record<'jobs' | 'api' | 'urgent', Statements>> & {
    readonly submissions: PoolStatements;
  };
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
  const { readMs = STATEMENT_MS, replica = null } = options;
  let { discovered } = options;
  await using opened = new AsyncDisposableStack();
  const uses = new Map<string, () => PoolUse>();
  const open = async (name: string, { connections, ...session }: PoolSettings, server = address): Promise<Orm> => {
    const orm = await openOrm(server, connections, { ...session, discovered });
    discovered = orm.em.getMetadata();
    opened.defer(() => withTimeout(FAREWELL_MS, orm.close(true)));
    uses.set(name, orm.use);
    return orm;
  };
  const reading = { ...POOLS.api, statementMs: readMs };
  const jobs = await open('jobs', POOLS.jobs);
  const api = await open('api', reading);
  const submissions = await open('submissions', POOLS.submissions);
  const registrations = await open('registrations', POOLS.registrations);
  const urgent = openPool(address, POOLS.urgent.connections, POOLS.urgent);
  opened.defer(() => withTimeout(FAREWELL_MS, urgent.end()));
  uses.set('urgent', urgent.use);
  const feed = await open('feed', POOLS.feed);
  const exports = await open('exports', POOLS.exports);
  const standby = replica && {
    api: await open('replica', reading, replica),
    exports: await open('replica_exports', POOLS.exports, replica),
  };
  const kept = opened.move();
  return {
    newEm: {
      jobs: () => jobs.em.fork(),
      api: () => api.em.fork(),
      submissions: () => submissions.em.fork(),
      registrations: () => registrations.em.fork(),
      feed: () => feed.em.fork(),
      exports: () => exports.em.fork(),
    },
    statements: {
      jobs: jobs.statements,
      api: api.statements,
      submissions: submissions.statements,
      urgent: statementsOn(urgent),
    },
    replica: standby && replicaPools(standby),
    use: () => Object.fromEntries(Array.from(uses, ([name, use]) => [name, use()])),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function replicaPools({ api, exports }: { readonly api: Orm; readonly exports: Orm }): ReplicaPools {
  return {
    newEm: { api: () => api.em.fork(), exports: () => exports.em.fork() },
    statements: api.statements,
    onConnectionLost(listener) {
      api.onConnectionLost(listener);
      exports.onConnectionLost(listener);
    },
  };
}
