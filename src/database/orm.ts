import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';

import { ENTITIES } from '../entities/index.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { madeOnce } from '../in-flight.ts';
import type { DatabaseConnection } from './connection.ts';
import { kyselyPool } from './kysely-pool.ts';
import type { Session } from './session.ts';
import { type Statements, statementsOn } from './statements.ts';
import { openPool, type TimedPool } from './timed-pool.ts';

/** The mapping and statements share connections; closing the mapping ends them. */
export interface Orm extends MikroORM, Pick<TimedPool, 'use' | 'onConnectionLost'> {
  readonly statements: Statements;
}

const OPTIONS: Options = {
  entities: ENTITIES,
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

/** All mappings of a process have the same entities. Nothing connects to this database. */
const discovered = madeOnce(async () => (await MikroORM.init({ ...OPTIONS, dbName: 'discovered' })).em.getMetadata());

/**
 * Opens the mapping over a pool of at most `connections` connections, without creating or migrating anything. Callers
 * wait at most until their deadline.
 */
export async function openOrm(address: DatabaseConnection, connections = 10, session: Session = {}): Promise<Orm> {
  const pool = openPool(address, connections, session);
  const orm = new MikroORM({
    ...OPTIONS,
    dbName: address.database,
    driverOptions: () => new PostgresDialect({ pool: kyselyPool(pool) }),
    discovery: { skipSyncDiscovery: true },
  });
  orm.driver.setMetadata(await discovered());
  Object.assign(orm, { em: Object.assign(orm.driver.createEntityManager(), { global: true }) });
  const close = orm.close.bind(orm);
  orm.close = async (force) => {
    // First the pool: Kysely does not track connections that are still being opened.
    await pool.end();
    await close(force);
  };
  const { use, onConnectionLost } = pool;
  return Object.assign(orm, { use, onConnectionLost, statements: statementsOn(pool) });
}
