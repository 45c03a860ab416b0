import { createServer, type RequestListener, type Server } from 'node:http';

import { asksForWebSocket } from '../feed/web-socket.ts';
import { SECOND } from '../rules/hours.ts';
import { answerUnreadable } from '../unreadable-requests.ts';

/** How long the server waits for a caller, in real milliseconds. Answers, event streams and sockets last as they like. */
export interface ServerPatience {
  /** For the head of a request. */
  readonly headersMs: number;
  /** For a whole request, its body too. */
  readonly requestMs: number;
  /** For the next request on a connection: longer than balancers keep theirs, so that none is cut as it is used. */
  readonly idleMs: number;
  /** How often the first two are looked at. */
  readonly lookMs: number;
}

const USUAL: ServerPatience = { headersMs: 10 * SECOND, requestMs: 30 * SECOND, idleMs: 65 * SECOND, lookMs: SECOND };

/** The address and the headers of a request, in bytes. */
const HEADER_BYTES = 16 * 1024;

export interface HttpServerNeeds {
  readonly listener: RequestListener;
  readonly patience?: Partial<ServerPatience> | undefined;
  /** Called with the status of each request that was given up before `listener` saw it. */
  readonly onUnreadable: (status: number) => void;
}

/** A server that nobody can keep waiting, nor fill with headers. */
export function openServer({ listener, patience, onUnreadable }: HttpServerNeeds): Server {
  const { headersMs, requestMs, idleMs, lookMs } = { ...USUAL, ...patience };
  const server = createServer(
    {
      shouldUpgradeCallback: asksForWebSocket,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: lookMs,
    },
    listener,
  );
  answerUnreadable(server, onUnreadable);
  closeConnectionsWhenClosing(server);
  return server;
}

/** A caller that never stops asking on one connection would hold the stop up for ever. */
function closeConnectionsWhenClosing(server: Server): void {
  server.on('request', (request, response) => {
    response.once('close', () => {
      if (!server.listening) request.socket.end();
    });
  });
}
