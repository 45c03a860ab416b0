import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A test's redis-server, without files. */
export interface TestRedis extends AsyncDisposable {
  readonly port: number;
  /** Without TLS and account. */
  readonly url: string;
  readonly folder: string;
  /** The output of redis-cli. */
  cli(...words: readonly string[]): Promise<string>;
  /** Ends it without a shutdown. */
  kill(): Promise<void>;
  /** Starts it again at the same address, empty. */
  start(): Promise<void>;
  /** It keeps its connections and answers nothing, until `wake`. */
  freeze(): void;
  wake(): void;
}

export interface RedisOptions {
  /** Further arguments; `PORT` in them becomes the port. */
  readonly arguments?: readonly string[];
  /** Arguments of redis-cli for access. */
  readonly cli?: readonly string[];
}

const IN_MEMORY = ['--save', '', '--appendonly', 'no'];
const READY = /Ready to accept connections/;

/** Starts redis-server on a free port (about 50 ms). */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-redis-'));
  const port = await freePort();
  const more = (options.arguments ?? []).map((word) => word.replaceAll('PORT', String(port)));
  const command = [
    ...IN_MEMORY,
    '--bind',
    '127.0.0.1',
    '--protected-mode',
    'no',
    '--dir',
    folder,
    ...(more.includes('--port') ? [] : ['--port', String(port)]),
    ...more,
  ];
  let child = await launch(command);
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
  };
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    cli: async (...words) =>
      (await run('redis-cli', ['-p', String(port), ...(options.cli ?? []), ...words])).stdout.trim(),
    kill,
    start: async () => {
      child = await launch(command);
    },
    freeze: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(words: readonly string[]): Promise<ChildProcess> {
  const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!READY.test(line)) continue;
    // An unread pipe would block it one day.
    child.stdout.resume();
    return child;
  }
  throw new Error(`redis-server ended: ${lines.join('\n')}`);
}

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was found');
  return address.port;
}
