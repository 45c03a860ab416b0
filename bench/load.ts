import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { processorMs } from './processor-time.ts';
import type { Job, Loaded, Requests, Told } from './load-client.ts';

/** What came of one side's turn. */
export interface Turn {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds of an answer. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server's processes for one answer, in microseconds; NaN where the system does not say. */
  readonly cpuUs: number;
  /** The same of the client: so much of the machine was not the server's. */
  readonly clientUs: number;
  /** Requests sent, those of the warm-up too. */
  readonly sent: number;
}

export interface Target {
  readonly url: string;
  /** Where connections go in turns, if not to `url` alone. */
  readonly urls?: readonly string[];
  /** The processes whose time is counted. */
  readonly pids: () => readonly number[];
}

export interface Load {
  readonly requests: Requests;
  /** What each answer has; 200 unless given. */
  readonly status?: number;
  /** 64 unless given. */
  readonly connections?: number;
}

/** How long a turn counts at least, and how many answers. */
export interface Span {
  readonly seconds: number;
  readonly answers: number;
}

/** Lets a client in a process of its own ask `target`, after a warm-up of a fifth of the time. */
export async function turnOf(target: Target, load: Load, { seconds, answers }: Span): Promise<Turn> {
  const client = fork(new URL('load-client.ts', import.meta.url));
  try {
    const job: Job = {
      ports: (target.urls ?? [target.url]).map((url) => Number(new URL(url).port)),
      connections: load.connections ?? 64,
      warmUpMs: seconds * 200,
      ms: seconds * 1_000,
      answers,
      status: load.status ?? 200,
      requests: load.requests,
    };
    client.send(job);
    await told(client, 'counting');
    const before = processorMs(target.pids());
    const { loaded } = await told(client, 'done');
    return figuresOf(loaded, processorMs(target.pids()) - before);
  } finally {
    client.kill('SIGKILL');
  }
}

/** What a client reported, with the processor time that the servers took meanwhile. */
export function figuresOf({ answers, ms, sent, p50, p99, clientUs }: Loaded, cpuMs: number): Turn {
  if (answers === 0) throw new Error('Nothing was answered in the time of a turn');
  return { rate: (answers / ms) * 1_000, p50, p99, cpuUs: (cpuMs * 1_000) / answers, clientUs, sent };
}

/** The next message of a client, which has to be of this kind. */
export async function told<Kind extends Told['kind']>(
  client: ChildProcess,
  kind: Kind,
): Promise<Extract<Told, { kind: Kind }>> {
  const [message]: Told[] = await once(client, 'message');
  if (message?.kind === 'failed') throw new Error(message.why);
  if (!isOf(message, kind)) throw new Error(`The client must report ${kind} (got ${String(message?.kind)}).`);
  return message;
}

function isOf<Kind extends Told['kind']>(
  message: Told | undefined,
  kind: Kind,
): message is Extract<Told, { kind: Kind }> {
  return message?.kind === kind;
}

/** A GET as bytes that go out as they are. */
export function get(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${linesOf(headers)}\r\n`;
}

/** A POST of `body` as JSON. */
export function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  const all = { 'content-type': 'application/json', 'content-length': length, ...headers };
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${linesOf(all)}\r\n${text}`;
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
