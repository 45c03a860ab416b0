import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DatabaseConnection } from '../src/database/connection.ts';
import { processorMs } from './processor-time.ts';
import { figuresOf, type Span, type Target, messageOf, type Turn } from './load.ts';

const FOLDER = import.meta.dirname;
const run = promisify(execFile);

/** Each peer is a program in `bench/peers` and its own process. */
export type PeerName = 'express-hello' | 'express-insert' | 'apollo' | 'postgraphile' | 'hand-written-sql';

export interface Peer extends Target, AsyncDisposable {}

export interface PeerSettings {
  /** The peers' own database. */
  readonly database?: DatabaseConnection;
  /** The service's database. */
  readonly serviceDatabase?: DatabaseConnection;
  readonly parameters?: readonly string[];
}

/** Installs exactly what `bench/package-lock.json` names, once. */
export async function installPeers(): Promise<void> {
  if (existsSync(join(FOLDER, 'node_modules', '.package-lock.json'))) return;
  process.stderr.write('Installing the peers into bench/node_modules ...\n');
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER });
}

/** Ends when disposed, or with this process. */
export async function startPeer(name: PeerName, settings: PeerSettings = {}): Promise<Peer> {
  const child = begin(name, settings);
  const [message]: { readonly port: number }[] = await Promise.race([once(child, 'message'), ended(child, name)]);
  const { pid } = child;
  if (message === undefined || pid === undefined) throw new Error(`The peer ${name} must report its port (got none).`);
  return {
    url: `http://127.0.0.1:${message.port}`,
    pids: () => [pid],
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** The inserting client instead of pgbench; `turn` lets it insert for a while. */
export function startInserter(database: DatabaseConnection, agents: number) {
  const child = begin('single-row-inserts', { database });
  return {
    async turn({ seconds }: Span, serverPids: () => readonly number[]): Promise<Turn> {
      child.send({ clients: 32, agents, ms: seconds * 1_000 });
      await messageOf(child, 'counting');
      const before = processorMs(serverPids());
      const { loaded } = await messageOf(child, 'done');
      return figuresOf(loaded, processorMs(serverPids()) - before);
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

function begin(name: string, { database, serviceDatabase, parameters = [] }: PeerSettings): ChildProcess {
  return fork(join(FOLDER, 'peers', `${name}.mjs`), parameters, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      PEER_DATABASE: JSON.stringify(database ?? {}),
      SERVICE_DATABASE: JSON.stringify(serviceDatabase ?? {}),
    },
  });
}

async function ended(child: ChildProcess, name: string): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`The peer ${name} ended with code ${String(code)} before it listened`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
