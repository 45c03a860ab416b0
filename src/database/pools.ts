import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DatabaseConnection } from './connection.ts';
import { type ConnectionShares, type PoolName, shareOut, ALONE_CONNECTIONS } from './connection-shares.ts';
import { openOrm, type Orm, type OrmSettings } from './orm.ts';
import type { Session } from './session.ts';
import { type PoolStatements, type Statements, statementsOn } from './statements.ts';
import { openPool, type PoolUse } from './timed-pool.ts';
import { EXPORT_STATEMENT_MS, STATEMENT_MS } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';
import { withTimeout } from '../deadline.ts';

/**
 * The connections of one process by purpose, so that none of them can take another's. `statementMs` unset: statements
 * may take as long as they take.
 */
const POOLS = {
  /** Jobs and reading the event log. */
  jobs: {},
  /** What callers read. */
  api: { statementMs: STATEMENT_MS },
  /**
   * Submissions, and whether one is there: what waits for the disk, and for synchronous standbys. Stopped before the
   * caller's deadline, a submission is known not to be stored.
   */
  submissions: { statementMs: STATEMENT_MS, byIndex: true, pipelines: true },
  /** What agents do about themselves: its commits wait for the disk and for synchronous standbys, too, and no read for them. */
  registrations: { statementMs: STATEMENT_MS },
  /** Looking up keys and the running round: single statements over indexes, which wait for no commit. */
  urgent: { statementMs: STATEMENT_MS, byIndex: true },
  /** Executions of subscriptions, few of which run at once. */
  feed: { statementMs: STATEMENT_MS },
  /** Pages of exports, which are read in turns. */
  exports: { statementMs: EXPORT_STATEMENT_MS },
} as const satisfies Record<PoolName, Session>;

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
  readonly newEm: Readonly<Record<Exclude<PoolName, 'urgent'>, NewEm>>;
  /** Without a mapper, on the same connections; what is urgent has no other. */
  readonly statements: Readonly<Record<'jobs' | 'api' | 'urgent', Statements>> & {
    readonly submissions: PoolStatements;
  };
  /** Null where there is no replica. */
  readonly replica: ReplicaPools | null;
  /** By pool; those of the replica are called `replica` and `replica_exports`. */
  readonly use: () => Readonly<Record<string, PoolUse>>;
  readonly connections: ConnectionShares;
}

interface PoolOptions extends Pick<OrmSettings, 'discovered'> {
  /** How long a statement of what callers read may take, in real milliseconds, where that is not the usual. */
  readonly readMs?: number | undefined;
  /** A standby of the same database. */
  readonly replica?: DatabaseConnection | null | undefined;
  /** Those of the replica, which is another server, are as many again as those of `api` and `exports`. */
  readonly connections?: ConnectionShares | undefined;
}

/** Opens the pools; nothing connects yet. */
export async function openPools(address: DatabaseConnection, options: PoolOptions = {}): Promise<DatabasePools> {
  const { readMs = STATEMENT_MS, replica = null } = options;
  const { connections = shareOut(ALONE_CONNECTIONS, { alone: true }) } = options;
  let { discovered } = options;
  await using opened = new AsyncDisposableStack();
  const uses = new Map<string, () => PoolUse>();
  const open = async (
    pool: PoolName,
    session: Session,
    elsewhere?: { server: DatabaseConnection; name: string },
  ): Promise<Orm> => {
    const { server, name } = elsewhere ?? { server: address, name: pool };
    const orm = await openOrm(server, connections[pool], { ...session, discovered });
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
  const urgent = openPool(address, connections.urgent, POOLS.urgent);
  opened.defer(() => withTimeout(FAREWELL_MS, urgent.end()));
  uses.set('urgent', urgent.use);
  const feed = await open('feed', POOLS.feed);
  const exports = await open('exports', POOLS.exports);
  const standby = replica && {
    api: await open('api', reading, { server: replica, name: 'replica' }),
    exports: await open('exports', POOLS.exports, { server: replica, name: 'replica_exports' }),
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
    connections,
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
