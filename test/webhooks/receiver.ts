import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen } from '../../src/http/server.ts';

/** A message as it came. */
export interface Received {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  /** The body's parts. */
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Reply = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** A server that notes what it is sent; `reply` answers, 204 unless given, and may be changed at any time. */
export async function openReceiver() {
  const received: Received[] = [];
  const replies = new Map<string, Reply>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = receivedOf(request, await text(request));
    received.push(one);
    const reply = replies.get(one.path) ?? answering(204);
    reply(request, response, one);
  };
  // Who breaks off while it sends has sent nothing.
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  const url = await listen(server, { port: 0, host: '127.0.0.1' });
  return {
    url,
    received,
    /** What came to a path, in its order. */
    at: (path: string) => received.filter((one) => one.path === path),
    reply: (path: string, reply: Reply | null) => (reply === null ? replies.delete(path) : replies.set(path, reply)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function receivedOf({ url = '', headers }: IncomingMessage, body: string): Received {
  const header = (name: string) => String(headers[name]);
  return {
    ...JSON.parse(body),
    path: url,
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
    body,
  };
}

/** An answer with this status and these headers. */
export function answering(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return (_request, response) => response.writeHead(status, headers).end();
}

/** No answer at all. */
export const hanging: Reply = () => {};
