import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** How long an answer may take, in milliseconds; one that takes longer counts as none. */
const TIMEOUT_MS = 10_000;

export interface Asked {
  readonly url: string;
  /** The client's own address, one of this machine's loopback addresses: limits are counted by it. */
  readonly from: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: object;
  /** Keeps connections open; without one the request has a connection of its own. */
  readonly agent?: Agent;
}

export interface Answered {
  /** Null when the connection was cut or nothing came in time. */
  readonly status: number | null;
  readonly text: string;
  /** From the request to the last byte of its answer, connecting included. */
  readonly ms: number;
}

/** One request, with the time that it took. Never rejects. */
export function timedRequest({ url, from, method, headers, body, agent }: Asked): Promise<Answered> {
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
