import { setTimeout as delay } from 'node:timers/promises';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

const LOOK_AGAIN_MS = 10;
/** It ends only tests that hang: a loaded machine takes many times longer than an idle one. */
export const TIMEOUT_MS = 180_000;

type Look<Seen> = () => Promise<Seen | null | false> | Seen | null | false;

/** Polls until there is a result; an error names `awaited`. */
export async function until<Seen>(awaited: string, look: Look<Seen>, timeoutMs = TIMEOUT_MS): Promise<Seen> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`Not seen in ${timeoutMs} ms: ${awaited}`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Also polls on after errors of an absent database. */
export function untilDespiteFaults<Seen>(awaited: string, look: Look<Seen>): Promise<Seen> {
  let failure: unknown;
  const tolerant = async (): Promise<Seen | null | false> => {
    try {
      return await look();
    } catch (error) {
      failure = error;
      return null;
    }
  };
  return until(awaited, tolerant).catch((error: unknown) => {
    throw new Error(String(error), { cause: failure });
  });
}

/**
 * Returns once a statement that begins with this waits for a lock of this transaction, or behind one that does: the service's
 * own work may wait too.
 */
export function untilItBlocks(transaction: SqlEntityManager, beginning = ''): Promise<true> {
  const blocked = `with recursive waiting as (select distinct pid from pg_locks where not granted), blocked as (
      select pid from waiting where pg_backend_pid() = any(pg_blocking_pids(pid))
      union select w.pid from waiting w join blocked b on b.pid = any(pg_blocking_pids(w.pid)))
    select from blocked join pg_stat_activity using (pid) where starts_with(ltrim(query, E' \\n'), ?)`;
  return until('a statement that waits', async () => {
    // A transaction keeps the activities that it saw first.
    await transaction.execute('select pg_stat_clear_snapshot()');
    return (await transaction.execute<object[]>(blocked, [beginning])).length > 0;
  });
}
