import { Migrator } from '@mikro-orm/migrations';
import { type MetadataStorage, MikroORM, type Options } from '@mikro-orm/postgresql';
import { type Pool, TypeOverrides, types as usualParsers } from 'pg';

import { ENTITIES } from '../entities/index.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { pendingWork } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import type { DatabaseConnection } from './connection.ts';
import { keepInTime, returnWhenCut } from './pool-deadline.ts';
import { type PoolStatements, statementsOn } from './statements.ts';

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** How long one waits for a connection: to be opened, or to be given back by somebody. */
const CONNECT_MS = 3 * SECOND;
/**
 * A process that stands still inside a transaction (stopped, or its machine suspended) loses its session, and with it
 * the locks for which all others wait.
 */
const STANDSTILL_MS = 15 * SECOND;
/** A database that has not stopped a statement so long after it should have says nothing any more. */
const SILENCE_MS = SECOND;

/**
 * Timestamps arrive as `Date`, whole numbers as numbers where these are exact, and all else as MikroORM expects it:
 * numerics and greater whole numbers as text, so that no digit is lost.
 */
function typeParsers(): TypeOverrides {
  const types = new TypeOverrides(usualParsers);
  types.setTypeParser(INT8, (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text));
  types.setTypeParser(TIMESTAMPTZ, (text: string) => new Date(`${text.replace(' ', 'T')}:00`));
  return types;
}

/** What is asked for on the connections of a pool. */
export interface Session {
  /** The database stops each statement that takes longer, in real milliseconds; unset: none. */
  readonly statementMs?: number;
  /**
   * Tables are read by index alone. The plan of a named statement is kept: where it was made while a table was nearly
   * empty it would read all of the table, also when that has grown.
   */
  readonly byIndex?: boolean;
  /** Statements are sent without waiting for the answers to those before them on the same connection. */
  readonly pipelines?: boolean;
}

/** How a mapping is opened. */
export interface OrmSettings extends Session {
  /** What another mapping of this process found in the entities, so that it is not worked out again: that takes 50 ms. */
  readonly discovered?: MetadataStorage | undefined;
}

const BY_INDEX = { enable_seqscan: 'off', jit: 'off' };

/** The mapping, its pool, and statements on the same connections. */
export interface Orm extends MikroORM, PoolUser {
  readonly statements: PoolStatements;
  /** Calls `listener` after each connection that has ended, whoever ended it. */
  readonly onConnectionLost: (listener: () => void) => void;
}

/**
 * Opens the mapping over a pool of at most `poolSize` connections; nothing is created or migrated. Callers wait no longer
 * than their deadline.
 */
export async function openOrm(
  address: DatabaseConnection,
  poolSize = 10,
  { discovered, ...session }: OrmSettings = {},
): Promise<Orm> {
  const connecting = pendingWork();
  let pool: Pool | undefined;
  const options: Options = {
    entities: ENTITIES,
    host: address.host,
    port: address.port,
    user: address.user,
    dbName: address.database,
    ...(address.password === undefined ? {} : { password: address.password }),
    pool: { min: 0, max: poolSize },
    onCreateConnection: returnWhenCut,
    driverOptions: {
      onPoolCreated: (created: Pool) => {
        pool = created;
        keepInTime(created, connecting);
      },
      ...connectionOptions(address, session),
    },
    schemaGenerator: { ignoreSchema: ['bullmq'] },
    migrations: {
      migrationsList: MIGRATIONS,
      snapshot: false,
      tableName: 'migrations',
      silent: true,
      // In one transaction, what one locks for an instant would be locked while the next one builds an index.
      allOrNothing: false,
    },
    extensions: [Migrator],
    debug: false,
  };
  const orm = discovered === undefined ? await MikroORM.init(options) : ormOver(discovered, options);
  const close = orm.close.bind(orm);
  // Kysely loses a connection that is still being opened when it ends its pool, which then waits for it for ever.
  orm.close = async (force) => {
    await connecting.settled();
    await close(force);
  };
  // MikroORM makes its pool when somebody asks for the client.
  orm.em.getConnection().getClient();
  if (pool === undefined) throw new Error('MikroORM made no pool of connections');
  const { statementMs = Infinity } = session;
  const statements = statementsOn(pool, { connecting, defaultMs: statementMs + SILENCE_MS });
  const onConnectionLost = (listener: () => void): void => void pool?.on('remove', listener);
  return Object.assign(orm, { poolUse: () => useOf(pool), statements, onConnectionLost });
}

/** What `MikroORM.init` makes, without the search for what entities there are. */
function ormOver(discovered: MetadataStorage, options: Options): MikroORM {
  const orm = new MikroORM({ ...options, discovery: { skipSyncDiscovery: true } });
  orm.driver.setMetadata(discovered);
  return Object.assign(orm, { em: Object.assign(orm.driver.createEntityManager(), { global: true }) });
}

/** What pg opens each connection with. */
function connectionOptions({ ssl }: DatabaseConnection, { statementMs, byIndex = false, pipelines = false }: Session) {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    // Where the database's machine has gone without a word, the system notices at last.
    keepAlive: true,
    pipeline: pipelines,
    types: typeParsers(),
    options: sessionOptions({
      timezone: 'UTC',
      // Statements that wait for each other go on with what the other has made, whatever the database's default is.
      default_transaction_isolation: 'read committed',
      statement_timeout: statementMs ?? 0,
      idle_in_transaction_session_timeout: STANDSTILL_MS,
      ...(byIndex ? BY_INDEX : {}),
    }),
    ...(ssl === undefined ? {} : { ssl }),
  };
}

function sessionOptions(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', String.raw`\ `)}`)
    .join(' ');
}

/** How a pool of connections is used at a moment. */
export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** Whose pool can be looked at. */
export interface PoolUser {
  readonly poolUse: () => PoolUse;
}

/** How `pool` is used; nothing while it is not made yet. */
function useOf(pool: Pool | undefined): PoolUse {
  if (pool === undefined) return { inUse: 0, idle: 0, waiting: 0 };
  const { totalCount, idleCount, waitingCount } = pool;
  return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
