import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { processorMs } from './processor-time.ts';
import type { Job, Loaded, Requests, LoadMessage } from './load-client.ts';

export interface Turn {
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the server's processor time for an answer; NaN if the system does not report it. */
  readonly cpuUs: number;
  /** The client's processor time for an answer, which the server could not use. */
  readonly clientUs: number;
  /** Includes the warm-up. */
  readonly sent: number;
}

export interface Target {
  readonly url: string;
  /** Default: `url` alone. */
  readonly urls?: readonly string[];
  /** The processes whose time is counted. */
  readonly pids: () => readonly number[];
}

export interface Load {
  readonly requests: Requests;
  /** Default: 200. */
  readonly status?: number;
  /** Default: 64. */
  readonly connections?: number;
}

export function these(texts: readonly string[], more: Omit<Load, 'requests'> = {}): Load {
  return { requests: { kind: 'these', texts }, ...more };
}

/** A turn lasts for at least this time and this number of answers. */
export interface Span {
  readonly seconds: number;
  readonly answers: number;
}

/** The client is its own process; the warm-up is a fifth of the time. */
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
    await messageOf(client, 'counting');
    const before = processorMs(target.pids());
    const { loaded } = await messageOf(client, 'done');
    return figuresOf(loaded, processorMs(target.pids()) - before);
  } finally {
    client.kill('SIGKILL');
  }
}

/** A client's report with the servers' processor time. */
export function figuresOf({ answers, ms, sent, p50, p99, clientUs }: Loaded, cpuMs: number): Turn {
  if (answers === 0) throw new Error('Nothing was answered in the time of a turn');
  return { rate: (answers / ms) * 1_000, p50, p99, cpuUs: (cpuMs * 1_000) / answers, clientUs, sent };
}

/** Throws for a message of another kind. */
export async function messageOf<Kind extends LoadMessage['kind']>(
  client: ChildProcess,
  kind: Kind,
): Promise<Extract<LoadMessage, { kind: Kind }>> {
  const [message]: LoadMessage[] = await once(client, 'message');
  if (message?.kind === 'failed') throw new Error(message.why);
  if (!isOf(message, kind)) throw new Error(`The client must report ${kind} (got ${String(message?.kind)}).`);
  return message;
}

function isOf<Kind extends LoadMessage['kind']>(
  message: LoadMessage | undefined,
  kind: Kind,
): message is Extract<LoadMessage, { kind: Kind }> {
  return message?.kind === kind;
}

export function get(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${linesOf(headers)}\r\n`;
}

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
