import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { Platform } from '../entities/platform.ts';

/** The row that all processes share, as it is now. It is made when the database is first opened. */
export function platformRow(em: SqlEntityManager): Promise<Platform> {
  return em.findOneOrFail(Platform, { id: 1 }, { refresh: true });
}
