import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Client, type ClientConfig } from 'pg';

const execute = promisify(execFile);

/** The main process of the server whose socket `connection` names. */
export async function postmasterOf({ host, port }: ClientConfig): Promise<number> {
  const lock = await readFile(join(String(host), `.s.PGSQL.${port}.lock`), 'utf8');
  return Number.parseInt(lock, 10);
}

/** Every process of the server. */
async function processesOf(postmaster: number): Promise<readonly number[]> {
  const { stdout } = await execute('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return [postmaster, ...rows.flatMap(([pid = 0, parent]) => (parent === postmaster ? [pid] : []))];
}

/** Stops every process of the server in the midst of what it does, for so long. */
export async function freezeServer(connection: ClientConfig, ms: number): Promise<void> {
  const postmaster = await postmasterOf(connection);
  // First the one that makes new ones.
  process.kill(postmaster, 'SIGSTOP');
  const all = await processesOf(postmaster);
  for (const pid of all) signal(pid, 'SIGSTOP');
  await delay(ms);
  for (const pid of all) signal(pid, 'SIGCONT');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended between.
  }
}

/** Takes every connection that the server has, also those that the service had, for so long. */
export async function takeAllConnections(connection: ClientConfig, ms: number): Promise<void> {
  const taken: Client[] = [];
  const take = async (): Promise<void> => {
    const client = new Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      taken.push(client);
    } catch {
      await client.end().catch(() => {});
    }
  };
  await take();
  const [first] = taken;
  if (first === undefined) throw new Error('The server gave not even one connection');
  const ours = () => taken.flatMap((client) => ('processID' in client ? [client.processID] : []));
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await Promise.all(Array.from({ length: 20 }, take));
    await first.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and datname = current_database() and not pid = any($1)`,
      [ours()],
    );
  }
  await Promise.all(taken.map((client) => client.end().catch(() => {})));
}
