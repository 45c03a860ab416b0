import { type PoolConfig, TypeOverrides, types as usualParsers } from 'pg';

import { beforeDeadline, withDeadline } from '../deadline.ts';
import { SECOND } from '../rules/hours.ts';
import { type DatabaseConnection, INDEPENDENT, KEEP_ALIVE, SET } from './connection.ts';

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** The timeout of opening a connection, of its settings, and of the wait for a free one. */
const POOL_CONNECT_MS = 3 * SECOND;
/**
 * A process suspended this long inside a transaction loses its session, so others get the locks that they wait for.
 */
const STANDSTILL_MS = 15 * SECOND;

/** The settings of a pool's connections. */
export interface Session {
  /** The statement timeout in real milliseconds; unset: none. */
  readonly statementMs?: number;
  /**
   * Disables sequential and bitmap scans. The cached plan of a named statement, made while a table was nearly empty, would
   * scan the grown table too. An empty month has no statistics: by such a scan of it, a list in the order of an index would
   * sort all rows.
   */
  readonly byIndex?: boolean;
  /** Plans each named statement once, for all values: those of a few keys would be planned at each call. */
  readonly plansOnce?: boolean;
}

const BY_INDEX = { enable_seqscan: 'off', enable_bitmapscan: 'off' };
const PLANS_ONCE = { plan_cache_mode: 'force_generic_plan' };

/**
 * Planner settings for each connection, independent of the server's. Its default compiles statements (jit), which takes
 * ten times as long as most of them; none runs long enough for that, or for parallel workers.
 */
export const PLANNING = { jit: 'off', max_parallel_workers_per_gather: '0' } as const;

export function poolConfig(
  connection: DatabaseConnection,
  connections: number,
  { statementMs, byIndex = false, plansOnce = false }: Session,
): PoolConfig {
  const settings = JSON.stringify({
    ...INDEPENDENT,
    statement_timeout: statementMs ?? 0,
    idle_in_transaction_session_timeout: STANDSTILL_MS,
    ...PLANNING,
    ...(byIndex ? BY_INDEX : {}),
    ...(plansOnce ? PLANS_ONCE : {}),
  });
  return {
    ...connection,
    max: connections,
    connectionTimeoutMillis: POOL_CONNECT_MS,
    ...KEEP_ALIVE,
    types: typeParsers(),
    // By a statement: PgBouncer refuses the startup parameter for them, or drops it.
    onConnect: (client) => withDeadline(POOL_CONNECT_MS, () => beforeDeadline(client.query(SET, [settings]))),
  };
}

/**
 * Timestamps become `Date`, safe whole numbers numbers; numerics and greater whole numbers stay text, as MikroORM
 * expects, so that no digit is lost.
 */
function typeParsers(): TypeOverrides {
  const types = new TypeOverrides(usualParsers);
  types.setTypeParser(INT8, (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text));
  types.setTypeParser(TIMESTAMPTZ, (text: string) => new Date(`${text.replace(' ', 'T')}:00`));
  return types;
}
