import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { urlOf } from '../support/service.ts';

/** What the server does with a request: an answer, or none. `cut`: it reads the request and ends the connection. */
export type Step =
  | 'cut'
  | 'silent'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Sent as JSON, or as it stands. */
      readonly body?: object | string | Uint8Array;
      /** Whether the connection ends in the middle of the answer. */
      readonly isCut?: boolean;
      /** Whether nothing follows, and the connection stays open. */
      readonly isOpen?: boolean;
    };

interface Received {
  readonly requestLine: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly lastEventId: string | undefined;
  readonly body: string;
}

export interface FaultyServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** A server that does one step after the other, and then the last one for ever; or what a function of the request returns. */
export async function faultyServer(steps: readonly Step[] | ((requestLine: string) => Step)): Promise<FaultyServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const requestLine = `${method} ${url}`;
    const next = (all: readonly Step[]) => all[Math.min(received.length, all.length - 1)] ?? 'silent';
    const step = typeof steps === 'function' ? steps(requestLine) : next(steps);
    const place = { requestLine, lastEventId: headers['last-event-id']?.toString() };
    const { authorization } = headers;
    const given = { ...place, authorization, idempotencyKey: headers['idempotency-key']?.toString() };
    received.push({ ...given, body: await text(request) });
    if (step === 'silent') return;
    if (step === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status, headers: own, body = {}, isCut = false, isOpen = false } = step;
    response.writeHead(status, { 'content-type': 'application/json', ...own });
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    if (isCut) response.write(sent, () => request.socket.destroy());
    else if (isOpen) response.write(sent);
    else response.end(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlOf(server),
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A refusal of the service. */
export function refusal(status: number, code: string, retryAfter?: number): Step {
  const headers: Readonly<Record<string, string>> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers, body: { error: 'It cannot be.', code } };
}
