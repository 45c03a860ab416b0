import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openLocalBackplane } from '../../src/backplane/local.ts';
import type { Backplane } from '../../src/backplane/backplane.ts';
import { createTestDatabase } from '../support/database.ts';
import { startRedis } from '../support/redis.ts';
import { redisParts } from './redis/parts.ts';

/** Where a store answers: goes to other processes as JSON. */
export type StoreAddress =
  | { readonly driver: 'postgresql'; readonly connection: DatabaseConnection }
  | { readonly driver: 'redis'; readonly url: string };

export interface Store extends AsyncDisposable {
  readonly address: StoreAddress;
}

/** A store of each driver, by its name. */
export const STORES: Readonly<Record<StoreAddress['driver'], () => Promise<Store>>> = {
  postgresql: async () => {
    const { connection, drop } = await createTestDatabase();
    return { address: { driver: 'postgresql', connection }, [Symbol.asyncDispose]: drop };
  },
  redis: async () => {
    const redis = await startRedis();
    return { address: { driver: 'redis', url: redis.url }, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() };
  },
};

/** A backplane as a process of its own would have it. */
export async function partsOn(address: StoreAddress, warn: (message: string) => void): Promise<Backplane> {
  if (address.driver === 'redis') return redisParts(address.url, { push: warn });
  return openLocalBackplane(address.connection, { processId: '', report: (error) => warn(error.message), warn });
}
