import { Migrator } from '@mikro-orm/migrations';
import { type MetadataStorage, MikroORM, type Options } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';

import { ENTITIES } from '../entities/index.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import type { DatabaseConnection } from './connection.ts';
import { kyselyPool } from './kysely-pool.ts';
import type { Session } from './session.ts';
import { type Statements, statementsOn } from './statements.ts';
import { openPool, type TimedPool } from './timed-pool.ts';

export interface OrmSettings extends Session {
  /** The metadata of another mapping of this process, which saves a discovery per pool. */
  readonly discovered?: MetadataStorage | undefined;
}

/** The mapping and statements share connections; closing the mapping ends them. */
export interface Orm extends MikroORM, Pick<TimedPool, 'use' | 'onConnectionLost'> {
  readonly statements: Statements;
}

/**
 * Opens the mapping over a pool of at most `connections` connections, without creating or migrating anything. Callers
 * wait at most until their deadline.
 */
export async function openOrm(
  address: DatabaseConnection,
  connections = 10,
  { discovered, ...session }: OrmSettings = {},
): Promise<Orm> {
  const pool = openPool(address, connections, session);
  const options: Options = {
    entities: ENTITIES,
    dbName: address.database,
    driverOptions: () => new PostgresDialect({ pool: kyselyPool(pool) }),
    schemaGenerator: { ignoreSchema: ['bullmq'], ignoreRoutines: true },
    migrations: {
      migrationsList: MIGRATIONS,
      snapshot: false,
      tableName: 'migrations',
      silent: true,
      // In one transaction a lock of one migration would last while the next one builds an index.
      allOrNothing: false,
    },
    extensions: [Migrator],
    debug: false,
  };
  const orm = discovered === undefined ? await MikroORM.init(options) : ormOver(discovered, options);
  const close = orm.close.bind(orm);
  orm.close = async (force) => {
    // First the pool: Kysely does not track connections that are still being opened.
    await pool.end();
    await close(force);
  };
  const { use, onConnectionLost } = pool;
  return Object.assign(orm, { use, onConnectionLost, statements: statementsOn(pool) });
}

/** The same as `MikroORM.init`, without discovery. */
function ormOver(discovered: MetadataStorage, options: Options): MikroORM {
  const orm = new MikroORM({ ...options, discovery: { skipSyncDiscovery: true } });
  orm.driver.setMetadata(discovered);
  return Object.assign(orm, { em: Object.assign(orm.driver.createEntityManager(), { global: true }) });
}
