import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { type Pool, TypeOverrides, types as usualParsers } from 'pg';

import { underWay } from '../under-way.ts';
import { ENTITIES } from './index.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { returnWhenCut } from './returned-connections.ts';

/** Where a PostgreSQL database answers. `host` may be the folder of a unix socket. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string | undefined;
  readonly database: string;
  readonly ssl?: unknown;
}

const TIMESTAMPTZ = 1184;

/** Timestamps arrive as `Date` and all else as MikroORM expects it: numerics as text, so that no digit is lost. */
function typeParsers(): TypeOverrides {
  const types = new TypeOverrides(usualParsers);
  types.setTypeParser(TIMESTAMPTZ, (text: string) => new Date(`${text.replace(' ', 'T')}:00`));
  return types;
}

/**
 * Opens the mapping over a pool of at most `poolSize` connections; nothing is created or migrated. The database stops
 * each statement that takes longer than `statementMs`; unset, none.
 */
export async function openOrm(address: DatabaseAddress, poolSize = 10, statementMs?: number): Promise<MikroORM> {
  const connecting = underWay();
  const orm = await MikroORM.init({
    entities: ENTITIES,
    host: address.host,
    port: address.port,
    user: address.user,
    dbName: address.database,
    ...(address.password === undefined ? {} : { password: address.password }),
    pool: { min: 0, max: poolSize },
    onCreateConnection: returnWhenCut,
    driverOptions: {
      onPoolCreated: (pool: Pool) => {
        const connect = pool.connect.bind(pool);
        Object.assign(pool, { connect: () => connecting.track(connect()) });
      },
      types: typeParsers(),
      options: `-c timezone=UTC -c statement_timeout=${statementMs ?? 0}`,
      ...(address.ssl === undefined ? {} : { ssl: address.ssl }),
    },
    schemaGenerator: { ignoreSchema: ['bullmq'] },
    migrations: { migrationsList: MIGRATIONS, snapshot: false, tableName: 'migrations', silent: true },
    extensions: [Migrator],
    debug: false,
  });
  const close = orm.close.bind(orm);
  // Kysely loses a connection that is still being opened when it ends its pool, which then waits for it for ever.
  orm.close = async (force) => {
    await connecting.idle();
    await close(force);
  };
  return orm;
}
