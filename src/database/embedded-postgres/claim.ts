import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

import type { DatabaseConnection } from '../connection.ts';
import { reason } from '../failures.ts';
import { StartError } from '../../rules/errors.ts';
import { MINUTE, SECOND } from '../../rules/hours.ts';

/** The exclusive right of one service to a data folder; it ends with the server or this process. */
export type Claim = Awaited<ReturnType<typeof claimServer>>;

interface ClaimOptions {
  readonly connection: DatabaseConnection;
  readonly dataDir: string;
  /** Restarts a crashed server; throws if that fails or is no longer wanted. */
  readonly revive: (noMore: AbortSignal) => Promise<void>;
  /** Called at a crash, every minute with the reason of a failed restart, and after the restart. */
  readonly log: (message: string, fields: object) => void;
}

/** PostgreSQL cuts every connection when one of its processes crashes. */
interface HeldLock {
  readonly ended: Promise<void>;
}

const LOCK = 0x48_6f_75_72;
const NAME = 'hourcast process';
const PREDECESSOR_MS = 3 * SECOND;
const RETRY_MS = 25;
/** The pause before the next try to restart. */
const REVIVAL_MS = SECOND;
const REMINDER_MS = MINUTE;

/**
 * Claims the data folder by a lock of one connection, which the server releases when the process is killed. Waits 3 s
 * for a killed predecessor, then throws a `StartError`. A cut connection means a crash: the server is restarted and the
 * claim regained, however long that takes.
 */
export async function claimServer(options: ClaimOptions) {
  const { connection, dataDir } = options;
  const givenUp = new AbortController();
  let regaining: Promise<HeldLock | undefined> | undefined;
  const hold = async (held: HeldLock): Promise<void> => {
    await held.ended;
    regaining = regain(options, givenUp.signal);
    const next = await regaining;
    if (next !== undefined) await hold(next);
  };
  void hold(await acquireSoon(connection, dataDir));
  return {
    /** Call before stopping the server: afterwards neither server nor claim are restored. */
    async giveUp(): Promise<void> {
      givenUp.abort();
      await regaining;
    },
  };
}

async function acquireSoon(connection: DatabaseConnection, dataDir: string): Promise<HeldLock> {
  const deadline = performance.now() + PREDECESSOR_MS;
  for (;;) {
    try {
      return await tryAcquire(connection, dataDir);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Restarts the server and claims it again; undefined if no longer wanted. */
async function regain(
  { connection, dataDir, revive, log }: ClaimOptions,
  signal: AbortSignal,
): Promise<HeldLock | undefined> {
  const began = performance.now();
  let nextLogged = began;
  if (!signal.aborted) log('PostgreSQL has stopped; restarting it', { dataDir });
  while (!signal.aborted) {
    try {
      await revive(signal);
      const held = await tryAcquire(connection, dataDir);
      log('PostgreSQL is back', { dataDir, milliseconds: Math.round(performance.now() - began) });
      return held;
    } catch (error) {
      if (!signal.aborted && performance.now() >= nextLogged) {
        log('PostgreSQL has not restarted yet', { dataDir, reason: reason(error) });
        nextLogged = performance.now() + REMINDER_MS;
      }
      await delay(REVIVAL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

async function tryAcquire(connection: DatabaseConnection, dataDir: string): Promise<HeldLock> {
  const client = new Client({ ...connection, application_name: `${NAME} ${process.pid}` });
  client.on('error', () => {});
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1) as claimed', [LOCK]);
    if (rows[0]?.claimed) return { ended };
    throw new StartError(
      `Another service${await holder(client)} runs on the data folder ${dataDir}: ` +
        'stop it first, or start this one with a DATA_DIR and a PORT of its own',
    );
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** The process that holds the claim, for the message; empty for a foreign name. */
async function holder(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted and application_name like $2`,
    [LOCK, `${NAME} %`],
  );
  return rows[0] ? ` (${rows[0].name.replace(NAME, 'process')})` : '';
}
