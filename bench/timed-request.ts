import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** In milliseconds; a later answer counts as none. */
const TIMEOUT_MS = 10_000;

export interface TimedRequest {
  readonly url: string;
  /** The client's own loopback address: the service counts limits by address. */
  readonly from: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: object;
  /** Keeps connections open; default: a connection for each request. */
  readonly agent?: Agent;
}

export interface Answered {
  /** Null if the connection was cut or timed out. */
  readonly status: number | null;
  readonly text: string;
  /** To the answer's last byte, with the connect. */
  readonly ms: number;
}

/** Never rejects. */
export function timedRequest({ url, from, method, headers, body, agent }: TimedRequest): Promise<Answered> {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number | null, text: string): void => resolve({ status, text, ms: performance.now() - began });
    const sent = request(url, {
      localAddress: from,
      agent: agent ?? false,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    sent.once('error', () => end(null, ''));
    sent.once('response', (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.once('error', () => end(null, ''));
      answer.once('end', () => end(answer.statusCode ?? null, Buffer.concat(pieces).toString()));
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
