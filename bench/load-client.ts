import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { benchKey } from './history-shapes.ts';

/**
 * The HTTP client of the benchmarks, in its own process: open connections, one request in flight on each, prepared bytes; it
 * reads only an answer's status and end. On two cores it takes about as much as wrk, without an installation.
 */
export interface Job {
  /** Connections use these ports in turn. */
  readonly ports: readonly number[];
  readonly connections: number;
  /** Warm-up before counting. */
  readonly warmUpMs: number;
  /** Minimum of counted time and of answers. */
  readonly ms: number;
  readonly answers: number;
  /** Any other status ends the job. */
  readonly status: number;
  readonly requests: Requests;
}

/**
 * Requests in turn, as text; or one request with the newest ETag, answered 304 until the answer changes; or submissions of one
 * agent after the other.
 */
export type Requests =
  | { readonly kind: 'these'; readonly texts: readonly string[] }
  | { readonly kind: 'revalidating'; readonly path: string }
  | {
      readonly kind: 'submissions';
      readonly firstAgent: number;
      readonly roundId: number;
      readonly prediction: string;
    };

export interface Loaded {
  /** Answers and milliseconds of the counted time. */
  readonly answers: number;
  readonly ms: number;
  /** Includes the warm-up. */
  readonly sent: number;
  /** Milliseconds from a request to its answer's last byte. */
  readonly p50: number;
  readonly p99: number;
  /** The client's own microseconds of processor time for an answer, which bound the server's rate. */
  readonly clientUs: number;
}

export type LoadMessage =
  | { readonly kind: 'counting' }
  | { readonly kind: 'done'; readonly loaded: Loaded }
  | { readonly kind: 'failed'; readonly why: string };

const READ_BYTES = 256 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const STATUS_AT = 9;
const MOST_LATENCIES = 4_000_000;
/** A turn ends after this time, even with too few answers. */
const LONGEST_MS = 30_000;
const LOOK_MS = 100;

process.on('message', (job: Job) => {
  run(job).then(
    (loaded) => tell({ kind: 'done', loaded }),
    (error: unknown) => tell({ kind: 'failed', why: error instanceof Error ? error.message : String(error) }),
  );
});

async function run(job: Job): Promise<Loaded> {
  const latencies = new Float64Array(MOST_LATENCIES);
  const state = { sent: 0, answers: 0, isCounting: false, isOver: false };
  const failed = Promise.withResolvers<never>();
  const { next, onHead } = sender(job);
  const sockets = Array.from({ length: job.connections }, (_, n) => {
    let sentAt = 0;
    const send = (): void => {
      if (state.isOver) return;
      state.sent += 1;
      sentAt = performance.now();
      socket.write(next());
    };
    const onAnswer = (): void => {
      if (state.isCounting) latencies[state.answers++ % MOST_LATENCIES] = performance.now() - sentAt;
      send();
    };
    const socket = opened(job.ports[n % job.ports.length] ?? 0, answerReader(onHead, onAnswer), failed.reject);
    socket.once('connect', send);
    socket.once('close', () => state.isOver || failed.reject(new Error('The server closed a connection')));
    return socket;
  });
  const wait = (ms: number): Promise<void> => Promise.race([delay(ms), failed.promise]);
  await wait(job.warmUpMs);
  tell({ kind: 'counting' });
  state.isCounting = true;
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await wait(job.ms);
  while (state.answers < job.answers && performance.now() - began < LONGEST_MS) await wait(LOOK_MS);
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  state.isOver = true;
  for (const socket of sockets) socket.destroy();
  const sorted = latencies.subarray(0, Math.min(state.answers, MOST_LATENCIES)).toSorted();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    answers: state.answers,
    ms,
    sent: state.sent,
    p50: at(0.5),
    p99: at(0.99),
    clientUs: (user + system) / state.answers,
  };
}

/** `take` gets the bytes without a copy. */
function opened(port: number, take: (bytes: Buffer) => void, fail: (error: unknown) => void): Socket {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const callback = (length: number): boolean => {
    try {
      take(buffer.subarray(0, length));
    } catch (error) {
      fail(error);
    }
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
  return socket.once('error', fail);
}

interface Sender {
  readonly next: () => Buffer | string;
  /** Throws for an unexpected status. */
  readonly onHead: (head: string, status: number) => void;
}

function sender({ requests, status }: Job): Sender {
  if (requests.kind === 'revalidating') return revalidating(requests.path);
  const onHead = (head: string, found: number): void => {
    if (found !== status) throw new Error(`An answer must have status ${status} (got: ${head})`);
  };
  if (requests.kind === 'submissions') return { next: submissions(requests), onHead };
  const all = requests.texts.map((text) => Buffer.from(text, 'latin1'));
  let n = -1;
  return { next: () => all[(n = (n + 1) % all.length)] ?? '', onHead };
}

function revalidating(path: string): Sender {
  const NOT_MODIFIED = 304;
  const start = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n`;
  let request = `${start}\r\n`;
  return {
    next: () => request,
    onHead: (head, status) => {
      if (status === NOT_MODIFIED) return;
      const [, etag] = /^etag: (.*)$/im.exec(head) ?? [];
      if (status !== 200 || etag === undefined)
        throw new Error(`An answer must be 304, or 200 with an ETag (got: ${head})`);
      request = `${start}if-none-match: ${etag}\r\n\r\n`;
    },
  };
}

function submissions({ firstAgent, roundId, prediction }: Extract<Requests, { kind: 'submissions' }>): () => string {
  let n = -1;
  return () => {
    n += 1;
    const body = `{"round_id":${roundId},"prediction":"${prediction}","confidence":${n % 101}}`;
    return `POST /api/predictions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${benchKey(firstAgent + n)}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
}

/** Calls `onAnswer` at the end of each answer. */
function answerReader(onHead: Sender['onHead'], onAnswer: () => void): (bytes: Buffer) => void {
  /** Remaining bytes of the body; null while a head is read. */
  let missing: number | null = null;
  let isChunked = false;
  let begun = Buffer.alloc(0);
  return (bytes) => {
    if (missing === null) {
      const all = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
      const end = all.indexOf(HEAD_END);
      begun = end < 0 ? Buffer.from(all) : Buffer.alloc(0);
      if (end < 0) return;
      const head = all.toString('latin1', 0, end);
      const status = Number.parseInt(head.slice(STATUS_AT, STATUS_AT + 3), 10);
      onHead(head, status);
      const length = bodyLength(head, status);
      isChunked = length === null;
      missing = (length ?? 0) - (all.length - end - HEAD_END.length);
    } else missing -= bytes.length;
    if (isChunked) missing = bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? 0 : 1;
    if (missing > 0) return;
    if (missing < 0) throw new Error('An answer is longer than its head says');
    missing = null;
    onAnswer();
  };
}

/** Null for a chunked body, whose last bytes show its end. */
function bodyLength(head: string, status: number): number | null {
  if (status === 304) return 0;
  const at = head.indexOf('ontent-Length: ');
  const found = at < 0 ? head.toLowerCase().indexOf('ontent-length: ') : at;
  return found < 0 ? null : Number.parseInt(head.slice(found + 'ontent-length: '.length), 10);
}

function tell(message: LoadMessage): void {
  process.send?.(message);
}
