import type { Pool } from 'pg';

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
export function useOf(pool: Pool | undefined): PoolUse {
  if (pool === undefined) return { inUse: 0, idle: 0, waiting: 0 };
  const { totalCount, idleCount, waitingCount } = pool;
  return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
