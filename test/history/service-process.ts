import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { httpClient, type Client } from './http-client.ts';
import { until } from './polling.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const START_TIMEOUT = 60_000;
const STOP_TIMEOUT = 30_000;

export interface Service {
  readonly url: string;
  readonly client: Client;
  /** SIGTERM; resolves with the exit code. Safe to call again. */
  stop(): Promise<number | null>;
}

export interface DataFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Readable by everybody: PostgreSQL refuses to run as root, so that a service started by root runs it as somebody else. */
export async function dataFolder(): Promise<DataFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'hourcast-history-'));
  await chmod(parent, 0o755);
  return { path: join(parent, 'data'), remove: () => rm(parent, { recursive: true, force: true }) };
}

export interface ServiceOptions {
  readonly data: DataFolder;
  readonly market: string;
  readonly clockStart: string;
  readonly clockSpeed: number;
}

/** Starts the real service and waits until it answers. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const output: string[] = [];
  const child = spawn(process.execPath, ['bin/hourcast.js'], {
    cwd: REPOSITORY,
    env: { ...inherited(), ...environment(options, port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const client = httpClient(url);
  const stop = stopper(child, output);
  try {
    await until('the service answers', START_TIMEOUT, async () => {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output.join('')}`);
      return (await client.reachable('/api/health')) || undefined;
    });
  } catch (error) {
    await stop();
    throw new Error(`the service did not start: ${output.join('')}`, { cause: error });
  }
  return { url, client, stop };
}

function environment(options: ServiceOptions, port: number): NodeJS.ProcessEnv {
  return {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: options.data.path,
    MARKET: `replay:${options.market}`,
    CLOCK_START: options.clockStart,
    CLOCK_SPEED: String(options.clockSpeed),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
}

/** Only what a process needs: a DATABASE_URL or REDIS_URL of the caller would change what is tested. */
function inherited(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function stopper(child: ChildProcess, output: string[]): () => Promise<number | null> {
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const killer = setTimeout(() => {
      output.push('killed: it did not end on SIGTERM');
      child.kill('SIGKILL');
    }, STOP_TIMEOUT);
    await exit;
    clearTimeout(killer);
    return child.exitCode;
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  server.close();
  await once(server, 'close');
  return address.port;
}
