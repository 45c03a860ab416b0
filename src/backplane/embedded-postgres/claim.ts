import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

import type { DatabaseConnection } from '../database-connection.ts';
import { SetupError } from '../setup-error.ts';

/** The right to be the one service on a data folder; it goes back when the server stops or this process is gone. */
export interface Claim {
  /** To be called before the server is stopped: from now on the claim is not regained. */
  giveUp(): void;
}

export interface ClaimOptions {
  readonly connection: DatabaseConnection;
  /** The folder, as the operator knows it. */
  readonly dataDir: string;
  /** Told when a crash of the server's took the claim away and it did not come back. */
  readonly onLost: (error: unknown) => void;
}

const LOCK = 0x48_6f_75_72;
const NAME = 'hourcast process';
const PREDECESSOR_SECONDS = 3;
const RECOVERY_SECONDS = 60;

/**
 * Claims the data folder through a lock that lives with one connection: the server frees it by itself when the process
 * that held it is killed. Waits 3 s for a killed predecessor, then throws a `SetupError`.
 */
export async function claimServer({ connection, dataDir, onLost }: ClaimOptions): Promise<Claim> {
  const givenUp = new AbortController();
  const acquire = async (seconds: number) => {
    const client = await retry(() => tryAcquire(connection, dataDir), seconds, givenUp.signal);
    if (givenUp.signal.aborted) await client.end();
    // PostgreSQL cuts every connection when one of its processes crashes, and with ours the lock.
    client.once('end', () => {
      if (!givenUp.signal.aborted) acquire(RECOVERY_SECONDS).catch(report);
    });
  };
  const report = (error: unknown) => {
    if (!givenUp.signal.aborted) onLost(error);
  };
  await acquire(PREDECESSOR_SECONDS);
  return { giveUp: () => givenUp.abort() };
}

async function retry<T>(attempt: () => Promise<T>, seconds: number, signal: AbortSignal): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(25, undefined, { signal });
    }
  }
}

async function tryAcquire(connection: DatabaseConnection, dataDir: string): Promise<Client> {
  const client = new Client({ ...connection, application_name: `${NAME} ${process.pid}` });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1) as claimed', [LOCK]);
    if (rows[0]?.claimed) return client;
    throw new SetupError(
      `Another service${await holder(client)} runs on the data folder ${dataDir}: ` +
        'stop it first, or start this one with a DATA_DIR and a PORT of its own',
    );
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Which process holds the claim, for the message; a name that this module has not given says nothing. */
async function holder(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted and application_name like $2`,
    [LOCK, `${NAME} %`],
  );
  return rows[0] ? ` (${rows[0].name.replace(NAME, 'process')})` : '';
}
