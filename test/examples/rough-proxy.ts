import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

import { type Listening, listening } from '../support/listening.ts';

/** What was done to a caller, told apart by the key that it sends. */
type Mishap = 'answer lost' | 'busy' | 'faulty' | 'broken off';

/** A proxy on the way to the service through which everything goes wrong once in a while. */
export interface RoughProxy extends Listening {
  /** Who met with what, as `<key or nobody> <mishap>`. */
  readonly happened: ReadonlySet<string>;
}

/**
 * Of each caller it forwards the first submission and loses the answer, answers one GET with 429 and a later one with 503,
 * and breaks off the first export behind its first lines. All else passes.
 */
export async function roughProxy(target: string): Promise<RoughProxy> {
  const happened = new Set<string>();
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const caller = /^Bearer (\S+)$/.exec(incoming.headers.authorization ?? '')?.[1] ?? 'nobody';
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    const mishap = mishapOf(incoming, count, (one) => happened.has(`${caller} ${one}`));
    if (mishap !== null) happened.add(`${caller} ${mishap}`);
    if (mishap === 'busy') refuse(response, 429, { 'retry-after': '1' });
    else if (mishap === 'faulty') refuse(response, 503, {});
    else forward(target, { incoming, response, mishap });
  });
  return { ...(await listening(server)), happened };
}

function mishapOf({ method, url = '' }: IncomingMessage, count: number, had: (one: Mishap) => boolean): Mishap | null {
  if (url.startsWith('/api/export/')) return had('broken off') ? null : 'broken off';
  if (method === 'POST') return had('answer lost') ? null : 'answer lost';
  if (count >= 3 && !had('busy')) return 'busy';
  return count >= 6 && !had('faulty') ? 'faulty' : null;
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":"Not now."}');
}

interface Forwarded {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly mishap: Mishap | null;
}

function forward(target: string, { incoming, response, mishap }: Forwarded): void {
  const { method, headers, url = '' } = incoming;
  const outgoing = request(target + url, { method: method ?? 'GET', headers }, (answer) => {
    if (mishap === 'answer lost') {
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    if (mishap === 'broken off') answer.once('data', (chunk: Buffer) => breakOff(response, chunk));
    else answer.pipe(response);
  });
  // The service is away: whoever asks gets no answer either.
  outgoing.once('error', () => response.destroy());
  incoming.pipe(outgoing);
}

/** A few lines and half of one, then nothing more. */
function breakOff(response: ServerResponse, chunk: Buffer): void {
  const lines = chunk.toString().split('\n').slice(0, 5).join('\n');
  response.write(lines.slice(0, -3), () => response.destroy());
}
