import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type DatabaseConnection, FAREWELL_MS } from './connection.ts';
import { type ConnectionShares, type PoolName, shareOut, ALONE_CONNECTIONS } from './connection-shares.ts';
import { openOrm, type Orm } from './orm.ts';
import type { Session } from './session.ts';
import { type Statements, statementsOn } from './statements.ts';
import { openPool, type PoolUse } from './timed-pool.ts';
import { EXPORT_STATEMENT_MS, STATEMENT_MS } from '../limits.ts';
import { withTimeout } from '../deadline.ts';

/**
 * The connections of one process by purpose, so that none can use up another's. Without `statementMs` statements have
 * no timeout.
 */
const POOLS = {
  jobs: {},
  api: { statementMs: STATEMENT_MS, byIndex: true },
  /**
   * Submissions and checks for them, which wait for the disk and for synchronous standbys. The timeout is shorter than
   * the caller's deadline: a submission that times out is not stored.
   */
  submissions: { statementMs: STATEMENT_MS, byIndex: true, plansOnce: true },
  /** Agents' changes of themselves: commits that wait for the disk and for synchronous standbys. */
  registrations: { statementMs: STATEMENT_MS },
  /** Look-ups of keys and of the running round: single indexed statements that wait for no commit. */
  urgent: { statementMs: STATEMENT_MS, byIndex: true },
  /** Executions of subscriptions, few at once. */
  feed: { statementMs: STATEMENT_MS, byIndex: true },
  /** Pages of exports, as many at once as there are connections. */
  exports: { statementMs: EXPORT_STATEMENT_MS },
} as const satisfies Record<PoolName, Session>;

type NewEm = () => SqlEntityManager;

/** Read-only connections to a replica. */
interface ReplicaPools {
  readonly newEm: Readonly<Record<'api' | 'exports', NewEm>>;
  /** On the connections of `newEm.api`. */
  readonly statements: Statements;
  /** Calls `listener` after each connection that has ended. */
  readonly onConnectionLost: (listener: () => void) => void;
}

export interface DatabasePools extends AsyncDisposable {
  readonly newEm: Readonly<Record<Exclude<PoolName, 'urgent'>, NewEm>>;
  /** Without a mapper, on the same connections; `urgent` has no mapper. */
  readonly statements: Readonly<Record<'api' | 'urgent' | 'submissions', Statements>>;
  /** Null without a replica. */
  readonly replica: ReplicaPools | null;
  /** Keyed by pool; the replica's are `replica` and `replica_exports`. */
  readonly use: () => Readonly<Record<string, PoolUse>>;
  readonly connections: ConnectionShares;
}

interface PoolOptions {
  /** The timeout of callers' reads, in real milliseconds, if not the default. */
  readonly readMs?: number | undefined;
  /** A standby of the same database. */
  readonly replica?: DatabaseConnection | null | undefined;
  /** A replica gets as many again as `api` and `exports`. */
  readonly connections?: ConnectionShares | undefined;
}

/** Opens the pools; nothing connects yet. */
export async function openPools(address: DatabaseConnection, options: PoolOptions = {}): Promise<DatabasePools> {
  const { readMs = STATEMENT_MS, replica = null } = options;
  const { connections = shareOut(ALONE_CONNECTIONS, { alone: true }) } = options;
  await using opened = new AsyncDisposableStack();
  const uses = new Map<string, () => PoolUse>();
  const open = async (
    pool: PoolName,
    session: Session,
    elsewhere?: { server: DatabaseConnection; name: string },
  ): Promise<Orm> => {
    const { server, name } = elsewhere ?? { server: address, name: pool };
    const orm = await openOrm(server, connections[pool], session);
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
      api: api.statements,
      submissions: submissions.statements,
      urgent: statementsOn(urgent),
    },
    replica: standby && {
      newEm: { api: () => standby.api.em.fork(), exports: () => standby.exports.em.fork() },
      statements: standby.api.statements,
      onConnectionLost(listener) {
        standby.api.onConnectionLost(listener);
        standby.exports.onConnectionLost(listener);
      },
    },
    connections,
    use: () => Object.fromEntries(Array.from(uses, ([name, use]) => [name, use()])),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
